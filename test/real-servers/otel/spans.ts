/** Spans of the made-up calls through the OpenTelemetry SDK, as the SDKs of today name them. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { Attributes } from "./instruments";
import { resourceOf } from "./metrics";
import type { SdkName } from "./sdks";
import type { Call, ModelCall, Process, World } from "./world";

/** What differs between the spans of SDKs. */
interface Style {
  /** The status of a call that succeeded. */
  success: SpanStatusCode;
  /** Whether spans have prompts and completions. */
  contents: boolean;
  provider: "gen_ai.provider.name" | "gen_ai.system";
  /** Whether spans have costs, and application and environment beside those of the resource. */
  openlit?: true;
}

const unset = { success: SpanStatusCode.UNSET, contents: true, provider: "gen_ai.provider.name" } as const;
const openlit: Style = { success: SpanStatusCode.OK, contents: true, provider: "gen_ai.provider.name", openlit: true };

export const styles: Record<SdkName, Style> = {
  openlit,
  "openlit-node": openlit,
  // Contents are off by default.
  contrib: { ...unset, contents: false, provider: "gen_ai.system" },
  openllmetry: unset,
  inference: unset,
  both: unset,
  agento11y: { ...unset, success: SpanStatusCode.OK },
};

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
  const style = styles[process.sdk];
  const common: Attributes = {
    ...(style.openlit ? { "telemetry.sdk.name": "openlit", "service.name": process.application } : {}),
    ...(style.openlit && process.environment ? { "deployment.environment": process.environment } : {}),
    ...(error ? { "error.type": error } : {}),
  };
  switch (call.kind) {
    case "model":
      return { ...common, ...modelAttributes(call, style) };
    case "agent":
      return { ...common, "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": call.agent.name };
    case "tool":
      return { ...common, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": call.tool };
    case "mcp":
      return { ...common, "mcp.method.name": call.method };
    case "database": {
      const { system, operation } = call.database;
      const vector: Attributes = style.openlit ? { "gen_ai.operation.name": "vectordb" } : {};
      return { ...common, ...vector, "db.system.name": system, "db.operation.name": operation };
    }
  }
}

function modelAttributes(call: ModelCall, { contents, provider, openlit }: Style): Attributes {
  const { model, error, inputTokens, outputTokens, cachedTokens, cost, prompt, completion } = call;
  const answer: Attributes = error
    ? {}
    : {
        "gen_ai.response.model": model.answeredBy,
        "gen_ai.usage.input_tokens": inputTokens,
        "gen_ai.usage.cache_read.input_tokens": cachedTokens,
        ...(outputTokens === undefined ? {} : { "gen_ai.usage.output_tokens": outputTokens }),
        ...(openlit ? { "gen_ai.usage.cost": cost } : {}),
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
    const status = call.error ? { code: SpanStatusCode.ERROR, message: call.error } : { code: styles[process.sdk].success };
    tracer.startSpan(spanName(call), options, context).setStatus(status).end(call.end);
  }
  return spans;
}

const nothing = () => Promise.resolve();
