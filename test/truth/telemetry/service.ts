/**
 * Telemetry of the LLM observability service (src/signals/README.md): a sample for each metric of each call at the call's end, and its texts as log lines. Another
 * service writes to the same platform; no panel may show its telemetry.
 */
import { parse } from "protobufjs";
import { compress } from "snappyjs";
import type { Model } from "../world/models";
import type { ModelCall, Process, World } from "../world/world";
import { sdks } from "./sdks";
import { totalTokens } from "./spec-sdk";

/** `<svc>` of the spec. */
export const service = "llmobs";

export type Labels = Record<string, string>;

/** Samples of one series, with times in milliseconds. */
export type Series = { labels: Labels; samples: [time: number, value: number][] };

/** Calls that the service wrote: successful ones of the programs that use it, while the platform was reachable. */
export const writtenCalls = ({ calls }: World) =>
  calls.filter(
    (call): call is ModelCall =>
      call.kind === "model" &&
      call.arrived &&
      call.error === undefined &&
      !sdks[call.process.sdk].gateway &&
      !sdks[call.process.sdk].silent,
  );

/** What the service knows of a call. */
export interface WrittenCall extends Pick<ModelCall, "start" | "end" | "inputTokens" | "outputTokens" | "cost"> {
  process: Pick<Process, "application" | "environment">;
  model: Pick<Model, "endpoint" | "model" | "provider" | "type">;
}

/** The service's metrics by the names of the spec, without the prefix. */
export const metrics = {
  requestDuration: ({ start, end }: WrittenCall) => (end - start) / 1000,
  totalTokens,
  promptTokens: ({ inputTokens }: WrittenCall) => inputTokens,
  completionTokens: ({ outputTokens }: WrittenCall) => outputTokens,
  usageCost: ({ cost }: WrittenCall) => cost,
};

/** The names of the services that write a call. */
const writers = ({ end }: WrittenCall) => (end % 7 === 0 ? [service, `not-${service}`] : [service]);

/** The labels of samples and lines. */
const commonOf = (job: string, { process: { application, environment } }: WrittenCall): Labels => ({
  job,
  applicationName: application,
  ...(environment === undefined ? {} : { environment }),
});

/** @param calls in the order of their ends */
export function serviceSeries(calls: readonly WrittenCall[]): Series[] {
  const series = new Map<string, Series>();
  for (const call of calls) {
    const { endpoint, model, provider: platform, type: generation } = call.model;
    for (const writer of writers(call)) {
      const of = [writer, call.process.application, call.process.environment, endpoint, model, platform, generation].join("\n");
      for (const [metric, sampleOf] of Object.entries<(call: WrittenCall) => number | undefined>(metrics)) {
        const value = sampleOf(call);
        if (value === undefined) continue;
        let found = series.get(metric + of);
        if (!found) {
          const labels = { __name__: `${service}_llm_${metric}`, ...commonOf(writer, call), endpoint, model, platform, generation };
          found = { labels, samples: [] };
          series.set(metric + of, found);
        }
        // Two samples of a series in the same millisecond would be one.
        found.samples.push([Math.max(call.end, (found.samples.at(-1)?.[0] ?? 0) + 1), value]);
      }
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
export type Line = { type: "prompt" | "response"; call: ModelCall; text: string };

/** Prompts and responses of the written calls. */
export const serviceLines = (world: World): Line[] =>
  writtenCalls(world).flatMap((call): Line[] => [
    { type: "prompt", call, text: call.prompt },
    ...(call.completion === undefined ? [] : [{ type: "response" as const, call, text: call.completion }]),
  ]);

/** The body of a push to Loki, as JSON. */
export function lokiPush(lines: readonly Line[]): string {
  const streams = lines.flatMap(({ type, call, text }) =>
    writers(call).map((writer) => ({ stream: { ...commonOf(writer, call), type }, values: [[`${call.end}000000`, text]] })),
  );
  return JSON.stringify({ streams });
}
