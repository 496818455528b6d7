/** The cost of a load by the way of reading, measured in turns: plain queries, direct ones, and series that recording rules wrote. */
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { ask, type Cost, loadInTurns, median, type Result } from "./measure";
import { loadOf, plain, type Query, readBy, timeOf } from "./queries";

/** The dashboard with direct queries, and the same with recorded counters if it reads counters. */
export interface Models {
  direct: DashboardModel;
  recorded?: DashboardModel;
}

/** The medians of a way, and its CPU time divided by that of plain queries in the same rounds. */
type Figures = Cost & { cpuOfPlain: number };

export interface Row {
  /** The dashboard and the range. */
  size: string;
  series: number;
  queries: number;
  /** Queries to Loki and Tempo, which are not measured. */
  otherQueries: number;
  /** The samples that the panels need, each once. */
  minimum: number;
  ways: Record<string, Figures>;
}

type Range = { from: number; to: number };

/** @throws Error also if the recorded panels show other numbers than the direct ones: the range and the steps are full minutes */
export async function measure(server: string, models: Models, range: Range, rounds: number): Promise<Omit<Row, "size" | "series">> {
  const { prometheus: direct, others } = await loadOf(models.direct, range);
  const loads = new Map([
    ["plain", direct.map((query) => plain(query, range))],
    ["direct", direct],
  ]);
  if (models.recorded) loads.set("recorded", (await loadOf(models.recorded, range)).prometheus);
  const turns = await loadInTurns(server, loads, rounds);
  const resultsOf = (way: string) => turns.get(way)?.results ?? [];
  if (models.recorded) requireSame(resultsOf("direct"), resultsOf("recorded"));
  const cpuOfPlain = turns.get("plain")?.costs.map(({ cpuSeconds }) => cpuSeconds) ?? [];
  const ways = [...turns].map(([way, { costs }]): [string, Figures] => {
    const of = (figure: keyof Cost) => median(costs.map((cost) => cost[figure]));
    const ratios = costs.map(({ cpuSeconds }, round) => cpuSeconds / (cpuOfPlain[round] as number));
    return [way, { seconds: of("seconds"), cpuSeconds: of("cpuSeconds"), cpuOfPlain: median(ratios), read: of("read"), peak: of("peak") }];
  });
  const minimum = await minimumOf(server, direct, range);
  return { queries: direct.length, otherQueries: others, minimum, ways: Object.fromEntries(ways) };
}

/** A mean of samples needs their sum and their number: two functions of the range, so two reads. */
async function minimumOf(server: string, queries: readonly Query[], range: Range): Promise<number> {
  let minimum = 0;
  for (const query of queries) {
    const { selectors, twice } = readBy(query);
    const { at, seconds } = timeOf(query, range);
    for (const selector of selectors) {
      const parameters = { query: `sum(count_over_time(${selector}[${seconds}s]))`, time: `${at}` };
      const [counted] = (await ask(server, { path: "/api/v1/query", parameters })).result;
      minimum += Number(counted?.value?.[1] ?? 0) * (twice ? 2 : 1);
    }
  }
  return minimum;
}

/** A missing value is 0: a rule goes on to record one for three hours after the last sample. */
function requireSame(direct: readonly Result[], recorded: readonly Result[]): void {
  for (const [index, result] of direct.entries()) {
    const [expected, found] = [valuesOf(result), valuesOf(recorded[index] ?? [])];
    for (const key of new Set([...expected.keys(), ...found.keys()])) {
      const [left, right] = [expected.get(key) ?? 0, found.get(key) ?? 0];
      if (Math.abs(left - right) > 1e-9 * Math.max(1, Math.abs(left)))
        throw new Error(`Query ${index + 1} of the dashboard shows ${right} by recorded counters, but ${left} by direct ones: ${key}`);
    }
  }
}

/** Values by labels and time. */
const valuesOf = (result: Result) =>
  new Map(
    result.flatMap(({ metric, value, values = value ? [value] : [] }) => {
      const key = JSON.stringify(Object.entries(metric).sort());
      return values.map(([time, number]): [string, number] => [`${key} ${time}`, Number(number)]);
    }),
  );

export const head = ["Load", "series", "way", "seconds", "CPU", "CPU / plain", "samples read", "/ minimum", "samples in memory"];

export function rowOf({ size, series, minimum, ways }: Row): string[][] {
  const number = (value: number) => value.toLocaleString("en");
  return Object.entries(ways).map(([way, { seconds, cpuSeconds, cpuOfPlain, read, peak }]) => [
    ...[size, number(series), way, seconds.toFixed(2), cpuSeconds.toFixed(2), cpuOfPlain.toFixed(2)],
    ...[number(read), (read / minimum).toFixed(2), number(peak)],
  ]);
}
