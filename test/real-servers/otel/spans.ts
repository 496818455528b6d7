/** Spans of the made-up calls through the OpenTelemetry SDK, as the SDKs of today name them. */
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { type MadeSpan, recordSpans, spanBodies } from "../telemetry/sdk-spans";
import type { Attributes } from "./instruments";
import { resourceOf } from "./metrics";
import { openlitLabels, otherAttributes } from "./points";
import { type Sdk, sdks } from "./sdks";
import type { Call, ModelCall, World } from "./world";

/** The JSON of one message, as in `gen_ai.input.messages`. */
export const messages = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

function spanName(call: Call): string {
  if (call.kind === "database") return `${call.database.operation} documents`;
  if (call.kind === "model")
    return call.process.sdk === "openllmetry" ? `openai.${call.model.operation}` : `${call.model.operation} ${call.model.model}`;
  return call.kind === "mcp" ? call.name : `${otherAttributes(call)["gen_ai.operation.name"]} ${call.name}`;
}

function attributesOf(call: Call): Attributes {
  const { process, error } = call;
  const sdk = sdks[process.sdk];
  const common: Attributes = { ...(sdk.labelled ? openlitLabels(process) : {}), ...(error ? { "error.type": error } : {}) };
  if (call.kind === "model") return { ...common, ...modelAttributes(call, sdk) };
  const vector: Attributes = call.kind === "database" && sdk.labelled ? { "gen_ai.operation.name": "vectordb" } : {};
  return { ...common, ...vector, ...otherAttributes(call) };
}

function modelAttributes(call: ModelCall, { contents, provider, cost: costs }: Sdk): Attributes {
  const { model, error, inputTokens, outputTokens, cachedTokens, cost, prompt, completion } = call;
  const answer: Attributes = error
    ? {}
    : {
        "gen_ai.response.model": model.answeredBy,
        "gen_ai.usage.input_tokens": inputTokens,
        "gen_ai.usage.cache_read.input_tokens": cachedTokens,
        ...(outputTokens === undefined ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
        ...(costs ? { "gen_ai.usage.cost": cost } : {}),
        ...(contents && completion ? { "gen_ai.output.messages": messages("assistant", completion) } : {}),
      };
  return {
    "gen_ai.operation.name": model.operation,
    [provider]: model.provider,
    "gen_ai.request.model": model.model,
    ...(contents ? { "gen_ai.input.messages": messages("user", prompt) } : {}),
    ...answer,
  };
}

/** The spans of all calls that arrived, as bodies of requests of one process each. */
export const spanExports = ({ processes, calls }: World): Uint8Array[] =>
  processes.flatMap((process) => {
    const made = calls.filter((call) => call.process === process && call.arrived).map(spanOf);
    return spanBodies(recordSpans(resourceOf(process), made));
  });

const spanOf = (call: Call): MadeSpan => ({
  ...call,
  name: spanName(call),
  kind: call.kind === "agent" || call.kind === "tool" ? SpanKind.INTERNAL : SpanKind.CLIENT,
  attributes: attributesOf(call),
  status: call.error
    ? { code: SpanStatusCode.ERROR, message: call.error }
    : { code: sdks[call.process.sdk].ok ? SpanStatusCode.OK : SpanStatusCode.UNSET },
});
