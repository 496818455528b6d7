/** Telemetry of an SDK for the benchmark, and what the recording rules write for it. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { genaiRecordingRules } from "../../../src/signals/genai";
import type { Labels } from "../telemetry/service";
import { batch, type DataSet, day, environments, hour, minute, models, numbered, type Size, second } from "./data";
import { recorder } from "./recorder";

/** The numbers of label values. Each application has all environments, and each of those all models and database operations. */
export interface LabelSets {
  applications: number;
  environments: number;
  models: number;
  databases: number;
}

export interface SdkSize extends Size {
  labels: LabelSets;
  /** Processes of each label set that run at the same time. */
  processes: number;
}

/** The smallest set has 300 label sets: 10 applications in environments, each with 6 counters of 4 models, and 6 of databases. */
export const allLabels: LabelSets = { applications: 5, environments: 2, models: 4, databases: 6 };

/** Counters of a process by model. */
const llmCounters = [
  "gen_ai_requests_total",
  "gen_ai_usage_tokens_total",
  "gen_ai_usage_prompt_tokens_total",
  "gen_ai_usage_completion_tokens_total",
  "gen_ai_usage_cost_USD_sum",
  "gen_ai_usage_cost_USD_bucket",
];

const databases: [system: string, operation: string][] = [
  ["chroma", "query"],
  ["chroma", "add"],
  ["chroma", "delete"],
  ["pinecone", "query"],
  ["pinecone", "upsert"],
  ["qdrant", "query_points"],
];

const scrapeInterval = 15 * second;
const longestOutage = 10 * minute;

/** Samples before the dashboard's range: panels look for three hours for a value before it. */
const lead = 4 * hour;

interface Counter {
  labels: Labels;
  /** Maximum increase between two samples. */
  maxIncrease: number;
  from: number;
  to: number;
  /** A time without samples. */
  outage: [from: number, to: number] | undefined;
  /** Whether the process starts anew after the outage. */
  restarts: boolean;
  offset: number;
}

/**
 * Telemetry for "GenAI Observability": cumulative counters of each process and label set, with a sample per interval. The more applications, the
 * shorter each one runs, so that the number of samples is the same. More processes run at the same time. One process of five has an outage;
 * every other one of these restarts after it.
 */
export function sdkData(sdkName: string, now: number, { days, applications, density, labels: wanted, processes }: SdkSize): DataSet {
  const interval = scrapeInterval / density;
  const start = now - days * day - lead;
  const life = (now - start) / applications;
  const running = numbered(wanted.applications * applications, "app").flatMap((application) =>
    environments
      .slice(0, wanted.environments)
      .flatMap((environment) => numbered(processes, "process").map((process) => ({ application, environment, process }))),
  );
  const random = xoroshiro128plus(2);
  const counters = running.flatMap(({ application, environment, process }, index): Counter[] => {
    const common = {
      job: application,
      instance: `${application}-${environment}-${process}`,
      telemetry_sdk_name: sdkName,
      gen_ai_application_name: application,
      gen_ai_environment: environment,
    };
    const from = start + (Math.floor(index / processes) % applications) * life;
    const counter = (name: string, maxIncrease: number, labels: Labels): Counter => ({
      labels: { __name__: name, ...common, ...labels },
      maxIncrease,
      from,
      to: from + life,
      outage: index % 5 === 0 ? [from + life * 0.7, from + life * 0.7 + Math.min(longestOutage, life * 0.1)] : undefined,
      restarts: index % 10 === 0,
      offset: uniformInt(random, 0, interval - 1),
    });
    return [
      ...models.slice(1, 1 + wanted.models).flatMap(([model, platform, endpoint]) => {
        const labels = {
          gen_ai_request_model: model,
          gen_ai_system: platform,
          gen_ai_type: endpoint.includes("embed") ? "embedding" : "chat",
        };
        return llmCounters.map((name) =>
          counter(name, name.includes("tokens") ? 500 : 3, name.endsWith("_bucket") ? { ...labels, le: "+Inf" } : labels),
        );
      }),
      ...databases
        .slice(0, wanted.databases)
        .map(([system, operation]) =>
          counter("db_requests_total", 5, { gen_ai_type: "vectordb", db_system: system, db_operation: operation }),
        ),
    ];
  });
  const rules = genaiRecordingRules(sdkName);
  const inRange = (from: number, to: number) => Math.max(0, Math.min(to, now) - Math.max(from, now - days * day));
  return {
    series: counters.length,
    samples: counters.reduce((sum, { from, to, outage = [to, to] }) => sum + (inRange(from, to) - inRange(...outage)) / interval, 0),
    from: start,
    recorded: { rules, minutes: checkedMinutes(counters, start, now) },
    *batches() {
      const generator = xoroshiro128plus(3);
      const totals = counters.map(() => 1);
      const recording = recorder(
        rules,
        counters.map(({ labels }) => labels),
      );
      for (let at = start; at < now; at += batch) {
        const written = counters.flatMap(({ labels, maxIncrease, from, to, outage: [down, up] = [to, to], restarts, offset }, which) => {
          const samples: [number, number][] = [];
          const first = Math.ceil((Math.max(at, from) - start - offset) / interval) * interval + start + offset;
          for (let time = first; time < Math.min(at + batch, to, now); time += interval) {
            if (time >= down && time < up) continue;
            if (restarts && time >= up && time - interval < up) totals[which] = 0;
            totals[which] = (totals[which] as number) + uniformInt(generator, 0, maxIncrease);
            const rounded = Math.round(time);
            samples.push([rounded, totals[which] as number]);
            recording.add(which, rounded, totals[which] as number);
          }
          return samples.length > 0 ? [{ labels, samples }] : [];
        });
        // The rules' last evaluation is at the end of the range, which the other batches leave to the next one.
        yield [...written, ...recording.before(at + batch < now ? at + batch : now + minute)];
      }
      return undefined;
    },
  };
}

/** Ends of minutes in which something happens: a process starts, restarts or ends, or nothing but more requests; and the last one. */
function checkedMinutes(counters: readonly Counter[], start: number, now: number): number[] {
  const endOfMinute = (time: number) => Math.ceil(time / minute) * minute;
  const watched = [counters[0], counters.find(({ outage, restarts }) => outage && !restarts), counters.at(-1)].filter(
    (each) => each !== undefined,
  );
  const times = watched.flatMap(({ from, to, outage = [] }) =>
    [from, ...outage, to].flatMap((time) => [time - minute, time, time + minute]),
  );
  return [...new Set([...times, (start + now) / 2, now].map(endOfMinute))].filter((time) => time > start && time <= now);
}
