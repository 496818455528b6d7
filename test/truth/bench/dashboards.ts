/** The cost of "GenAI Observability" on a real Prometheus by the way of reading, measured in turns: counters themselves, or series that recording rules wrote. */
import { type BenchOptions, type BenchReport, median, table } from "../../support/bench-report";
import { shownOf } from "../../support/models";
import { spec } from "../panels";
import { requestsOf } from "../requests";
import { startPrometheus } from "../servers";
import { hour } from "../world/world";
import { countersOf, pushCounters } from "./data";
import { type Cost, loadOnce } from "./measure";

const day = 24 * hour;

/** Each set of data has a server of its own. */
const sets: { processes: number; loads: Record<string, number> }[] = [
  { processes: 1, loads: { "B, 24 h": day, "B, 7 d": 7 * day } },
  { processes: 10, loads: { "B, 24 h, 10 processes with the same labels": day } },
];
const smallest: typeof sets = [{ processes: 1, loads: { "B, 1 h": hour } }];

interface Measured extends Cost {
  load: string;
  counters: number;
  way: string;
}

/** @param rounds the number of measurements of each load */
export async function benchDashboards({ rounds = 9, small }: BenchOptions): Promise<BenchReport> {
  const rows: Measured[] = [];
  for (const { processes, loads } of small ? smallest : sets) {
    const server = await startPrometheus();
    try {
      const now = Math.floor(Date.now() / hour) * hour;
      const counters = countersOf(processes);
      console.error("bench: pushing data to Prometheus, which can take minutes");
      await pushCounters(server, counters, { from: now - Math.max(...Object.values(loads)), to: now });
      for (const [load, time] of Object.entries(loads)) {
        console.error(`bench: ${load}`);
        const ways = await waysOf(server.prometheus, { from: now - time, to: now }, rounds);
        rows.push(...ways.map((way) => ({ load, counters: counters.length, ...way })));
      }
    } finally {
      await server.stop();
    }
  }
  const number = (value: number) => value.toLocaleString("en");
  const cells = rows.map(({ load, counters, way, cpuSeconds, read, peak }) => [
    ...[load, number(counters), way, cpuSeconds.toFixed(2), number(read), number(peak)],
  ]);
  const head = ["Load", "counters", "way", "CPU", "samples read", "samples in memory"];
  return { text: table(`Loads of the dashboard, medians of ${rounds}`, head, cells), json: { dashboards: rows } };
}

/** The medians of both ways. Each round measures both, so that other work of the machine affects both. */
async function waysOf(server: string, range: { from: number; to: number }, rounds: number): Promise<(Cost & { way: string })[]> {
  const ways: { way: string; queries: Awaited<ReturnType<typeof requestsOf>>; costs: Cost[] }[] = [];
  for (const [way, { model }] of Object.entries(spec)) {
    const requests = await requestsOf(shownOf(model), model, { ...range, selected: {} });
    ways.push({ way, queries: requests.filter(({ path }) => path.startsWith("/api/v1/")), costs: [] });
  }
  for (let round = 0; round <= rounds; round += 1) {
    for (const { queries, costs } of ways) {
      const cost = await loadOnce({ api: server, own: server }, queries);
      // The first round does not count: files are not in memory yet.
      if (round > 0) costs.push(cost);
    }
  }
  return ways.map(({ way, costs }) => {
    const of = (figure: keyof Cost) => median(costs.map((cost) => cost[figure]));
    return { way, seconds: of("seconds"), cpuSeconds: of("cpuSeconds"), read: of("read"), peak: of("peak") };
  });
}
