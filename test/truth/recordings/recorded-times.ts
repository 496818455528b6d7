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

type ExponentialPoint = HistogramPoint & { scale: number; positive: { offset: number; bucketCounts: string[] } };

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

/** The 95th percentile, as wide as the histogram's bucket. */
function p95(points: readonly HistogramPoint[]): Range {
  const times = points.flatMap(({ max = Number.POSITIVE_INFINITY, bucketCounts, explicitBounds }) => {
    const inBuckets = bucketCounts.flatMap((count, index) => {
      const time: Range = [explicitBounds[index - 1] ?? 0, Math.min(explicitBounds[index] ?? max, max)];
      return Array.from({ length: Number(count) }, () => time);
    });
    return Number.isFinite(max) ? [...inBuckets.slice(0, -1), [max, max] as const] : inBuckets;
  });
  const [from, to] = times.sort(([, left], [, right]) => left - right)[Math.ceil(0.95 * times.length) - 1] as Range;
  const bounds = points[0]?.explicitBounds ?? [];
  return [bounds.findLast((bound) => bound < to && bound <= from) ?? 0, bounds.find((bound) => bound >= to) ?? Number.POSITIVE_INFINITY];
}

const has = ({ attributes }: HistogramPoint, pattern: RegExp) =>
  attributes.some(({ key, value }) => pattern.test(`${key}=${value.stringValue}`));
/** Neither steps of agents nor their turns, which have a server, but no operation, model or error. */
const isTurn = (point: HistogramPoint) =>
  has(point, /^server\.address=./) && !has(point, /^(gen_ai\.(operation\.name|request\.model|response\.model)|error\.type)=./);
const isRequest = (point: HistogramPoint) => !isTurn(point) && !has(point, /=(invoke_agent|execute_tool)$/);

const durationsIn = (recorded: readonly Export[]) =>
  pointsOf(recorded, "gen_ai.client.operation.duration", "gen_ai.client.inference.duration", ofSpring).filter(isRequest);
// OpenLIT records the second one for requests that are not streamed, too. All recordings contain streamed ones.
const firstTokensIn = (recorded: readonly Export[]) =>
  pointsOf(recorded, "gen_ai.client.operation.time_to_first_chunk", "gen_ai.server.time_to_first_token");

function modelOf({ attributes }: HistogramPoint): string {
  const named = ["gen_ai.request.model", "gen_ai.response.model"].map(
    (name) => attributes.find(({ key }) => key === name)?.value.stringValue,
  );
  return named.find(Boolean) ?? "(none)";
}

/** Percentiles by model, of at least ten requests. */
function byModel(points: readonly HistogramPoint[]): Map<string, Range> {
  const models = [...new Set(points.map(modelOf))].map((model) => [model, points.filter((point) => modelOf(point) === model)] as const);
  return new Map(models.flatMap(([model, own]) => (countOf(own) >= 10 ? [[model, p95(own)] as const] : [])));
}

const countOf = (points: readonly HistogramPoint[]) =>
  points.flatMap(({ bucketCounts }) => bucketCounts.map(Number)).reduce((sum, count) => sum + count, 0);

/** Columns with times of the table by model. */
export const knownColumns = (recorded: readonly Export[]): Record<string, Map<string, Range>> => ({
  p95: byModel(durationsIn(recorded)),
  "First token": byModel(firstTokensIn(recorded)),
});

/** The values of a panel with times, by name: of 0, if the SDK sends none. Undefined for other panels. */
export function knownTimes(title: string, recorded: readonly Export[], application: string): Map<string, Range> | undefined {
  const ofAll = (points: readonly HistogramPoint[], name: string) => {
    if (points.length === 0) return new Map([[name, [0, 0] as const]]);
    return new Map(countOf(points) >= 10 ? [[name, p95(points)] as const] : []);
  };
  const known: Record<string, () => Map<string, Range> | undefined> = {
    "p95 Latency": () => ofAll(durationsIn(recorded), "p95"),
    "p95 Latency by $by": () => byModel(durationsIn(recorded)),
    "p95 First Token": () => ofAll(firstTokensIn(recorded), "p95 first token"),
    "p95 First Token by $by": () => byModel(firstTokensIn(recorded)),
    "Mean Duration by Agent": () => {
      const points = pointsOf(recorded, "gen_ai.invoke_agent.duration");
      const mean = points.reduce((sum, point) => sum + point.sum, 0) / countOf(points);
      return points.length === 0 ? undefined : new Map([["helper", [mean * 0.999, mean * 1.001]]]);
    },
    "p95 Latency by System": () => {
      const points = pointsOf(recorded, "db.client.operation.duration");
      return new Map(countOf(points) < 10 ? [] : [[`qdrant ${application}`, p95(points)]]);
    },
  };
  return known[title]?.();
}
