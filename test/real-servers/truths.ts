/** The truth of each panel of the spec's tables (2.2, 2.3), in their order: the only place that says what a panel must show. */
import type { Picked, SdkLedger, ServiceLedger, Truth, Window } from "./ledger";
import type { Counter } from "./telemetry/sdk";
import type { Line, metrics } from "./telemetry/service";
import type { DatabaseCall, LlmCall } from "./telemetry/world";

export interface Ledgers {
  service: ServiceLedger;
  sdk: SdkLedger;
}

export type Named = Map<string, Truth>;

/** What a panel must show. */
export type Expected =
  | { kind: "values"; values: Named /** Only so many, the largest ones, largest first. */; top?: number }
  /** Of each step of a graph, by the names of series. */
  | { kind: "series"; at(step: Window): Named }
  | { kind: "logs"; lines: Line[] }
  | { kind: "spans"; calls: (LlmCall | DatabaseCall)[] }
  | { kind: "durations" /** Seconds. */; durations: number[] };

export type PanelTruth = (ledgers: Ledgers, window: Window, picked: Picked) => Expected;

type Metric = keyof typeof metrics;

const one = (truth: Truth | undefined): Named => new Map(truth ? [["", truth]] : []);
const allOfThem: Picked = { applications: [], environments: [] };

/** Lines that Grafana asks for at most. */
const lineLimit = 1000;
/** The spec's limits (8). */
const spanLimit = 20;
const topModels = 5;

const mean =
  (metric: Metric): PanelTruth =>
  ({ service }, window, picked) => ({ kind: "values", values: one(service.mean(metric, window, picked)) });

const costBy =
  (name: (call: LlmCall) => string): PanelTruth =>
  ({ service }, window, picked) => ({ kind: "values", values: service.totalBy("usageCost", name, window, picked) });

const lines =
  (type: Line["type"]): PanelTruth =>
  ({ service }, window, picked) => ({ kind: "logs", lines: service.lines(type, window, picked, lineLimit) });

/** Truths of "LLM Monitoring" by title. */
export const truthsA: Record<string, PanelTruth> = {
  "Total Requests": ({ service }, window, picked) => ({ kind: "values", values: one(service.count(window, picked)) }),
  "Avg Request Duration": mean("requestDuration"),
  "Avg Tokens per Request": mean("totalTokens"),
  "Avg Cost / Request": mean("usageCost"),
  "Total Cost": ({ service }, window, picked) => ({ kind: "values", values: one(service.total("usageCost", window, picked)) }),
  "Total Requests overtime": ({ service }, _window, picked) => ({
    kind: "series",
    at: (step) => named("Requests", service.count(step, picked)),
  }),
  "Usage by Category": ({ service }, window, picked) => ({
    kind: "values",
    values: service.countBy(({ operation }) => operation.category, window, picked),
  }),
  "Usage cost by Provider": costBy(({ operation }) => operation.provider),
  "Usage cost by Application": costBy(({ process }) => process.application),
  "Usage cost by Environment": costBy(({ process }) => process.environment),
  "Avg Prompt Tokens / Request": mean("promptTokens"),
  "Avg Completion Tokens / Request": mean("completionTokens"),
  "Token usage overtime": ({ service }, _window, picked) => ({
    kind: "series",
    at: (step) =>
      new Map([
        ...named("Completion Tokens", service.mean("completionTokens", step, picked)),
        ...named("Prompt Tokens", service.mean("promptTokens", step, picked)),
      ]),
  }),
  "Top models by usage": ({ service }, window, picked) => ({
    kind: "values",
    values: service.countBy(({ operation }) => operation.model, window, picked),
    top: topModels,
  }),
  "Token usage by model": ({ service }, _window, picked) => ({
    kind: "series",
    at: (step) => service.totalBy("totalTokens", ({ operation }) => operation.model, step, picked),
  }),
  Prompts: lines("prompt"),
  Responses: lines("response"),
};

const gained =
  (counter: Counter, label?: string): PanelTruth =>
  ({ sdk }, window, picked) => ({ kind: "values", values: sdk.gained(counter, window, picked, label) });

/** Truths of "GenAI Observability" by title; panels without one by their row's. */
export const truthsB: Record<string, PanelTruth> = {
  "Total Successful GenAI Requests": gained("requests"),
  "Total Successful VectorDB Requests": gained("databaseRequests"),
  "Total Usage Tokens": gained("tokens"),
  "Total Usage Cost": gained("cost"),
  "Avg Usage Cost": ({ sdk }, window, picked) => ({ kind: "values", values: one(sdk.mean("cost", "costs", window, picked)) }),
  "Request Duration Distribution": ({ sdk }, window, picked) => ({
    kind: "durations",
    durations: sdk.spans("all", window, picked, spanLimit).map(({ start, end }) => (end - start) / 1000),
  }),
  "Top GenAI Models by Usage": ({ sdk }, window, picked) => ({
    kind: "values",
    values: sdk.gained("requests", window, picked, "gen_ai.request.model"),
    top: topModels,
  }),
  "GenAI Requests by Platform": gained("requests", "gen_ai.system"),
  "GenAI Requests by Type": gained("requests", "gen_ai.type"),
  "GenAI Requests by Environment": gained("requests", "gen_ai.environment"),
  "GenAI Requests by Application": gained("requests", "gen_ai.application_name"),
  "VectorDB Usage by System": gained("databaseRequests", "db.system"),
  "DB Requests by Operation": gained("databaseRequests", "db.operation"),
  "Average Token Consumption vs. Average Usage Cost Comparison": ({ sdk }, _window, picked) => ({
    kind: "series",
    at: (step) =>
      new Map([
        ...named("Avg Prompt Tokens", sdk.mean("promptTokens", "requests", step, picked)),
        // The spec filters these two by the SDK's name only.
        ...named("Avg Completion Tokens", sdk.mean("completionTokens", "requests", step, allOfThem)),
        ...named("Avg Cost", sdk.mean("cost", "costs", step, allOfThem)),
      ]),
  }),
  "GenAI Requests, table": ({ sdk }, window, picked) => ({ kind: "spans", calls: sdk.spans("llm", window, picked, spanLimit) }),
  "VectorDB Requests, table": ({ sdk }, window, picked) => ({ kind: "spans", calls: sdk.spans("database", window, picked, spanLimit) }),
};

function named(name: string, truth: Truth | undefined): Named {
  return new Map(truth ? [[name, truth]] : []);
}
