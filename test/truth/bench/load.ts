/** Pushes data sets to Prometheus in the order of time, records their counters on the way, and waits until all is in blocks. */
import { setTimeout } from "node:timers/promises";
import type { RecordingRule } from "../../../src/signals/counters";
import { push } from "../telemetry/push";
import { remoteWrite, remoteWriteHeaders, type Series } from "../telemetry/service";
import { hour, minute } from "../world/world";
import { batch, type DataSet } from "./data";
import { ask, metric } from "./measure";

export async function pushSets(server: string, sets: readonly DataSet[], now: number): Promise<void> {
  const write = async (series: readonly Series[]) => {
    if (series.length > 0) await push(remoteWrite(series), `${server}/api/v1/write`, remoteWriteHeaders);
  };
  for (let time = Math.min(...sets.map(({ from }) => from)); time < now; time += batch) {
    const end = time + batch < now ? time + batch - minute : now;
    for (const { batchAt, rules } of sets.filter(({ from }) => from <= time)) {
      await write(batchAt(time));
      for (const rule of rules) await write(await recorded(server, rule, time, end));
    }
  }
  await untilCompacted(server, now);
}

/** What a rule records at each full minute. */
async function recorded(server: string, { name, query }: RecordingRule, from: number, to: number): Promise<Series[]> {
  const parameters = { query, start: `${from / 1000}`, end: `${to / 1000}`, step: "60" };
  const { result } = await ask(server, { path: "/api/v1/query_range", parameters });
  return result.map(({ metric, values = [] }) => ({
    labels: { ...metric, __name__: name },
    samples: values.map(([time, value]) => [time * 1000, Number(value)]),
  }));
}

/** Prometheus checks once a minute whether to compact. */
const compactionTimeout = 15 * 60_000;

/** Until all hours except the newest are in blocks, and no blocks are merged. */
async function untilCompacted(server: string, now: number): Promise<void> {
  const deadline = Date.now() + compactionTimeout;
  for (let quiet = 0, last = -1; quiet < 3; ) {
    if (Date.now() > deadline) throw new Error("Prometheus did not finish its compactions");
    await setTimeout(5000);
    const done = await metric(server, "prometheus_tsdb_compactions_total");
    const inBlocks = now - (await metric(server, "prometheus_tsdb_head_min_time")) <= 5 * hour;
    quiet = inBlocks && done === last ? quiet + 1 : 0;
    last = done;
  }
}
