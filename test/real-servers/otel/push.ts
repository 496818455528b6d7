/** Pushes the made-up telemetry to real servers, some of it late, and waits until it can be queried. */
import type { RunningServers } from "../servers";
import { otlpMetrics, otlpTraces, protobuf, pushAll } from "../telemetry/push";
import { metricBodies } from "../telemetry/sdk-metrics";
import { foundTraces, type TraceSearch, untilFound } from "../telemetry/traces";
import { processMetrics } from "./metrics";
import { spanExports } from "./spans";
import { callsBetween, type World } from "./world";

/** Pushes all telemetry of a world and waits until Tempo finds all traces. */
export async function pushWorld(world: World, servers: RunningServers): Promise<void> {
  const from = Math.min(...world.calls.map(({ start }) => start));
  const search = allTraces(from, world.now);
  const before = await foundTraces(servers, search);
  await new Feed(world, servers).pushUntil(Number.POSITIVE_INFINITY);
  const arrived = world.calls.filter((call) => call.arrived);
  await untilFound(servers, search, before + new Set(arrived.map(({ traceId }) => traceId)).size);
}

/** The telemetry of a world, pushed part by part. */
export class Feed {
  private since = Number.NEGATIVE_INFINITY;
  private readonly processes: ReturnType<typeof processMetrics>[];

  constructor(
    private readonly world: World,
    private readonly servers: RunningServers,
  ) {
    this.processes = world.processes.map((process) => processMetrics(process, world));
  }

  /** Pushes what has happened up to `time`, which is included, and was not pushed before. */
  async pushUntil(time: number): Promise<void> {
    const { servers, processes } = this;
    const part = callsBetween(this.world, this.since, time);
    this.since = time;
    await pushAll(spanExports(part), otlpTraces(servers), protobuf);
    // One process after the other: their histograms take much memory.
    for (const process of processes) await pushAll(metricBodies(await process.exportsUntil(time)), otlpMetrics(servers), protobuf);
  }
}

/** A search of all traces. */
export const allTraces = (from: number, to: number): TraceSearch => ({ query: "{ }", from: from - 60_000, to: to + 60_000 });
