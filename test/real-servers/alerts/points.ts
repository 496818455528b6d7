/** What SDKs count of a call, by the names of conventions.ts and of inference.ts, and what recording rules make of it. */
import { type Measure, recordedMeasure } from "../../../src/signals/measures";
import { conventions, tokenTypes } from "../../../src/signals/names/conventions";
import { inference } from "../../../src/signals/names/inference";
import { labelName, type Metric, seriesName } from "../../../src/signals/names/translate";
import { openTelemetryMeasures } from "../../../src/signals/opentelemetry-measures";
import type { Labels } from "../telemetry/service";
import { type Application, applicationOf } from "./applications";
import type { Call } from "./calls";

/** A counter of a process. */
export interface Point {
  /** Its labels without those of the process. */
  labels: Labels;
  /** By how much a call increases it. */
  amount: (call: Call) => number;
  /** Name and labels of the series in which a rule records it. Undefined if no alert reads it. */
  recorded: Labels | undefined;
}

const naming = "prometheus";
const measures = openTelemetryMeasures(naming);
const { metrics, attributes } = conventions;

// Those of the conventions without the smallest, which no call reaches.
const requestBounds = [0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const firstTokenBounds = [0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24];

const labelled = (values: Readonly<Record<string, string | undefined>>): Labels =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[labelName(name, naming), value]])));

/** The labels of the points of a process, without those of a call. */
const ownLabels = ({ name, environment, environmentOnPoints }: Application): Labels =>
  environmentOnPoints ? labelled({ "service.name": name, "deployment.environment": environment }) : {};

/** Calls of a process with the same value increase the same counters. */
export const kindOf = ({ model, error, firstToken }: Call) => [model.model, error, firstToken !== undefined].join();

/** The counters of a call, the same ones for each call of its kind. */
export function pointsOf({ application: name, model: { provider, model }, error, firstToken }: Call): Point[] {
  const application = applicationOf(name);
  const identity = { application: name, environment: application.environment, provider, model };
  const own = {
    ...ownLabels(application),
    ...labelled({ [attributes.operation]: "chat", [attributes.provider]: provider, [attributes.model]: model }),
  };
  const point: PointOf = (series, amount, labels, measure) => ({
    labels: { __name__: series, ...own, ...labels },
    amount,
    recorded: measure && { __name__: recordedMeasure(measure), ...identity, ...kept(measure, { ...own, ...labels }) },
  });
  const isG2 = application.names === "inference";
  const failed = labelled({ [attributes.error]: error });
  const requests = histogram(
    point,
    { metric: isG2 ? inference.metrics.operations : metrics.operations, bounds: requestBounds, labels: failed },
    ({ start, end }) => (end - start) / 1000,
    { count: measures.requests, bucket: measures.latency },
  );
  const streamed = histogram(
    point,
    { metric: isG2 ? inference.metrics.firstChunk : metrics.firstChunk, bounds: firstTokenBounds, labels: {} },
    (call) => call.firstToken ?? 0,
    { bucket: measures.firstToken },
  );
  const cost = histogram(point, { metric: metrics.cost, bounds: [], labels: failed }, (call) => call.cost, {
    count: measures.costs,
    sum: measures.cost,
  });
  const hasCost = application.costs === "all" || (application.costs === "succeeded" && !error);
  return [
    ...requests,
    ...(firstToken === undefined ? [] : streamed),
    ...(error ? [] : isG2 ? countedTokens(point) : tokens(point)),
    ...(hasCost ? cost : []),
  ];
}

type PointOf = (series: string, amount: Point["amount"], labels: Labels, measure?: Measure) => Point;

function histogram(
  point: PointOf,
  { metric, bounds, labels }: { metric: Metric; bounds: readonly number[]; labels: Labels },
  measured: (call: Call) => number,
  read: { count?: Measure; sum?: Measure; bucket?: Measure },
): Point[] {
  const bucket = (bound: number, le: string) =>
    point(seriesName(metric, naming, "bucket"), (call) => (measured(call) <= bound ? 1 : 0), { ...labels, le }, read.bucket);
  return [
    point(seriesName(metric, naming, "count"), () => 1, labels, read.count),
    point(seriesName(metric, naming, "sum"), measured, labels, read.sum),
    ...bounds.map((bound) => bucket(bound, `${bound}`)),
    bucket(Number.POSITIVE_INFINITY, "+Inf"),
  ];
}

const amounts = { input: ({ input }: Call) => input, output: ({ output }: Call) => output };
const types = ["input", "output"] as const;
const typeLabel = labelName(attributes.tokenType, naming);

const tokens = (point: PointOf): Point[] =>
  types.flatMap((type) => {
    const labels = { [typeLabel]: tokenTypes[type] };
    return [
      point(seriesName(metrics.tokens, naming, "sum"), amounts[type], labels, measures.tokens),
      point(seriesName(metrics.tokens, naming, "count"), () => 1, labels),
    ];
  });

/** The counters of inference.ts have the type of the tokens in their names. The rule adds the label. */
const countedTokens = (point: PointOf): Point[] =>
  types.map((type) => {
    const { recorded, ...counter } = point(seriesName(inference.metrics[`${type}Tokens`], naming), amounts[type], {}, measures.tokens);
    return { ...counter, recorded: recorded && { ...recorded, [typeLabel]: tokenTypes[type] } };
  });

/** The labels of a counter that its recording rule keeps, apart from the common ones. */
const kept = ({ labels, bounds }: Measure, own: Labels): Labels =>
  Object.fromEntries(Object.entries(own).filter(([name]) => labels.includes(name) || (bounds && name === "le")));
