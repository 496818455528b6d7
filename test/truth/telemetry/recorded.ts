/** Recorded exports of SDKs (`test/recorded/otlp`), with their end moved to another time. As JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningPrometheus, RunningServers } from "../servers";
import { json, otlpMetrics, otlpTraces, push } from "./push";

const folder = join(__dirname, "../../recorded/otlp");

/** A request of OTLP. */
export type Export = { path: string; body: unknown };

/** The exports of a recording. Its file says in words what was recorded, too. */
export function recording(name: string): readonly Export[] {
  const file = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  return Array.isArray(file) ? file : file.exports;
}

/** The recording of the SDK that the spec's names come from. */
export const specRecording = "openlit-python-1.10.0";

/** @returns the number of traces */
export async function pushRecorded(exports: readonly Export[], servers: RunningPrometheus & Partial<RunningServers>): Promise<number> {
  const traces = new Set<string>();
  for (const { path, body } of exports) {
    const text = JSON.stringify(body);
    await push(text, path === metricsPath ? otlpMetrics(servers) : otlpTraces(servers as RunningServers), json);
    if (path === tracesPath) for (const [id] of text.matchAll(/"traceId":"\w+"/g)) traces.add(id);
  }
  return traces.size;
}

export const metricsPath = "/v1/metrics";
export const tracesPath = "/v1/traces";

/** Exports of metrics and traces whose newest time is `now`. */
export function retimed(recorded: readonly Export[], now: number): Export[] {
  const times: bigint[] = [];
  replaceTexts([...recorded], (key, value) => {
    if (isTime(key)) times.push(BigInt(value));
    return value;
  });
  const shift = BigInt(now) * 1_000_000n - times.reduce((newest, time) => (time > newest ? time : newest));
  const moved = (key: string, value: string) => {
    if (isTime(key)) return String(BigInt(value) + shift);
    // OTLP's JSON has ids in hex, most recordings in base64.
    return isId(key) && !/^[0-9a-f]{16,32}$/.test(value) ? Buffer.from(value, "base64").toString("hex") : value;
  };
  return recorded.flatMap(({ path, body }) => {
    const signal = [metricsPath, tracesPath].find((end) => path.endsWith(end));
    return signal ? [{ path: signal, body: replaceTexts(body, moved) }] : [];
  });
}

const isTime = (key: string) => /TimeUnixNano$/i.test(key);
const isId = (key: string) => key === "traceId" || key === "spanId" || key === "parentSpanId";

/** A copy with replaced texts. */
function replaceTexts(value: unknown, text: (key: string, value: string) => string, key = ""): unknown {
  if (typeof value === "string") return text(key, value);
  if (Array.isArray(value)) return value.map((part) => replaceTexts(part, text, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaceTexts(part, text, name)]));
}
