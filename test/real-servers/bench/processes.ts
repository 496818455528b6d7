/** The cost of dashboard B by the number of processes with the same labels, and the ratios to which the project holds it. */
import type { Grown } from "./growth";
import { loadInTurns, pairedRatio, type Turns } from "./measure";
import type { Query } from "./queries";
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
  const loads = new Map<string, readonly Query[]>();
  for (const { processes, models } of sizes) {
    const { loads: byWay } = await loadsOf(models, range);
    for (const way of ways) loads.set(`${way} ${processes}`, byWay[way]);
  }
  const turns = await loadInTurns<string>(server, Object.fromEntries(loads), rounds);
  const growth = await recordedGrowth(
    server,
    sizes.map(({ processes }) => loads.get(`recorded ${processes}`) ?? []),
  );
  return sizes.map(({ processes, days, series }, index) => ({
    days,
    processes,
    size: `${days === 1 ? "24 h" : `${days} d`}, ${processes} process${processes === 1 ? "" : "es"} per label set`,
    series,
    ...waysOf(Object.fromEntries(ways.map((way) => [way, turns[`${way} ${processes}`]])) as Record<Way, Turns>),
    recorded_growth: growth[index],
  }));
}

/** Recorded loads take some hundredths of a second: few rounds show the other work of the machine rather than their ratio. */
const recordedRounds = 25;

/** The time of each load, divided by that of the first one in the same round. Undefined if the server rejects a query. */
export async function recordedGrowth(server: string, loads: readonly (readonly Query[])[]): Promise<(number | undefined)[]> {
  const turns = await loadInTurns<string>(
    server,
    Object.fromEntries(loads.map((queries, index) => [`size ${index}`, queries])),
    recordedRounds,
  );
  const figures = figuresOf(turns);
  const seconds = loads.map((_, index) => figures[`size ${index}`]?.seconds ?? []);
  return seconds.map((each) => (each.length > 0 && seconds[0]?.length === each.length ? pairedRatio(each, seconds[0]) : undefined));
}

/** The ratios by their names in the JSON; those that were not measured are missing. */
export function goalsOf(of24h: Ways, growth: readonly Grown[], processes: readonly ProcessRow[]) {
  const row = (days: number, count: number) => processes.find((each) => each.days === days && each.processes === count);
  return {
    exact_plain_wall_ratio: of24h.direct_of_plain,
    recorded_of_direct_24h: of24h.recorded_of_direct,
    recorded_of_direct_30d: growth.find(({ by, size, ways }) => by === "days" && size === 30 && ways)?.ways?.recorded_of_direct,
    recorded_of_direct_24h_100: row(1, 100)?.recorded_of_direct,
    recorded_of_direct_30d_100: row(30, 100)?.recorded_of_direct,
    recorded_growth_100: row(1, 100)?.recorded_growth,
  };
}
