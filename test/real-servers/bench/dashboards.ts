/** The cost of the dashboards' queries on a real Prometheus, compared with the minimum of samples, with plain queries and with recorded counters. */
import type { BenchOptions, BenchReport } from "../../support/bench-report";
import { table } from "../../support/bench-report";
import { startPrometheus } from "../servers";
import { type DataSet, day, hour } from "./data";
import { pushSets } from "./load";
import { head, measure, type Row, rowOf } from "./rows";
import { sizes } from "./sets";

/** @param rounds the number of measurements of each load */
export async function benchDashboards({ rounds = 9, small }: BenchOptions): Promise<BenchReport> {
  const { prometheus, stop } = await startPrometheus();
  try {
    const measured = sizes.filter((size) => size.small || !small);
    const now = Math.floor(Date.now() / hour) * hour;
    const data = new Map(measured.map(({ set }) => [set, set.data(now)]));
    console.error("bench: pushing data to Prometheus, which takes some minutes");
    await pushSets(prometheus, [...data.values()], now);
    const rows: Row[] = [];
    for (const { size, days, set } of measured) {
      console.error(`bench: ${size}`);
      const { series } = data.get(set) as DataSet;
      rows.push({ size, series, ...(await measure(prometheus, set.models, { from: now - days * day, to: now }, rounds)) });
    }
    return { text: table(`Loads of the dashboards, medians of ${rounds}`, head, rows.flatMap(rowOf)), json: { dashboards: rows } };
  } finally {
    await stop();
  }
}
