/**
 * Telemetry for the benchmark: large, evenly distributed, and the same in each run. Its values do not matter; for those, see world.ts. Batches are
 * ordered by time.
 */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Labels, Series } from "../telemetry/service";

export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;

/** The size of a set. */
export interface Size {
  days: number;
  /** Applications, as a multiple of the smallest set's. */
  applications: number;
  /** Samples per day, relative to the full density. */
  density: number;
}

/** Telemetry of one dashboard. */
export interface DataSet {
  series: number;
  /** Samples in the dashboard's range. */
  samples: number;
  /** Time of the first batch. */
  from: number;
  batches(): Generator<Series[], undefined>;
}

/** The time that a batch covers. */
export const batch = hour;

const environments = ["production", "staging"];
const models: [model: string, platform: string, endpoint: string][] = [
  ["gpt-4o", "openai", "openai.chat.completions"],
  ["gpt-4o-mini", "openai", "openai.chat.completions"],
  ["claude-sonnet", "anthropic", "anthropic.messages"],
  ["command-r", "cohere", "cohere.chat"],
  ["text-embedding-3", "openai", "openai.embeddings"],
];
const databases: [system: string, operation: string][] = [
  ["chroma", "query"],
  ["chroma", "add"],
  ["chroma", "delete"],
  ["pinecone", "query"],
  ["pinecone", "upsert"],
  ["qdrant", "query_points"],
];

const numbered = (count: number, name: string) => Array.from({ length: count }, (_, number) => `${name}-${number + 1}`);

/** Applications of the smallest set, each with two environments and five models: with five metrics, 300 series. */
const serviceApplications = 6;
/** Samples per day at full density: one for each request and metric. */
const serviceSamplesPerDay = 1_000_000;
const serviceMetrics = ["requestDuration", "totalTokens", "promptTokens", "completionTokens", "usageCost"];

/** Telemetry of the service, for "LLM Monitoring": one sample for each request and metric. */
export function serviceData(service: string, now: number, { days, applications, density }: Size): DataSet {
  const labels = numbered(serviceApplications * applications, "app").flatMap((applicationName) =>
    environments.flatMap((environment) =>
      models.map(([model, platform, endpoint]): Labels => ({ job: service, applicationName, environment, model, platform, endpoint })),
    ),
  );
  const requests = Math.round((serviceSamplesPerDay * density * days) / serviceMetrics.length);
  const from = now - days * day;
  return {
    series: labels.length * serviceMetrics.length,
    samples: requests * serviceMetrics.length,
    from,
    *batches() {
      const random = xoroshiro128plus(1);
      const distance = (now - from) / requests;
      let number = 0;
      for (let start = from; start < now; start += batch) {
        const samples = labels.map((): [number, number][][] => serviceMetrics.map(() => []));
        for (; number < requests && from + number * distance < start + batch; number += 1) {
          // The series take turns in slightly random order; none has two samples at one time.
          const time = Math.floor(from + (number + 1) * distance);
          const which = (number + (uniformInt(random, 0, 3) === 0 ? 7 : 0)) % labels.length;
          const tokens = uniformInt(random, 50, 2000);
          const values = [tokens / 400, tokens * 1.5, tokens, tokens / 2, tokens / 1e5];
          for (const [metric, value] of values.entries()) samples[which]?.[metric]?.push([time, value]);
        }
        yield labels.flatMap((each, which) =>
          serviceMetrics.flatMap((metric, index) => {
            const found = samples[which]?.[index] as [number, number][];
            return found.length > 0 ? [{ labels: { __name__: `${service}_llm_${metric}`, ...each }, samples: found }] : [];
          }),
        );
      }
      return undefined;
    },
  };
}

/** Counters of a process. */
const llmCounters = [
  "gen_ai_requests_total",
  "gen_ai_usage_tokens_total",
  "gen_ai_usage_prompt_tokens_total",
  "gen_ai_usage_completion_tokens_total",
  "gen_ai_usage_cost_USD_sum",
  "gen_ai_usage_cost_USD_bucket",
];

/** Applications of the smallest set, each with two environments, four models and six database operations: 300 counters. */
const sdkApplications = 5;
const sdkModels = models.slice(1);
const scrapeInterval = 15 * second;

interface Counter {
  labels: Labels;
  /** Maximum increase between two samples. */
  maxIncrease: number;
  from: number;
  to: number;
  /** Time of the process' restart. */
  restart: number | undefined;
  offset: number;
}

/**
 * Telemetry of an SDK, for "GenAI Observability": cumulative counters of each process and label set, with a sample per interval. The more applications,
 * the shorter each one runs, so that the number of samples is the same. Some samples are before the dashboard's range. One process of ten restarts once.
 */
export function sdkData(sdkName: string, now: number, { days, applications, density }: Size): DataSet {
  const interval = scrapeInterval / density;
  const lead = day;
  const start = now - days * day - lead;
  const life = (now - start) / applications;
  const processes = numbered(sdkApplications * applications, "app").flatMap((application) =>
    environments.map((environment) => ({ application, environment })),
  );
  const random = xoroshiro128plus(2);
  const counters = processes.flatMap(({ application, environment }, index): Counter[] => {
    const common = {
      job: application,
      instance: `${application}-${environment}`,
      telemetry_sdk_name: sdkName,
      gen_ai_application_name: application,
      gen_ai_environment: environment,
    };
    const from = start + (index % applications) * life;
    const to = from + life;
    const restart = index % 10 === 3 ? from + life * 0.7 : undefined;
    const counter = (name: string, maxIncrease: number, labels: Labels): Counter => ({
      labels: { __name__: name, ...common, ...labels },
      maxIncrease,
      from,
      to,
      restart,
      offset: uniformInt(random, 0, interval - 1),
    });
    return [
      ...sdkModels.flatMap(([model, platform, endpoint]) => {
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
    samples: counters.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, now) - Math.max(from, now - days * day)) / interval, 0),
    from: start,
    *batches() {
      const generator = xoroshiro128plus(3);
      const totals = counters.map(() => 1);
      for (let at = start; at < now; at += batch) {
        yield counters.flatMap(({ labels, maxIncrease, from, to, restart, offset }, which) => {
          const samples: [number, number][] = [];
          const first = Math.ceil((Math.max(at, from) - start - offset) / interval) * interval + start + offset;
          for (let time = first; time < Math.min(at + batch, to, now); time += interval) {
            if (restart !== undefined && time >= restart && time - interval < restart) totals[which] = 0;
            totals[which] = (totals[which] as number) + uniformInt(generator, 0, maxIncrease);
            samples.push([Math.round(time), totals[which] as number]);
          }
          return samples.length > 0 ? [{ labels, samples }] : [];
        });
      }
      return undefined;
    },
  };
}
