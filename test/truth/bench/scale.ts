/** The cost of SDKs' dashboards by the number of live series, on Prometheus and on Mimir, read directly and recorded: of all queries, and of the rules. */
import { type BenchOptions, type BenchReport, figure, median, table } from "../../support/bench-report";
import { shownOf } from "../../support/models";
import { startMimir } from "../mimir/server";
import { type Dashboard, otel, rulesOf, spec } from "../panels";
import { type Request, requestsOf } from "../requests";
import { startPrometheus } from "../servers";
import { hour, minute } from "../world/world";
import { counting, type Fleet, increases, otelKind, pushMinutes, seriesOf, specKind } from "./fleet";
import { type Cost, loadOnce, metric, type Target } from "./measure";

const day = 24 * hour;

/** With the number of their processes that have as many series as one with the conventions. */
const kinds = [
  { dashboards: spec, kind: specKind, times: 8 },
  { dashboards: otel, kind: otelKind, times: 1 },
];

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
  dashboard: string;
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
  dashboard: string;
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
    for (const { dashboards, kind, times } of kinds) {
      for (const fleet of small ? smallest : fleets) {
        const server = await start();
        try {
          const labels = seriesOf(kind, { ...fleet, processes: fleet.processes * times });
          const what = { server: server.name, dashboard: dashboards.direct.name, series: labels.length };
          const now = Math.floor(Date.now() / hour) * hour;
          const progress = (text: string) => console.error(`bench: ${Object.values(what).join(", ")} series: ${text}`);
          progress("pushing counters");
          await pushMinutes(server, labels, counting, { from: now - fleet.direct - lead, to: now });
          progress("evaluating rules");
          rules.push({ ...what, ...(await evaluateRules(server, dashboards.recorded, { from: now - fleet.recorded, to: now })) });
          for (const way of ["direct", "recorded"] as const) {
            for (const range of [...new Set([Math.min(day, fleet[way]), fleet[way]])]) {
              progress(`loading, ${way}, ${range / hour} h`);
              const load = await measure(server, dashboards[way], { from: now - range, to: now - minute }, rounds);
              const memory = await metric(server.own, "process_resident_memory_bytes");
              loads.push({ ...what, way, hours: range / hour, memory, ...load });
              progress(`${figure(load.seconds)} s`);
            }
          }
        } finally {
          await server.stop();
        }
      }
    }
  }
  return report(loads, rules);
}

/** Evaluates the rules at the end of a time range, in their order, and fills the range with what they have recorded. */
async function evaluateRules(server: Running, dashboard: Dashboard, range: { from: number; to: number }) {
  let [cpuSeconds, recorded] = [0, 0];
  for (const { name, query } of rulesOf(dashboard)) {
    const parameters = { query, time: String((range.to - minute) / 1000) };
    let labels: Record<string, string>[] = [];
    const cost = await loadOnce(server, [{ method: "POST", path: "/api/v1/query", parameters }], undefined, (data) => {
      labels = (data as { result: { metric: Record<string, string> }[] }).result.map(({ metric }) => ({ ...metric, __name__: name }));
    });
    cpuSeconds += cost.cpuSeconds;
    recorded += labels.length;
    await pushMinutes(server, labels, increases, range);
  }
  return { cpuSeconds, recorded };
}

async function measure(server: Running, { model }: Dashboard, range: { from: number; to: number }, rounds: number) {
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
  for (let round = 0; round <= rounds && (costs.at(-1)?.seconds ?? 0) <= 60; round += 1) {
    costs.push(await loadOnce(server, [...titles.keys()], refuse));
  }
  const counted = costs.length > 1 ? costs.slice(1) : costs;
  const of = (figure: keyof Cost) => median(counted.map((cost) => cost[figure]));
  return {
    ...{ seconds: of("seconds"), cpuSeconds: of("cpuSeconds"), peak: of("peak") },
    ...{ refused: [...refused.keys()], reason: [...refused.values()][0] ?? "" },
  };
}

function report(loads: readonly Load[], rules: readonly Rules[]): BenchReport {
  const number = (value: number) => Math.round(value).toLocaleString("en");
  const what = ({ server, dashboard, series }: Load | Rules) => `${server}, "${dashboard}", ${number(series)} series`;
  const ofLoads = loads.map((load) => [
    `${what(load)}, ${load.way}, ${load.hours > 24 ? `${load.hours / 24} d` : `${load.hours} h`}`,
    ...[figure(load.seconds), figure(load.cpuSeconds), load.peak ? number(load.peak) : "–", number(load.memory / 2 ** 20)],
    load.refused.length === 0 ? "" : `${load.refused.join(", ")}: ${load.reason}`,
  ]);
  const ofRules = rules.map((rule) => [
    ...[what(rule), figure(rule.cpuSeconds), `${figure((rule.cpuSeconds / 60) * 100 * (1000 / rule.series))} %`, number(rule.recorded)],
  ]);
  const text = [
    table("Loads of the dashboards", ["", "seconds", "CPU", "samples in memory", "MiB of the server", "refused"], ofLoads),
    table("Recording rules, each minute", ["", "CPU", "of a core for 1,000 series", "recorded series"], ofRules),
  ].join("\n\n");
  return { text, json: { scale: { loads, rules } } };
}
