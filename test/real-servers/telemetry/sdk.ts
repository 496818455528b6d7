/**
 * Exports of an instrumentation SDK (spec 2.3) as OTLP payloads: cumulative counters and the histogram of costs of each process, one export per
 * minute, and a span for each call. The plain OpenTelemetry SDK pushes the same names to the same platform; no panel may show those.
 */
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AggregationTemporality, DataPointType, InstrumentType, type MetricData, type ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { Call, DatabaseCall, LlmCall, Process, World } from "./world";

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
const counters = {
  "gen_ai.total.requests": added.requests,
  "gen_ai.usage.total_tokens": added.tokens,
  "gen_ai.usage.prompt_tokens": added.promptTokens,
  "gen_ai.usage.completion_tokens": added.completionTokens,
  "db.total.requests": added.databaseRequests,
};

/** The SDK's default bounds. */
const bounds = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];

const scope = { name: "openlit.otel", version: "0.1.0" };

const hrTime = (time: number): [number, number] => [Math.floor(time / 1000), (time % 1000) * 1_000_000];

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

/** The exports of one process, oldest first, as bodies of requests to `/v1/metrics` of up to `batch` exports each. */
export function metricExports(process: Process, world: World, sdkName: string, batch = 60): Uint8Array[] {
  const calls = [...world.llm, ...world.database]
    .filter((call) => call.process === process && call.exportedAt !== undefined)
    .sort((left, right) => left.end - right.end);
  const totals = new Totals(process, sdkName);
  const exports = process.exports.map((at) => {
    while (calls[0] && calls[0].end <= at) totals.add(calls.shift() as LlmCall | DatabaseCall);
    return totals.metrics(at);
  });
  const bodies: Uint8Array[] = [];
  for (let from = 0; from < exports.length; from += batch) {
    const scopeMetrics = exports
      .slice(from, from + batch)
      .filter((metrics) => metrics.length > 0)
      .map((metrics) => ({ scope, metrics }));
    if (scopeMetrics.length > 0) bodies.push(serialized({ resource: resourceOf(process, sdkName), scopeMetrics }));
  }
  return bodies;
}

function serialized(metrics: ResourceMetrics): Uint8Array {
  const body = ProtobufMetricsSerializer.serializeRequest(metrics);
  if (!body) throw new Error("The SDK's serializer returned no request");
  return body;
}

const resourceOf = ({ application, environment, instance }: Process, sdkName: string) =>
  resourceFromAttributes({
    "service.name": application,
    "service.instance.id": instance,
    "deployment.environment": environment,
    "telemetry.sdk.name": sdkName,
  });

/** Running totals of one process by metric and attributes. */
class Totals {
  private readonly sums = new Map<string, { name: string; attributes: Attributes; value: number }>();
  private readonly costs = new Map<string, { attributes: Attributes; values: number[] }>();

  constructor(
    private readonly process: Process,
    private readonly sdkName: string,
  ) {}

  add(call: LlmCall | DatabaseCall): void {
    // The plain OpenTelemetry SDK counts some calls, too.
    for (const sdkName of call.end % 5 === 0 ? [this.sdkName, "opentelemetry"] : [this.sdkName]) {
      const attributes = labelsOf(call, sdkName);
      const key = JSON.stringify(attributes);
      for (const [name, increase] of Object.entries(counters)) {
        const value = increase(call);
        if (value === undefined) continue;
        const sum = this.sums.get(name + key) ?? { name, attributes, value: 0 };
        this.sums.set(name + key, sum);
        sum.value += value;
      }
      const usd = added.cost(call);
      if (usd === undefined) continue;
      const cost = this.costs.get(key) ?? { attributes, values: [] };
      this.costs.set(key, cost);
      cost.values.push(usd);
    }
  }

  /** All metrics, as the SDK exports them at `at`. */
  metrics(at: number): MetricData[] {
    const [startTime, endTime] = [hrTime(Math.floor(this.process.start)), hrTime(at)];
    const descriptor = (name: string, unit: string, type: InstrumentType) => ({
      name,
      unit,
      type,
      description: "",
      valueType: 0,
      advice: {},
    });
    const sums = Object.keys(counters).flatMap((name): MetricData[] => {
      const dataPoints = [...this.sums.values()]
        .filter((sum) => sum.name === name)
        .map(({ attributes, value }) => ({ attributes, startTime, endTime, value }));
      if (dataPoints.length === 0) return [];
      return [
        {
          descriptor: descriptor(name, "1", InstrumentType.COUNTER),
          aggregationTemporality: AggregationTemporality.CUMULATIVE,
          dataPointType: DataPointType.SUM,
          isMonotonic: true,
          dataPoints,
        },
      ];
    });
    if (this.costs.size === 0) return sums;
    const dataPoints = [...this.costs.values()].map(({ attributes, values }) => ({
      attributes,
      startTime,
      endTime,
      value: {
        count: values.length,
        sum: values.reduce((sum, value) => sum + value, 0),
        min: Math.min(...values),
        max: Math.max(...values),
        buckets: { boundaries: bounds, counts: countsOf(values) },
      },
    }));
    const costs: MetricData = {
      descriptor: descriptor("gen_ai.usage.cost", "USD", InstrumentType.HISTOGRAM),
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints,
    };
    return [...sums, costs];
  }
}

function countsOf(values: readonly number[]): number[] {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0);
  for (const value of values) {
    const bucket = bounds.findIndex((bound) => value <= bound);
    counts[bucket < 0 ? bounds.length : bucket] = (counts[bucket < 0 ? bounds.length : bucket] ?? 0) + 1;
  }
  return counts;
}

/** The spans of all calls that arrived, as bodies of requests to `/v1/traces`. */
export function spanExports(world: World, sdkName: string): Uint8Array[] {
  const bodies: Uint8Array[] = [];
  for (const process of world.processes) {
    const ofProcess = (calls: readonly (LlmCall | DatabaseCall)[]) => calls.filter((call) => call.process === process && call.arrived);
    const spans = [...ofProcess(world.llm), ...ofProcess(world.database)].flatMap((call) => [
      spanOf(call, sdkName),
      ...(call.end % 5 === 0 ? [otherSpanOf(call)] : []),
    ]);
    for (let from = 0; from < spans.length; from += 200) {
      const body = ProtobufTraceSerializer.serializeRequest(spans.slice(from, from + 200));
      if (!body) throw new Error("The SDK's serializer returned no request");
      bodies.push(body);
    }
  }
  return bodies;
}

const statusCodes = { ok: SpanStatusCode.OK, error: SpanStatusCode.ERROR, unset: SpanStatusCode.UNSET };

/** The name of a call's span. */
export const spanName = (call: LlmCall | DatabaseCall) =>
  "operation" in call ? call.operation.endpoint : `${call.database.system}.${call.database.operation}`;

function spanOf(call: LlmCall | DatabaseCall, sdkName: string): ReadableSpan {
  // A failed call's span has no attributes (see the recorded exports).
  const attributes = call.status === "error" ? {} : { ...labelsOf(call, sdkName), "gen_ai.endpoint": spanName(call), ...contents(call) };
  return span(call, sdkName, spanName(call), call.spanId, attributes, call.status);
}

/** The plain OpenTelemetry SDK's span of the same call, in the same trace. */
function otherSpanOf(call: LlmCall | DatabaseCall): ReadableSpan {
  const spanId = call.spanId.replace(/^./, (digit) => ((Number.parseInt(digit, 16) + 1) % 16).toString(16));
  return span(call, "opentelemetry", "HTTP POST", spanId, { ...labelsOf(call, "opentelemetry"), ...contents(call) }, "ok");
}

function contents(call: LlmCall | DatabaseCall): Record<string, string | number> {
  if ("database" in call) return {};
  return {
    "gen_ai.content.prompt": call.prompt,
    ...(call.completion === undefined ? {} : { "gen_ai.content.completion": call.completion }),
    ...(call.cost === undefined ? {} : { "gen_ai.usage.cost": call.cost }),
  };
}

function span(
  call: Call,
  sdkName: string,
  name: string,
  spanId: string,
  attributes: Record<string, string | number>,
  status: Call["status"],
): ReadableSpan {
  const [startTime, endTime] = [hrTime(call.start), hrTime(call.end)];
  return {
    name,
    kind: SpanKind.CLIENT,
    spanContext: () => ({ traceId: call.traceId, spanId, traceFlags: 1 }),
    startTime,
    endTime,
    duration: hrTime(call.end - call.start),
    status: { code: statusCodes[status] },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource: resourceOf(call.process, sdkName),
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}
