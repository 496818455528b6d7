/** Signals of "GenAI Observability (OpenTelemetry)": what current SDKs send by the semantic conventions for generative AI. */
import { recordedBudget, recordedCost, recordedPriced, recordedUnpriced, usedBudget } from "./costs";
import { modelIdentity, processIdentity } from "./identity";
import { conventionLabel as label, type Measure, measures, openTelemetryQueries } from "./opentelemetry-measures";
import { equals, isOneOf, isPresent, ratio, select } from "./promql";
import { type MetricSignal, shown, shownBy, top, units } from "./signal";

const { total, totalBy, mean, p95, reads } = openTelemetryQueries;

const within = (what: string) => `The time within which 95 % of an application's ${what}.`;

export function openTelemetrySignals() {
  const { requests, latency, firstToken, tokens, cachedTokens } = measures;
  const [error, tokenType] = [label("error"), label("tokenType")];
  const [failed, succeeded] = [isPresent(error), equals(error, "")];
  const [range, interval] = ["$__range", "$__interval"] as const;

  const firstTokenNote = "Older releases of OpenLIT do not tell it apart from the duration of other requests and are left out.";
  const all = total(requests, range);
  const topModels = (description: string, measure: Measure, ...filters: string[]) =>
    top(5, totalBy("model", description, measure, ...filters));

  return {
    requests: shown(all, "Requests", "Requests to models in the time range, failed ones included."),
    errorRate: {
      ...all,
      query: ratio(`(${total(requests, range, [failed]).query} or vector(0))`, all.query),
      unit: "percentunit",
      decimals: 1,
      legend: "Errors",
      description:
        `The share of the requests to models in the time range that failed: those with ${error}. ` +
        "None measured can mean that none failed, or that the SDK measures only successful requests, as OpenLIT for Node.js does: see the table of " +
        "requests for failed ones.",
    },
    latency: top(
      1,
      p95(latency, range, `${within("requests to models in the time range end, failed ones included")} That of the slowest application.`),
    ),
    tokens: shown(
      total(tokens, range),
      "Tokens",
      "Input and output tokens in the time range. Cached and reasoning tokens are among these.",
    ),

    succeededOverTime: shown(total(requests, interval, [succeeded]), "Successful", "Successful requests to models in each interval."),
    failedOverTime: shown(
      total(requests, interval, [failed]),
      "Failed",
      `Failed requests to models in each interval: those with ${error}.`,
    ),
    latencyOverTime: p95(latency, interval, within("requests to models in an interval end, failed ones included")),
    firstTokenOverTime: p95(firstToken, interval, `${within("streamed requests in an interval get their first token")} ${firstTokenNote}`),
    tokensOverTime: shown(total(tokens, interval, [], tokenType), `{{${tokenType}}}`, "Input and output tokens in each interval."),
    cachedTokensOverTime: shown(
      total(cachedTokens, interval),
      "cached",
      "Input tokens in each interval that the provider read from its cache, a subset of the input tokens. Few SDKs send it as a metric.",
    ),
    topModelsByRequests: topModels("The 5 models with the most requests in the time range, with failed ones.", requests),
    topModelsByTokens: topModels("The 5 models with the most input and output tokens in the time range.", tokens),
    requestsByProvider: totalBy("provider", "Requests to models in the time range by provider.", requests),
    requestsByOperation: totalBy(label("operation"), "Requests to models in the time range by operation, such as chat.", requests),
    requestsByEnvironment: totalBy("environment", "Requests to models in the time range by environment.", requests),
    requestsByApplication: totalBy("application", "Requests to models in the time range by application.", requests),
    errorsByType: shown(
      top(10, total(requests, range, [failed], error)),
      `{{${error}}}`,
      "Failed requests to models in the time range by the type of the error, the 10 most frequent ones.",
    ),
    ...costSignals(),
    ...operationSignals(),
  } satisfies Record<string, MetricSignal>;
}

const costNote =
  "Measured by the SDK (label source: measured), else tokens by the list price of the model (computed). Tokens without a price are left out.";

/** Of costs: what SDKs measure, else what the list prices make of tokens. */
function costSignals() {
  const [cost, priced, unpriced] = [{ recorded: recordedCost }, { recorded: recordedPriced }, { recorded: recordedUnpriced }];
  const [range, interval] = ["$__range", "$__interval"] as const;
  const withoutPrice = total(unpriced, range, [], "model");

  return {
    cost: shown({ ...total(cost, range), ...units.totalCost }, "Cost", `Cost of all requests in the time range. ${costNote}`),
    /** A part should not look like the whole. */
    modelsWithoutPrice: shown(
      { ...withoutPrice, query: `count(${withoutPrice.query} > 0)` },
      "models without a price",
      "How many models it lacks.",
    ),
    costPerRequest: shown(
      { ...mean(cost, priced, range), ...units.requestCost },
      "Cost",
      `Mean cost of a successful request to a model with a cost. ${costNote}`,
    ),
    costOverTime: shownBy(
      { ...total(cost, interval, [], "model"), ...units.totalCost },
      "model",
      `Cost in each interval by model. ${costNote}`,
    ),
    topModelsByCost: {
      ...top(5, shownBy(total(cost, range, [], "model"), "model", `The 5 models with the highest cost in the time range. ${costNote}`)),
      ...units.requestCost,
    },
    usedBudget: shown(
      {
        query: usedBudget(),
        series: [recordedCost, recordedBudget],
        queryType: "instant" as const,
        unit: "percentunit" as const,
        decimals: 0,
        calculation:
          "The cost since midnight (UTC), in steps of five minutes, divided by the setting alertBudgets. The variables do not select.",
      },
      "{{application}}",
      "The part of its budget of today that each application has used. The rest of a bar is left.",
    ),
    tokensWithoutCost: top(
      5,
      shownBy(
        withoutPrice,
        "model",
        "The 5 models with the most input and output tokens whose cost is not known: no SDK sends it, and they have no price. The setting prices gives " +
          "them one.",
      ),
    ),
  };
}

/** Of what is not a request to a model: agents, tools, MCP and vector databases. */
function operationSignals() {
  const { agents, agentSeconds, tools, mcp, databases, databaseLatency } = measures;
  const [agent, tool, error, system] = [label("agent"), label("tool"), label("error"), label("databaseSystem")];
  const ofAgents = "Few frameworks send it: those that follow OpenTelemetry's conventions for agents and tools.";
  const ofMcp = "Only clients and servers that follow OpenTelemetry's conventions for MCP send it.";

  return {
    agents: totalBy(agent, `Invocations of agents in the time range by agent, failed ones included. ${ofAgents}`, agents),
    agentDurationOverTime: shownBy(
      { ...mean(agentSeconds, agents, "$__interval", [], agent), ...units.seconds },
      agent,
      `Mean duration of the invocations in each interval by agent. ${ofAgents}`,
    ),
    tools: totalBy(tool, `Calls of tools by agents in the time range by tool, failed ones included. ${ofAgents}`, tools),
    toolErrors: totalBy(tool, `Failed calls of tools in the time range by tool: those with ${error}. ${ofAgents}`, tools, isPresent(error)),
    mcp: totalBy(label("mcpMethod"), `Operations of the Model Context Protocol of clients in the time range by method. ${ofMcp}`, mcp),
    databaseSystems: totalBy(system, "Requests to vector databases in the time range by database system.", databases),
    databaseOperations: totalBy(label("databaseOperation"), "Requests to vector databases in the time range by operation.", databases),
    databaseLatencyOverTime: {
      ...p95(databaseLatency, "$__interval", within("requests to a vector database in an interval end, by database system"), system),
      legend: `{{${system}}} {{application}}`,
    },
  };
}

/** The variables that select what panels show, each with its query in Grafana. */
export const openTelemetryVariables = () =>
  modelIdentity.map((name) => {
    const { requests, tokens, agents, tools, mcp, databases } = measures;
    const series = processIdentity.includes(name) ? reads(requests, tokens, agents, tools, mcp, databases) : reads(requests);
    return { name, query: `label_values(${select("", isOneOf("__name__", series))}, ${name})` };
  });
