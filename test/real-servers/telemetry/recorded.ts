/**
 * The recorded exports of the SDK that the spec's names come from (`test/recorded/otlp`): a script with two chat calls, an embedding, a failing
 * call and two calls to a vector database. As JSON, with its end moved to `now`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(__dirname, "../../recorded/otlp/openlit-python-1.10.0.json");

export interface RecordedExport {
  signal: "metrics" | "traces";
  /** A body of type `application/json`. */
  body: string;
}

export function recordedExports(now: number): RecordedExport[] {
  const recorded = JSON.parse(readFileSync(file, "utf8")) as { path: string; body: unknown }[];
  const times: bigint[] = [];
  replaceTexts(recorded, (key, value) => {
    if (isTime(key)) times.push(BigInt(value));
    return value;
  });
  const newest = times.reduce((newest, time) => (time > newest ? time : newest));
  const shift = BigInt(now) * 1_000_000n - newest;
  return recorded.map(({ path, body }) => ({
    signal: path.endsWith("/v1/metrics") ? "metrics" : "traces",
    body: JSON.stringify(
      replaceTexts(body, (key, value) => {
        if (isTime(key)) return String(BigInt(value) + shift);
        // OTLP's JSON has ids in hex, the recording in base64.
        return isId(key) ? Buffer.from(value, "base64").toString("hex") : value;
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
