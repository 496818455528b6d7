/** The expected values of each panel, by its title. */
import type { SdkLedger, Selection, ServiceLedger, Truth, Window } from "./ledger";
import type { Counter } from "./telemetry/sdk";
import type { Line, metrics } from "./telemetry/service";
import type { DatabaseCall, LlmCall } from "./telemetry/world";

export interface Ledgers {
  service: ServiceLedger;
  sdk: SdkLedger;
}

export type Named = Map<string, Truth>;

export type Expected =
  | { kind: "values"; values: Named /** The maximum number of values, in descending order. */; top?: number }
  /** The values of a graph's step by the names of the series. */
  | { kind: "series"; at(step: Window): Named }
  | { kind: "logs"; lines: Line[] }
  | { kind: "spans"; calls: (LlmCall | DatabaseCall)[] }
  | { kind: "durations" /** Seconds. */; durations: number[] };

export type PanelTruth = (ledgers: Ledgers, window: Window, selected: Selection) => Expected;

type Metric = keyof typeof metrics;

const one = (truth: Truth | undefined): Named => new Map(truth ? [["", truth]] : []);
const everything: Selection = { applications: [], environments: [] };

/** Grafana's maximum number of log lines. */
const maxLines = 1000;
/** The spec's limits (8). */
const maxSpans = 20;
const topModels = 5;

const mean =
  (metric: Metric): PanelTruth =>
  ({ service }, window, selected) => ({ kind: "values", values: one(service.mean(metric, window, selected)) });

const costBy =
  (name: (call: LlmCall) => string): PanelTruth =>
  ({ service }, window, selected) => ({ kind: "values", values: service.totalBy("usageCost", name, window, selected) });

const lines =
  (type: Line["type"]): PanelTruth =>
  ({ service }, window, selected) => ({ kind: "logs", lines: service.lines(type, window, selected, maxLines) });

/** "LLM Monitoring". */
export const truthsA: Record<string, PanelTruth> = {
  "Total Requests": ({ service }, window, selected) => ({ kind: "values", values: one(service.count(window, selected)) }),
  "Avg Request Duration": mean("requestDuration"),
  "Avg Tokens per Request": mean("totalTokens"),
  "Avg Cost / Request": mean("usageCost"),
  "Total Cost": ({ service }, window, selected) => ({ kind: "values", values: one(service.total("usageCost", window, selected)) }),
  "Total Requests overtime": ({ service }, _window, selected) => ({
    kind: "series",
    at: (step) => named("Requests", service.count(step, selected)),
  }),
  "Usage by Category": ({ service }, window, selected) => ({
    kind: "values",
    values: service.countBy(({ operation }) => operation.category, window, selected),
  }),
  "Usage cost by Provider": costBy(({ operation }) => operation.provider),
  "Usage cost by Application": costBy(({ process }) => process.application),
  "Usage cost by Environment": costBy(({ process }) => process.environment),
  "Avg Prompt Tokens / Request": mean("promptTokens"),
  "Avg Completion Tokens / Request": mean("completionTokens"),
  "Token usage overtime": ({ service }, _window, selected) => ({
    kind: "series",
    at: (step) =>
      new Map([
        ...named("Completion Tokens", service.mean("completionTokens", step, selected)),
        ...named("Prompt Tokens", service.mean("promptTokens", step, selected)),
      ]),
  }),
  "Top models by usage": ({ service }, window, selected) => ({
    kind: "values",
    values: service.countBy(({ operation }) => operation.model, window, selected),
    top: topModels,
  }),
  "Token usage by model": ({ service }, _window, selected) => ({
    kind: "series",
    at: (step) => service.totalBy("totalTokens", ({ operation }) => operation.model, step, selected),
  }),
  Prompts: lines("prompt"),
  Responses: lines("response"),
};

const increase =
  (counter: Counter, label?: string): PanelTruth =>
  ({ sdk }, window, selected) => ({ kind: "values", values: sdk.increase(counter, window, selected, label) });

/** "GenAI Observability". A panel without a title has its row's title and its type. */
export const truthsB: Record<string, PanelTruth> = {
  "Total Successful GenAI Requests": increase("requests"),
  "Total Successful VectorDB Requests": increase("databaseRequests"),
  "Total Usage Tokens": increase("tokens"),
  "Total Usage Cost": increase("cost"),
  "Avg Usage Cost": ({ sdk }, window, selected) => ({ kind: "values", values: one(sdk.mean("cost", "costs", window, selected)) }),
  "Request Duration Distribution": ({ sdk }, window, selected) => ({
    kind: "durations",
    durations: sdk.spans("all", window, selected, maxSpans).map(({ start, end }) => (end - start) / 1000),
  }),
  "Top GenAI Models by Usage": ({ sdk }, window, selected) => ({
    kind: "values",
    values: sdk.increase("requests", window, selected, "gen_ai.request.model"),
    top: topModels,
  }),
  "GenAI Requests by Platform": increase("requests", "gen_ai.system"),
  "GenAI Requests by Type": increase("requests", "gen_ai.type"),
  "GenAI Requests by Environment": increase("requests", "gen_ai.environment"),
  "GenAI Requests by Application": increase("requests", "gen_ai.application_name"),
  "VectorDB Usage by System": increase("databaseRequests", "db.system"),
  "DB Requests by Operation": increase("databaseRequests", "db.operation"),
  "Average Token Consumption vs. Average Usage Cost Comparison": ({ sdk }, _window, selected) => ({
    kind: "series",
    at: (step) =>
      new Map([
        ...named("Avg Prompt Tokens", sdk.mean("promptTokens", "requests", step, selected)),
        // The spec filters these two by the SDK only.
        ...named("Avg Completion Tokens", sdk.mean("completionTokens", "requests", step, everything)),
        ...named("Avg Cost", sdk.mean("cost", "costs", step, everything)),
      ]),
  }),
  "GenAI Requests, table": ({ sdk }, window, selected) => ({ kind: "spans", calls: sdk.spans("llm", window, selected, maxSpans) }),
  "VectorDB Requests, table": ({ sdk }, window, selected) => ({ kind: "spans", calls: sdk.spans("database", window, selected, maxSpans) }),
};

function named(name: string, truth: Truth | undefined): Named {
  return new Map(truth ? [[name, truth]] : []);
}
