/** Signals of "GenAI Observability" (spec 2.3): counters, a histogram and spans that an instrumentation SDK exports by OTLP. */
import { type Counter, type CounterMode, calculationOf, increase, type RecordingRule, recordedName, seriesRead } from "./counters";
import { genaiTraceSignals, type TraceOptions } from "./genai-traces";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { counterIncrease, equals, matchesVariable, nameMissing, nameOf, ratio, select } from "./promql";
import { type MetricSignal, requestCost, shown, type TraceSignal, totalCost, whole } from "./signal";

const { metrics, attributes } = spec;

type Attribute = keyof typeof attributes;

/** The label of an attribute of the spec. */
export const genaiLabel = (attribute: Attribute, naming: Naming) => labelName(attributes[attribute], naming);

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
    costs: counter(metrics.cost, [], "bucket", [equals("le", "+Inf")]),
  };
}

const sdkFilter = (sdkName: string, naming: Naming) => equals(genaiLabel("sdk", naming), sdkName);

/** The counter of requests, and a selector of all its series. */
export const requestCounter = (sdkName: string, naming: Naming = "prometheus") => {
  const { series } = countersIn(naming).requests;
  return { series, selector: select(series, sdkFilter(sdkName, naming)) };
};

/** The rules that record the counters, one for each. */
export const genaiRecordingRules = (sdkName: string, naming: Naming = "prometheus"): RecordingRule[] =>
  Object.values(countersIn(naming)).map(({ series, recorded, filters, labels }) => {
    const by = (["sdk", "application", "environment", ...labels] as const).map((attribute) => genaiLabel(attribute, naming));
    return { name: recorded, query: counterIncrease(select(series, sdkFilter(sdkName, naming), ...filters), "1m", ...by), reads: series };
  });

/** How panels read counters, and how Prometheus stores the names of the SDK. Default to `direct` and `prometheus`. */
export interface GenaiOptions extends TraceOptions {
  mode?: CounterMode;
  naming?: Naming;
}

/** The signals of all applications with one instrumentation SDK, `<sdk_name>` of the spec. */
export function genaiSignals(sdkName: string, { mode = "direct", naming = "prometheus", ...tracing }: GenaiOptions = {}) {
  const sdk = sdkFilter(sdkName, naming);
  const selected = [sdk, ...(["application", "environment"] as const).map((name) => matchesVariable(genaiLabel(name, naming), name))];
  const { requests, databaseRequests, tokens, promptTokens, completionTokens, cost, costs } = countersIn(naming);
  const inRange = (counter: Counter, ...by: readonly string[]) => increase(counter, mode, selected, "$__range", ...by);

  /** The increase of a counter in the dashboard's time range. */
  const total = (counter: Counter, ...by: readonly string[]) => {
    const series = seriesRead(mode, counter);
    return { ...whole, calculation: calculationOf(mode), series, query: inRange(counter, ...by), queryType: "instant" } as const;
  };
  const totalBy = (counter: Counter, by: Attribute, description: string) => {
    const label = genaiLabel(by, naming);
    return { ...total(counter), query: nameMissing(label, inRange(counter, label)), legend: nameOf(label), description };
  };
  const perRequest = (divisor: Counter) => `divided by the number of requests${divisor === costs ? " with a cost" : ""}.`;

  /** A mean for each interval of the dashboard's time range, of the selected applications and environments, or of all. */
  const overTime = (what: string, dividend: Counter, divisor: Counter, filters: readonly string[]) => {
    const [sum, number] = [dividend, divisor].map((counter) => increase(counter, mode, filters, "$__interval")) as [string, string];
    const of =
      filters === selected ? "the selected applications and environments" : "all applications and environments regardless of the selection";
    return {
      ...total(dividend),
      description: `Mean ${what} in each interval, of ${of}.`,
      calculation: `The increase in the interval, ${perRequest(divisor)}`,
      series: seriesRead(mode, dividend, divisor),
      query: ratio(sum, number),
      queryType: "range",
    } as const;
  };
  const models = totalBy(requests, "model", "The 5 models with the most requests in the time range.");
  const systems = totalBy(databaseRequests, "databaseSystem", "Requests to vector databases in the time range by database system.");

  return {
    requests: shown(total(requests), "Requests", "Successful requests to LLM providers in the time range."),
    databaseRequests: shown(total(databaseRequests), "Requests", "Successful requests to vector databases in the time range."),
    tokens: shown(total(tokens), "Tokens", "Tokens used in the time range, prompts and completions together."),
    cost: shown({ ...total(cost), ...totalCost }, "Cost", "Cost of all requests in the time range."),
    costPerRequest: {
      ...total(cost),
      ...requestCost,
      legend: "Cost",
      description: "Mean cost of a request, of those with a cost.",
      calculation: `The increase of the cost in the time range, ${perRequest(costs)}`,
      series: seriesRead(mode, cost, costs),
      query: ratio(inRange(cost), inRange(costs)),
    },
    topModels: { ...models, query: `topk(5, ${models.query})` },
    requestsByPlatform: totalBy(requests, "provider", "Requests in the time range by provider."),
    requestsByType: totalBy(requests, "type", "Requests in the time range by type, such as chat or embedding."),
    requestsByEnvironment: totalBy(requests, "environment", "Requests in the time range by environment."),
    requestsByApplication: totalBy(requests, "application", "Requests in the time range by application."),
    databaseRequestsBySystem: { ...systems, query: `sort_desc(${systems.query})` },
    databaseRequestsByOperation: totalBy(
      databaseRequests,
      "databaseOperation",
      "Requests to vector databases in the time range by operation.",
    ),
    promptTokensOverTime: {
      ...overTime("number of prompt tokens per request", promptTokens, requests, selected),
      legend: "Avg Prompt Tokens",
    },
    // The spec filters these two by the SDK only.
    completionTokensOverTime: {
      ...overTime("number of completion tokens per request", completionTokens, requests, [sdk]),
      legend: "Avg Completion Tokens",
    },
    costOverTime: { ...overTime("cost of a request", cost, costs, [sdk]), ...requestCost, legend: "Avg Cost" },
    ...genaiTraceSignals(sdkName, tracing),
  } satisfies Record<string, MetricSignal | TraceSignal>;
}
