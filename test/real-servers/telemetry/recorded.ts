/**
 * The recorded exports of the SDK that the spec's names come from (`test/recorded/otlp`): a script with two chat calls, an embedding, a failing
 * call and two calls to a vector database. Sent again as JSON, as if it ended at `now`.
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
  rewritten(recorded, (key, value) => {
    if (isTime(key)) times.push(BigInt(value));
    return value;
  });
  const newest = times.reduce((newest, time) => (time > newest ? time : newest));
  const shift = BigInt(now) * 1_000_000n - newest;
  return recorded.map(({ path, body }) => ({
    signal: path.endsWith("/v1/metrics") ? "metrics" : "traces",
    body: JSON.stringify(
      rewritten(body, (key, value) => {
        if (isTime(key)) return String(BigInt(value) + shift);
        // JSON of OTLP has ids in hex, the recording's are in base64.
        return isId(key) ? Buffer.from(value, "base64").toString("hex") : value;
      }),
    ),
  }));
}

const isTime = (key: string) => /TimeUnixNano$/i.test(key);
const isId = (key: string) => key === "traceId" || key === "spanId" || key === "parentSpanId";

/** The same with other texts. */
function rewritten(value: unknown, text: (key: string, value: string) => string, key = ""): unknown {
  if (typeof value === "string") return text(key, value);
  if (Array.isArray(value)) return value.map((part) => rewritten(part, text, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rewritten(part, text, name)]));
}
