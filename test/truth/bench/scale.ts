/**
 * The cost of "GenAI Observability (OpenTelemetry)" by the number of live series, on Prometheus and on Mimir, read directly and recorded: of a load of all its
 * queries, and of the recording rules.
 */
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry-rules";
import { type BenchOptions, type BenchReport, figure, median, table } from "../../support/bench-report";
import { shownOf } from "../../support/models";
import { startMimir } from "../mimir/server";
import { otel } from "../panels";
import { type Request, requestsOf } from "../requests";
import { startPrometheus } from "../servers";
import { hour, minute } from "../world/world";
import { counting, type Fleet, increases, pushMinutes, seriesOf } from "./fleet";
import { type Cost, loadOnce, metric, type Target } from "./measure";

const day = 24 * hour;

/** With the history of the counters and of the recorded series. The last two have the same recorded series. */
const fleets: (Fleet & Record<"direct" | "recorded", number>)[] = [
  { applications: 4, processes: 1, direct: 30 * day, recorded: 30 * day },
  { applications: 20, processes: 2, direct: day, recorded: 30 * day },
  { applications: 20, processes: 20, direct: day, recorded: 30 * day },
];
const smallest = [{ applications: 4, processes: 1, direct: hour, recorded: hour }];

/** Of counters before the time range: queries look for three hours for a value before it. */
const lead = 4 * hour;

interface Running extends Target {
  name: string;
  write: string;
  stop(): Promise<void>;
}

const servers: (() => Promise<Running>)[] = [
  async () => {
    const { prometheus, stop } = await startPrometheus();
    return { name: "Prometheus", api: prometheus, own: prometheus, write: `${prometheus}/api/v1/write`, stop };
  },
  async () => {
    const { mimir, stop } = await startMimir({});
    const headers = { "X-Scope-OrgID": "bench" };
    return { name: "Mimir", api: `${mimir}/prometheus`, own: mimir, write: `${mimir}/api/v1/push`, headers, stop };
  },
];

interface Load extends Cost {
  server: string;
  series: number;
  way: string;
  hours: number;
  /** Of the server, in bytes. */
  memory: number;
  /** Panels whose queries the server refuses, with the reason of the first one. */
  refused: string[];
  reason: string;
}

interface Rules {
  server: string;
  series: number;
  /** Of one evaluation. */
  cpuSeconds: number;
  recorded: number;
}

/** @param rounds the number of measurements of each load; those of more than a minute are not repeated */
export async function benchScale({ rounds = 3, small }: BenchOptions): Promise<BenchReport> {
  const loads: Load[] = [];
  const rules: Rules[] = [];
  for (const start of small ? servers.slice(0, 1) : servers) {
    for (const fleet of small ? smallest : fleets) {
      const server = await start();
      try {
        const { name } = server;
        const labels = seriesOf(fleet);
        const now = Math.floor(Date.now() / hour) * hour;
        const progress = (text: string) => console.error(`bench: ${name}, ${labels.length} series: ${text}`);
        progress("pushing counters");
        await pushMinutes(server, labels, counting, { from: now - fleet.direct - lead, to: now });
        progress("evaluating rules");
        const { cpuSeconds, recorded } = await evaluateRules(server, { from: now - fleet.recorded, to: now });
        rules.push({ server: name, series: labels.length, cpuSeconds, recorded });
        progress(`${figure(cpuSeconds)} s of CPU, ${recorded} recorded series`);
        for (const way of ["direct", "recorded"] as const) {
          for (const range of [...new Set([Math.min(day, fleet[way]), fleet[way]])]) {
            progress(`loading, ${way}, ${range / hour} h`);
            const load = await measure(server, way, { from: now - range, to: now - minute }, rounds);
            const memory = await metric(server.own, "process_resident_memory_bytes");
            loads.push({ server: name, series: labels.length, way, hours: range / hour, memory, ...load });
            progress(`${figure(load.seconds)} s, ${load.peak} samples, ${load.refused.length} panels refused ${load.reason}`);
          }
        }
      } finally {
        await server.stop();
      }
    }
  }
  return report(loads, rules);
}

/** Evaluates the rules at the end of a time range, in their order, and fills the range with what they have recorded. */
async function evaluateRules(server: Running, range: { from: number; to: number }) {
  let [cpuSeconds, recorded] = [0, 0];
  for (const { name, query } of openTelemetryRecordingRules("prometheus")) {
    const parameters = { query, time: String((range.to - minute) / 1000) };
    const answers: string[] = [];
    const cost = await loadOnce(server, [{ method: "POST", path: "/api/v1/query", parameters }], undefined, (text) => answers.push(text));
    cpuSeconds += cost.cpuSeconds;
    const { result } = JSON.parse(answers[0] ?? "").data as { result: { metric: Record<string, string> }[] };
    recorded += result.length;
    await pushMinutes(
      server,
      result.map(({ metric }) => ({ ...metric, __name__: name })),
      increases,
      range,
    );
  }
  return { cpuSeconds, recorded };
}

async function measure(server: Running, way: "direct" | "recorded", range: { from: number; to: number }, rounds: number) {
  const { model } = otel[way];
  const titles = new Map<Request, string>();
  for (const panel of shownOf(model)) {
    for (const request of await requestsOf([panel], model, { ...range, selected: {} })) {
      if (request.path.startsWith("/api/v1/")) titles.set(request, panel.title ?? "");
    }
  }
  const refused = new Map<string, string>();
  const refuse = (request: Request, answer: string) => void refused.set(titles.get(request) ?? "", answer);
  const costs: Cost[] = [];
  // The first one does not count: files are not in memory yet.
  for (let round = 0; round <= rounds && !(costs.at(-1) && (costs.at(-1) as Cost).seconds > 60); round += 1) {
    costs.push(await loadOnce(server, [...titles.keys()], refuse));
  }
  const counted = costs.length > 1 ? costs.slice(1) : costs;
  const of = (figure: keyof Cost) => median(counted.map((cost) => cost[figure]));
  return {
    ...{ seconds: of("seconds"), cpuSeconds: of("cpuSeconds"), read: of("read"), peak: of("peak") },
    ...{ refused: [...refused.keys()], reason: [...refused.values()][0] ?? "" },
  };
}

function report(loads: readonly Load[], rules: readonly Rules[]): BenchReport {
  const number = (value: number) => Math.round(value).toLocaleString("en");
  const ofLoads = loads.map(({ server, series, way, hours, seconds, cpuSeconds, peak, memory, refused, reason }) => [
    ...[
      `${server}, ${number(series)} series, ${way}, ${hours > 24 ? `${hours / 24} d` : `${hours} h`}`,
      figure(seconds),
      figure(cpuSeconds),
      number(peak),
    ],
    ...[number(memory / 2 ** 20), refused.length === 0 ? "" : `${refused.join(", ")}: ${reason}`],
  ]);
  const ofRules = rules.map(({ server, series, cpuSeconds, recorded }) => [
    ...[
      `${server}, ${number(series)} series`,
      figure(cpuSeconds),
      `${figure(((cpuSeconds / 60) * 100 * 1000) / series)} %`,
      number(recorded),
    ],
  ]);
  const text = [
    table("Loads of the dashboard", ["", "seconds", "CPU", "samples in memory", "MiB of the server", "refused"], ofLoads),
    table("Recording rules, each minute", ["", "CPU", "of a core for 1,000 series", "recorded series"], ofRules),
  ].join("\n\n");
  return { text, json: { scale: { loads, rules } } };
}
