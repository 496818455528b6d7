/**
 * Telemetry of an SDK for the benchmark: cumulative counters of each process and label set, large, evenly distributed, and the same in each run. Its values do
 * not matter; for those, see `world`.
 */
import { genaiRecordingRules } from "../../../src/signals/genai";
import type { Labels, Series } from "../telemetry/service";
import { Random } from "../world/random";
import { hour, minute } from "../world/world";

export const day = 24 * hour;

/** The time that a batch covers. */
export const batch = hour;

/** Five applications with two environments and 30 counters each: 300 label sets. */
const applications = ["app-1", "app-2", "app-3", "app-4", "app-5"];
const environments = ["production", "staging"];
const models: [model: string, platform: string, type: string][] = [
  ["gpt-4o-mini", "openai", "chat"],
  ["claude-sonnet", "anthropic", "chat"],
  ["command-r", "cohere", "chat"],
  ["text-embedding-3", "openai", "embedding"],
];

/** Counters of a process by model, with the maximum increase between two samples. */
const modelCounters: [name: string, maxIncrease: number][] = [
  ["gen_ai_requests_total", 3],
  ["gen_ai_usage_tokens_total", 500],
  ["gen_ai_usage_prompt_tokens_total", 500],
  ["gen_ai_usage_completion_tokens_total", 500],
  ["gen_ai_usage_cost_USD_sum", 3],
  ["gen_ai_usage_cost_USD_bucket", 3],
];

const databases = ["chroma", "pinecone"].flatMap((system) => ["query", "upsert", "delete"].map((operation) => ({ system, operation })));

/** Samples before the dashboard's range: panels look for three hours for a value before it. */
const lead = 4 * hour;

interface Counter {
  labels: Labels;
  maxIncrease: number;
  offset: number;
  total: number;
}

export interface Size {
  days: number;
  /** Processes with the same labels that run at the same time. */
  processes: number;
}

/** Exports each minute, the default of SDKs. */
export function sdkData(sdkName: string, now: number, { days, processes }: Size) {
  const from = now - days * day - lead;
  const random = new Random(2);
  const running = applications.flatMap((application) =>
    environments.flatMap((environment) => Array.from({ length: processes }, (_, process) => ({ application, environment, process }))),
  );
  const counters = running.flatMap(({ application, environment, process }): Counter[] => {
    const common = {
      job: application,
      instance: `${application}-${environment}-${process}`,
      telemetry_sdk_name: sdkName,
      gen_ai_application_name: application,
      gen_ai_environment: environment,
    };
    const counter = (name: string, maxIncrease: number, labels: Labels): Counter => ({
      labels: { __name__: name, ...common, ...labels, ...(name.endsWith("_bucket") && { le: "+Inf" }) },
      maxIncrease,
      offset: random.integer(0, minute - 1),
      total: 1,
    });
    return [
      ...models.flatMap(([model, platform, type]) =>
        modelCounters.map(([name, maxIncrease]) =>
          counter(name, maxIncrease, { gen_ai_request_model: model, gen_ai_system: platform, gen_ai_type: type }),
        ),
      ),
      ...databases.map(({ system, operation }) =>
        counter("db_requests_total", 5, { gen_ai_type: "vectordb", db_system: system, db_operation: operation }),
      ),
    ];
  });
  function samplesOf(counter: Counter, start: number): Series {
    const { labels, maxIncrease, offset } = counter;
    const samples: Series["samples"] = [];
    for (let time = start + offset; time < Math.min(start + batch, now); time += minute) {
      counter.total += random.integer(0, maxIncrease);
      samples.push([time, counter.total]);
    }
    return { labels, samples };
  }
  return {
    series: counters.length,
    from,
    /** What records the counters. */
    rules: genaiRecordingRules(sdkName, "prometheus"),
    /** The samples from a time on. Each batch follows the one before. */
    batchAt: (start: number) => counters.map((counter) => samplesOf(counter, start)).filter(({ samples }) => samples.length > 0),
  };
}

export type DataSet = ReturnType<typeof sdkData>;
