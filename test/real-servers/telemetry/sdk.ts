/**
 * The names of an instrumentation SDK (spec 2.3): its counters, labels and span attributes. The plain OpenTelemetry SDK pushes the same names to the
 * same platform; no panel may show those.
 */
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { DatabaseCall, LlmCall, Process } from "./world";

type Attributes = Record<string, string>;

/** The increase of each counter, and of the histogram of costs, by a call. Undefined for calls of another type or without the number. */
export const added = {
  requests: (call) => ("operation" in call ? 1 : undefined),
  tokens: (call) => ("operation" in call ? call.totalTokens : undefined),
  promptTokens: (call) => ("operation" in call ? call.promptTokens : undefined),
  completionTokens: (call) => ("operation" in call ? call.completionTokens : undefined),
  databaseRequests: (call) => ("database" in call ? 1 : undefined),
  cost: (call) => ("operation" in call ? call.cost : undefined),
  costs: (call) => ("operation" in call && call.cost !== undefined ? 1 : undefined),
} satisfies Record<string, (call: LlmCall | DatabaseCall) => number | undefined>;

export type Counter = keyof typeof added;

/** The SDK's names of its counters. */
export const counters = {
  "gen_ai.total.requests": added.requests,
  "gen_ai.usage.total_tokens": added.tokens,
  "gen_ai.usage.prompt_tokens": added.promptTokens,
  "gen_ai.usage.completion_tokens": added.completionTokens,
  "db.total.requests": added.databaseRequests,
};

/** The instrumentation scope. */
export const scope = { name: "openlit.otel", version: "0.1.0" };

/** The names of the SDKs that record a call. */
export const recorders = (call: LlmCall | DatabaseCall, sdkName: string) => (call.end % 5 === 0 ? [sdkName, otherSdk] : [sdkName]);

/** The name of the plain OpenTelemetry SDK. */
export const otherSdk = "opentelemetry";

/** Attributes of a call's datapoints. */
export function labelsOf(call: LlmCall | DatabaseCall, sdkName: string): Attributes {
  const { application, environment, types } = call.process;
  const common = { "telemetry.sdk.name": sdkName, "gen_ai.application_name": application, "gen_ai.environment": environment };
  if ("database" in call) {
    const { system, operation } = call.database;
    return { ...common, "gen_ai.type": "vectordb", "db.system": system, "db.operation": operation };
  }
  const { platform, type, model } = call.operation;
  return { ...common, "gen_ai.system": platform, "gen_ai.request.model": model, ...(types ? { "gen_ai.type": type } : {}) };
}

/** The resource of all telemetry of a process. */
export const resourceOf = ({ application, environment, instance }: Process, sdkName: string) =>
  resourceFromAttributes({
    "service.name": application,
    "service.instance.id": instance,
    "deployment.environment": environment,
    "telemetry.sdk.name": sdkName,
  });

/** The name of a call's span. */
export const spanName = (call: LlmCall | DatabaseCall) =>
  "operation" in call ? call.operation.endpoint : `${call.database.system}.${call.database.operation}`;

/** The texts and the cost of a call, as span attributes. */
export function contents(call: LlmCall | DatabaseCall): Record<string, string | number> {
  if ("database" in call) return {};
  return {
    "gen_ai.content.prompt": call.prompt,
    ...(call.completion === undefined ? {} : { "gen_ai.content.completion": call.completion }),
    ...(call.cost === undefined ? {} : { "gen_ai.usage.cost": call.cost }),
  };
}
