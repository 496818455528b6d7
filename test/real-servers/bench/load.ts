/** Pushes data sets to Prometheus in the order of time, and waits until they are in blocks. */
import { setTimeout } from "node:timers/promises";
import { push } from "../telemetry/push";
import { remoteWrite, remoteWriteHeaders } from "../telemetry/service";
import { batch, type DataSet } from "./data";
import { metric } from "./measure";

export async function pushSets(server: string, sets: readonly DataSet[], now: number): Promise<void> {
  const running = sets.map((set) => ({ from: set.from, batches: set.batches() }));
  for (let time = Math.min(...sets.map(({ from }) => from)); time < now; time += batch) {
    for (const { batches } of running.filter(({ from }) => from <= time)) {
      const { value: series = [] } = batches.next();
      if (series.length > 0) await push(remoteWrite(series), `${server}/api/v1/write`, remoteWriteHeaders);
    }
  }
  await untilCompacted(server, now);
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
    const inBlocks = now - (await metric(server, "prometheus_tsdb_head_min_time")) <= 5 * 3_600_000;
    quiet = inBlocks && done === last ? quiet + 1 : 0;
    last = done;
  }
}
