/** Recorded exports of SDKs (`test/recorded/otlp`), with their end moved to another time. As JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningServers } from "../servers";
import { json, otlpMetrics, otlpTraces, push } from "./push";

const folder = join(__dirname, "../../recorded/otlp");

export interface RecordedExport {
  signal: "metrics" | "traces";
  /** A body of type `application/json`. */
  body: string;
}

/** A recording of today's SDKs: what was recorded, in words, and the exports. */
export interface Recording {
  sdk: string;
  with: string;
  calls: string;
  exports: readonly Export[];
}

interface Export {
  path: string;
  body: unknown;
}

const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

export const recording = (name: string): Recording => read(name);

/**
 * The exports of the SDK that the spec's names come from: a script with two chat calls, an embedding, a failing call and two calls to a vector database.
 */
export const recordedExports = (now: number): RecordedExport[] => retimed(read("openlit-python-1.10.0"), now);

/** @returns the number of traces */
export async function pushRecorded(exports: readonly RecordedExport[], servers: RunningServers): Promise<number> {
  const traces = new Set<string>();
  for (const { signal, body } of exports) {
    await push(body, signal === "metrics" ? otlpMetrics(servers) : otlpTraces(servers), json);
    if (signal === "traces") for (const [id] of body.matchAll(/"traceId":"\w+"/g)) traces.add(id);
  }
  return traces.size;
}

/** Exports of metrics and traces whose newest time is `now`. */
export function retimed(recorded: readonly Export[], now: number): RecordedExport[] {
  const times: bigint[] = [];
  replaceTexts([...recorded], (key, value) => {
    if (isTime(key)) times.push(BigInt(value));
    return value;
  });
  const newest = times.reduce((newest, time) => (time > newest ? time : newest));
  const shift = BigInt(now) * 1_000_000n - newest;
  const ofSignals = recorded.filter(({ path }) => /\/v1\/(metrics|traces)$/.test(path));
  return ofSignals.map(({ path, body }) => ({
    signal: path.endsWith("/v1/metrics") ? "metrics" : "traces",
    body: JSON.stringify(
      replaceTexts(body, (key, value) => {
        if (isTime(key)) return String(BigInt(value) + shift);
        // OTLP's JSON has ids in hex, most recordings in base64.
        return isId(key) && !/^[0-9a-f]{16,32}$/.test(value) ? Buffer.from(value, "base64").toString("hex") : value;
      }),
    ),
  }));
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
