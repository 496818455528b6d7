/** The situation of one dashboard of SDKs' telemetry: what the facts say about its series. */
import { genaiLabel } from "../signals/genai";
import type { SdkTelemetry } from "../signals/signal";
import type { Facts, Sender } from "./facts";
import type { CheckTargets, SdkTargets } from "./input";

export type Situation = ReturnType<typeof situationOf>;

export function situationOf(
  telemetry: SdkTelemetry,
  series: readonly string[],
  { names, senders, spans }: Facts,
  { dashboards }: Pick<CheckTargets, "dashboards">,
  settings: SdkTargets,
) {
  const own = senders.filter(({ convention }) => convention?.telemetry === telemetry);
  const others = senders.filter(({ convention }) => convention && convention.telemetry !== telemetry);
  /** Series of this telemetry in another naming, and related names with dots. */
  const misnamed = own.filter(({ name, convention }) => !convention?.names(settings.naming).includes(name));
  const dotted = names.filter((name) => name.includes("."));
  const read = senders.filter((sender) => series.includes(sender.name) || (own.includes(sender) && !misnamed.includes(sender)));
  /** What panels show, and the names of the series that they miss. An SDK with the latest names may have no others. */
  const shown = read.filter((sender) => isVisible(telemetry, sender, settings));
  const isLatest = shown.some(({ convention }) => convention?.isOnlyRecorded);
  const missing = series.filter((name) => !isLatest && !shown.some((sender) => sender.name === name));
  /** Applications of which panels show nothing, although the dashboard reads the names that they send. */
  const hidden = without(shown, own).filter((sender) => read.includes(sender));
  /** Applications without an environment in the panels. */
  const identified = telemetry === "otel" ? shown : [];
  const named = identified.filter((sender) => hasEnvironment(sender, settings));
  const unnamed = without(named, identified);
  /** Whether nothing of this telemetry arrives in Prometheus, and whether anything does, for this dashboard or the other one. */
  const isEmpty = shown.length === 0 && own.length === 0;
  const arrives = !isEmpty || others.length > 0 || dotted.length > 0;
  const hasOther = dashboards.some(({ sdk }) => sdk && sdk.telemetry !== telemetry);
  const sent = { shown, missing, misnamed, dotted, hidden, unnamed, others: without(shown, others) };
  return { telemetry, settings, hasOther, isEmpty, arrives, spans: spans[telemetry] ?? false, ...sent };
}

/** The senders whose application is not among the known ones. */
const without = (known: readonly Sender[], senders: readonly Sender[]) =>
  senders.filter(({ application }) => !known.some((other) => other.application === application));

/** The labels that a series lacks, without which no panel of the spec's dashboard shows it. */
export const lacking = ({ labels }: Sender) => [genaiLabel("application"), genaiLabel("environment")].filter((label) => !labels[label]);

/** Whether a series has the setting `sdkName`, by which panels of the spec's dashboard filter. */
export const isOfSdk = ({ labels }: Sender, { name }: SdkTargets) => labels[genaiLabel("sdk")] === name;

function isVisible(telemetry: SdkTelemetry, sender: Sender, settings: SdkTargets): boolean {
  if (telemetry === "spec") return isOfSdk(sender, settings) && lacking(sender).length === 0;
  return settings.environmentAttribute === undefined || !sender.convention?.isOnlyRecorded;
}

/** Recording rules read all attributes, in labels and in `target_info`. */
const hasEnvironment = ({ environments, resource = [] }: Sender, { environmentAttribute: read }: SdkTargets) =>
  read === undefined ? environments.length + resource.length > 0 : environments.includes(read);
