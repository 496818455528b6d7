/** The conventions of names that SDKs send. */
import { conventions } from "../signals/names/conventions";
import { inference } from "../signals/names/inference";
import { spec } from "../signals/names/spec";
import { type Naming, namings, seriesName } from "../signals/names/translate";
import type { SdkTelemetry } from "../signals/signal";

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
];

/** The names by which conventions are recognized, in all namings. */
export const recognizedNames: readonly string[] = sentConventions.flatMap(({ names }) => namings.flatMap(names));

/** The convention that has a name, in any naming. */
export const conventionOf = (name: string) => sentConventions.find(({ names }) => namings.flatMap(names).includes(name));
