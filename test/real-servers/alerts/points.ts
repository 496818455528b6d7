/** What SDKs count of a call, by the names of conventions.ts and of inference.ts, and the series in which a rule records it: as far as alerts read it. */
import { conventions, tokenTypes } from "../../../src/signals/names/conventions";
import { inference } from "../../../src/signals/names/inference";
import { labelName, type Metric, seriesName } from "../../../src/signals/names/translate";
import { type Measure, openTelemetryMeasures } from "../../../src/signals/opentelemetry-measures";
import type { Labels } from "../telemetry/service";
import { type Application, applicationOf } from "./applications";
import type { Call } from "./calls";

/** A counter of a process. */
export interface Point {
  /** Its labels without those of the process. */
  labels: Labels;
  /** By how much a call increases it. */
  amount: (call: Call) => number;
  /** Name and labels of the series in which a rule records it; undefined for a series by which rules only find processes. */
  recorded?: Labels;
}

const naming = "prometheus";
const measures = openTelemetryMeasures(naming);
const { metrics, attributes } = conventions;

// Those of the conventions without the smallest, which no call reaches.
const requestBounds = [0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const firstTokenBounds = [0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24];

const labelled = (values: Readonly<Record<string, string | undefined>>): Labels =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[labelName(name), value]])));

/** The labels of the points of a process, without those of a call. */
const ownLabels = ({ name, environment, environmentOnPoints }: Application): Labels =>
  environmentOnPoints ? labelled({ "service.name": name, "deployment.environment": environment }) : {};

/** Calls of a process with the same value increase the same counters. */
export const kindOf = ({ model, error, firstToken }: Call) => [model.model, error, firstToken !== undefined].join();

const seconds = ({ start, end }: Call) => (end - start) / 1000;

/** The counters of a call, the same ones for each call of its kind. */
export function pointsOf({ application: name, model: { provider, model }, error, firstToken }: Call): Point[] {
  const application = applicationOf(name);
  const identity = { application: name, environment: application.environment, provider, model };
  const own = {
    ...ownLabels(application),
    ...labelled({ [attributes.operation]: "chat", [attributes.provider]: provider, [attributes.model]: model }),
  };
  /** @param added labels that only the recorded series has */
  const point = (measure: Measure, series: string, amount: Point["amount"], labels: Labels = {}, added: Labels = {}): Point => ({
    labels: { __name__: series, ...own, ...labels },
    amount,
    recorded: { __name__: measure.recorded, ...identity, ...kept(measure, { ...own, ...labels, ...added }) },
  });
  /** Histograms always have it. */
  const count = (metric: Metric, labels: Labels = {}): Point => ({
    labels: { __name__: seriesName(metric, naming, "count"), ...own, ...labels },
    amount: () => 1,
  });
  const buckets = (measure: Measure, metric: Metric, bounds: readonly number[], measured: Point["amount"], labels: Labels = {}) =>
    [...bounds, Number.POSITIVE_INFINITY].map((bound) => {
      const le = Number.isFinite(bound) ? String(bound) : "+Inf";
      return point(measure, seriesName(metric, naming, "bucket"), (call) => (measured(call) <= bound ? 1 : 0), { ...labels, le });
    });
  const tokens = (type: "input" | "output") => {
    const [amount, label] = [(call: Call) => call[type], { [labelName(attributes.tokenType)]: tokenTypes[type] }];
    return isLatest
      ? [point(measures.tokens, seriesName(inference.metrics[`${type}Tokens`], naming), amount, {}, label)]
      : [point(measures.tokens, seriesName(metrics.tokens, naming, "sum"), amount, label), count(metrics.tokens, label)];
  };

  const isLatest = application.names === "inference";
  const failed = labelled({ [attributes.error]: error });
  const operations = isLatest ? inference.metrics.operations : metrics.operations;
  const firstChunk = isLatest ? inference.metrics.firstChunk : metrics.firstChunk;
  const hasCost = application.costs === "all" || (application.costs === "succeeded" && !error);
  return [
    point(measures.requests, seriesName(operations, naming, "count"), () => 1, failed),
    ...buckets(measures.latency, operations, requestBounds, seconds, failed),
    ...(firstToken === undefined
      ? []
      : [...buckets(measures.firstToken, firstChunk, firstTokenBounds, (call) => call.firstToken ?? 0), count(firstChunk)]),
    ...(error ? [] : [...tokens("input"), ...tokens("output")]),
    ...(hasCost
      ? [point(measures.cost, seriesName(metrics.cost, naming, "sum"), ({ cost }) => cost, failed), count(metrics.cost, failed)]
      : []),
  ];
}

/** The labels of a counter that its recording rule keeps, apart from the common ones. */
const kept = ({ labels, bounds }: Measure, own: Labels): Labels =>
  Object.fromEntries(Object.entries(own).filter(([name]) => labels.includes(name) || (bounds && name === "le")));
