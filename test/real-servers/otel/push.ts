/** Pushes the made-up telemetry to real servers, some of it late, and waits until it can be queried. */
import { setTimeout } from "node:timers/promises";
import type { RunningServers } from "../servers";
import { otlpMetrics, otlpTraces, protobuf, pushAll } from "../telemetry/push";
import { metricBodies } from "../telemetry/sdk-metrics";
import { metricExports } from "./metrics";
import { spanExports } from "./spans";
import type { World } from "./world";

export async function pushWorld(world: World, servers: RunningServers): Promise<void> {
  const from = Math.min(...world.calls.map(({ start }) => start));
  const before = await foundTraces(servers, from, world.now);
  await pushAll(spanExports(world), otlpTraces(servers), protobuf);
  for (const process of world.processes) {
    const collected = await metricExports(
      process,
      world.calls.filter((call) => call.process === process),
    );
    await pushAll(metricBodies(collected), otlpMetrics(servers), protobuf);
  }
  const arrived = world.calls.filter((call) => call.arrived);
  await untilFound(servers, before + new Set(arrived.map(({ traceId }) => traceId)).size, from, world.now);
}

/** Tempo finds spans some seconds after their arrival. Times are milliseconds. */
export async function untilFound(servers: RunningServers, traces: number, from: number, to: number): Promise<void> {
  let found = 0;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    found = await foundTraces(servers, from, to);
    if (found === traces) return;
    await setTimeout(500);
  }
  throw new Error(`Tempo finds ${found} of ${traces} traces`);
}

/** The number of traces, of any telemetry. */
async function foundTraces({ tempo }: RunningServers, from: number, to: number): Promise<number> {
  const range = { start: `${Math.floor(from / 1000) - 60}`, end: `${Math.ceil(to / 1000) + 60}` };
  const response = await fetch(`${tempo}/api/search?${new URLSearchParams({ q: "{ }", limit: "100000", spss: "1", ...range })}`);
  if (!response.ok) throw new Error(`Tempo responded with ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { traces?: unknown[] }).traces?.length ?? 0;
}
