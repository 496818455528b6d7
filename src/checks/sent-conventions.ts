/** The conventions of names that SDKs send, and what an SDK may lack. */
import { conventions } from "../signals/names/conventions";
import { inference } from "../signals/names/inference";
import { spec } from "../signals/names/spec";
import { type Naming, namings, seriesName } from "../signals/names/translate";
import { openTelemetryMeasures } from "../signals/opentelemetry-measures";
import { sentSeries } from "../signals/opentelemetry-rules";
import type { CounterMode, SdkTelemetry } from "../signals/signal";

export interface Convention {
  /** The dashboard that shows it. */
  telemetry: SdkTelemetry;
  words: string;
  /** Names by which it is recognized: no other convention has them. */
  names: (naming: Naming) => readonly string[];
  /** Whether only recording rules read the names, not panels that read counters directly. */
  isOnlyRecorded?: boolean;
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
    isOnlyRecorded: true,
  },
  {
    telemetry: "otel",
    words: "exponential histograms",
    // Prometheus stores a histogram of this kind as one series.
    names: (naming) =>
      [conventions.metrics.operations, conventions.metrics.tokens, inference.metrics.operations].map((metric) =>
        seriesName(metric, naming),
      ),
    isOnlyRecorded: true,
  },
];

/** What an SDK may lack, with the panels that then stay empty. `isExpected`: the conventions have it. */
export type Quantity = { measure: keyof ReturnType<typeof openTelemetryMeasures>; words: string; panels: string; isExpected: boolean };

export const quantities: readonly Quantity[] = [
  { measure: "requests", words: "number of requests", panels: "the panels of requests", isExpected: true },
  { measure: "latency", words: "durations", panels: '"p95 Latency" and "p95 Latency by Application"', isExpected: true },
  { measure: "tokens", words: "tokens", panels: "the panels of tokens", isExpected: true },
  { measure: "firstToken", words: "time to first token", panels: '"p95 Time to First Token"', isExpected: false },
  { measure: "cost", words: "costs", panels: "the panels of costs", isExpected: false },
];

/** The series that have a quantity, of buckets their count; read directly, or by recording rules. */
export function seriesOf({ measure }: Quantity, naming: Naming, mode: CounterMode): readonly string[] {
  const { [measure]: read } = openTelemetryMeasures(naming);
  const series = mode === "direct" ? [read.series] : [...sentSeries(read), ...(read.bounds ? [read.native] : [])];
  return series.map((name) => name.replace(/_bucket$/, "_count"));
}

/** The names by which conventions are recognized, and those of what an SDK may lack, in all namings. */
export const recognizedNames: readonly string[] = [
  ...sentConventions.flatMap(({ names }) => namings.flatMap(names)),
  ...quantities.flatMap((quantity) => namings.flatMap((naming) => seriesOf(quantity, naming, "recorded"))),
];

/** The convention that has a name, in any naming. */
export const conventionOf = (name: string) => sentConventions.find(({ names }) => namings.flatMap(names).includes(name));
