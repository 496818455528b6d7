/** The situation of one dashboard of SDKs' telemetry: what the facts say about its series. */
import { genaiLabel } from "../signals/genai";
import { type Naming, namings } from "../signals/names/translate";
import type { SdkTelemetry } from "../signals/signal";
import type { Facts, Sender } from "./facts";
import type { CheckTargets, SdkTargets } from "./input";
import { quantities, seriesOf } from "./sent-conventions";

export type Situation = ReturnType<typeof situationOf>;

export function situationOf(
  telemetry: SdkTelemetry,
  series: readonly string[],
  facts: Facts,
  { dashboards, otlp }: Pick<CheckTargets, "dashboards" | "otlp">,
  settings: SdkTargets,
) {
  const { names, senders } = facts;
  const own = senders.filter(({ convention }) => convention?.telemetry === telemetry);
  /** Series of this telemetry in another naming, and related names with dots. */
  const misnamed = own.filter(({ name, convention }) => !convention?.names(settings.naming).includes(name));
  const dotted = names.filter((name) => name.includes("."));
  const read = senders.filter((sender) => series.includes(sender.name) || (own.includes(sender) && !misnamed.includes(sender)));
  /** What panels show, and the names of the series that they miss; of an application with the conventions, what it lacks. */
  const shown = read.filter((sender) => isVisible(telemetry, sender, settings));
  const isComplete = telemetry === "otel" && shown.length > 0;
  const missing = series.filter((name) => !isComplete && !shown.some((sender) => sender.name === name));
  const hasOther = dashboards.some(({ sdk }) => sdk && sdk.telemetry !== telemetry);
  /** Applications of all dashboards that send one form of names only: that of the settings, or another one. */
  const formed = senders.filter((sender) => formOf(sender) && (hasOther || own.includes(sender)));
  const inForm = formed.filter((sender) => formOf(sender) === settings.naming);
  const inOther = formed.filter((sender) => !inForm.includes(sender));
  const [fitting, different] = [without(inOther, inForm), without(inForm, inOther)];
  const lacks = isComplete ? lacksOf(without(different, shown), senders, settings.naming) : [];
  /** Applications of which panels show nothing, although the dashboard reads the names that they send. */
  const hidden = without(shown, own).filter((sender) => read.includes(sender));
  /** Applications without an environment in the panels. */
  const identified = telemetry === "otel" ? shown : [];
  const named = identified.filter(({ environments, resource = [] }) => environments.length + resource.length > 0);
  const unnamed = without(named, identified);
  const isEmpty = shown.length === 0 && own.length === 0;
  /** Applications with the names of the other dashboard. If it exists, they matter only where nothing else arrives. */
  const foreign = senders.filter(({ convention }) => convention && convention.telemetry !== telemetry);
  const others = isEmpty || !hasOther ? without(shown, foreign) : [];
  /** Whether anything arrives in Prometheus, for this dashboard or the other one. */
  const arrives = !isEmpty || others.length > 0 || dotted.length > 0;
  /** Applications whose spans the table of this dashboard shows, or none does. */
  const silent = otlp.data.includes("metrics") ? facts.silent.filter((sender) => (sender.telemetry ?? "otel") === telemetry) : [];
  const known = { fitting, different, dotted, others, hidden, unnamed, silent, hasOther, arrives };
  return { ...facts, ...known, telemetry, settings, shown, missing, lacks };
}

/** The form of a series' name, if it is that of one form only. */
function formOf({ name, convention }: Sender): Naming | undefined {
  const [form, ...others] = namings.filter((naming) => convention?.names(naming).includes(name));
  return others.length === 0 ? form : undefined;
}

/** What some applications do not send. */
const lacksOf = (shown: readonly Sender[], senders: readonly Sender[], naming: Naming) =>
  quantities
    .map((quantity) => {
      const sent = senders.filter(({ name }) => seriesOf(quantity, naming).includes(name));
      return { ...quantity, applications: without(sent, shown) };
    })
    .filter(({ applications }) => applications.length > 0);

/** The senders whose application is not among the known ones. */
const without = (known: readonly Sender[], senders: readonly Sender[]) =>
  senders.filter(({ application }) => !known.some((other) => other.application === application));

/** The labels that a series lacks, without which no panel of the spec's dashboard shows it. */
export const lacking = ({ labels }: Sender) => [genaiLabel("application"), genaiLabel("environment")].filter((label) => !labels[label]);

/** Whether a series has the setting `sdkName`, by which panels of the spec's dashboard filter. */
export const isOfSdk = ({ labels }: Sender, { name }: SdkTargets) => labels[genaiLabel("sdk")] === name;

const isVisible = (telemetry: SdkTelemetry, sender: Sender, settings: SdkTargets) =>
  telemetry === "otel" || (isOfSdk(sender, settings) && lacking(sender).length === 0);
