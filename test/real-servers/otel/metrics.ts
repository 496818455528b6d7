/** Metrics of a process through the OpenTelemetry SDK: exported once a minute, at the times of the made-up calls. */
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { Collector, Exporter } from "../telemetry/sdk-metrics";
import { defaultBounds, instruments, type Point } from "./instruments";
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
