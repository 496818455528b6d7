/** Signals of "GenAI Observability (OpenTelemetry)": what current SDKs send by the semantic conventions for generative AI. */
import type { Naming } from "./names/translate";
import { type Reading, signalBuilder } from "./opentelemetry-builder";
import { type Measure, openTelemetryMeasures } from "./opentelemetry-measures";
import { operationSignals } from "./opentelemetry-operations";
import { certainRecordingRules, sourcesOf } from "./opentelemetry-rules";
import { indent, minuteIncrease, nameMissing, nameOf, overMinutes, positive, ratio, relabel, select, sum, topk } from "./promql";
import { type MetricSignal, requestCostDecimals, totalCostDecimals } from "./signal";

/** The series that most SDKs send. */
export const openTelemetryArrivals = (naming: Naming = "prometheus"): string[] => [
  ...new Set(certainRecordingRules(naming).map(({ reads }) => reads)),
];

/** The counters of requests, one for each generation, with a selector of all their series. */
export const openTelemetryCounters = (naming: Naming = "prometheus") =>
  sourcesOf(openTelemetryMeasures(naming).requests).map((series) => ({ series, selector: select(series) }));

/** What the panel of first tokens leaves out. */
const firstTokenNotes = {
  direct: "Some SDKs, such as OpenLLMetry, send it by another name, which only recording rules read.",
  recorded: "Older releases of OpenLIT do not tell it apart from the duration of other requests and are left out.",
} as const;

/** Who sends costs: the text of an empty panel. */
export const costEmitters = "No SDK sends costs here. OpenLIT and LiteLLM do.";

export function openTelemetrySignals(reading: Reading) {
  const builder = signalBuilder(reading);
  const { measures, label, names, failed, succeeded, increase, selected, reads, signal, total, byLabel, by, overTime, percentile, mean } =
    builder;
  const { requests, latency, firstToken, tokens, cachedTokens, cost, costs } = measures;

  const usd = { unit: "currencyUSD", decimals: totalCostDecimals } as const;
  const costNote = "Only OpenLIT and LiteLLM send costs: the panel has no data for other SDKs, also if their requests cost something.";
  // SDKs send it by its present name or by its former one.
  const providers = [label("system"), label("provider")].map((name) => `"provider", "$1", "${name}", "(.+)"`);
  const requestsByProvider =
    reading.mode === "recorded"
      ? increase(requests, "$__range", [], "provider")
      : overMinutes(sum(`\n${indent(relabel(minuteIncrease(selected(requests)), providers))}\n`, "provider"), "$__range");
  const slowest = (of: MetricSignal): MetricSignal => ({ ...of, query: topk(1, of.query) });
  const top = (of: MetricSignal): MetricSignal => ({ ...of, query: topk(5, of.query) });
  const ofApplication = `{{${names.application}}}`;
  const latencyOverTime = (percent: number) =>
    percentile(percent, latency, "$__interval", {
      description: `The time within which ${percent} % of an application's requests to models in an interval end, failed ones included.`,
      legend: `p${percent} ${ofApplication}`,
    });
  const byModel = (measure: Measure, description: string, filters: readonly string[] = [], text: Partial<MetricSignal> = {}) =>
    top(byLabel(measure, names.model, description, filters, text));

  return {
    requests: total(requests, { description: "Requests to models in the time range, failed ones included.", legend: "Requests" }),
    errorRate: signal(
      requests,
      ratio(`(${increase(requests, "$__range", [failed])} or vector(0))`, positive(increase(requests, "$__range"))),
      {
        description:
          `The share of the requests to models in the time range that failed: those with ${label("error")}. ` +
          "Some SDKs, such as OpenLIT, measure only successful requests: see the table of requests for their errors.",
        calculation: "The increase of the failed requests, divided by that of all requests.",
        legend: "Errors",
        unit: "percentunit",
        decimals: 1,
      },
    ),
    latency: slowest(
      percentile(95, latency, "$__range", {
        description:
          "The time within which 95 % of an application's requests to models in the time range end, failed ones included: that of the slowest application.",
        legend: ofApplication,
      }),
    ),
    tokens: total(tokens, {
      description: "Input and output tokens in the time range. Cached and reasoning tokens are subsets of these and not added.",
      legend: "Tokens",
    }),
    cost: total(cost, { description: `Cost of all requests in the time range. ${costNote}`, legend: "Cost", ...usd }),
    costPerRequest: signal(cost, mean(cost, costs, "$__range", [succeeded]), {
      description: `Mean cost of a successful request, of those with a cost. ${costNote}`,
      calculation: "The increase of the cost in the time range, divided by the number of requests with a cost.",
      series: reads(cost, costs),
      legend: "Cost",
      unit: "currencyUSD",
      decimals: requestCostDecimals,
    }),

    succeededOverTime: overTime(requests, increase(requests, "$__interval", [succeeded]), {
      description: "Successful requests to models in each interval.",
      legend: "Successful",
    }),
    failedOverTime: overTime(requests, increase(requests, "$__interval", [failed]), {
      description: `Failed requests to models in each interval: those with ${label("error")}.`,
      legend: "Failed",
    }),
    p50OverTime: latencyOverTime(50),
    p95OverTime: latencyOverTime(95),
    p99OverTime: latencyOverTime(99),
    firstTokenOverTime: percentile(95, firstToken, "$__interval", {
      description: `The time within which 95 % of an application's streamed requests in an interval get their first token. ${firstTokenNotes[reading.mode]}`,
      legend: ofApplication,
    }),
    tokensOverTime: overTime(tokens, increase(tokens, "$__interval", [], label("tokenType")), {
      description: "Input and output tokens in each interval.",
      legend: `{{${label("tokenType")}}}`,
    }),
    cachedTokensOverTime: overTime(cachedTokens, increase(cachedTokens, "$__interval"), {
      description:
        "Input tokens in each interval that the provider read from its cache, a subset of the input tokens. Few SDKs send it as a metric.",
      legend: "cached",
    }),
    // OpenLIT also sends a cost of 0 for each failed request, of models that may not exist.
    costOverTime: overTime(cost, nameMissing(names.model, increase(cost, "$__interval", [succeeded], names.model)), {
      description: `Cost in each interval by model. ${costNote}`,
      legend: nameOf(names.model),
      ...usd,
    }),

    topModelsByRequests: byModel(requests, "The 5 models with the most requests in the time range, failed ones included."),
    topModelsByTokens: byModel(tokens, "The 5 models with the most input and output tokens in the time range."),
    topModelsByCost: byModel(cost, `The 5 models with the highest cost in the time range. ${costNote}`, [succeeded], usd),
    requestsByProvider: signal(requests, nameMissing("provider", requestsByProvider), {
      description: "Requests to models in the time range by provider.",
      legend: nameOf("provider"),
    }),
    requestsByOperation: by(requests, "operation", "Requests to models in the time range by operation, such as chat or embeddings."),
    requestsByEnvironment: byLabel(requests, names.environment, "Requests to models in the time range by environment."),
    requestsByApplication: byLabel(requests, names.application, "Requests to models in the time range by application."),
    errorsByType: signal(requests, topk(10, increase(requests, "$__range", [failed], label("error"))), {
      description: "Failed requests to models in the time range by the type of the error, the 10 most frequent ones.",
      legend: `{{${label("error")}}}`,
    }),
    ...operationSignals(builder),
  } satisfies Record<string, MetricSignal>;
}
