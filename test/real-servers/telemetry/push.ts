/** Pushes telemetry to the real servers as the service and the SDK do, some of it late, and waits until it can be queried. */
import type { RunningServers } from "../servers";
import { metricBodies, processMetrics } from "./sdk-metrics";
import { spanExports } from "./sdk-spans";
import { lokiPush, remoteWrite, remoteWriteHeaders, serviceLines, serviceSeries } from "./service";
import { untilFound } from "./traces";
import { callsBetween, type World } from "./world";

/** The settings `service` and `sdkName`. */
export interface Names {
  service: string;
  sdkName: string;
}

/** Pushes all telemetry of a world and waits until Tempo finds all traces. */
export async function pushWorld(world: World, names: Names, servers: RunningServers): Promise<void> {
  await new Feed(world, names, servers).pushUntil(Number.POSITIVE_INFINITY);
  await untilAllFound(world, names.sdkName, servers);
}

/** The telemetry of a world, pushed part by part. */
export class Feed {
  private since = Number.NEGATIVE_INFINITY;
  private readonly processes: ReturnType<typeof processMetrics>[];

  constructor(
    private readonly world: World,
    private readonly names: Names,
    private readonly servers: RunningServers,
  ) {
    this.processes = world.processes.map((process) => processMetrics(process, world, names.sdkName));
  }

  /** Pushes what has happened up to `time`, which is included, and was not pushed before. */
  async pushUntil(time: number): Promise<void> {
    const { servers, processes } = this;
    const { service, sdkName } = this.names;
    const part = callsBetween(this.world, this.since, time);
    this.since = time;
    await Promise.all([
      pushAll(remoteWrites(part, service), `${servers.prometheus}/api/v1/write`, remoteWriteHeaders),
      pushAll(
        inBatches(serviceLines(part), 500).map((lines) => lokiPush(lines, service)),
        `${servers.loki}/loki/api/v1/push`,
        json,
      ),
      pushAll(spanExports(part, sdkName), otlpTraces(servers), protobuf),
      Promise.all(processes.map((process) => process.exportsUntil(time))).then((collected) =>
        pushAll(
          collected.flatMap((ofProcess) => metricBodies(ofProcess)),
          otlpMetrics(servers),
          protobuf,
        ),
      ),
    ]);
  }
}

export const otlpMetrics = ({ prometheus }: RunningServers) => `${prometheus}/api/v1/otlp/v1/metrics`;
export const otlpTraces = ({ tempoOtlp }: RunningServers) => `${tempoOtlp}/v1/traces`;

const json = { "Content-Type": "application/json" };
export const protobuf = { "Content-Type": "application/x-protobuf" };

/** One request per two hours. */
function remoteWrites(world: World, service: string): Uint8Array[] {
  const all = serviceSeries(world, service);
  const period = (time: number) => Math.floor(time / 7_200_000);
  const periods = [...new Set(all.flatMap(({ samples }) => samples.map(([time]) => period(time))))].sort();
  return periods.map((wanted) => {
    const cut = all.map(({ labels, samples }) => ({ labels, samples: samples.filter(([time]) => period(time) === wanted) }));
    return remoteWrite(cut.filter(({ samples }) => samples.length > 0));
  });
}

/** Requests to one server at the same time: it works while this process makes the next one. */
const parallel = 3;

/** Every seventh body arrives late, after all others. */
export async function pushAll(bodies: readonly (string | Uint8Array)[], address: string, headers: Record<string, string>): Promise<void> {
  const late = (index: number) => index % 7 === 3;
  for (const part of [bodies.filter((_, index) => !late(index)), bodies.filter((_, index) => late(index))]) {
    const pending = part[Symbol.iterator]();
    const work = async () => {
      for (const body of pending) await push(body, address, headers);
    };
    await Promise.all(Array.from({ length: parallel }, work));
  }
}

export async function push(body: string | Uint8Array, address: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(address, { method: "POST", headers, body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${address} responded with ${response.status}: ${answer}`);
  // An OTLP receiver responds with 200 even if it rejects a part.
  if (answer.includes("rejected")) throw new Error(`${address} rejected a part: ${answer}`);
}

async function untilAllFound(world: World, sdkName: string, servers: RunningServers): Promise<void> {
  const arrived = [...world.llm, ...world.database].filter(({ arrived, status }) => arrived && status === "ok");
  const search = {
    query: `{ span.telemetry.sdk.name = ${JSON.stringify(sdkName)} && status = ok }`,
    from: Math.min(...world.processes.map(({ start }) => start)) - 3_600_000,
    to: world.now + 60_000,
  };
  await untilFound(servers, search, new Set(arrived.map(({ traceId }) => traceId)).size);
}

function inBatches<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, batch) => values.slice(batch * size, (batch + 1) * size));
}
