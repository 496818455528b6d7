/** The cost of "GenAI Observability" on a real Prometheus by the way of reading, measured in turns: counters themselves, or series that recording rules wrote. */
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { defaultReading } from "../../../src/signals/signal";
import { type BenchOptions, type BenchReport, median, table } from "../../support/bench-report";
import { startPrometheus } from "../servers";
import { hour } from "../world/world";
import { type DataSet, day, type Size, sdkData } from "./data";
import { pushSets } from "./load";
import { type Cost, loadInTurns } from "./measure";
import { queriesOf } from "./queries";

/** Each set has a different name of the SDK, so that one server can store several. */
const sets: Record<string, Size> = { week: { days: 7, processes: 1 }, tens: { days: 1, processes: 10 } };

/** The measured loads, and whether a short run has them. */
const loads: { load: string; days: number; sdkName: string; small?: true }[] = [
  { load: "B, 24 h", days: 1, sdkName: "week" },
  { load: "B, 7 d", days: 7, sdkName: "week" },
  { load: "B, 24 h, 10 processes with the same labels", days: 1, sdkName: "tens", small: true },
];

const head = ["Load", "counters", "way", "CPU", "samples read", "samples in memory"];

/** @param rounds the number of measurements of each load */
export async function benchDashboards({ rounds = 9, small }: BenchOptions): Promise<BenchReport> {
  const { prometheus, stop } = await startPrometheus();
  try {
    const measured = loads.filter((load) => load.small || !small);
    const now = Math.floor(Date.now() / hour) * hour;
    const data = new Map(measured.map(({ sdkName }) => [sdkName, sdkData(sdkName, now, sets[sdkName] as Size)]));
    console.error("bench: pushing data to Prometheus, which takes some minutes");
    await pushSets(prometheus, [...data.values()], now);
    const rows: { load: string; series: number; ways: Record<string, Cost> }[] = [];
    for (const { load, days, sdkName } of measured) {
      console.error(`bench: ${load}`);
      const ways = await waysOf(prometheus, sdkName, { from: now - days * day, to: now }, rounds);
      rows.push({ load, series: (data.get(sdkName) as DataSet).series, ways });
    }
    const number = (value: number) => value.toLocaleString("en");
    const cells = rows.flatMap(({ load, series, ways }) =>
      Object.entries(ways).map(([way, figures]) => [
        load,
        number(series),
        way,
        figures.cpuSeconds.toFixed(2),
        number(figures.read),
        number(figures.peak),
      ]),
    );
    return { text: table(`Loads of the dashboard, medians of ${rounds}`, head, cells), json: { dashboards: rows } };
  } finally {
    await stop();
  }
}

/** The medians of both ways. */
async function waysOf(server: string, sdkName: string, range: { from: number; to: number }, rounds: number) {
  const read = (mode: "direct" | "recorded") =>
    queriesOf(
      genaiObservability({ ...defaultReading, uid: "genai", sdkName, uids: { prometheus: "prometheus", tempo: "tempo" }, mode }),
      range,
    );
  const ways = new Map([
    ["direct", await read("direct")],
    ["recorded", await read("recorded")],
  ]);
  const figures = [...(await loadInTurns(server, ways, rounds))].map(([way, costs]): [string, Cost] => {
    const of = (figure: keyof Cost) => median(costs.map((cost) => cost[figure]));
    return [way, { cpuSeconds: of("cpuSeconds"), read: of("read"), peak: of("peak") }];
  });
  return Object.fromEntries(figures);
}
