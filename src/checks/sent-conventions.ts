/** The conventions of names that SDKs send, and what an SDK may lack. */
import { conventions } from "../signals/names/conventions";
import { inference } from "../signals/names/inference";
import { spec } from "../signals/names/spec";
import { spring } from "../signals/names/spring";
import { type Naming, namings, seriesName } from "../signals/names/translate";
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

const { requests, tokens, promptTokens, completionTokens } = spec.metrics;

const sentConventions: readonly Convention[] = [
  {
    telemetry: "spec",
    words: "OpenLIT's names of 2024",
    // Not costs and requests to databases: later releases of OpenLIT still send them.
    names: (naming) => [requests, tokens, promptTokens, completionTokens].map((metric) => seriesName(metric, naming)),
  },
  {
    telemetry: "otel",
    words: "OpenTelemetry's conventions up to 1.41",
    names: (naming) => [seriesName(conventions.metrics.operations, naming, "count"), seriesName(conventions.metrics.tokens, naming, "sum")],
  },
  {
    telemetry: "otel",
    words: "OpenTelemetry's conventions after 1.41",
    names: (naming) => [seriesName(inference.metrics.operations, naming, "count")],
  },
  {
    telemetry: "otel",
    words: "exponential histograms",
    // Prometheus stores a histogram of this kind as one series.
    names: (naming) =>
      [conventions.metrics.operations, conventions.metrics.tokens, inference.metrics.operations].map((metric) =>
        seriesName(metric, naming),
      ),
  },
  {
    telemetry: "otel",
    words: "Spring AI's names",
    names: (naming) => [
      seriesName(spring.metrics.operations, naming, "count"),
      seriesName(spring.metrics.scrapedOperations, naming, "count"),
    ],
  },
];

/** What an SDK may lack, with the panels that then stay empty. `isExpected`: the conventions have it. */
export type Quantity = { measure: MeasureName; words: string; panels: string; isExpected: boolean };

export const quantities: readonly Quantity[] = [
  { measure: "requests", words: "number of requests", panels: "the panels of requests", isExpected: true },
  { measure: "latency", words: "durations", panels: '"p95 Latency" and "p95 Latency by Application"', isExpected: true },
  { measure: "tokens", words: "tokens", panels: "the panels of tokens", isExpected: true },
  { measure: "firstToken", words: "time to first token", panels: '"p95 Time to First Token"', isExpected: false },
];

/** The series that have a quantity, of buckets their count. */
export const seriesOf = ({ measure }: Quantity, naming: Naming): readonly string[] =>
  sentSeries(measure, naming).map((name) => name.replace(/_bucket$/, "_count"));

/** The names by which conventions are recognized, and those of what an SDK may lack, in all namings. */
export const recognizedNames: readonly string[] = [
  ...sentConventions.flatMap(({ names }) => namings.flatMap(names)),
  ...quantities.flatMap((quantity) => namings.flatMap((naming) => seriesOf(quantity, naming))),
];

/** The convention that has a name, in any naming. */
export const conventionOf = (name: string) => sentConventions.find(({ names }) => namings.flatMap(names).includes(name));
