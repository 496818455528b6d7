/**
 * Telemetry of the LLM observability service (spec 2.2): a sample for each metric of each call at the call's end, and its texts as log lines. Another
 * service writes to the same platform; no panel may show its telemetry.
 */
import { parse } from "protobufjs";
import { compress } from "snappyjs";
import type { LlmCall, World } from "./world";

export type Labels = Record<string, string>;

/** Samples of one series in any order, with times in milliseconds. */
export interface Series {
  labels: Labels;
  samples: [time: number, value: number][];
}

/** Calls that the service wrote: successful ones, while the platform was reachable. */
export const writtenCalls = (world: World) => world.llm.filter(({ arrived, status }) => arrived && status !== "error");

/** The service's metrics by the names of the spec, without the prefix. */
export const metrics = {
  requestDuration: ({ start, end }: LlmCall) => (end - start) / 1000,
  totalTokens: (call: LlmCall) => call.totalTokens,
  promptTokens: (call: LlmCall) => call.promptTokens,
  completionTokens: (call: LlmCall) => call.completionTokens,
  usageCost: (call: LlmCall) => call.cost,
};

export function serviceSeries(world: World, service: string): Series[] {
  const series = new Map<string, Series>();
  const add = (labels: Labels, time: number, value: number | undefined) => {
    if (value === undefined) return;
    const key = JSON.stringify(labels);
    const found = series.get(key) ?? { labels, samples: [] };
    series.set(key, found);
    found.samples.push([time, value]);
  };
  for (const call of writtenCalls(world)) {
    const { endpoint, model, platform, generation } = call.operation;
    const { application: applicationName, environment } = call.process;
    const labels = { job: service, applicationName, environment, endpoint, model, platform, generation };
    for (const [metric, sampleOf] of Object.entries(metrics)) {
      add({ __name__: `${service}_llm_${metric}`, ...labels }, call.end, sampleOf(call));
      if (call.end % 7 === 0) add({ __name__: `${service}_llm_${metric}`, ...labels, job: `not-${service}` }, call.end, sampleOf(call));
    }
  }
  return [...series.values()];
}

/** The headers of a remote write. */
export const remoteWriteHeaders = {
  "Content-Type": "application/x-protobuf",
  "Content-Encoding": "snappy",
  "X-Prometheus-Remote-Write-Version": "0.1.0",
};

/** The body of a remote write (Prometheus Remote-Write 1.0): protobuf, compressed by snappy. */
export function remoteWrite(series: readonly Series[]): Uint8Array {
  const timeseries = series.map(({ labels, samples }) => ({
    labels: Object.entries(labels)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => ({ name, value })),
    samples: samples.map(([timestamp, value]) => ({ timestamp, value })),
  }));
  return compress(writeRequest.encode(writeRequest.create({ timeseries })).finish());
}

const writeRequest = parse(`
  syntax = "proto3";
  message WriteRequest { repeated TimeSeries timeseries = 1; }
  message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; }
  message Label { string name = 1; string value = 2; }
  message Sample { double value = 1; int64 timestamp = 2; }
`).root.lookupType("WriteRequest");

/** One log line. */
export interface Line {
  type: "prompt" | "response";
  call: LlmCall;
  text: string;
}

/** Prompts and responses of the written calls. */
export const serviceLines = (world: World): Line[] =>
  writtenCalls(world).flatMap((call): Line[] => [
    { type: "prompt", call, text: call.prompt },
    ...(call.completion === undefined ? [] : [{ type: "response" as const, call, text: call.completion }]),
  ]);

/** The body of a push to Loki, as JSON. */
export function lokiPush(lines: readonly Line[], service: string): string {
  const streams = lines.flatMap(({ type, call, text }) => {
    const { application: applicationName, environment } = call.process;
    const labels = { job: service, type, applicationName, environment };
    const values = [[`${call.end}000000`, text]];
    const other = { stream: { ...labels, job: `not-${service}` }, values };
    return [{ stream: labels, values }, ...(call.end % 7 === 0 ? [other] : [])];
  });
  return JSON.stringify({ streams });
}
