/** Spans of the made-up calls through the OpenTelemetry SDK. The plain OpenTelemetry SDK records some calls, too. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BasicTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { contents, labelsOf, otherSdk, recorders, resourceOf, scope, spanName } from "./sdk";
import type { DatabaseCall, LlmCall, Process, World } from "./world";

/** The spans of all calls that arrived, as bodies of requests to `/v1/traces` of up to `batch` spans of one process each. */
export function spanExports(world: World, sdkName: string, batch = 200): Uint8Array[] {
  const calls = new Map<Process, (LlmCall | DatabaseCall)[]>(world.processes.map((process) => [process, []]));
  for (const call of [...world.llm, ...world.database]) if (call.arrived) calls.get(call.process)?.push(call);
  return [...calls].flatMap(([process, ofProcess]) => {
    const spans = spansOf(process, ofProcess, sdkName);
    return Array.from({ length: Math.ceil(spans.length / batch) }, (_, number) => {
      const body = ProtobufTraceSerializer.serializeRequest(spans.slice(number * batch, (number + 1) * batch));
      if (!body) throw new Error("The SDK's serializer returned no request");
      return body;
    });
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
  const spans: ReadableSpan[] = [];
  const ids = { traceId: "", spanId: "" };
  const tracer = new BasicTracerProvider({
    resource: resourceOf(process, sdkName),
    spanProcessors: [{ onStart: () => undefined, onEnd: (span) => spans.push(span), forceFlush: nothing, shutdown: nothing }],
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
  }).getTracer(scope.name, scope.version);
  const other = sdkName === otherSdk;
  for (const call of calls) {
    Object.assign(ids, { traceId: call.traceId, spanId: other ? otherId(call.spanId) : call.spanId });
    const status = other ? "ok" : call.status;
    const attributes = { ...labelsOf(call, sdkName), ...contents(call), ...(other ? {} : { "gen_ai.endpoint": spanName(call) }) };
    const name = other ? "HTTP POST" : spanName(call);
    // A failed call's span has no attributes (see the recorded exports).
    const options = { kind: SpanKind.CLIENT, startTime: call.start, attributes: status === "error" ? {} : attributes };
    // The plain SDK records the request to the provider, which the call has made.
    const parent = { traceId: call.traceId, spanId: call.spanId, traceFlags: TraceFlags.SAMPLED };
    tracer
      .startSpan(name, options, other ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
      .setStatus({ code: statusCodes[status] })
      .end(call.end);
  }
  return spans;
}

const nothing = () => Promise.resolve();

const otherId = (spanId: string) => spanId.replace(/^./, (digit) => ((Number.parseInt(digit, 16) + 1) % 16).toString(16));
