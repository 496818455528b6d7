/** Spans of the made-up calls through the OpenTelemetry SDK, as their SDKs name them. */
import { ROOT_CONTEXT, SpanKind, type SpanStatus, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { Call, ModelCall, Process, World } from "../world/world";
import type { Attributes } from "./instruments";
import { resourceOf } from "./metrics";
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
        ...(inputTokens === undefined ? {} : { "gen_ai.usage.input_tokens": inputTokens }),
        "gen_ai.usage.cache_read.input_tokens": cachedTokens,
        ...(outputTokens === undefined ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
        ...(costs && cost !== undefined ? { "gen_ai.usage.cost": cost } : {}),
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

interface MadeSpan extends Pick<Call, "traceId" | "spanId" | "parentId" | "start" | "end"> {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
  status: SpanStatus;
}

/** The spans of all calls that arrived, as bodies of requests of one process each. */
export function spanExports({ processes, calls }: World): Uint8Array[] {
  const arrived = new Map<Process, Call[]>(processes.map((process) => [process, []]));
  for (const call of calls) if (call.arrived) arrived.get(call.process)?.push(call);
  return [...arrived].flatMap(([process, ofProcess]) => spanBodies(recordSpans(process, ofProcess.flatMap(spansOf))));
}

function spansOf(call: Call): MadeSpan[] {
  const sdk = sdks[call.process.sdk];
  if (sdk.spec) return recorders(call).map((recorder) => specSpan(call, recorder));
  const status = call.error
    ? { code: SpanStatusCode.ERROR, message: call.error }
    : { code: sdk.ok ? SpanStatusCode.OK : SpanStatusCode.UNSET };
  const kind = call.kind === "agent" || call.kind === "tool" ? SpanKind.INTERNAL : SpanKind.CLIENT;
  return [{ ...call, name: spanName(call), kind, attributes: attributesOf(call), status }];
}

const statusCodes = { ok: SpanStatusCode.OK, error: SpanStatusCode.ERROR, unset: SpanStatusCode.UNSET };

function specSpan(call: Call, recorder: string): MadeSpan {
  const common = { ...call, kind: SpanKind.CLIENT };
  const attributes = { ...specAttributes(call, recorder), ...specContents(call) };
  if (recorder === otherSdk) {
    // The plain SDK records the request to the provider, which the call has made.
    const own = { spanId: otherId(call.spanId), parentId: call.spanId, name: "HTTP POST", status: { code: SpanStatusCode.OK } };
    return { ...common, ...own, attributes };
  }
  const name = specSpanName(call);
  const status = statusOf(call);
  // A failed call's span has no attributes (see the recorded exports).
  return {
    ...common,
    name,
    attributes: status === "error" ? {} : { ...attributes, "gen_ai.endpoint": name },
    status: { code: statusCodes[status] },
  };
}

/** Spans of one process, through the SDK. */
function recordSpans(process: Process, made: readonly MadeSpan[]): ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  const ids = { traceId: "", spanId: "" };
  const tracer = new BasicTracerProvider({
    resource: resourceOf(process),
    spanProcessors: [{ onStart: () => undefined, onEnd: (span) => spans.push(span), forceFlush: nothing, shutdown: nothing }],
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
  }).getTracer("made.up");
  for (const { traceId, spanId, parentId, name, kind, attributes, status, start, end } of made) {
    Object.assign(ids, { traceId, spanId });
    const parent = parentId && trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED });
    tracer
      .startSpan(name, { kind, startTime: start, attributes }, parent || ROOT_CONTEXT)
      .setStatus(status)
      .end(end);
  }
  return spans;
}

const nothing = () => Promise.resolve();

const otherId = (spanId: string) => spanId.replace(/^./, (digit) => ((Number.parseInt(digit, 16) + 1) % 16).toString(16));

/** Bodies of requests to `/v1/traces` of up to `batch` spans each. */
function spanBodies(spans: readonly ReadableSpan[], batch = 200): Uint8Array[] {
  return Array.from({ length: Math.ceil(spans.length / batch) }, (_, number) => {
    const body = ProtobufTraceSerializer.serializeRequest(spans.slice(number * batch, (number + 1) * batch));
    if (!body) throw new Error("The SDK's serializer returned no request");
    return body;
  });
}
