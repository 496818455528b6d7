/** Signals of "GenAI Observability (OpenTelemetry)": what current SDKs send by the semantic conventions for generative AI. */
import { firstOf } from "./identity";
import { conventions } from "./names/conventions";
import type { Naming } from "./names/translate";
import { type Reading, signalBuilder } from "./opentelemetry-builder";
import { openTelemetryMeasures } from "./opentelemetry-measures";
import { operationSignals } from "./opentelemetry-operations";
import { certainRecordingRules, sourcesOf } from "./opentelemetry-rules";
import { equals, indent, isPresent, minuteIncrease, nameMissing, nameOf, overMinutes, ratio, relabel, select, sum } from "./promql";
import { type MetricSignal, requestCost, totalCost } from "./signal";

/** The series that most SDKs send. */
export const openTelemetryArrivals = (naming: Naming = "prometheus"): string[] => [
  ...new Set(certainRecordingRules(naming).map(({ reads }) => reads)),
];

/** The counters of requests, one for each generation, with a selector of all their series. */
export const openTelemetryCounters = (naming: Naming = "prometheus") =>
  sourcesOf(openTelemetryMeasures(naming).requests).map((series) => ({ series, selector: select(series) }));

/** Who sends costs: the text of an empty panel. */
export const costEmitters = "No SDK sends costs here. OpenLIT and LiteLLM do.";

export function openTelemetrySignals(reading: Reading) {
  const { mode, naming = "prometheus" } = reading;
  const builder = signalBuilder(reading);
  const { measures, names, label, selected, increase, reads, signal, total, by, overTime, percentile, mean } = builder;
  const { requests, latency, firstToken, tokens, cachedTokens, cost, costs } = measures;
  const error = label("error");
  const tokenType = label("tokenType");
  const [failed, succeeded] = [isPresent(error), equals(error, "")];

  const costNote = "Only OpenLIT and LiteLLM send costs: the panel has no data for other SDKs, also if their requests cost something.";
  const top = (number: number, of: MetricSignal): MetricSignal => ({ ...of, query: `topk(${number}, ${of.query})` });
  const ofApplication = `{{${names.application}}}`;
  const within = (percent: number, what: string) => `The time within which ${percent} % of an application's ${what}`;
  const latencyIn = (interval: string) => `requests to models in ${interval} end, failed ones included`;
  const latencyOverTime = (percent: number) =>
    percentile(percent, latency, "$__interval", `p${percent} ${ofApplication}`, `${within(percent, latencyIn("an interval"))}.`);
  const firstTokenNote =
    mode === "recorded"
      ? "Older releases of OpenLIT do not tell it apart from the duration of other requests and are left out."
      : "Some SDKs, such as OpenLLMetry, send it by another name, which only recording rules read.";
  // SDKs send the provider by its present name or by its former one.
  const { provider, system } = conventions.attributes;
  const named = indent(relabel(minuteIncrease(selected(requests)), firstOf("provider", [provider, system], naming)));
  const byProvider = overMinutes(sum(`\n${named}\n`, "provider"), "$__range");

  return {
    requests: total(requests, "Requests", "Requests to models in the time range, failed ones included."),
    errorRate: signal(
      requests,
      "Errors",
      `The share of the requests to models in the time range that failed: those with ${error}. ` +
        "Some SDKs, such as OpenLIT, measure only successful requests: see the table of requests for their errors.",
      ratio(`(${increase(requests, "$__range", [failed])} or vector(0))`, increase(requests, "$__range")),
      { calculation: "The increase of the failed requests, divided by that of all requests.", unit: "percentunit", decimals: 1 },
    ),
    latency: top(
      1,
      percentile(95, latency, "$__range", ofApplication, `${within(95, latencyIn("the time range"))}: that of the slowest application.`),
    ),
    tokens: total(
      tokens,
      "Tokens",
      "Input and output tokens in the time range. Cached and reasoning tokens are subsets of these and not added.",
    ),
    cost: total(cost, "Cost", `Cost of all requests in the time range. ${costNote}`, totalCost),
    costPerRequest: signal(
      cost,
      "Cost",
      `Mean cost of a successful request, of those with a cost. ${costNote}`,
      mean(cost, costs, "$__range", [succeeded]),
      {
        ...requestCost,
        calculation: "The increase of the cost, divided by the number of requests with a cost.",
        series: reads(cost, costs),
      },
    ),

    succeededOverTime: overTime(requests, "Successful", "Successful requests to models in each interval.", [succeeded]),
    failedOverTime: overTime(requests, "Failed", `Failed requests to models in each interval: those with ${error}.`, [failed]),
    p50OverTime: latencyOverTime(50),
    p95OverTime: latencyOverTime(95),
    p99OverTime: latencyOverTime(99),
    firstTokenOverTime: percentile(
      95,
      firstToken,
      "$__interval",
      ofApplication,
      `${within(95, "streamed requests in an interval get their first token")}. ${firstTokenNote}`,
    ),
    tokensOverTime: overTime(tokens, `{{${tokenType}}}`, "Input and output tokens in each interval.", [], tokenType),
    cachedTokensOverTime: overTime(
      cachedTokens,
      "cached",
      "Input tokens in each interval that the provider read from its cache, a subset of the input tokens. Few SDKs send it as a metric.",
    ),
    costOverTime: signal(
      cost,
      nameOf(names.model),
      `Cost in each interval by model. ${costNote}`,
      // OpenLIT also sends a cost of 0 for each failed request, of models that may not exist.
      nameMissing(names.model, increase(cost, "$__interval", [succeeded], names.model)),
      { ...totalCost, queryType: "range" },
    ),

    topModelsByRequests: top(5, by(requests, names.model, "The 5 models with the most requests in the time range, failed ones included.")),
    topModelsByTokens: top(5, by(tokens, names.model, "The 5 models with the most input and output tokens in the time range.")),
    topModelsByCost: top(
      5,
      by(cost, names.model, `The 5 models with the highest cost in the time range. ${costNote}`, [succeeded], totalCost),
    ),
    requestsByProvider: {
      ...by(requests, names.provider, "Requests to models in the time range by provider."),
      ...(mode === "direct" && { legend: nameOf("provider"), query: nameMissing("provider", byProvider) }),
    },
    requestsByOperation: by(requests, label("operation"), "Requests to models in the time range by operation, such as chat or embeddings."),
    requestsByEnvironment: by(requests, names.environment, "Requests to models in the time range by environment."),
    requestsByApplication: by(requests, names.application, "Requests to models in the time range by application."),
    errorsByType: signal(
      requests,
      `{{${error}}}`,
      "Failed requests to models in the time range by the type of the error, the 10 most frequent ones.",
      `topk(10, ${increase(requests, "$__range", [failed], error)})`,
    ),
    ...operationSignals(builder),
  } satisfies Record<string, MetricSignal>;
}

/** The variables that select what panels show, each with its query in Grafana. */
export function openTelemetryVariables(reading: Reading) {
  const { measures, names, selectable, valuesOf } = signalBuilder(reading);
  const { requests, tokens, agents, tools, mcp, databases } = measures;
  const everywhere = ["application", "environment"];
  return selectable.map((identity) => ({
    name: identity,
    query: valuesOf(names[identity], requests, ...(everywhere.includes(identity) ? [tokens, agents, tools, mcp, databases] : [])),
  }));
}
