/** Pushes the made-up telemetry to real servers, some of it late, and waits until it can be queried. */
import type { RunningServers } from "../servers";
import { otlpMetrics, otlpTraces, protobuf, pushAll } from "../telemetry/push";
import { metricBodies } from "../telemetry/sdk-metrics";
import { foundTraces, type TraceSearch, untilFound } from "../telemetry/traces";
import { metricExports } from "./metrics";
import { spanExports } from "./spans";
import type { World } from "./world";

export async function pushWorld(world: World, servers: RunningServers): Promise<void> {
  const from = Math.min(...world.calls.map(({ start }) => start));
  const search = allTraces(from, world.now);
  const before = await foundTraces(servers, search);
  await pushAll(spanExports(world), otlpTraces(servers), protobuf);
  for (const process of world.processes) {
    const collected = await metricExports(
      process,
      world.calls.filter((call) => call.process === process),
    );
    await pushAll(metricBodies(collected), otlpMetrics(servers), protobuf);
  }
  const arrived = world.calls.filter((call) => call.arrived);
  await untilFound(servers, search, before + new Set(arrived.map(({ traceId }) => traceId)).size);
}

/** A search of all traces. */
export const allTraces = (from: number, to: number): TraceSearch => ({ query: "{ }", from: from - 60_000, to: to + 60_000 });
