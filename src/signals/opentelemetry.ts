/**
 * Signals of "GenAI Observability (OpenTelemetry)": what current SDKs send by the semantic conventions for generative AI. See `measures.ts` for how
 * telemetry generations are read together, and `identity.ts` for application, environment, provider and model.
 */
import type { CounterMode, RecordingRule } from "./counters";
import { recordingRuleOf } from "./measures";
import type { Naming } from "./names/translate";
import { signalBuilder } from "./opentelemetry-builder";
import { openTelemetryMeasures } from "./opentelemetry-measures";
import { operationSignals } from "./opentelemetry-operations";
import { positive, ratio, select, topk } from "./promql";
import { type MetricSignal, requestCostDecimals, totalCostDecimals } from "./signal";

/** The rules that record the measures, one for each. */
export const openTelemetryRecordingRules = (naming: Naming = "prometheus"): RecordingRule[] =>
  Object.values(openTelemetryMeasures(naming)).map(recordingRuleOf);

/** Rules of what every SDK sends. Others write nothing as long as nothing fails, costs, or is called by an agent. */
export function certainRecordingRules(naming: Naming = "prometheus"): RecordingRule[] {
  const { requests, latency, tokens } = openTelemetryMeasures(naming);
  return [requests, latency, tokens].map(recordingRuleOf);
}

/** The series that most SDKs send. */
export const openTelemetryArrivals = (naming: Naming = "prometheus"): string[] => certainRecordingRules(naming).map(({ reads }) => reads);

/** The counters of requests, one for each generation, with a selector of all their series. */
export const openTelemetryCounters = (naming: Naming = "prometheus") =>
  openTelemetryMeasures(naming).requests.presence.map((series) => ({ series, selector: select(series) }));

/** Who sends costs: the text of an empty panel. */
export const costEmitters = "No SDK sends costs here. OpenLIT and LiteLLM do.";

/** @param mode how panels read counters */
export function openTelemetrySignals(mode: CounterMode, naming: Naming = "prometheus") {
  const builder = signalBuilder(mode, naming);
  const { measures, label, failed, succeeded, increase, reads, signal, total, by, byOwn, overTime, percentile, mean } = builder;
  const { requests, latency, firstToken, tokens, cachedTokens, cost, costs } = measures;

  const usd = { unit: "currencyUSD", decimals: totalCostDecimals } as const;
  const costNote = "Only OpenLIT and LiteLLM send costs: the panel has no data for other SDKs, also if their requests cost something.";
  const top = (of: MetricSignal): MetricSignal => ({ ...of, query: topk(5, of.query) });
  const latencyOverTime = (percent: number) =>
    percentile(percent, latency, "$__interval", {
      description: `The time within which ${percent} % of the requests to models in an interval end, failed ones included.`,
      legend: `p${percent}`,
    });

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
    latency: percentile(95, latency, "$__range", {
      description: "The time within which 95 % of the requests to models in the time range end, failed ones included.",
      legend: "p95",
    }),
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
      description:
        "The time within which 95 % of the streamed requests in an interval get their first token. Older releases of OpenLIT do not tell it apart from the " +
        "duration of other requests and are left out.",
      legend: "p95",
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
    costOverTime: overTime(cost, increase(cost, "$__interval", [succeeded], "model"), {
      description: `Cost in each interval by model. ${costNote}`,
      legend: "{{model}}",
      ...usd,
    }),

    topModelsByRequests: top(by(requests, "model", "The 5 models with the most requests in the time range, failed ones included.")),
    topModelsByTokens: top(by(tokens, "model", "The 5 models with the most input and output tokens in the time range.")),
    topModelsByCost: top(by(cost, "model", `The 5 models with the highest cost in the time range. ${costNote}`, [succeeded], usd)),
    requestsByProvider: by(requests, "provider", "Requests to models in the time range by provider."),
    requestsByOperation: byOwn(requests, "operation", "Requests to models in the time range by operation, such as chat or embeddings."),
    requestsByEnvironment: by(requests, "environment", "Requests to models in the time range by environment."),
    requestsByApplication: by(requests, "application", "Requests to models in the time range by application."),
    errorsByType: signal(requests, topk(10, increase(requests, "$__range", [failed], label("error"))), {
      description: "Failed requests to models in the time range by the type of the error, the 10 most frequent ones.",
      legend: `{{${label("error")}}}`,
    }),
    ...operationSignals(builder),
  } satisfies Record<string, MetricSignal>;
}
