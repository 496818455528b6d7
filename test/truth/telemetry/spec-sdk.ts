/**
 * What the instrumentation SDK of 2024 sends, whose names the spec has (2.3). The plain OpenTelemetry SDK sends some calls with the same names to the same
 * platform; no panel may show those.
 */
import type { Call, ModelCall } from "../world/world";
import { type Attributes, type Metric, type Point, pointsIn } from "./instruments";

/** `<sdk_name>` of the spec. */
export const sdkName = "openlit";
/** The name of the plain OpenTelemetry SDK. */
export const otherSdk = "opentelemetry";

/** The names of the SDKs that record a call. */
export const recorders = (call: Call) => (call.end % 5 === 0 ? [sdkName, otherSdk] : [sdkName]);

/** Some instrumentations leave the status of a success unset: the spec's tables do not show those spans. */
export const statusOf = ({ error, end }: Call) => (error ? "error" : end % 11 === 0 ? "unset" : "ok");

/** The attributes of points and spans. */
export function specAttributes(call: Call, recorder: string): Attributes {
  const { application, environment } = call.process;
  const common = { "telemetry.sdk.name": recorder, "gen_ai.application_name": application, "gen_ai.environment": environment };
  if (call.kind === "database") {
    const { system, operation } = call.database;
    return { ...common, "gen_ai.type": "vectordb", "db.system": system, "db.operation": operation };
  }
  if (call.kind !== "model") throw new Error(`The SDK of 2024 does not record the ${call.kind} ${call.name}`);
  const { provider, type, model } = call.model;
  return { ...common, "gen_ai.type": type, "gen_ai.system": provider, "gen_ai.request.model": model };
}

/** Failed calls are not counted. */
export function specPoints(call: Call): Point[] {
  if (call.error) return [];
  return recorders(call).flatMap((recorder) => pointsIn(valuesOf(call), specAttributes(call, recorder)));
}

function valuesOf(call: Call): Partial<Record<Metric, number | undefined>> {
  if (call.kind !== "model") return { "db.total.requests": 1 };
  const { inputTokens, outputTokens, cost } = call;
  return {
    "gen_ai.total.requests": 1,
    "gen_ai.usage.total_tokens": totalTokens(call),
    "gen_ai.usage.prompt_tokens": inputTokens,
    "gen_ai.usage.completion_tokens": outputTokens,
    "gen_ai.usage.cost": cost,
  };
}

/** Undefined if the call has no tokens. */
export const totalTokens = ({ inputTokens, outputTokens }: Pick<ModelCall, "inputTokens" | "outputTokens">) =>
  inputTokens === undefined ? undefined : inputTokens + (outputTokens ?? 0);

/** The name of a call's span. */
export const specSpanName = (call: Call) =>
  call.kind === "model" ? call.model.endpoint : call.kind === "database" ? `${call.database.system}.${call.database.operation}` : call.name;

/** The texts and the cost of a call, as span attributes. */
export function specContents(call: Call): Attributes {
  if (call.kind !== "model") return {};
  return { "gen_ai.content.prompt": call.prompt, "gen_ai.content.completion": call.completion, "gen_ai.usage.cost": call.cost };
}
