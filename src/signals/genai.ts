/** Signals of "GenAI Observability" (spec 2.3): counters, a histogram and spans that an instrumentation SDK exports by OTLP. */
import { type Counter, type CounterMode, counterReadings, type RecordingRule, recordedName } from "./counters";
import { genaiTraceSignals, type TraceOptions } from "./genai-traces";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { counterIncrease, equals, matchesVariable, select } from "./promql";
import { type MetricSignal, requestCost, shown, type TraceSignal, totalCost } from "./signal";

const { metrics, attributes } = spec;

type Attribute = keyof typeof attributes;

export const genaiLabel = (attribute: Attribute) => labelName(attributes[attribute]);

/** A counter with the labels by which panels group it, in addition to application and environment. */
type SpecCounter = Counter & { labels: readonly Attribute[] };

function countersIn(naming: Naming) {
  const counter = (metric: Metric, labels: readonly Attribute[] = [], part?: HistogramPart, filters: string[] = []): SpecCounter => {
    const recorded = recordedName(seriesName(metric, "prometheus", part).replace(/_total$/, ""));
    return { series: seriesName(metric, naming, part), recorded, filters, labels };
  };
  return {
    requests: counter(metrics.requests, ["model", "provider", "type"]),
    databaseRequests: counter(metrics.databaseRequests, ["databaseSystem", "databaseOperation"]),
    tokens: counter(metrics.tokens),
    promptTokens: counter(metrics.promptTokens),
    completionTokens: counter(metrics.completionTokens),
    cost: counter(metrics.cost, [], "sum"),
    /** Requests with a cost: the bucket of all. The SDK's other bounds start at 5 USD, too high for the cost of a request. */
    pricedRequests: counter(metrics.cost, [], "bucket", [equals("le", "+Inf")]),
  };
}

const sdkFilter = (sdkName: string) => equals(genaiLabel("sdk"), sdkName);

/** The counter of requests, and a selector of all its series. */
export const requestCounter = (sdkName: string, naming: Naming = "prometheus") => {
  const { series } = countersIn(naming).requests;
  return { series, selector: select(series, sdkFilter(sdkName)) };
};

export const genaiRecordingRules = (sdkName: string, naming: Naming = "prometheus"): RecordingRule[] =>
  Object.values(countersIn(naming)).map(({ series, recorded, filters, labels }) => {
    const by = (["sdk", "application", "environment", ...labels] as const).map((attribute) => genaiLabel(attribute));
    return { name: recorded, query: counterIncrease(select(series, sdkFilter(sdkName), ...filters), "1m", ...by), reads: series };
  });

/** How panels read counters, and how Prometheus stores the names of the SDK. Default to `direct` and `prometheus`. */
export interface GenaiOptions extends TraceOptions {
  mode?: CounterMode;
  naming?: Naming;
}

/** The signals of all applications with one instrumentation SDK, `<sdk_name>` of the spec. */
export function genaiSignals(sdkName: string, { mode = "direct", naming = "prometheus", ...tracing }: GenaiOptions = {}) {
  const sdk = sdkFilter(sdkName);
  const filters = [sdk, ...(["application", "environment"] as const).map((name) => matchesVariable(genaiLabel(name), name))];
  const { requests, databaseRequests, tokens, promptTokens, completionTokens, cost, pricedRequests } = countersIn(naming);
  const { total, totalBy, mean } = counterReadings(mode, () => filters);
  // The spec filters two series of the comparison by the SDK only.
  const ofAll = counterReadings(mode, () => [sdk]);
  const by = (attribute: Attribute, description: string, counter: Counter = requests) =>
    totalBy(genaiLabel(attribute), description, counter);

  const models = by("model", "The 5 models with the most requests in the time range.");
  const systems = by("databaseSystem", "Requests to vector databases in the time range by database system.", databaseRequests);
  const overTime = "in each interval, of the selected applications and environments.";
  const interval = "$__interval";
  const ofAllNote = "in each interval, of all applications and environments regardless of the selection.";

  return {
    requests: shown(total(requests), "Requests", "Successful requests to LLM providers in the time range."),
    databaseRequests: shown(total(databaseRequests), "Requests", "Successful requests to vector databases in the time range."),
    tokens: shown(total(tokens), "Tokens", "Tokens used in the time range, prompts and completions together."),
    cost: shown({ ...total(cost), ...totalCost }, "Cost", "Cost of all requests in the time range."),
    costPerRequest: shown(
      { ...mean(cost, pricedRequests, "$__range"), ...requestCost },
      "Cost",
      "Mean cost of a request, of those with a cost.",
    ),
    topModels: { ...models, query: `topk(5, ${models.query})` },
    requestsByPlatform: by("provider", "Requests in the time range by provider."),
    requestsByType: by("type", "Requests in the time range by type, such as chat or embedding."),
    requestsByEnvironment: by("environment", "Requests in the time range by environment."),
    requestsByApplication: by("application", "Requests in the time range by application."),
    databaseRequestsBySystem: { ...systems, query: `sort_desc(${systems.query})` },
    databaseRequestsByOperation: by("databaseOperation", "Requests to vector databases in the time range by operation.", databaseRequests),
    promptTokensOverTime: shown(mean(promptTokens, requests, interval), "Avg Prompt Tokens", `Mean prompt tokens per request ${overTime}`),
    completionTokensOverTime: shown(
      ofAll.mean(completionTokens, requests, interval),
      "Avg Completion Tokens",
      `Mean completion tokens per request ${ofAllNote}`,
    ),
    // The decimal places of its axis: the panel's own are those of tokens.
    costOverTime: shown(
      { ...ofAll.mean(cost, pricedRequests, interval), ...requestCost, decimals: 4 },
      "Avg Cost",
      `Mean cost of a request ${ofAllNote}`,
    ),
    ...genaiTraceSignals(sdkName, tracing),
  } satisfies Record<string, MetricSignal | TraceSignal>;
}
