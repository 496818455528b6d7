/** Times in recorded exports: between which values a panel is right. The exports contain buckets, and the longest time of each series. */
import type { Metric as MetricName } from "../telemetry/instruments";
import type { Export } from "../telemetry/recorded";

interface HistogramPoint {
  attributes: { key: string; value: Record<string, string> }[];
  sum: number;
  /** Spring AI does not send it. */
  max?: number;
  bucketCounts: (string | number)[];
  explicitBounds: number[];
}

interface ExponentialPoint extends HistogramPoint {
  scale: number;
  positive: { offset: number; bucketCounts: string[] };
}

type Metric = { name: string; histogram?: { dataPoints: HistogramPoint[] }; exponentialHistogram?: { dataPoints: ExponentialPoint[] } };
type Metrics = { resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[] };

/** An exponential histogram with its bounds: powers of 2 ** (2 ** -scale). */
function explicit({ scale, positive, ...point }: ExponentialPoint): HistogramPoint {
  const bounds = [0, ...positive.bucketCounts.map((_, index) => index + 1)].map((index) => 2 ** ((positive.offset + index) / 2 ** scale));
  return { ...point, explicitBounds: bounds, bucketCounts: [0, ...positive.bucketCounts, 0] };
}

export type Range = readonly [from: number, to: number];

/** In milliseconds. */
const ofSpring = "gen_ai.client.operation";
const inSeconds = (point: HistogramPoint): HistogramPoint => ({
  ...point,
  explicitBounds: point.explicitBounds.map((bound) => bound / 1000),
});

/** The points of the first one of these histograms that the SDK sends. */
function pointsOf(exports: readonly Export[], ...metrics: readonly (MetricName | typeof ofSpring)[]): HistogramPoint[] {
  const bodies = exports.filter(({ path }) => path.endsWith("/v1/metrics")).map(({ body }) => body as Metrics);
  const sent = bodies.flatMap(({ resourceMetrics }) => resourceMetrics.flatMap((of) => of.scopeMetrics.flatMap(({ metrics }) => metrics)));
  const points = metrics.map((metric) =>
    sent
      .filter(({ name }) => name === metric)
      .flatMap(({ histogram, exponentialHistogram }) => histogram?.dataPoints ?? exponentialHistogram?.dataPoints.map(explicit) ?? [])
      .filter(({ explicitBounds = [] }) => explicitBounds.length > 0)
      .map((point) => (metric === ofSpring ? inSeconds(point) : point)),
  );
  return points.find(({ length }) => length > 0) ?? [];
}

/** A percentile, as wide as the histogram's bucket. */
function percentile(share: number, points: readonly HistogramPoint[]): Range {
  const times = points.flatMap(({ max = Number.POSITIVE_INFINITY, bucketCounts, explicitBounds }) => {
    const inBuckets = bucketCounts.flatMap((count, index) => {
      const time: Range = [explicitBounds[index - 1] ?? 0, Math.min(explicitBounds[index] ?? max, max)];
      return Array.from({ length: Number(count) }, () => time);
    });
    return Number.isFinite(max) ? [...inBuckets.slice(0, -1), [max, max] as const] : inBuckets;
  });
  const [from, to] = times.sort(([, left], [, right]) => left - right)[Math.ceil(share * times.length) - 1] as Range;
  const bounds = points[0]?.explicitBounds ?? [];
  return [bounds.findLast((bound) => bound < to && bound <= from) ?? 0, bounds.find((bound) => bound >= to) ?? Number.POSITIVE_INFINITY];
}

/** The values of a panel with times, by name. Undefined for other panels. */
export function knownTimes(title: string, recorded: readonly Export[], application: string): Map<string, Range> | undefined {
  const has = ({ attributes }: HistogramPoint, pattern: RegExp) =>
    attributes.some(({ key, value }) => pattern.test(`${key}=${value.stringValue}`));
  // Neither steps of agents nor their turns, which have a server, but no operation, model or error.
  const isTurn = (point: HistogramPoint) =>
    has(point, /^server\.address=./) && !has(point, /^(gen_ai\.(operation\.name|request\.model|response\.model)|error\.type)=./);
  const isRequest = (point: HistogramPoint) => !isTurn(point) && !has(point, /=(invoke_agent|execute_tool)$/);
  switch (title) {
    case "p95 Latency":
    case "p95 Latency by Application": {
      const requests = pointsOf(recorded, "gen_ai.client.operation.duration", "gen_ai.client.inference.duration", ofSpring);
      return new Map([[application, requests.length === 0 ? [0, 0] : percentile(0.95, requests.filter(isRequest))]]);
    }
    case "p95 Time to First Token": {
      // OpenLIT records the second one for requests that are not streamed, too. All recordings contain streamed ones.
      const first = pointsOf(recorded, "gen_ai.client.operation.time_to_first_chunk", "gen_ai.server.time_to_first_token");
      return new Map([[application, first.length === 0 ? [0, 0] : percentile(0.95, first)]]);
    }
    case "Mean Duration by Agent": {
      const points = pointsOf(recorded, "gen_ai.invoke_agent.duration");
      const calls = points.flatMap(({ bucketCounts }) => bucketCounts.map(Number)).reduce((sum, count) => sum + count, 0);
      const mean = points.reduce((sum, point) => sum + point.sum, 0) / calls;
      return calls === 0 ? undefined : new Map([["helper", [mean * 0.999, mean * 1.001]]]);
    }
    case "p95 Latency by System": {
      const points = pointsOf(recorded, "db.client.operation.duration");
      return new Map(points.length === 0 ? [] : [[`qdrant ${application}`, percentile(0.95, points)]]);
    }
  }
  return undefined;
}
