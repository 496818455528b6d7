/** The cost of dashboard B by the number of processes with the same labels, and the ratios to which the project holds it. */
import type { Grown } from "./growth";
import { loadInTurns, pairedRatio, type Turns } from "./measure";
import { figuresOf, loadsOf, type Models, type Way, type Ways, type WaysRow, ways, waysOf } from "./ways";

export interface ProcessRow extends WaysRow {
  days: number;
  processes: number;
  /** Time of the recorded load, divided by that of the first number of processes, in the same rounds. */
  recorded_growth: number | undefined;
}

interface Sized {
  processes: number;
  days: number;
  models: Models;
  series: number;
}

/** Measures all sizes and ways in the same rounds. */
export async function measureProcesses(
  server: string,
  sizes: readonly Sized[],
  range: { from: number; to: number },
  rounds: number,
): Promise<ProcessRow[]> {
  const loads: Parameters<typeof loadInTurns<string>>[1] = {};
  for (const { processes, models } of sizes) {
    const { loads: byWay } = await loadsOf(models, range);
    for (const way of ways) loads[`${way} ${processes}`] = byWay[way];
  }
  const turns = await loadInTurns(server, loads, rounds);
  const seconds = figuresOf(turns);
  return sizes.map(({ processes, days, series }) => {
    const ofSize = Object.fromEntries(ways.map((way) => [way, turns[`${way} ${processes}`]])) as Record<Way, Turns>;
    const [own, first] = [seconds[`recorded ${processes}`]?.seconds ?? [], seconds[`recorded ${sizes[0]?.processes}`]?.seconds ?? []];
    const measured = own.length > 0 && own.length === first.length;
    return {
      days,
      processes,
      size: `${days === 1 ? "24 h" : `${days} d`}, ${processes} process${processes === 1 ? "" : "es"} per label set`,
      series,
      ...waysOf(ofSize),
      recorded_growth: measured ? pairedRatio(own, first) : undefined,
    };
  });
}

/** The ratios by their names in the JSON; those that were not measured are missing. */
export function goalsOf(of24h: Ways, growth: readonly Grown[], processes: readonly ProcessRow[]) {
  const row = (days: number, count: number) => processes.find((each) => each.days === days && each.processes === count);
  return {
    exact_plain_wall_ratio: of24h.exact_of_plain,
    recorded_of_exact_24h: of24h.recorded_of_exact,
    recorded_of_exact_30d: growth.find(({ by, size, ways }) => by === "days" && size === 30 && ways)?.ways?.recorded_of_exact,
    recorded_of_exact_24h_100: row(1, 100)?.recorded_of_exact,
    recorded_of_exact_30d_100: row(30, 100)?.recorded_of_exact,
    recorded_growth_100: row(1, 100)?.recorded_growth,
  };
}
