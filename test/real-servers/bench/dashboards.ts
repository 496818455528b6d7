/**
 * The cost of the dashboards' queries on a real Prometheus, compared with the minimum of samples and with plain queries; then the cost of more
 * applications, longer ranges and more processes, with a plot for the README. Dashboard B is measured with recorded counters, too.
 */
import type { BenchReport } from "../../support/bench-report";
import { table } from "../../support/bench-report";
import { startServers } from "../servers";
import { type DataSet, day, hour } from "./data";
import { costHead, costRow, measure } from "./figures";
import { type Grown, growthHead, growthRow, plotsOf } from "./growth";
import { pushSets } from "./load";
import { svg } from "./plot";
import { goalsOf, measureProcesses, type ProcessRow } from "./processes";
import { requireRecorded } from "./recorded";
import { dashboards, grown, growthSets, type MeasuredSet, processCounts, processRanges, processSet } from "./sets";
import { type Ways, waysHead, waysRow } from "./ways";

/**
 * @param rounds the number of measurements of each load
 * @param growthRounds the same for growth; 0 measures no growth
 */
export async function benchDashboards(rounds = 9, growthRounds = Math.min(3, rounds)): Promise<BenchReport> {
  const first = { A: growthSets.A[""], B: growthSets.B[""] };
  const costs = await withSets(Object.values(first), async (server, now) => ({
    A: await measure(server, first.A.models, lastDays(now, 1), rounds),
    B: await measure(server, first.B.models, lastDays(now, 1), rounds),
  }));
  const { ways: waysOf24h, ...figures } = { ...costs.B, ways: costs.B.ways as Ways };
  const texts = [
    table(
      `Loads of 24 h, medians of ${rounds}`,
      costHead,
      dashboards.map((kind) => costRow(kind, costs[kind])),
    ),
  ];
  const rowOf24h = { size: "24 h, scraped each 15 s", series: first.B.data(0).series, ...waysOf24h };
  const json = (growth: readonly Grown[], processes: readonly ProcessRow[]) => ({
    dashboardA: costs.A,
    dashboardB: { ...figures, ...goalsOf(waysOf24h, growth, processes) },
    ...(growth.length > 0 && { dashboardGrowth: growth, dashboardProcesses: processes }),
  });
  if (growthRounds === 0) {
    return { text: [...texts, table("Ways to read counters", waysHead, [waysRow(rowOf24h)])].join("\n\n"), json: json([], []) };
  }
  const growth = await measureGrowth(growthRounds);
  const processes = await measureAllProcesses(growthRounds);
  const long = growth.flatMap(({ by, size, series, ways }) => (by === "days" && ways ? [{ size: `${size} d`, series, ...ways }] : []));
  texts.push(
    table(`Growth, medians of ${growthRounds}`, growthHead, growth.map(growthRow)),
    table("Ways to read counters; exports each minute", waysHead, [rowOf24h, ...long, ...processes].map(waysRow)),
  );
  return { text: texts.join("\n\n"), plot: svg(plotsOf(growth, processes)), json: json(growth, processes) };
}

async function measureGrowth(rounds: number): Promise<Grown[]> {
  return await withSets(
    dashboards.flatMap((dashboard) => Object.values(growthSets[dashboard])),
    async (server, now, data) => {
      const all: Grown[] = [];
      for (const dashboard of dashboards) {
        for (const { by, size, set: name, days, maxRounds } of grown) {
          const set = growthSets[dashboard][name];
          const { series, samples } = data.get(set) as DataSet;
          console.error(`bench: dashboard ${dashboard}, ${series} series, ${days} d`);
          const figures = await measure(server, set.models, lastDays(now, days), Math.min(rounds, maxRounds));
          all.push({ dashboard, by, size, series, samples: (samples * days) / set.days, ...figures });
        }
      }
      return all;
    },
  );
}

/** All numbers of processes of one range in turns. */
async function measureAllProcesses(rounds: number): Promise<ProcessRow[]> {
  const ranges = processRanges.map(({ days, maxRounds, labels }) => ({
    days,
    maxRounds,
    sets: processCounts.map((processes) => ({ processes, set: processSet(days, labels, processes) })),
  }));
  return await withSets(
    ranges.flatMap(({ sets }) => sets.map(({ set }) => set)),
    async (server, now, data) => {
      const all: ProcessRow[] = [];
      for (const { days, maxRounds, sets } of ranges) {
        console.error(`bench: dashboard B by processes, ${days} d`);
        const sized = sets.map(({ processes, set }) => ({ processes, days, models: set.models, series: data.get(set)?.series ?? 0 }));
        all.push(...(await measureProcesses(server, sized, lastDays(now, days), Math.min(rounds, maxRounds))));
      }
      return all;
    },
  );
}

const lastDays = (now: number, days: number) => ({ from: now - days * day, to: now });

/** The result of `measureAll`, on a server with these sets only. */
async function withSets<T>(
  sets: readonly MeasuredSet[],
  measureAll: (server: string, now: number, data: ReadonlyMap<MeasuredSet, DataSet>) => Promise<T>,
): Promise<T> {
  const { prometheus, stop } = await startServers();
  try {
    const now = Math.floor(Date.now() / hour) * hour;
    const data = new Map(sets.map((set) => [set, set.data(now)]));
    console.error("bench: pushing data to Prometheus, which takes some minutes");
    await pushSets(prometheus, [...data.values()], now);
    for (const set of data.values()) await requireRecorded(prometheus, set);
    return await measureAll(prometheus, now, data);
  } finally {
    await stop();
  }
}
