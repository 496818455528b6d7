/** Metrics of a process through the OpenTelemetry SDK: counters and the histogram of costs, exported once a minute, at the times of the made-up calls. */
import type { Counter as SdkCounter } from "@opentelemetry/api";
import { ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import { MeterProvider, MetricReader, type ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { added, counters, labelsOf, recorders, resourceOf, scope } from "./sdk";
import type { DatabaseCall, LlmCall, Process, World } from "./world";

/** The SDK in one process. */
export function processMetrics(process: Process, world: World, sdkName: string): Exporter<LlmCall | DatabaseCall> {
  const reader = new Collector();
  const meter = new MeterProvider({ resource: resourceOf(process, sdkName), readers: [reader] }).getMeter(scope.name, scope.version);
  const totals = Object.entries(counters).map(([name, increase]): [SdkCounter, typeof increase] => [
    meter.createCounter(name, { unit: "1" }),
    increase,
  ]);
  const costs = meter.createHistogram("gen_ai.usage.cost", { unit: "USD" });
  const record = (call: LlmCall | DatabaseCall) => {
    for (const labels of recorders(call, sdkName).map((name) => labelsOf(call, name))) {
      for (const [counter, increase] of totals) {
        const value = increase(call);
        if (value !== undefined) counter.add(value, labels);
      }
      const cost = added.cost(call);
      if (cost !== undefined) costs.record(cost, labels);
    }
  };
  const calls = [...world.llm, ...world.database]
    .filter((call) => call.process === process && call.exportedAt !== undefined)
    .sort((left, right) => left.end - right.end);
  return new Exporter(reader, process.exports, calls, record);
}

/** Exports the metrics of one process at the times of its exports, part by part. */
export class Exporter<Call extends { end: number }> {
  /** The times of the exports that are not made yet. */
  private readonly times: number[];
  /** The calls that are not counted yet. */
  private readonly calls: Call[];

  /**
   * @param times of the exports, oldest first
   * @param calls oldest first
   * @param record counts a call
   */
  constructor(
    private readonly reader: Collector,
    times: readonly number[],
    calls: readonly Call[],
    private readonly record: (call: Call) => void,
  ) {
    this.times = [...times];
    this.calls = [...calls];
  }

  /** The exports up to `time`, which is included, that were not returned before. */
  async exportsUntil(time: number): Promise<ResourceMetrics[]> {
    const collected: ResourceMetrics[] = [];
    for (let [at] = this.times; at !== undefined && at <= time; [at] = this.times) {
      this.times.shift();
      const due = this.calls.findIndex(({ end }) => end > (at as number));
      for (const call of this.calls.splice(0, due < 0 ? this.calls.length : due)) atTime(call.end, () => this.record(call));
      const { resourceMetrics, errors } = await atTime(at, () => this.reader.collect());
      if (errors.length > 0) throw new AggregateError(errors, "The SDK failed to collect metrics");
      // Before its first call, a process has no metrics.
      if (resourceMetrics.scopeMetrics.length > 0) collected.push(resourceMetrics);
    }
    return collected;
  }
}

/** Collects when it is asked, instead of once a minute. */
export class Collector extends MetricReader {
  protected override onForceFlush = () => Promise.resolve();
  protected override onShutdown = () => Promise.resolve();
}

/** Lets the SDK read another time. It reads the clock only while `work` runs, before its first `await`. */
export function atTime<T>(time: number, work: () => T): T {
  const { now } = Date;
  Date.now = () => time;
  try {
    return work();
  } finally {
    Date.now = now;
  }
}

/** Bodies of requests to `/v1/metrics` of up to `batch` exports of one process each. */
export function metricBodies(collected: readonly ResourceMetrics[], batch = 60): Uint8Array[] {
  const bodies: Uint8Array[] = [];
  for (let from = 0; from < collected.length; from += batch) {
    const [first, ...others] = collected.slice(from, from + batch) as [ResourceMetrics, ...ResourceMetrics[]];
    const body = ProtobufMetricsSerializer.serializeRequest({
      resource: first.resource,
      scopeMetrics: [first, ...others].flatMap(({ scopeMetrics }) => scopeMetrics),
    });
    if (!body) throw new Error("The SDK's serializer returned no request");
    bodies.push(body);
  }
  return bodies;
}
