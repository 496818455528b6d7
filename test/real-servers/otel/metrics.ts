/** Metrics of a process through the OpenTelemetry SDK: exported once a minute, at the times of the made-up calls. */
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { Collector, Exporter } from "../telemetry/sdk-metrics";
import { type Attributes, defaultBounds, instruments, type Metric, type Point } from "./instruments";
import { environments, pointsOf } from "./points";
import { sdks } from "./sdks";
import type { Call, Process, World } from "./world";

/** The resource of all telemetry of a process. */
export const resourceOf = (process: Process) =>
  resourceFromAttributes({
    "telemetry.sdk.name": "opentelemetry",
    "telemetry.sdk.language": "python",
    "service.name": process.application,
    "service.version": process.version,
    ...(process.instance === undefined ? {} : { "service.instance.id": process.instance }),
    ...(sdks[process.sdk].labelled ? { "telemetry.sdk.name": "openlit" } : {}),
    ...environments(sdks[process.sdk].environment, process),
  });

/** The SDK in one process. Its exports are those that reach the platform. */
export function processMetrics(process: Process, world: World): Exporter<Call> {
  const reader = new Collector();
  const meter = new MeterProvider({ resource: resourceOf(process), readers: [reader] }).getMeter("made.up");
  const recorders = new Map<Metric, (value: number, attributes: Attributes) => void>();
  const counter = (metric: Metric, unit: string) => {
    const made = meter.createCounter(metric, { unit });
    return (value: number, attributes: Attributes) => made.add(value, attributes);
  };
  const histogram = (metric: Metric, unit: string, explicitBucketBoundaries: number[]) => {
    const made = meter.createHistogram(metric, { unit, advice: { explicitBucketBoundaries } });
    return (value: number, attributes: Attributes) => made.record(value, attributes);
  };
  const recorderOf = (metric: Metric) => {
    const found = recorders.get(metric);
    if (found) return found;
    const { unit, bounds } = instruments[metric];
    const record = bounds ? histogram(metric, unit, sdks[process.sdk].defaultBounds ? defaultBounds : bounds) : counter(metric, unit);
    recorders.set(metric, record);
    return record;
  };
  const record = ({ metric, value, attributes }: Point) => recorderOf(metric)(value, attributes);
  const calls = world.calls.filter((call) => call.process === process);
  return new Exporter(reader, process.exports, calls, (call) => pointsOf(call).forEach(record));
}
