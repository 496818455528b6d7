/** The figures of one dashboard and range. */
import { floorOf } from "./floor";
import { loadInTurns, median, pairedRatio } from "./measure";
import { figuresOf, loadsOf, type Models, type Ways, waysOf } from "./ways";

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

/** @throws Error also if the server rejects a query */
export async function measure(
  server: string,
  models: Models,
  range: { from: number; to: number },
  rounds: number,
): Promise<Figures & { ways?: Ways }> {
  const { loads, others } = await loadsOf(models, range);
  const floor = await floorOf(server, loads.direct, range);
  const turns = await loadInTurns(server, loads, rounds);
  const rejected = turns.direct.rejected ?? turns.plain.rejected;
  if (rejected) throw new Error(`Prometheus rejected a query: ${rejected}`);
  const { direct, plain } = figuresOf(turns);
  const read = median(direct.read);
  return {
    floor_ratio: read / floor.samples,
    strict_floor_ratio: read / floor.strict,
    plain_wall_ratio: pairedRatio(direct.seconds, plain.seconds),
    plain_cpu_ratio: pairedRatio(direct.cpuSeconds, plain.cpuSeconds),
    loaded_ratio: median(direct.loaded) / floor.samples,
    queries: loads.direct.length,
    other_queries: others,
    samples_read: read,
    floor_samples: floor.samples,
    plain_samples: median(plain.read),
    seconds: median(direct.seconds),
    plain_seconds: median(plain.seconds),
    peak_samples: Math.max(...direct.peak),
    ...(models.recorded && { ways: waysOf(turns) }),
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
