/** The points of metrics that an SDK records of a call. */

import type { Call, ModelCall, Process } from "../world/world";
import type { Attributes, Metric, Point } from "./instruments";
import { type Sdk, sdks, token } from "./sdks";
import { specPoints } from "./spec-sdk";

const secondsOf = ({ start, end }: Call) => (end - start) / 1000;
const failure = ({ error }: Call): Attributes => ({ "error.type": error });

/** The attributes with an environment. */
export const environments = (attributes: readonly string[], { environment }: Process): Attributes =>
  Object.fromEntries(attributes.map((attribute) => [attribute, environment]));

/** What OpenLIT puts on each point and span. */
export const openlitLabels = (process: Process): Attributes => ({
  "telemetry.sdk.name": "openlit",
  "service.name": process.application,
  ...environments(["deployment.environment"], process),
});

export function pointsOf(call: Call): Point[] {
  const { process } = call;
  const sdk = sdks[process.sdk];
  if (sdk.spec) return specPoints(call);
  const points = call.kind === "model" ? modelPoints(call, sdk) : sdk.agents === "nothing" ? [] : otherPoints(call, sdk);
  const common = sdk.labelled ? openlitLabels(process) : {};
  return points.map((point) => ({ ...point, attributes: { ...common, ...point.attributes } }));
}

type OtherCall = Exclude<Call, ModelCall>;

const others = {
  agent: { metric: "gen_ai.invoke_agent.duration", operation: "invoke_agent", name: "gen_ai.agent.name" },
  tool: { metric: "gen_ai.execute_tool.duration", operation: "execute_tool", name: "gen_ai.tool.name" },
  mcp: { metric: "mcp.client.operation.duration", operation: undefined, name: "mcp.method.name" },
} as const;

/** The attributes of points and spans. */
export function otherAttributes(call: OtherCall): Attributes {
  if (call.kind === "database") return { "db.system.name": call.database.system, "db.operation.name": call.database.operation };
  const { operation, name } = others[call.kind];
  return { "gen_ai.operation.name": operation, [name]: call.name };
}

function otherPoints(call: OtherCall, { agents }: Sdk): Point[] {
  const point = (metric: Metric, value = secondsOf(call)): Point => ({
    metric,
    value,
    attributes: { ...otherAttributes(call), ...failure(call) },
  });
  if (call.kind !== "database") return [point(agents === "operations" ? "gen_ai.client.operation.duration" : others[call.kind].metric)];
  return [point("db.client.operation.duration"), ...(agents === "operations" ? [point("db.total.requests", 1)] : [])];
}

function modelPoints(call: ModelCall, sdk: Sdk): Point[] {
  if (call.error && sdk.failed === "nothing") return [];
  return sdk.names.flatMap((names) => (names === "operation" ? operationPoints(call, sdk) : inferencePoints(call)));
}

function operationPoints(call: ModelCall, sdk: Sdk): Point[] {
  const { model, error, firstToken, inputTokens, outputTokens, cachedTokens, cost } = call;
  // Known after the response only, and not of a stream.
  const answer: Attributes = error || firstToken !== undefined ? {} : { "gen_ai.response.model": model.answeredBy };
  const names: Attributes =
    sdk.model === "requested"
      ? { "gen_ai.request.model": model.model, ...answer }
      : { "gen_ai.response.model": model.answeredBy, stream: firstToken !== undefined };
  const attributes: Attributes =
    error && sdk.failed === "error"
      ? failure(call)
      : { "gen_ai.operation.name": model.operation, [sdk.provider]: model.provider, ...names, ...failure(call) };
  const point = (metric: Metric, value: number, more: Attributes = {}): Point => ({
    metric,
    value,
    attributes: { ...attributes, ...more },
  });
  const types = { input: inputTokens, output: outputTokens, ...(sdk.parts && { cache_read: cachedTokens, reasoning: 7 }) };
  const tokens: Record<string, number | undefined> = error || (firstToken !== undefined && !sdk.streamedTokens) ? {} : types;
  const first = error || !sdk.firstTokenOfAll ? firstToken : (firstToken ?? secondsOf(call));
  return [
    point("gen_ai.client.operation.duration", secondsOf(call)),
    ...Object.entries(tokens).flatMap(([type, value]) =>
      value === undefined ? [] : [point("gen_ai.client.token.usage", value, { "gen_ai.token.type": type })],
    ),
    // A failed call costs 0.
    ...(sdk.cost ? [point("gen_ai.usage.cost", error ? 0 : (cost ?? 0))] : []),
    ...sdk.firstToken.flatMap((metric) => {
      const value = metric === token ? first : firstToken;
      return value === undefined ? [] : [point(metric, value)];
    }),
  ];
}

function inferencePoints(call: ModelCall): Point[] {
  const { model, error, firstToken, inputTokens, outputTokens, cachedTokens } = call;
  const attributes: Attributes = {
    "gen_ai.operation.name": model.operation,
    "gen_ai.provider.name": model.provider,
    "gen_ai.request.model": model.model,
    ...failure(call),
  };
  const values: Partial<Record<Metric, number | undefined>> = {
    "gen_ai.client.inference.duration": secondsOf(call),
    "gen_ai.client.inference.time_to_first_chunk": firstToken,
    ...(error === undefined && {
      "gen_ai.client.inference.usage.input_tokens": inputTokens,
      "gen_ai.client.inference.usage.output_tokens": outputTokens,
      "gen_ai.client.inference.usage.cache_read.input_tokens": cachedTokens,
    }),
  };
  return (Object.entries(values) as [Metric, number | undefined][]).flatMap(([metric, value]) =>
    value === undefined ? [] : [{ metric, value, attributes }],
  );
}
