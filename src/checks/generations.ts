/** The generations of names that SDKs send, and how many applications send them. */
import { conventions } from "../signals/names/conventions";
import { inference } from "../signals/names/inference";
import { spec } from "../signals/names/spec";
import { type HistogramPart, type Metric, type Naming, namings, seriesName } from "../signals/names/translate";
import type { SdkTelemetry } from "./input";
import type { Sender } from "./queries";

interface GenerationOfNames {
  telemetry: SdkTelemetry;
  words: string;
  /** Names that no other generation has, in all namings. */
  signs: readonly string[];
}

const formsOf = (metric: Metric, part?: HistogramPart) => namings.map((naming) => seriesName(metric, naming, part));

const ofSpec: GenerationOfNames = {
  telemetry: "spec",
  words: "OpenLIT's names of 2024",
  // Not costs and requests to databases: later releases of OpenLIT still send them.
  signs: [spec.metrics.requests, spec.metrics.tokens, spec.metrics.promptTokens, spec.metrics.completionTokens].flatMap((metric) =>
    formsOf(metric),
  ),
};
const ofConventions: GenerationOfNames = {
  telemetry: "otel",
  words: "OpenTelemetry's conventions up to 1.41",
  signs: [...formsOf(conventions.metrics.operations, "count"), ...formsOf(conventions.metrics.tokens, "sum")],
};
const ofInference: GenerationOfNames = {
  telemetry: "otel",
  words: "OpenTelemetry's conventions after 1.41",
  signs: formsOf(inference.metrics.operations, "count"),
};
const generations = [ofSpec, ofConventions, ofInference];

/** The names by which generations are told apart. */
export const signs: readonly string[] = generations.flatMap((generation) => generation.signs);

/** The names by which a telemetry is recognized, in all namings. */
export const signsOf = (telemetry: SdkTelemetry) =>
  generations.filter((each) => each.telemetry === telemetry).flatMap((each) => each.signs);

/** The sign of the latest generation. */
export const latest = (naming: Naming) => seriesName(inference.metrics.operations, naming, "count");

/** Whether the series is of OpenTelemetry's conventions. */
export const isOfConventions = ({ name }: Sender) => signsOf("otel").includes(name);

/** The generations that arrive, with the number of applications. */
export function described(senders: readonly Sender[]): string {
  const parts = generations.flatMap(({ words, signs }) => {
    const applications = applicationsOf(senders.filter(({ name }) => signs.includes(name)));
    return applications.size > 0 ? [`${words}, from ${counted(applications)}`] : [];
  });
  return parts.join(", and ");
}

/** The series of applications that have no environment in any label. */
export function withoutEnvironment(senders: readonly Sender[]): Sender[] {
  const known = applicationsOf(senders.filter(({ otel }) => otel.environments.length > 0));
  return senders.filter(({ otel }) => !known.has(otel.application));
}

export const counted = ({ size }: ReadonlySet<string>) => `${size} ${size === 1 ? "application" : "applications"}`;

/** The applications, those without a name as one. */
export const applicationsOf = (senders: readonly Sender[]) =>
  new Set(senders.map(({ name, spec, otel }) => (ofSpec.signs.includes(name) && spec.application) || otel.application));
