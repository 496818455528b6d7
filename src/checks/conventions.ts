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
  /** Names by which it is recognized: no other convention has them. */
  names: (naming: Naming) => readonly string[];
}

const convention = (telemetry: SdkTelemetry, words: string, ...parts: readonly [Metric, HistogramPart?][]): Convention => ({
  ...{ telemetry, words },
  names: (naming) => parts.map(([metric, part]) => seriesName(metric, naming, part)),
});

const { requests, tokens: allTokens, promptTokens, completionTokens } = spec.metrics;
const { operations, tokens } = current.metrics;
const later = inference.metrics.operations;

const conventions: readonly Convention[] = [
  // Not costs and requests to databases: later releases of OpenLIT still send them.
  convention("spec", "OpenLIT's names of 2024", [requests], [allTokens], [promptTokens], [completionTokens]),
  convention("otel", "OpenTelemetry's conventions up to 1.41", [operations, "count"], [tokens, "sum"]),
  convention("otel", "OpenTelemetry's conventions after 1.41", [later, "count"]),
  // Prometheus stores a histogram of this kind as one series.
  convention("otel", "exponential histograms", [operations], [tokens], [later]),
  convention("otel", "Spring AI's names", [spring.metrics.operations, "count"], [spring.metrics.scrapedOperations, "count"]),
];

/** What the conventions have and an SDK may lack, with the panels that then stay empty. */
type Quantity = { measure: MeasureName; words: string; panels: string };

export const quantities: readonly Quantity[] = [
  { measure: "requests", words: "number of requests", panels: "the panels of requests" },
  { measure: "latency", words: "durations", panels: '"p95 Latency" and its graph' },
  { measure: "tokens", words: "tokens", panels: "the panels of tokens" },
];

/** The series that have a quantity; for a histogram its count. */
export const seriesOf = ({ measure }: Quantity, naming: Naming): readonly string[] =>
  sentSeries(measure, naming).map((name) => name.replace(/_bucket$/, "_count"));

/** The names of conventions and of quantities, in all namings. */
export const recognizedNames: readonly string[] = namings.flatMap((naming) => [
  ...conventions.flatMap(({ names }) => names(naming)),
  ...quantities.flatMap((quantity) => seriesOf(quantity, naming)),
]);

/** The convention that has a name, in any naming. */
export const conventionOf = (name: string) => conventions.find(({ names }) => namings.flatMap(names).includes(name));
