/**
 * The cost of the dashboards' queries on a real Prometheus, compared with the minimum of samples and with plain queries; then the cost of more
 * applications and longer ranges, with a plot for the README.
 */
import type { BenchReport } from "../../support/bench-report";
import { table } from "../../support/bench-report";
import { startServers } from "../servers";
import { day, hour } from "./data";
import { costHead, costRow, type Figures, measure } from "./figures";
import { type Grown, growthHead, growthRow, plotsOf } from "./growth";
import { pushSets } from "./load";
import { svg } from "./plot";
import { dashboards, grown, type Kind, kinds, type SetName, sizes } from "./sets";

/**
 * @param rounds the number of measurements of each load
 * @param growthRounds the same for growth; 0 measures no growth
 */
export async function benchDashboards(rounds = 9, growthRounds = Math.min(3, rounds)): Promise<BenchReport> {
  const costs = await withSets([""], async (load) => ({ A: await load("A", "", 1, rounds), B: await load("B", "", 1, rounds) }));
  const costTable = table(
    `Loads of 24 h, medians of ${rounds}`,
    costHead,
    dashboards.map((kind) => costRow(kind, costs[kind])),
  );
  if (growthRounds === 0) return { text: costTable, json: { dashboardA: costs.A, dashboardB: costs.B } };
  const growth = await withSets(Object.keys(sizes) as SetName[], async (load) => {
    const all: Grown[] = [];
    for (const dashboard of dashboards) {
      for (const { by, size, set, days } of grown) all.push({ dashboard, by, size, ...(await load(dashboard, set, days, growthRounds)) });
    }
    return all;
  });
  return {
    text: [costTable, table(`Growth, medians of ${growthRounds}`, growthHead, growth.map(growthRow))].join("\n\n"),
    plot: svg(plotsOf(growth)),
    json: { dashboardA: costs.A, dashboardB: costs.B, dashboardGrowth: growth },
  };
}

/** Measures a dashboard over the last days of one of the sets. */
type Load = (kind: Kind, set: SetName, days: number, rounds: number) => Promise<Figures & { series: number; samples: number }>;

/** The result of `measureAll`, on a server with these sets only. */
async function withSets<T>(names: readonly SetName[], measureAll: (load: Load) => Promise<T>): Promise<T> {
  const servers = await startServers();
  try {
    const now = Math.floor(Date.now() / hour) * hour;
    const sets = new Map(
      dashboards.flatMap((kind) => names.map((set) => [kind + set, kinds[kind].data(kinds[kind].name(set), now, sizes[set])] as const)),
    );
    console.error("bench: pushing data to Prometheus, which takes some minutes");
    await pushSets(servers.prometheus, [...sets.values()], now);
    return await measureAll(async (kind, set, days, rounds) => {
      const { series = 0, samples = 0 } = sets.get(kind + set) ?? {};
      console.error(`bench: dashboard ${kind}, ${series} series, ${days} d`);
      const { name, model } = kinds[kind];
      const figures = await measure(servers.prometheus, model(name(set)), { from: now - days * day, to: now }, rounds);
      return { series, samples: (samples * days) / sizes[set].days, ...figures };
    });
  } finally {
    await servers.stop();
  }
}
