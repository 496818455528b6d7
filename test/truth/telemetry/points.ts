/** The points of metrics that an SDK records of a call. */

import type { Call, ModelCall, Process } from "../world/world";
import { type Attributes, type Point, pointsIn } from "./instruments";
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
  if (sdk.silent) return [];
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
  const attributes = { ...otherAttributes(call), ...failure(call) };
  const seconds = secondsOf(call);
  if (call.kind === "database")
    return pointsIn({ "db.client.operation.duration": seconds, "db.total.requests": agents === "operations" ? 1 : undefined }, attributes);
  return pointsIn({ [agents === "operations" ? "gen_ai.client.operation.duration" : others[call.kind].metric]: seconds }, attributes);
}

function modelPoints(call: ModelCall, sdk: Sdk): Point[] {
  if (call.error && sdk.failed === "nothing") return [];
  return sdk.names.flatMap((names) => (names === "operation" ? operationPoints(call, sdk) : inferencePoints(call)));
}

/** Known after the response only, and not of a stream. */
const answer = ({ model, error, firstToken }: ModelCall): Attributes =>
  error || firstToken !== undefined ? {} : { "gen_ai.response.model": model.answeredBy };

function operationPoints(call: ModelCall, sdk: Sdk): Point[] {
  const { model, error, firstToken, inputTokens, outputTokens, cachedTokens, cost } = call;
  const client: Attributes = { "metadata.user_api_key_alias": call.client };
  const names: Attributes =
    sdk.model === "requested"
      ? { "gen_ai.request.model": model.model, ...answer(call) }
      : { "gen_ai.response.model": model.answeredBy, stream: firstToken !== undefined };
  const attributes: Attributes =
    error && sdk.failed === "error"
      ? failure(call)
      : { "gen_ai.operation.name": model.operation, [sdk.provider]: model.provider, ...names, ...client, ...failure(call) };
  const types = { input: inputTokens, output: outputTokens, ...(sdk.parts && { cache_read: cachedTokens, reasoning: 7 }) };
  const tokens: Record<string, number | undefined> = error || (firstToken !== undefined && !sdk.streamedTokens) ? {} : types;
  const first = error || !sdk.firstTokenOfAll ? firstToken : (firstToken ?? secondsOf(call));
  return [
    ...pointsIn({ "gen_ai.client.operation.duration": secondsOf(call) }, attributes),
    ...Object.entries(tokens).flatMap(([type, value]) =>
      pointsIn({ "gen_ai.client.token.usage": value }, { ...attributes, "gen_ai.token.type": type }),
    ),
    // A failed call costs 0.
    ...pointsIn({ "gen_ai.usage.cost": sdk.cost && (error ? 0 : (cost ?? 0)) }, attributes),
    ...sdk.firstToken.flatMap((metric) => pointsIn({ [metric]: metric === token ? first : firstToken }, attributes)),
  ];
}

function inferencePoints(call: ModelCall): Point[] {
  const { model, error, firstToken, inputTokens, outputTokens, cachedTokens } = call;
  const attributes: Attributes = {
    "gen_ai.operation.name": model.operation,
    "gen_ai.provider.name": model.provider,
    "gen_ai.request.model": model.model,
    ...answer(call),
    ...failure(call),
  };
  const tokens = {
    "gen_ai.client.inference.usage.input_tokens": inputTokens,
    "gen_ai.client.inference.usage.output_tokens": outputTokens,
    "gen_ai.client.inference.usage.cache_read.input_tokens": cachedTokens,
  };
  const times = { "gen_ai.client.inference.duration": secondsOf(call), "gen_ai.client.inference.time_to_first_chunk": firstToken };
  return pointsIn({ ...times, ...(error === undefined && tokens) }, attributes);
}
