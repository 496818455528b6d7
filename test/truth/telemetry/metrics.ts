/** Metrics of a process through the OpenTelemetry SDK: exported once a minute, at the times of the made-up calls. */
import { ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, MetricReader, type ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { Call, Process, World } from "../world/world";
import { defaultBounds, instruments, type Point } from "./instruments";
import { environments, pointsOf } from "./points";
import { sdks } from "./sdks";
import { sdkName } from "./spec-sdk";

/** The resource of all telemetry of a process. */
export const resourceOf = (process: Process) =>
  resourceFromAttributes({
    "telemetry.sdk.name": "opentelemetry",
    "telemetry.sdk.language": "python",
    "service.name": process.application,
    "service.version": process.version,
    ...(process.instance === undefined ? {} : { "service.instance.id": process.instance }),
    ...(sdks[process.sdk].labelled || sdks[process.sdk].spec ? { "telemetry.sdk.name": sdkName } : {}),
    ...environments(sdks[process.sdk].environment, process),
  });

/** The SDK in one process. Its exports are those that reach the platform. */
export function processMetrics(process: Process, world: World): Exporter {
  const reader = new Collector();
  const meter = new MeterProvider({ resource: resourceOf(process), readers: [reader] }).getMeter("made.up");
  // The SDK keeps one instrument for each name.
  const record = ({ metric, value, attributes }: Point) => {
    const { unit, bounds } = instruments[metric];
    const advice = { explicitBucketBoundaries: sdks[process.sdk].defaultBounds ? defaultBounds : (bounds ?? []) };
    if (bounds) meter.createHistogram(metric, { unit, advice }).record(value, attributes);
    else meter.createCounter(metric, { unit }).add(value, attributes);
  };
  const calls = world.calls.filter((call) => call.process === process);
  return new Exporter(reader, process.exports, calls, (call) => pointsOf(call).forEach(record));
}

/** Exports the metrics of one process at the times of its exports, part by part. */
export class Exporter {
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
class Collector extends MetricReader {
  protected override onForceFlush = () => Promise.resolve();
  protected override onShutdown = () => Promise.resolve();
}

/** Lets the SDK read another time. It reads the clock only while `work` runs, before its first `await`. */
function atTime<T>(time: number, work: () => T): T {
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
