/** The points of metrics that SDKs of today record of a call. Taken from recorded exports (test/recorded/otlp) and from the conventions. */
import type { Attributes, Metric, Point } from "./instruments";
import type { Call, DatabaseCall, ModelCall, Process } from "./world";

const secondsOf = ({ start, end }: Call) => (end - start) / 1000;
const failure = ({ error }: Call): Attributes => (error === undefined ? {} : { "error.type": error });
export const environment = (attribute: string, { environment }: Process): Attributes =>
  environment === undefined ? {} : { [attribute]: environment };
const operation = (call: ModelCall): Attributes => ({ "gen_ai.operation.name": call.model.operation });

/** The types of tokens of a call that succeeded, with their numbers. */
export const tokens = ({ inputTokens, outputTokens, error }: ModelCall): [type: string, value: number][] =>
  error ? [] : [["input", inputTokens], ...(outputTokens === undefined ? [] : [["output", outputTokens] as [string, number]])];

const tokenPoints = (call: ModelCall, labels: Attributes, all = tokens(call)): Point[] =>
  all.map(([type, value]) => ({ metric: "gen_ai.client.token.usage", value, attributes: { ...labels, "gen_ai.token.type": type } }));

/** A duration by the names of the semantic conventions, of other calls than those to models. */
export function duration(call: Exclude<Call, ModelCall>): Point {
  const point = (metric: Metric, attributes: Attributes): Point => ({
    metric,
    value: secondsOf(call),
    attributes: { ...attributes, ...failure(call) },
  });
  switch (call.kind) {
    case "agent":
      return point("gen_ai.invoke_agent.duration", { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": call.agent.name });
    case "tool":
      return point("gen_ai.execute_tool.duration", { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": call.tool });
    case "mcp":
      return point("mcp.client.operation.duration", { "mcp.method.name": call.method });
    case "database":
      return point("db.client.operation.duration", databaseLabels(call));
  }
}

const databaseLabels = ({ database: { system, operation } }: DatabaseCall): Attributes => ({
  "db.system.name": system,
  "db.operation.name": operation,
  "db.collection.name": "documents",
});

/** Application, environment and SDK are on each point. */
const openlitLabels = ({ process }: Call): Attributes => ({
  "telemetry.sdk.name": "openlit",
  "service.name": process.application,
  ...environment("deployment.environment", process),
});

export function openlitModel(call: ModelCall): Point[] {
  const labels = {
    ...openlitLabels(call),
    ...operation(call),
    "gen_ai.provider.name": call.model.provider,
    "gen_ai.request.model": call.model.model,
    "gen_ai.response.model": call.error ? call.model.model : call.model.answeredBy,
    "server.address": "api.example.com",
    "server.port": 443,
    ...failure(call),
  };
  const point = (metric: Metric, value: number): Point => ({ metric, value, attributes: labels });
  return [
    point("gen_ai.client.operation.duration", secondsOf(call)),
    ...tokenPoints(call, labels),
    // A failed call costs 0.
    point("gen_ai.usage.cost", call.error ? 0 : call.cost),
    // Recorded for calls that are not streamed, too.
    ...(call.error ? [] : [point("gen_ai.server.time_to_first_token", call.firstToken ?? secondsOf(call))]),
    ...(call.firstToken === undefined ? [] : [point("gen_ai.client.operation.time_to_first_chunk", call.firstToken)]),
  ];
}

/** Agents and tools are operations like those of models. */
export function openlitOperation(call: Exclude<Call, ModelCall>): Point[] {
  const { metric, value, attributes } = duration(call);
  const own = { ...openlitLabels(call), ...attributes };
  if (call.kind === "database") {
    return [
      { metric, value, attributes: own },
      { metric: "db.total.requests", value: 1, attributes: own },
    ];
  }
  return [{ metric: "gen_ai.client.operation.duration", value, attributes: own }];
}

export function conventionsModel(call: ModelCall, provider: Attributes, all = tokens(call)): Point[] {
  const labels = {
    ...operation(call),
    ...provider,
    "gen_ai.request.model": call.model.model,
    // Known after the response only.
    ...(call.error || call.firstToken !== undefined ? {} : { "gen_ai.response.model": call.model.answeredBy }),
    ...failure(call),
  };
  return [{ metric: "gen_ai.client.operation.duration", value: secondsOf(call), attributes: labels }, ...tokenPoints(call, labels, all)];
}

export function openllmetryModel(call: ModelCall): Point[] {
  // No other attribute, not even the operation.
  if (call.error) return [{ metric: "gen_ai.client.operation.duration", value: secondsOf(call), attributes: failure(call) }];
  const labels = {
    ...operation(call),
    "gen_ai.provider.name": call.model.provider,
    "gen_ai.response.model": call.model.answeredBy,
    stream: call.firstToken !== undefined,
  };
  return [
    { metric: "gen_ai.client.operation.duration", value: secondsOf(call), attributes: labels },
    ...tokenPoints(call, labels),
    ...(call.firstToken === undefined
      ? []
      : [{ metric: "gen_ai.server.time_to_first_token" as const, value: call.firstToken, attributes: labels }]),
  ];
}

export function inferenceModel(call: ModelCall): Point[] {
  const attributes = {
    ...operation(call),
    "gen_ai.provider.name": call.model.provider,
    "gen_ai.request.model": call.model.model,
    ...failure(call),
  };
  const usage = (type: string, value: number | undefined): Point[] =>
    value === undefined || call.error ? [] : [{ metric: `gen_ai.client.inference.usage.${type}_tokens` as Metric, value, attributes }];
  return [
    { metric: "gen_ai.client.inference.duration", value: secondsOf(call), attributes },
    ...(call.firstToken === undefined
      ? []
      : [{ metric: "gen_ai.client.inference.time_to_first_chunk" as const, value: call.firstToken, attributes }]),
    ...usage("input", call.inputTokens),
    ...usage("output", call.outputTokens),
    ...usage("cache_read.input", call.cachedTokens),
  ];
}
