/** The conventions of names that SDKs send, and how many applications send them. */
import { conventions } from "../signals/names/conventions";
import { inference } from "../signals/names/inference";
import { spec } from "../signals/names/spec";
import { type HistogramPart, type Metric, type Naming, namings, seriesName } from "../signals/names/translate";
import type { SdkTelemetry } from "../signals/signal";
import type { Sender } from "./queries";

interface Convention {
  telemetry: SdkTelemetry;
  words: string;
  /** Names that no other convention has, in all namings. */
  distinctNames: readonly string[];
}

const inAllNamings = (metric: Metric, part?: HistogramPart) => namings.map((naming) => seriesName(metric, naming, part));

const ofSpec: Convention = {
  telemetry: "spec",
  words: "OpenLIT's names of 2024",
  // Not costs and requests to databases: later releases of OpenLIT still send them.
  distinctNames: [spec.metrics.requests, spec.metrics.tokens, spec.metrics.promptTokens, spec.metrics.completionTokens].flatMap((metric) =>
    inAllNamings(metric),
  ),
};
const ofConventions: Convention = {
  telemetry: "otel",
  words: "OpenTelemetry's conventions up to 1.41",
  distinctNames: [...inAllNamings(conventions.metrics.operations, "count"), ...inAllNamings(conventions.metrics.tokens, "sum")],
};
const ofInference: Convention = {
  telemetry: "otel",
  words: "OpenTelemetry's conventions after 1.41",
  distinctNames: inAllNamings(inference.metrics.operations, "count"),
};
const conventionsSent = [ofSpec, ofConventions, ofInference];

/** The names by which conventions are told apart. */
export const distinctNames: readonly string[] = conventionsSent.flatMap((convention) => convention.distinctNames);

/** The names by which a telemetry is recognized, in all namings. */
export const distinctNamesOf = (telemetry: SdkTelemetry) =>
  conventionsSent.filter((each) => each.telemetry === telemetry).flatMap((each) => each.distinctNames);

/** The name that only the latest convention has. */
export const latest = (naming: Naming) => seriesName(inference.metrics.operations, naming, "count");

/** Whether the series is of OpenTelemetry's conventions. */
export const isOfConventions = ({ name }: Sender) => distinctNamesOf("otel").includes(name);

/** The conventions that arrive, with the number of applications. */
export function described(senders: readonly Sender[]): string {
  const parts = conventionsSent.flatMap(({ words, distinctNames }) => {
    const applications = applicationsOf(senders.filter(({ name }) => distinctNames.includes(name)));
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
  new Set(senders.map(({ name, spec, otel }) => (ofSpec.distinctNames.includes(name) && spec.application) || otel.application));
