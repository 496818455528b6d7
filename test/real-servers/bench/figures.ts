/** The figures of one dashboard and range. */
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { floorOf } from "./floor";
import { type Cost, loadInTurns, median, pairedRatio } from "./measure";
import { loadOf, plain } from "./queries";

/** Ratios depend less on the machine than seconds. */
export interface Figures {
  /** Samples read, divided by the samples that the panels need, each once. */
  floor_ratio: number;
  /** The same, with one read for the samples of a mean, which no query achieves. */
  strict_floor_ratio: number;
  /** Time, divided by that of plain queries of the same range, in the same round. */
  plain_wall_ratio: number;
  /** The same for the CPU time of the server, which other processes do not affect. */
  plain_cpu_ratio: number;
  /** Samples of all windows at each step, divided by the minimum: the measure of some hosted platforms. */
  loaded_ratio: number;
  queries: number;
  /** Queries to Loki and Tempo, which are not measured. */
  other_queries: number;
  samples_read: number;
  floor_samples: number;
  plain_samples: number;
  seconds: number;
  plain_seconds: number;
  /** Maximum samples in memory, of all queries. */
  peak_samples: number;
}

export async function measure(
  server: string,
  model: DashboardModel,
  range: { from: number; to: number },
  rounds: number,
): Promise<Figures> {
  const { prometheus: queries, others } = await loadOf(model, range);
  const floor = await floorOf(server, queries, range);
  const { own, pasted } = await loadInTurns(server, { own: queries, pasted: queries.map((query) => plain(query, range)) }, rounds);
  const of = (costs: readonly Cost[], figure: keyof Cost) => costs.map((cost) => cost[figure]);
  const read = median(of(own, "read"));
  return {
    floor_ratio: read / floor.samples,
    strict_floor_ratio: read / floor.strict,
    plain_wall_ratio: pairedRatio(of(own, "seconds"), of(pasted, "seconds")),
    plain_cpu_ratio: pairedRatio(of(own, "cpuSeconds"), of(pasted, "cpuSeconds")),
    loaded_ratio: median(of(own, "loaded")) / floor.samples,
    queries: queries.length,
    other_queries: others,
    samples_read: read,
    floor_samples: floor.samples,
    plain_samples: median(of(pasted, "read")),
    seconds: median(of(own, "seconds")),
    plain_seconds: median(of(pasted, "seconds")),
    peak_samples: Math.max(...of(own, "peak")),
  };
}

export const costHead = [
  "Dashboard",
  "queries",
  "of floor",
  "mean once",
  "time of plain",
  "CPU of plain",
  "seconds",
  "plain",
  "samples read",
  "floor",
  "plain reads",
];

export const costRow = (dashboard: string, figures: Figures): string[] => [
  dashboard,
  `${figures.queries} + ${figures.other_queries}`,
  ...[figures.floor_ratio, figures.strict_floor_ratio, figures.plain_wall_ratio, figures.plain_cpu_ratio].map((ratio) => ratio.toFixed(2)),
  figures.seconds.toFixed(2),
  figures.plain_seconds.toFixed(2),
  ...[figures.samples_read, figures.floor_samples, figures.plain_samples].map((samples) => samples.toLocaleString("en")),
];
