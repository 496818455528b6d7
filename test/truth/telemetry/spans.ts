/** Spans of the made-up calls, as their SDKs name them, in OTLP as JSON. */
import type { Call, ModelCall, Process, World } from "../world/world";
import type { Attributes } from "./instruments";
import { attributesIn, inBatches, resourceOf, scope } from "./otlp";
import { openlitLabels, otherAttributes } from "./points";
import { type Sdk, sdks } from "./sdks";
import { otherSdk, recorders, specAttributes, specContents, specSpanName, statusOf } from "./spec-sdk";

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
  const common: Attributes = { ...(sdk.labelled ? openlitLabels(process) : {}), "error.type": error };
  if (call.kind === "model") return { ...common, ...modelAttributes(call, sdk) };
  const vector: Attributes = call.kind === "database" && sdk.labelled ? { "gen_ai.operation.name": "vectordb" } : {};
  return { ...common, ...vector, ...otherAttributes(call) };
}

function modelAttributes(call: ModelCall, { contents, provider, cost: costs, textTokens }: Sdk): Attributes {
  const { model, error, inputTokens, outputTokens, cachedTokens, cost, prompt, completion } = call;
  const answer: Attributes = {
    "gen_ai.response.model": model.answeredBy,
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.cache_read.input_tokens": cachedTokens,
    "gen_ai.usage.output_tokens": textTokens ? `${outputTokens}` : outputTokens,
    "gen_ai.usage.cost": costs && cost,
    "gen_ai.output.messages": contents && completion ? messages("assistant", completion) : undefined,
  };
  return {
    "gen_ai.operation.name": model.operation,
    [provider]: model.provider,
    "gen_ai.request.model": model.model,
    "gen_ai.input.messages": contents ? messages("user", prompt) : undefined,
    ...(error ? {} : answer),
  };
}

// The numbers of OTLP.
const kinds = { internal: 1, client: 3 };
const statuses = { unset: 0, ok: 1, error: 2 };

/** The spans of all calls that arrived, as bodies of requests of one process each. */
export function spanExports({ processes, calls }: World): string[] {
  const arrived = new Map<Process, object[]>(processes.map((process) => [process, []]));
  for (const call of calls) if (call.arrived) arrived.get(call.process)?.push(...spansOf(call));
  return [...arrived].flatMap(([process, spans]) =>
    inBatches(spans, 200).map((batch) =>
      JSON.stringify({ resourceSpans: [{ resource: resourceOf(process), scopeSpans: [{ scope, spans: batch }] }] }),
    ),
  );
}

function spansOf(call: Call): object[] {
  const sdk = sdks[call.process.sdk];
  if (sdk.silent) return [];
  if (sdk.spec) return recorders(call).map((recorder) => specSpan(call, recorder));
  const status = call.error ? { code: statuses.error, message: call.error } : { code: sdk.ok ? statuses.ok : statuses.unset };
  const kind = call.kind === "agent" || call.kind === "tool" ? kinds.internal : kinds.client;
  const span = { ...spanOf(call, spanName(call), attributesOf(call)), kind, status };
  // Anthropic's own SDK writes the call that an instrumentation has wrapped (test/recorded/otlp/anthropic-sdk-own).
  const isWritten = call.kind === "model" && call.model.provider === "anthropic" && call.model.operation === "chat";
  return isWritten
    ? [span, { ...span, name: "anthropic.messages.create", spanId: otherId(call.spanId), parentSpanId: call.spanId }]
    : [span];
}

const spanOf = ({ traceId, spanId, parentId, start, end }: Call, name: string, attributes: Attributes) => ({
  ...{ traceId, spanId, parentSpanId: parentId, name, kind: kinds.client },
  startTimeUnixNano: `${start}000000`,
  endTimeUnixNano: `${end}000000`,
  attributes: attributesIn(attributes),
});

function specSpan(call: Call, recorder: string): object {
  const attributes = { ...specAttributes(call, recorder), ...specContents(call) };
  if (recorder === otherSdk) {
    // The plain SDK records the request to the provider, which the call has made.
    const own = { spanId: otherId(call.spanId), parentSpanId: call.spanId, status: { code: statuses.ok } };
    return { ...spanOf(call, "HTTP POST", attributes), ...own };
  }
  const name = specSpanName(call);
  const status = statusOf(call);
  // A failed call's span has no attributes (see the recorded exports).
  return {
    ...spanOf(call, name, status === "error" ? {} : { ...attributes, "gen_ai.endpoint": name }),
    status: { code: statuses[status] },
  };
}

const otherId = (spanId: string) => spanId.replace(/^./, (digit) => ((Number.parseInt(digit, 16) + 1) % 16).toString(16));
