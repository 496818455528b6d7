/** Metrics of a process in OTLP as JSON: all that it has counted so far, at the times of its exports. */
import type { Call, Process, World } from "../world/world";
import { type Attributes, instruments, type Metric, type Point } from "./instruments";
import { attributesIn, inBatches, resourceOf, scope } from "./otlp";
import { environments, pointsOf } from "./points";
import { boundsOf, sdks } from "./sdks";

/** What a process has counted with the same attributes. */
type Counted = { attributes: ReturnType<typeof attributesIn>; count: number; sum: number; bucketCounts: number[] };

/** OTLP's number for values since the start of a process. */
const cumulative = { aggregationTemporality: 2 };

/** JSON has no NaN. */
const double = (value: number) => (Number.isNaN(value) ? "NaN" : value);

/** The resource of what a scraped collector exports. */
const collector = { attributes: attributesIn({ "service.name": "otel-collector", "service.instance.id": "collector:8889" }) };

/** The metrics of one process, exported part by part. Its exports are those that reach the platform. */
export class ProcessMetrics {
  private readonly counted = new Map<Metric, Map<string, Counted>>();
  /** The exports that are not made yet, and the calls that are not counted yet, oldest first. */
  private times: readonly number[];
  private calls: readonly Call[];

  constructor(
    private readonly process: Process,
    world: World,
  ) {
    this.times = process.exports;
    this.calls = world.calls.filter((call) => call.process === process);
  }

  /** The exports up to `time`, which is included, that were not returned before: bodies of requests to `/v1/metrics`. */
  exportsUntil(time: number): string[] {
    const due = this.times.filter((at) => at <= time);
    this.times = this.times.slice(due.length);
    const made = due.map((at) => {
      const ended = this.calls.filter(({ end }) => end <= at);
      this.calls = this.calls.slice(ended.length);
      for (const point of ended.flatMap(pointsOf)) this.count(point);
      const metrics = [...this.counted].map(([metric, points]) => this.metricAt(at, metric, [...points.values()]));
      return { scope, metrics: this.process.scraped && metrics.length > 0 ? [...metrics, this.info(at)] : metrics };
    });
    // Before its first call, a process has no metrics.
    const exported = made.filter(({ metrics }) => metrics.length > 0);
    const batches = inBatches(exported, 60);
    const resource = this.process.scraped ? collector : resourceOf(this.process);
    return batches.map((scopeMetrics) => JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics }] }));
  }

  /** What Prometheus makes of the labels of a collector's exporter. */
  private exported(): Attributes {
    const { scraped, application, instance } = this.process;
    return scraped ? { exported_job: application, exported_instance: instance } : {};
  }

  /** What the exporter makes of the resource. */
  private info(at: number) {
    const attributes = attributesIn({ ...this.exported(), ...environments(sdks[this.process.sdk].environment, this.process) });
    return { name: "target_info", gauge: { dataPoints: [{ timeUnixNano: `${at}000000`, attributes, asDouble: 1 }] } };
  }

  private count({ metric, value, attributes }: Point): void {
    const bounds = boundsOf(this.process.sdk, metric);
    const points = this.counted.get(metric) ?? new Map<string, Counted>();
    this.counted.set(metric, points);
    const key = JSON.stringify(attributes);
    const point = points.get(key) ?? {
      attributes: attributesIn({ ...attributes, ...this.exported() }),
      count: 0,
      sum: 0,
      bucketCounts: [...bounds, 0].fill(0),
    };
    points.set(key, point);
    point.count += 1;
    point.sum += value;
    const bucket = bounds.filter((bound) => bound < value).length;
    point.bucketCounts[bucket] = (point.bucketCounts[bucket] as number) + 1;
  }

  private metricAt(at: number, name: Metric, points: readonly Counted[]) {
    const times = { startTimeUnixNano: `${Math.round(this.process.start)}000000`, timeUnixNano: `${at}000000` };
    const { unit, bounds } = instruments[name];
    if (!bounds) {
      const dataPoints = points.map(({ attributes, sum }) => ({ ...times, attributes, asDouble: double(sum) }));
      return { name, unit, sum: { ...cumulative, isMonotonic: true, dataPoints } };
    }
    const explicitBounds = boundsOf(this.process.sdk, name);
    // A copy: the process goes on counting.
    const dataPoints = points.map((point) => ({
      ...times,
      explicitBounds,
      ...point,
      sum: double(point.sum),
      bucketCounts: [...point.bucketCounts],
    }));
    return { name, unit, histogram: { ...cumulative, dataPoints } };
  }
}
