/** Telemetry of an SDK for the benchmark. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { genaiRecordingRules } from "../../../src/signals/genai";
import type { Labels } from "../telemetry/service";
import { batch, type DataSet, day, environments, hour, minute, models, numbered, type Size, second } from "./data";

export interface SdkSize extends Size {
  /** Processes with the same labels that run at the same time. */
  processes: number;
}

/** With two environments and 30 counters each: 300 label sets. */
const applications = 5;

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
const outage = 10 * minute;

/** Samples before the dashboard's range: panels look for three hours for a value before it. */
const lead = 4 * hour;

interface Counter {
  labels: Labels;
  /** Maximum increase between two samples. */
  maxIncrease: number;
  /** When a time without samples begins, and whether the process starts anew after it. */
  down: number;
  restarts: boolean;
  offset: number;
}

/**
 * Telemetry for "GenAI Observability": cumulative counters of each process and label set, with a sample per interval. One process of five has an outage; every
 * other one of these restarts after it.
 */
export function sdkData(sdkName: string, now: number, { days, density, processes }: SdkSize): DataSet {
  const interval = scrapeInterval / density;
  const start = now - days * day - lead;
  const running = numbered(applications, "app").flatMap((application) =>
    environments.flatMap((environment) => numbered(processes, "process").map((process) => ({ application, environment, process }))),
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
    const counter = (name: string, maxIncrease: number, labels: Labels): Counter => ({
      labels: { __name__: name, ...common, ...labels },
      maxIncrease,
      down: index % 5 === 0 ? start + (now - start) * 0.7 : now,
      restarts: index % 10 === 0,
      offset: uniformInt(random, 0, interval - 1),
    });
    return [
      ...models.slice(1).flatMap(([model, platform, endpoint]) => {
        const labels = {
          gen_ai_request_model: model,
          gen_ai_system: platform,
          gen_ai_type: endpoint.includes("embed") ? "embedding" : "chat",
        };
        return llmCounters.map((name) =>
          counter(name, name.includes("tokens") ? 500 : 3, name.endsWith("_bucket") ? { ...labels, le: "+Inf" } : labels),
        );
      }),
      ...databases.map(([system, operation]) =>
        counter("db_requests_total", 5, { gen_ai_type: "vectordb", db_system: system, db_operation: operation }),
      ),
    ];
  });
  return {
    series: counters.length,
    from: start,
    rules: genaiRecordingRules(sdkName, "prometheus"),
    *batches() {
      const generator = xoroshiro128plus(3);
      const totals = counters.map(() => 1);
      for (let at = start; at < now; at += batch) {
        yield counters.flatMap(({ labels, maxIncrease, down, restarts, offset }, which) => {
          const up = down + outage;
          const samples: [number, number][] = [];
          for (let time = at + offset; time < Math.min(at + batch, now); time += interval) {
            if (time >= down && time < up) continue;
            if (restarts && time >= up && time - interval < up) totals[which] = 0;
            totals[which] = (totals[which] as number) + uniformInt(generator, 0, maxIncrease);
            samples.push([time, totals[which] as number]);
          }
          return samples.length > 0 ? [{ labels, samples }] : [];
        });
      }
      return undefined;
    },
  };
}
