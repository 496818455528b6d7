/** The conventions of names that SDKs send, and what an SDK may lack. */
import { conventions as current } from "../signals/names/conventions";
import { inference } from "../signals/names/inference";
import { spec } from "../signals/names/spec";
import { spring } from "../signals/names/spring";
import { type HistogramPart, type Metric, type Naming, namings, seriesName } from "../signals/names/translate";
import type { MeasureName } from "../signals/opentelemetry-measures";
import { sentSeries } from "../signals/opentelemetry-rules";
import type { SdkTelemetry } from "../signals/signal";

export interface Convention {
  /** The dashboard that shows it. */
  telemetry: SdkTelemetry;
  words: string;
  /** Those in which it has the name that was looked up. */
  namings: readonly Naming[];
}

const { requests, tokens: allTokens, promptTokens, completionTokens } = spec.metrics;
const { operations, tokens } = current.metrics;
const later = inference.metrics.operations;
const micrometer = spring.metrics;
const counted = (metric: Metric): [Metric, HistogramPart] => [metric, "count"];

/** Each with series by which it is recognized: no other convention before it has them. */
const conventions: readonly [SdkTelemetry, words: string, ...series: [Metric, HistogramPart?][]][] = [
  // Not costs and requests to databases: later releases of OpenLIT still send them.
  ["spec", "OpenLIT's names of 2024", [requests], [allTokens], [promptTokens], [completionTokens]],
  ["otel", "OpenTelemetry's conventions up to 1.41", [operations, "count"], [tokens, "sum"]],
  ["otel", "OpenTelemetry's conventions after 1.41", [later, "count"]],
  // Prometheus stores a histogram of this kind as one series.
  ["otel", "exponential histograms", [operations], [tokens], [later]],
  ["otel", "Micrometer's names", ...[micrometer.operations, micrometer.scrapedOperations, micrometer.durations].map(counted)],
];

const names = conventions.flatMap(([telemetry, words, ...series]) =>
  namings.flatMap((naming) => series.map(([metric, part]) => ({ name: seriesName(metric, naming, part), telemetry, words, naming }))),
);

/** The convention that has a name, in any naming. */
export function conventionOf(name: string): Convention | undefined {
  const [first, ...others] = names.filter((each) => each.name === name);
  return first && { ...first, namings: [...new Set([first, ...others].map(({ naming }) => naming))] };
}

/** What the conventions have and an SDK may lack, with the panels that then stay empty. */
export const quantities: readonly { measure: MeasureName; words: string; panels: string }[] = [
  { measure: "requests", words: "number of requests", panels: "the panels of requests" },
  { measure: "latency", words: "durations", panels: '"p95 Latency" and its graph' },
  { measure: "tokens", words: "tokens", panels: "the panels of tokens" },
];

/** The series that have a quantity; for a histogram its count. */
export const seriesOf = (measure: MeasureName, naming: Naming): readonly string[] =>
  sentSeries(measure, naming).map((name) => name.replace(/_bucket$/, "_count"));

/** Few SDKs send the time to first token: none lacks it. */
const read = [...quantities.map(({ measure }) => measure), "firstToken"] as const;
const namesOfQuantities = namings.flatMap((naming) => read.flatMap((measure) => seriesOf(measure, naming)));

/** Whether a convention or a quantity has a name, in any naming. */
export const isRecognized = (name: string) => namesOfQuantities.includes(name) || conventionOf(name) !== undefined;
