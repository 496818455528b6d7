/**
 * Signals of "GenAI Observability" (spec 2.3): counters, a histogram and spans that an instrumentation SDK exports by OTLP. The SDK exports many
 * sparse, short-lived series whose first value is 1 or more: see `minuteIncrease`.
 */
import {
  type Counter,
  type CounterMode,
  calculationOf,
  increase,
  type RecordingRule,
  recordedName,
  recordingRule,
  seriesRead,
} from "./counters";
import { genaiTraceSignals, type TraceOptions } from "./genai-traces";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { equals, matchesVariable, nameMissing, nameOf, positive, ratio, select, sortDesc, topk } from "./promql";
import { type MetricSignal, requestCostDecimals, type TraceSignal, totalCostDecimals } from "./signal";

const { metrics, attributes } = spec;

type Attribute = keyof typeof attributes;

/** The label of an attribute of the spec. */
export const genaiLabel = (attribute: Attribute, naming: Naming) => labelName(attributes[attribute], naming);

/** A counter with the labels by which panels group it, in addition to application and environment. */
interface SpecCounter<By extends Attribute = Attribute> extends Counter {
  labels: readonly By[];
}

function countersIn(naming: Naming) {
  const counter = <By extends Attribute>(metric: Metric, ...labels: readonly By[]): SpecCounter<By> => ({
    series: seriesName(metric, naming),
    recorded: recordedName(metric),
    filters: [],
    labels,
  });
  const part = (metric: Metric, part: HistogramPart, ...filters: readonly string[]): SpecCounter<never> => ({
    series: seriesName(metric, naming, part),
    recorded: recordedName(metric, part),
    filters,
    labels: [],
  });
  return {
    requests: counter(metrics.requests, "model", "provider", "type", "environment", "application"),
    databaseRequests: counter(metrics.databaseRequests, "databaseSystem", "databaseOperation"),
    tokens: counter(metrics.tokens),
    promptTokens: counter(metrics.promptTokens),
    completionTokens: counter(metrics.completionTokens),
    cost: part(metrics.cost, "sum"),
    /** Requests with a cost: the bucket of all. The SDK's other bounds start at 5 USD, too high for the cost of a request. */
    costs: part(metrics.cost, "bucket", equals("le", "+Inf")),
  } satisfies Record<string, SpecCounter>;
}

const sdkFilter = (sdkName: string, naming: Naming) => equals(genaiLabel("sdk", naming), sdkName);

/** The counter of requests, and a selector of all its series. */
export const requestCounter = (sdkName: string, naming: Naming = "prometheus") => {
  const { series } = countersIn(naming).requests;
  return { series, selector: select(series, sdkFilter(sdkName, naming)) };
};

/** The rules that record the counters, one for each. */
export const genaiRecordingRules = (sdkName: string, naming: Naming = "prometheus"): RecordingRule[] =>
  Object.values(countersIn(naming)).map((counter: SpecCounter) => {
    const labels = new Set<Attribute>(["sdk", "application", "environment", ...counter.labels]);
    return recordingRule(
      counter,
      [sdkFilter(sdkName, naming)],
      [...labels].map((attribute) => genaiLabel(attribute, naming)),
    );
  });

export interface GenaiOptions extends TraceOptions {
  /** How panels read counters. Defaults to `direct`. */
  mode?: CounterMode;
  /** How the names of the SDK are stored in Prometheus. Defaults to `prometheus`. */
  naming?: Naming;
}

/** The signals of all applications with one instrumentation SDK, `<sdk_name>` of the spec. */
export function genaiSignals(sdkName: string, { mode = "direct", naming = "prometheus", ...tracing }: GenaiOptions = {}) {
  const sdk = sdkFilter(sdkName, naming);
  const filters = [sdk, ...(["application", "environment"] as const).map((name) => matchesVariable(genaiLabel(name, naming), name))];
  const inRange = (counter: Counter, ...by: readonly string[]) => increase(counter, mode, filters, "$__range", ...by);
  const meanOverTime = (dividend: Counter, divisor: Counter, filters: readonly string[]) =>
    ratio(increase(dividend, mode, filters, "$__interval"), positive(increase(divisor, mode, filters, "$__interval")));
  const reads = (...read: readonly Counter[]) => read.map((counter) => seriesRead(counter, mode));
  const calculation = calculationOf(mode);

  /** The increase of a counter in the dashboard's time range. */
  const total = (counter: Counter, description: string, legend: string) =>
    ({
      description,
      calculation,
      series: reads(counter),
      query: inRange(counter),
      queryType: "instant",
      legend,
      unit: "locale",
      // A count is a whole number; a sum of differences has rounding errors.
      decimals: 0,
    }) satisfies MetricSignal;
  const usd = (signal: ReturnType<typeof total>, decimals: number) => ({ ...signal, unit: "currencyUSD", decimals }) satisfies MetricSignal;
  const totalBy = <By extends Attribute>(counter: SpecCounter<By>, by: NoInfer<By>, description: string) => {
    const label = genaiLabel(by, naming);
    return {
      ...total(counter, description, nameOf(label)),
      query: nameMissing(label, inRange(counter, label)),
    } satisfies MetricSignal;
  };
  const { requests, databaseRequests, tokens, promptTokens, completionTokens, cost, costs } = countersIn(naming);
  const models = totalBy(requests, "model", "The 5 models with the most requests in the time range.");
  const databaseSystems = totalBy(databaseRequests, "databaseSystem", "Requests to vector databases in the time range by database system.");

  /** A mean for each interval of the dashboard's time range. */
  const overTime = (signal: Omit<MetricSignal, "queryType">): MetricSignal => ({ ...signal, queryType: "range" });

  return {
    requests: total(requests, "Successful requests to LLM providers in the time range.", "Requests"),
    databaseRequests: total(databaseRequests, "Successful requests to vector databases in the time range.", "Requests"),
    tokens: total(tokens, "Tokens used in the time range, prompts and completions together.", "Tokens"),
    cost: usd(total(cost, "Cost of all requests in the time range.", "Cost"), totalCostDecimals),
    costPerRequest: {
      ...usd(total(cost, "Mean cost of a request, of those with a cost.", "Cost"), requestCostDecimals),
      calculation: "The increase of the cost in the time range, divided by the number of requests with a cost.",
      series: reads(cost, costs),
      query: ratio(inRange(cost), positive(inRange(costs))),
    },
    topModels: { ...models, query: topk(5, models.query) },
    requestsByPlatform: totalBy(requests, "provider", "Requests in the time range by provider."),
    requestsByType: totalBy(requests, "type", "Requests in the time range by type, such as chat or embedding."),
    requestsByEnvironment: totalBy(requests, "environment", "Requests in the time range by environment."),
    requestsByApplication: totalBy(requests, "application", "Requests in the time range by application."),
    databaseRequestsBySystem: { ...databaseSystems, query: sortDesc(databaseSystems.query) },
    databaseRequestsByOperation: totalBy(
      databaseRequests,
      "databaseOperation",
      "Requests to vector databases in the time range by operation.",
    ),
    promptTokensOverTime: overTime({
      description: "Mean number of prompt tokens per request in each interval, of the selected applications and environments.",
      calculation: "The increase of the prompt tokens in the interval, divided by the increase of the requests.",
      series: reads(promptTokens, requests),
      query: meanOverTime(promptTokens, requests, filters),
      legend: "Avg Prompt Tokens",
      unit: "locale",
      decimals: 0,
    }),
    completionTokensOverTime: overTime({
      description:
        "Mean number of completion tokens per request in each interval, of all applications and environments regardless of the selection.",
      calculation: "The increase of the completion tokens in the interval, divided by the increase of the requests.",
      series: reads(completionTokens, requests),
      query: meanOverTime(completionTokens, requests, [sdk]),
      legend: "Avg Completion Tokens",
      unit: "locale",
      decimals: 0,
    }),
    costOverTime: overTime({
      description: "Mean cost of a request in each interval, of all applications and environments regardless of the selection.",
      calculation: "The increase of the cost in the interval, divided by the number of requests with a cost.",
      series: reads(cost, costs),
      query: meanOverTime(cost, costs, [sdk]),
      legend: "Avg Cost",
      unit: "currencyUSD",
      decimals: requestCostDecimals,
    }),
    ...genaiTraceSignals(sdkName, tracing),
  } satisfies Record<string, MetricSignal | TraceSignal>;
}
