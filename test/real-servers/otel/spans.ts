/** Spans of the made-up calls through the OpenTelemetry SDK, as the SDKs of today name them. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { Attributes } from "./instruments";
import { resourceOf } from "./metrics";
import { openlitLabels, otherAttributes } from "./points";
import { type Sdk, sdks } from "./sdks";
import type { Call, ModelCall, Process, World } from "./world";

/** The JSON of one message, as in `gen_ai.input.messages`. */
export const messages = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

export function spanName(call: Call): string {
  switch (call.kind) {
    case "model":
      return call.process.sdk === "openllmetry" ? `openai.${call.model.operation}` : `${call.model.operation} ${call.model.model}`;
    case "agent":
      return `invoke_agent ${call.agent.name}`;
    case "tool":
      return `execute_tool ${call.tool}`;
    case "mcp":
      return call.method;
    case "database":
      return `${call.database.operation} documents`;
  }
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

/** The spans of all calls that arrived, as bodies of requests to `/v1/traces` of up to `batch` spans of one process each. */
export function spanExports({ processes, calls }: World, batch = 200): Uint8Array[] {
  return processes.flatMap((process) => {
    const spans = spansOf(
      process,
      calls.filter((call) => call.process === process && call.arrived),
    );
    return Array.from({ length: Math.ceil(spans.length / batch) }, (_, number) => {
      const body = ProtobufTraceSerializer.serializeRequest(spans.slice(number * batch, (number + 1) * batch));
      if (!body) throw new Error("The SDK's serializer returned no request");
      return body;
    });
  });
}

function spansOf(process: Process, calls: readonly Call[]): ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  const ids = { traceId: "", spanId: "" };
  const tracer = new BasicTracerProvider({
    resource: resourceOf(process),
    spanProcessors: [{ onStart: () => undefined, onEnd: (span) => spans.push(span), forceFlush: nothing, shutdown: nothing }],
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
  }).getTracer("made.up");
  for (const call of calls) {
    const { traceId, spanId, parentId } = call;
    Object.assign(ids, { traceId, spanId });
    const kind = call.kind === "agent" || call.kind === "tool" ? SpanKind.INTERNAL : SpanKind.CLIENT;
    const options = { kind, startTime: call.start, attributes: attributesOf(call) };
    const context = parentId
      ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED })
      : ROOT_CONTEXT;
    const status = call.error
      ? { code: SpanStatusCode.ERROR, message: call.error }
      : { code: sdks[process.sdk].ok ? SpanStatusCode.OK : SpanStatusCode.UNSET };
    tracer.startSpan(spanName(call), options, context).setStatus(status).end(call.end);
  }
  return spans;
}

const nothing = () => Promise.resolve();
