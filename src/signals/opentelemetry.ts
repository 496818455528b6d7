/** Signals of "GenAI Observability (OpenTelemetry)": what current SDKs send by the semantic conventions for generative AI. */
import { firstOf, processIdentity } from "./identity";
import { conventions } from "./names/conventions";
import { type Reading, signalBuilder } from "./opentelemetry-builder";
import { operationSignals } from "./opentelemetry-operations";
import {
  equals,
  indent,
  isOneOf,
  isPresent,
  minuteIncrease,
  nameMissing,
  nameOf,
  overMinutes,
  ratio,
  relabel,
  select,
  sum,
} from "./promql";
import { type MetricSignal, requestCost, shown, totalCost } from "./signal";

/** Who sends costs: the text of an empty panel. */
export const costEmitters = "No SDK sends costs here. OpenLIT and LiteLLM do.";

export function openTelemetrySignals(reading: Reading) {
  const { mode } = reading;
  const builder = signalBuilder(reading);
  const { measures, names, label, selected, total, totalBy, overTime, percentile, mean } = builder;
  const { requests, latency, firstToken, tokens, cachedTokens, cost, pricedRequests } = measures;
  const [error, tokenType] = [label("error"), label("tokenType")];
  const [failed, succeeded] = [isPresent(error), equals(error, "")];

  const costNote = "Only OpenLIT and LiteLLM send costs: the panel has no data for other SDKs, also if their requests cost something.";
  const firstTokenNote =
    mode === "recorded"
      ? "Older releases of OpenLIT do not tell it apart from the duration of other requests and are left out."
      : "Some SDKs, such as OpenLLMetry, send it by another name, which only recording rules read.";
  const top = <S extends { query: string }>(number: number, signal: S) => ({ ...signal, query: `topk(${number}, ${signal.query})` });
  const ofApplication = `{{${names.application}}}`;
  const within = (what: string) => `The time within which 95 % of an application's ${what}.`;
  const all = total(requests);
  const byModel = overTime(cost, [succeeded], names.model);
  // SDKs send the provider by its present name or by its former one. Rules write either to one label.
  const { provider, system } = conventions.attributes;
  const named = indent(relabel(minuteIncrease(selected(requests)), firstOf("provider", [provider, system])));
  const byProvider = mode === "recorded" ? total(requests, [], "provider").query : overMinutes(sum(`\n${named}\n`, "provider"), "$__range");

  return {
    requests: shown(all, "Requests", "Requests to models in the time range, failed ones included."),
    errorRate: {
      ...all,
      query: ratio(`(${total(requests, [failed]).query} or vector(0))`, all.query),
      unit: "percentunit",
      decimals: 1,
      legend: "Errors",
      description:
        `The share of the requests to models in the time range that failed: those with ${error}. ` +
        "None measured can mean that none failed, or that the SDK measures only successful requests, as OpenLIT for Node.js does: see the table of " +
        "requests for failed ones.",
    },
    latency: shown(
      top(1, percentile(95, latency, "$__range")),
      ofApplication,
      `${within("requests to models in the time range end, failed ones included")} That of the slowest application.`,
    ),
    tokens: shown(total(tokens), "Tokens", "Input and output tokens in the time range. Cached and reasoning tokens are among these."),
    cost: shown({ ...total(cost), ...totalCost }, "Cost", `Cost of all requests in the time range. ${costNote}`),
    costPerRequest: shown(
      { ...mean(cost, pricedRequests, "$__range", [succeeded]), ...requestCost },
      "Cost",
      `Mean cost of a successful request, of those with a cost. ${costNote}`,
    ),

    succeededOverTime: shown(overTime(requests, [succeeded]), "Successful", "Successful requests to models in each interval."),
    failedOverTime: shown(overTime(requests, [failed]), "Failed", `Failed requests to models in each interval: those with ${error}.`),
    latencyOverTime: shown(
      percentile(95, latency, "$__interval"),
      ofApplication,
      within("requests to models in an interval end, failed ones included"),
    ),
    firstTokenOverTime: shown(
      percentile(95, firstToken, "$__interval"),
      ofApplication,
      `${within("streamed requests in an interval get their first token")} ${firstTokenNote}`,
    ),
    tokensOverTime: shown(overTime(tokens, [], tokenType), `{{${tokenType}}}`, "Input and output tokens in each interval."),
    cachedTokensOverTime: shown(
      overTime(cachedTokens),
      "cached",
      "Input tokens in each interval that the provider read from its cache, a subset of the input tokens. Few SDKs send it as a metric.",
    ),
    // OpenLIT also sends a cost of 0 for each failed request, of models that may not exist.
    costOverTime: shown(
      { ...byModel, ...totalCost, query: nameMissing(names.model, byModel.query) },
      nameOf(names.model),
      `Cost in each interval by model. ${costNote}`,
    ),

    topModelsByRequests: top(5, totalBy(names.model, "The 5 models with the most requests in the time range, with failed ones.", requests)),
    topModelsByTokens: top(5, totalBy(names.model, "The 5 models with the most input and output tokens in the time range.", tokens)),
    topModelsByCost: {
      ...top(5, totalBy(names.model, `The 5 models with the highest cost in the time range. ${costNote}`, cost, succeeded)),
      ...requestCost,
    },
    requestsByProvider: shown(
      { ...all, query: nameMissing("provider", byProvider) },
      nameOf("provider"),
      "Requests to models in the time range by provider.",
    ),
    requestsByOperation: totalBy(label("operation"), "Requests to models in the time range by operation, such as chat.", requests),
    requestsByEnvironment: totalBy(names.environment, "Requests to models in the time range by environment.", requests),
    requestsByApplication: totalBy(names.application, "Requests to models in the time range by application.", requests),
    errorsByType: shown(
      top(10, total(requests, [failed], error)),
      `{{${error}}}`,
      "Failed requests to models in the time range by the type of the error, the 10 most frequent ones.",
    ),
    ...operationSignals(builder),
  } satisfies Record<string, MetricSignal>;
}

/** The variables that select what panels show, each with its query in Grafana. */
export function openTelemetryVariables(reading: Reading) {
  const { measures, names, selectable, reads } = signalBuilder(reading);
  const { requests, tokens, agents, tools, mcp, databases } = measures;
  return selectable.map((name) => {
    const read = processIdentity.includes(name) ? reads(requests, tokens, agents, tools, mcp, databases) : reads(requests);
    return { name, query: `label_values(${select("", isOneOf("__name__", read))}, ${names[name]})` };
  });
}
