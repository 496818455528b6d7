/** Times in recorded exports: which values of a panel are right. The exports contain buckets, and the longest time of each series. */
import type { Recording } from "../telemetry/recorded";
import { instruments } from "./instruments";

interface HistogramPoint {
  count: string | number;
  max?: number;
  bucketCounts: (string | number)[];
  explicitBounds: number[];
}

/** The points of a histogram. */
function pointsOf({ exports }: Recording, metric: string): HistogramPoint[] {
  const bodies = exports.filter(({ path }) => path.endsWith("/v1/metrics")).map(({ body }) => body) as MetricsBody[];
  const metrics = bodies.flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((of) => of.metrics)),
  );
  return metrics.filter(({ name }) => name === metric).flatMap(({ histogram }) => histogram?.dataPoints ?? []);
}

interface MetricsBody {
  resourceMetrics: { scopeMetrics: { metrics: { name: string; histogram?: { dataPoints: HistogramPoint[] } }[] }[] }[];
}

const seconds = instruments["gen_ai.client.operation.duration"].bounds as number[];
const databases = instruments["db.client.operation.duration"].bounds as number[];

type Bucket = readonly [from: number, to: number];

/** The bucket of the conventions with a time. */
const bucketOf = (time: number, bounds: readonly number[]): Bucket => [
  bounds.filter((bound) => bound < time).at(-1) ?? 0,
  bounds.find((bound) => bound >= time) ?? Number.POSITIVE_INFINITY,
];

/** The bucket with the longest time: with less than 20 times, that is the 95th percentile. */
function longest(points: readonly HistogramPoint[], bounds: readonly number[]): Bucket {
  const maxima = points.map(({ max }) => {
    if (max === undefined) throw new Error("A recorded histogram has no maximum");
    return max;
  });
  return bucketOf(Math.max(...maxima), bounds);
}

/** The bucket with the median. */
function median(points: readonly HistogramPoint[]): Bucket {
  const buckets = points
    .flatMap(({ bucketCounts, explicitBounds }) =>
      bucketCounts.flatMap((count, index) =>
        Array.from(
          { length: Number(count) },
          (): Bucket => [explicitBounds[index - 1] ?? 0, explicitBounds[index] ?? Number.POSITIVE_INFINITY],
        ),
      ),
    )
    .sort(([, left], [, right]) => left - right);
  return buckets[Math.ceil(buckets.length / 2) - 1] as Bucket;
}

const within = (value: number | undefined, [from, to]: Bucket) => value !== undefined && value >= from && value <= to;

/** Whether the numbers of a panel with times are right. Undefined for other panels and without recorded times. */
export function knownTimes(title: string, recorded: Recording): ((numbers: Record<string, number>) => boolean) | undefined {
  const requests = pointsOf(recorded, "gen_ai.client.operation.duration");
  if (title === "p95 Latency") return (shown) => within(shown[""], longest(requests, seconds));
  if (title === "Latency") {
    return ({ p50, p95, p99 }) => within(p50, median(requests)) && [p95, p99].every((value) => within(value, longest(requests, seconds)));
  }
  if (title === "Time to First Token") {
    // One request was streamed. OpenLIT records the second one for others, too.
    const [first] = ["gen_ai.client.operation.time_to_first_chunk", "gen_ai.server.time_to_first_token"]
      .map((metric) => pointsOf(recorded, metric))
      .filter(({ length }) => length > 0);
    return ({ p95 }) => first !== undefined && within(p95, longest(first, seconds));
  }
  if (title === "p95 Latency by System") {
    const points = pointsOf(recorded, "db.client.operation.duration");
    return (shown) => (points.length === 0 ? Object.keys(shown).length === 0 : within(shown.qdrant, longest(points, databases)));
  }
  return undefined;
}
