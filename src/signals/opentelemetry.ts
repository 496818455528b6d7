/** Signals of "GenAI Observability (OpenTelemetry)", from recorded series. */
import { costOfDay, recordedBudget, recordedCost, recordedPriced, recordedUncounted, recordedUnpriced } from "./costs";
import { type Counter, mean, recordedIncrease, total, totalBy } from "./counters";
import { processIdentity } from "./identity";
import { tokenTypes } from "./names/conventions";
import { few, fewNote, conventionLabel as label, measures, p95Of, recordedCounter, requestsOfSides } from "./opentelemetry-measures";
import type { Gateways } from "./opentelemetry-rules";
import { atEnd, equals, isOneOf, isPresent, matchesVariable, ratio, select, type Window } from "./promql";
import { type MetricSignal, newestNote, shown, shownBy, top, units } from "./signal";
import { watched } from "./watched";

const { requests, latency, firstToken, tokens, cachedTokens } = measures;
const [error, tokenType] = [label("error"), label("tokenType")];
const isCached = [equals(tokenType, "cached")];
const [cost, priced] = [recordedCounter(recordedCost), recordedCounter(recordedPriced)];
const [unpriced, withoutTokens] = [recordedCounter(recordedUnpriced), recordedCounter(recordedUncounted)];

/** The variable with the label by which panels group: model, provider, application or environment. */
export const chosen = "$by";

/** The number of series in a graph. One more series is the sum of the others. */
const largest = 10;

const failed = (window: Window, ...by: readonly string[]) => total(requests, window, [isPresent(error)], ...by);

const within = (what: string) => `The time within which 95 % of the requests ${what}.`;
const costNote =
  "Measured by the SDK (label source: measured), else tokens by the list price of the model (computed). Tokens without a price are " +
  "left out; cached ones cost as other input if the SDK does not send them as such.";
const retention = "Prometheus keeps 15 days by default, and what is gone is missing.";

/** The numbers of a window: in total for stats, by labels for columns and graphs. */
export function numbers(window: Window, ...by: readonly string[]) {
  const all = total(requests, window, [], ...by);
  const failures = failed(window, ...by).query;
  const isTotal = window === "$__range";
  return {
    requests: shown(all, "Requests", "Requests to models, failed ones included."),
    errorRate: {
      ...all,
      calculation: `Failed requests divided by all, over the full minutes.${isTotal ? "" : `${fewNote}${newestNote(window)}.`}`,
      query: ratio(by.length > 0 ? failures : `(${failures} or vector(0))`, all.query, isTotal ? 0 : few),
      ...units.share,
      legend: "Errors",
      description:
        `The share of the requests to models that failed: those with ${error}. ${by.length > 0 ? "No share" : "None measured"} can mean ` +
        "that none failed, or that the SDK measures only successful requests, as OpenLIT does: see the table of failed requests.",
    },
    latency: shown(p95Of(latency, window, by), "p95", within("to models end, failed ones included")),
    firstToken: shown(p95Of(firstToken, window, by), "p95 first token", within("that are streamed get their first token")),
    tokens: shown(
      { ...total(tokens, window, [], ...by), ...units.abbreviated },
      "Tokens",
      "Input and output tokens. Cached tokens are among these if the SDK counts them as input.",
    ),
    cost: shown({ ...total(cost, window, [], ...by), ...units.cost }, "Cost", `The known cost. ${costNote}`),
  } satisfies Record<string, MetricSignal>;
}

/** Without values of 0: they belong to processes that ended before. */
const withoutZeros = <K extends string>(signals: Record<K, MetricSignal>) =>
  Object.fromEntries(
    Object.entries<MetricSignal>(signals).map(([name, signal]) => [name, { ...signal, query: `${signal.query} > 0` }]),
  ) as Record<K, MetricSignal>;

/** The columns of the table. */
export function columns() {
  const range = "$__range";
  const input = total(tokens, range, [equals(tokenType, tokenTypes.input)], chosen);
  const cached = total(cachedTokens, range, isCached, chosen);
  return withoutZeros({
    ...numbers(range, chosen),
    cached: shown(
      {
        ...{ ...mean(cachedTokens, tokens, range), ...units.share, query: `${ratio(cached.query, input.query)} <= 1` },
        calculation: "Cached input tokens divided by all input tokens, over the full minutes. No share if they are not a part of these.",
      },
      "Cached",
      "The share of the input tokens that the provider read from its cache.",
    ),
    costPerRequest: shown(
      { ...mean(cost, priced, range, chosen), ...units.cost },
      "Cost / Request",
      "Mean cost of a successful request to a model with a cost.",
    ),
  });
}

/** Graphs by the chosen label. */
export function graphs() {
  const { requests: all, errorRate, latency: slow, firstToken: slowStart, cost: costs } = numbers("$__interval", chosen);
  const legend = `{{${chosen}}}`;
  /** The largest series of the time range, and the sum of the others. */
  const split = (signal: MetricSignal, counter: Counter, description: string) => {
    const those = `topk(${largest}, ${atEnd(total(counter, "$__range", [], chosen).query)})`;
    const others = `others: all but the ${largest} with the most.`;
    return [
      { ...signal, legend, description, query: `${signal.query} and ${those}` },
      { ...signal, legend: "others", description: others, query: `sum(${signal.query} unless ${those})` },
    ] as const;
  };
  const slowest = `Of the ${largest} slowest in each interval: a line can end because others are slower.`;
  const highest = (signal: MetricSignal, description: string) => shown(top(largest, signal), legend, description);
  return {
    requests: split(all, requests, "Requests to models in each interval, failed ones included."),
    errorRate: highest(
      errorRate,
      `The share of the requests to models in each interval that failed, of the ${largest} with the highest share. None without failures.`,
    ),
    latency: highest(slow, `${slow.description} ${slowest}`),
    firstToken: highest(slowStart, `${slowStart.description} ${slowest}`),
    cost: split(costs, cost, `Cost in each interval. ${costNote}`),
  };
}

/** The signals of folded rows. */
export function details() {
  const [range, interval] = ["$__range", "$__interval"] as const;
  const withoutPrice = total(unpriced, range, [], "model");
  const period = { ...total(cost, range), ...units.totalCost };
  const costIn = (window: Window) => recordedIncrease(watched.cost, window, "application");

  return {
    /** Shows that the cost is not complete. */
    modelsWithoutPrice: shown(
      { ...withoutPrice, query: `count(${withoutPrice.query} > 0)` },
      "unpriced models",
      "unpriced models: the number of models without a price. The cost lacks them.",
    ),
    requestsWithCost: shown(
      {
        ...mean(withoutTokens, requests, range),
        query: `1 - ${ratio(total(withoutTokens, range).query, total(requests, range, [equals(error, "")]).query)} < 0.995`,
        calculation: "1 minus the requests without tokens divided by the successful requests. Shown below 99.5 %.",
        ...units.share,
        decimals: 0,
      },
      "requests with tokens",
      "requests with tokens: the share of the successful requests that have any. Others, such as streams without usage, have no cost.",
    ),
    tokensOverTime: shown(
      { ...total(tokens, interval, [], tokenType), ...units.abbreviated },
      `{{${tokenType}}}`,
      "Input and output tokens in each interval.",
    ),
    cachedTokensOverTime: shown(
      { ...total(cachedTokens, interval, isCached), ...units.abbreviated },
      "cached",
      "Input tokens in each interval that the provider read from its cache, a subset of the input tokens. Few SDKs send it as a metric.",
    ),
    errorsByType: shown(
      top(largest, failed(interval, error)),
      `{{${error}}}`,
      "Failed requests to models in each interval by the type of the error, the 10 most frequent ones.",
    ),
    operations: ranked(label("operation"), "Requests to models in the time range by operation, such as chat.", requests),
    costOfPeriod: shown(
      period,
      "Cost",
      `Cost of this month so far, also in Previous month; with an absolute time range, of that range. ${costNote} ${retention}`,
    ),
    costBefore: shown(period, "Cost", `The same a month before: to the same day and time of that month. ${retention}`),
    usedBudget: shown(
      {
        // As the alert: what only the service reports counts, too.
        query: `${costOfDay(costIn, "application")}\n/ on (application) ${recordedBudget}`,
        series: [watched.cost, recordedBudget],
        queryType: "instant" as const,
        unit: "percentunit" as const,
        decimals: 0,
        calculation:
          "The cost since midnight (UTC), in steps of five minutes, divided by the setting alertBudgets. The variables do not select.",
      },
      "{{application}}",
      "The part of its budget of today that each application has used. The rest of a bar is left.",
    ),
    tokensWithoutCost: {
      ...ranked(
        "model",
        "The models with the most input and output tokens whose cost is not known: no SDK sends it, and they have no price. The setting " +
          "prices gives them one.",
        unpriced,
      ),
      ...units.abbreviated,
    },
    ...operationSignals(),
  } satisfies Record<string, MetricSignal>;
}

/** Coverage: the share of the gateways' requests that SDKs report, too. */
export function coverage(countedBy: Gateways["countedBy"]) {
  const { sdks, gateways } = requestsOfSides(countedBy);
  const share = (...by: readonly string[]) => {
    const [reported, seen] = [sdks, gateways].map((measure) => total(measure, "$__range", [], ...by).query) as [string, string];
    return { ...mean(sdks, gateways, "$__range", ...by), ...units.share, query: ratio(`(${reported} or 0 * ${seen})`, seen) };
  };
  const byApplication = share("application");
  const note = "The rest of them sends nothing. More than all: some requests do not pass the gateway, or it does not count them.";
  return {
    share: shown(share(), "seen by SDKs", `The part of the gateways' requests that SDKs report, too. ${note}`),
    requests: shown(total(gateways, "$__range"), "by gateways", "Requests that gateways counted. LiteLLM counts each try."),
    byApplication: shown(
      { ...byApplication, query: `sort(${byApplication.query})` },
      "{{application}}",
      "The same by application, the lowest first. One with 0 % sends nothing, or has another name at the gateway, such as that of its key.",
    ),
  } satisfies Record<string, MetricSignal>;
}

/** The highest values by a label. */
const ranked = (...total: Parameters<typeof totalBy>) => top(largest, totalBy(...total));

/** The signals of agents, tools, MCP and vector databases. */
function operationSignals() {
  const { agents, agentSeconds, tools, mcp, databases, databaseLatency } = measures;
  const [agent, tool, error, system] = [label("agent"), label("tool"), label("error"), label("databaseSystem")];
  const ofAgents = "Few frameworks send it: those that follow OpenTelemetry's conventions for agents and tools.";
  const ofMcp = "Only clients and servers that follow OpenTelemetry's conventions for MCP send it.";

  return {
    agents: ranked(agent, `Invocations of agents in the time range by agent, failed ones included. ${ofAgents}`, agents),
    agentDurationOverTime: shownBy(
      { ...mean(agentSeconds, agents, "$__interval", agent), ...units.seconds },
      agent,
      `Mean duration of the invocations in each interval by agent. ${ofAgents}`,
    ),
    tools: ranked(tool, `Calls of tools by agents in the time range by tool, failed ones included. ${ofAgents}`, tools),
    toolErrors: ranked(tool, `Failed calls of tools in the time range by tool: those with ${error}. ${ofAgents}`, tools, isPresent(error)),
    mcp: ranked(
      label("mcpMethod"),
      `Operations of the Model Context Protocol in the time range by method: of clients, and of servers without client metrics. ${ofMcp}`,
      mcp,
    ),
    databaseSystems: ranked(system, "Requests to vector databases in the time range by database system.", databases),
    databaseOperations: ranked(label("databaseOperation"), "Requests to vector databases in the time range by operation.", databases),
    databaseLatencyOverTime: shown(
      p95Of(databaseLatency, "$__interval", ["application", system]),
      `{{${system}}} {{application}}`,
      "The time within which 95 % of the requests to a vector database in an interval end, by database system and application.",
    ),
  };
}

/** The variables of the dashboard with their queries. Each shows only values that belong to the values of the variables before it. */
export const variables = () =>
  (["environment", "application", "provider", "model"] as const).map((name, index, names) => {
    const { requests, tokens, agents, tools, mcp, databases } = measures;
    const read = processIdentity.includes(name) ? [requests, tokens, agents, tools, mcp, databases] : [requests];
    const series = read.map((measure) => measure.series);
    const filters = names.slice(0, index).map((other) => matchesVariable(other, other));
    return { name, query: `label_values(${select("", isOneOf("__name__", series), ...filters)}, ${name})` };
  });
