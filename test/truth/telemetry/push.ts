/** Pushes what the service and the SDKs write of the made-up calls to the real servers, some of it late, and waits until it can be queried. */
import type { RunningServers } from "../servers";
import { callsBetween, type World } from "../world/world";
import { ProcessMetrics } from "./metrics";
import { inBatches } from "./otlp";
import { lokiPush, remoteWrite, remoteWriteHeaders, type Series, serviceLines, serviceSeries, writtenCalls } from "./service";
import { spanExports } from "./spans";
import { untilFound } from "./traces";

/** Pushes all telemetry of a world and waits until Tempo finds all traces. */
export async function pushWorld(world: World, servers: RunningServers): Promise<void> {
  const arrived = world.calls.filter((call) => call.arrived);
  await new Feed(world, servers).pushUntil(Number.POSITIVE_INFINITY);
  const search = allTraces(Math.min(...arrived.map(({ start }) => start)), world.now);
  await untilFound(servers, search, new Set(arrived.map(({ traceId }) => traceId)).size);
}

/** A search of all traces. */
export const allTraces = (from: number, to: number) => ({ query: "{ }", from: from - 60_000, to: to + 60_000 });

/** The telemetry of a world, pushed part by part. */
export class Feed {
  private since = Number.NEGATIVE_INFINITY;
  private readonly processes: ProcessMetrics[];

  constructor(
    private readonly world: World,
    private readonly servers: RunningServers,
  ) {
    this.processes = world.processes.map((process) => new ProcessMetrics(process, world));
  }

  /** Pushes what has happened up to `time`, which is included, and was not pushed before. */
  async pushUntil(time: number): Promise<void> {
    const { servers, processes } = this;
    const part = callsBetween(this.world, this.since, time);
    this.since = time;
    const samples = inBatches(writtenCalls(part), 500).map((calls) => remoteWrite(serviceSeries(calls)));
    const lines = inBatches(serviceLines(part), 500).map(lokiPush);
    await Promise.all([
      // Not several at once: a busy Prometheus, which wrote blocks meanwhile, once lacked 60 of 5,404 samples of series that several requests had written together.
      pushAll(samples, `${servers.prometheus}/api/v1/write`, remoteWriteHeaders, 1),
      pushAll(lines, `${servers.loki}/loki/api/v1/push`, json),
      pushAll(spanExports(part), otlpTraces(servers), json),
    ]);
    // One process after the other: their histograms take much memory.
    for (const process of processes) await pushAll(process.exportsUntil(time), otlpMetrics(servers), json);
  }
}

/** Pushes the metrics of a world's SDKs alone. */
export async function pushMetrics(world: World, address: string, headers: Record<string, string>): Promise<void> {
  for (const process of world.processes) {
    await pushAll(new ProcessMetrics(process, world).exportsUntil(Number.POSITIVE_INFINITY), address, headers);
  }
}

export const otlpMetrics = ({ prometheus }: Pick<RunningServers, "prometheus">) => `${prometheus}/api/v1/otlp/v1/metrics`;
export const otlpTraces = ({ tempoOtlp }: RunningServers) => `${tempoOtlp}/v1/traces`;

export const json = { "Content-Type": "application/json" };

/** Every seventh body arrives late, after all others. With several requests at once, the server works while this process makes more. */
async function pushAll(bodies: readonly (string | Uint8Array)[], address: string, headers: Record<string, string>, parallel = 3) {
  const late = (index: number) => index % 7 === 3;
  for (const part of [bodies.filter((_, index) => !late(index)), bodies.filter((_, index) => late(index))]) {
    const pending = part[Symbol.iterator]();
    const work = async () => {
      for (const body of pending) await push(body, address, headers);
    };
    await Promise.all(Array.from({ length: parallel }, work));
  }
}

/** Pushes series by remote write, one body after the other: Prometheus accepts up to 32 MB. */
export async function pushSeries(prometheus: string, series: readonly Series[]): Promise<void> {
  const written = series.filter(({ samples }) => samples.length > 0);
  for (const batch of inBatches(written, 100)) await push(remoteWrite(batch), `${prometheus}/api/v1/write`, remoteWriteHeaders);
}

export async function push(body: string | Uint8Array, address: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(address, { method: "POST", headers, body }).catch((error: Error) => {
    throw new Error(`${address} does not respond: ${error.cause ?? error}`, { cause: error });
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${address} responded with ${response.status}: ${answer}`);
  // An OTLP receiver responds with 200 even if it rejects a part.
  if (answer.includes("rejected")) throw new Error(`${address} rejected a part: ${answer}`);
}
