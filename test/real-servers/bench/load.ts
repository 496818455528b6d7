/** Brings data sets into Prometheus, in the order of time, and waits until it has put them into blocks. */
import { setTimeout } from "node:timers/promises";
import { push } from "../telemetry/push";
import { remoteWrite } from "../telemetry/service";
import { batch, type DataSet } from "./data";
import { metric } from "./measure";

const headers = {
  "Content-Type": "application/x-protobuf",
  "Content-Encoding": "snappy",
  "X-Prometheus-Remote-Write-Version": "0.1.0",
};

export async function bring(server: string, sets: readonly DataSet[], now: number): Promise<void> {
  const running = sets.map((set) => ({ from: set.from, batches: set.batches() }));
  for (let time = Math.min(...sets.map(({ from }) => from)); time < now; time += batch) {
    for (const { batches } of running.filter(({ from }) => from <= time)) {
      const { value: series = [] } = batches.next();
      if (series.length > 0) await push(remoteWrite(series), `${server}/api/v1/write`, headers);
    }
  }
  await settled(server, now);
}

/** Prometheus looks once a minute whether there is something to compact. */
const settles = 15 * 60_000;

/** All but the newest hours are in blocks, and no block is about to be merged. */
async function settled(server: string, now: number): Promise<void> {
  const end = Date.now() + settles;
  for (let quiet = 0, last = -1; quiet < 3; ) {
    if (Date.now() > end) throw new Error("Prometheus did not end its compactions");
    await setTimeout(5000);
    const done = await metric(server, "prometheus_tsdb_compactions_total");
    const inBlocks = now - (await metric(server, "prometheus_tsdb_head_min_time")) <= 5 * 3_600_000;
    quiet = inBlocks && done === last ? quiet + 1 : 0;
    last = done;
  }
}
