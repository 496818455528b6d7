/** Spans of the made-up calls through the OpenTelemetry SDK. The plain OpenTelemetry SDK records some calls, too. */
import { type Attributes, ROOT_CONTEXT, SpanKind, type SpanStatus, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { Resource } from "@opentelemetry/resources";
import { BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { contents, labelsOf, otherSdk, recorders, resourceOf, scope, spanName } from "./sdk";
import type { DatabaseCall, LlmCall, Process, World } from "./world";

/** The spans of all calls that arrived, as bodies of requests of one process each. */
export function spanExports(world: World, sdkName: string): Uint8Array[] {
  const calls = new Map<Process, (LlmCall | DatabaseCall)[]>(world.processes.map((process) => [process, []]));
  for (const call of [...world.llm, ...world.database]) if (call.arrived) calls.get(call.process)?.push(call);
  return [...calls].flatMap(([process, ofProcess]) => spanBodies(spansOf(process, ofProcess, sdkName)));
}

/** Bodies of requests to `/v1/traces` of up to `batch` spans each. */
export function spanBodies(spans: readonly ReadableSpan[], batch = 200): Uint8Array[] {
  return Array.from({ length: Math.ceil(spans.length / batch) }, (_, number) => {
    const body = ProtobufTraceSerializer.serializeRequest(spans.slice(number * batch, (number + 1) * batch));
    if (!body) throw new Error("The SDK's serializer returned no request");
    return body;
  });
}

const statusCodes = { ok: SpanStatusCode.OK, error: SpanStatusCode.ERROR, unset: SpanStatusCode.UNSET };

/** The spans of some calls of one process. */
export const spansOf = (process: Process, calls: readonly (LlmCall | DatabaseCall)[], sdkName: string): ReadableSpan[] =>
  [sdkName, otherSdk].flatMap((name) =>
    recordedBy(
      name,
      process,
      calls.filter((call) => recorders(call, sdkName).includes(name)),
    ),
  );

/** The spans that the SDK with one name records. */
function recordedBy(sdkName: string, process: Process, calls: readonly (LlmCall | DatabaseCall)[]): ReadableSpan[] {
  const other = sdkName === otherSdk;
  const made = calls.map((call): MadeSpan => {
    const status = other ? "ok" : call.status;
    const attributes = { ...labelsOf(call, sdkName), ...contents(call), ...(other ? {} : { "gen_ai.endpoint": spanName(call) }) };
    return {
      ...call,
      kind: SpanKind.CLIENT,
      name: other ? "HTTP POST" : spanName(call),
      // A failed call's span has no attributes (see the recorded exports).
      attributes: status === "error" ? {} : attributes,
      status: { code: statusCodes[status] },
      // The plain SDK records the request to the provider, which the call has made.
      ...(other ? { spanId: otherId(call.spanId), parentId: call.spanId } : {}),
    };
  });
  return recordSpans(resourceOf(process, sdkName), made);
}

/** A span. Times are milliseconds. */
export interface MadeSpan {
  traceId: string;
  spanId: string;
  parentId?: string;
  name: string;
  kind: SpanKind;
  attributes: Attributes;
  status: SpanStatus;
  start: number;
  end: number;
}

/** Spans of one process, through the SDK. */
export function recordSpans(resource: Resource, made: readonly MadeSpan[]): ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  const ids = { traceId: "", spanId: "" };
  const tracer = new BasicTracerProvider({
    resource,
    spanProcessors: [{ onStart: () => undefined, onEnd: (span) => spans.push(span), forceFlush: nothing, shutdown: nothing }],
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
  }).getTracer(scope.name, scope.version);
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
