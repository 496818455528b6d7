/** Groups the applications by what one dashboard shows of what they send. */
import { genaiLabel } from "../signals/genai";
import { type Naming, namings } from "../signals/names/translate";
import type { SdkTelemetry } from "../signals/signal";
import { quantities, seriesOf } from "./conventions";
import type { Sender, Telemetry } from "./senders";
import type { CheckTargets } from "./targets";

type SdkTargets = NonNullable<CheckTargets["sdk"]>;
export type Groups = ReturnType<typeof groupSenders>;

export function groupSenders(
  { telemetry, series }: { telemetry: SdkTelemetry; series: readonly string[] },
  { names, senders, silent, unread }: Telemetry,
  { dashboards, otlp, sdk: settings }: Pick<CheckTargets, "dashboards" | "otlp"> & { sdk: SdkTargets },
) {
  const { naming } = settings;
  const own = senders.filter(({ convention }) => convention?.telemetry === telemetry);
  const inNaming = own.filter(({ name, convention }) => convention?.names(naming).includes(name));
  const read = senders.filter((sender) => series.includes(sender.name) || inNaming.includes(sender));
  /** What panels show. */
  const shown = read.filter((sender) => telemetry === "otel" || (isOfSdk(sender, settings) && lacking(sender).length === 0));
  const hasAll = telemetry === "otel" && shown.length > 0;
  /** Names of series that panels lack. An application that follows the conventions can lack some of them. */
  const missing = series.filter((name) => !hasAll && !shown.some((sender) => sender.name === name));
  const hasOther = dashboards.some(({ sdk }) => sdk && sdk.telemetry !== telemetry);
  /** Applications of all dashboards that send names in one naming only: `fitting` in the naming of the settings, `different` in another. */
  const ofOneNaming = senders.filter((sender) => namingOf(sender) && (hasOther || own.includes(sender)));
  const inSame = ofOneNaming.filter((sender) => namingOf(sender) === naming);
  const inOther = ofOneNaming.filter((sender) => !inSame.includes(sender));
  const [fitting, different] = [without(inOther, inSame), without(inSame, inOther)];
  const complete = hasAll ? without(different, shown) : [];
  /** What some of the shown applications do not send. */
  const lacks = quantities
    .map((quantity) => {
      const names = seriesOf(quantity, naming);
      return {
        ...quantity,
        applications: without(
          senders.filter(({ name }) => names.includes(name)),
          complete,
        ),
      };
    })
    .filter(({ applications }) => applications.length > 0);
  /** Applications of which panels show nothing, although the dashboard reads the names that they send. */
  const hidden = without(shown, own).filter((sender) => read.includes(sender));
  /** Applications without an environment in the panels. */
  const identified = telemetry === "otel" ? shown : [];
  const unnamed = without(
    identified.filter(({ environments, resource = [] }) => environments.length + resource.length > 0),
    identified,
  );
  /** Applications with the names of the other dashboard. If it exists, they matter only where nothing else arrives. */
  const isEmpty = shown.length === 0 && own.length === 0;
  const foreign = senders.filter(({ convention }) => convention && convention.telemetry !== telemetry);
  const others = isEmpty || !hasOther ? without(shown, foreign) : [];
  const dotted = names.filter((name) => name.includes("."));
  return {
    ...{ telemetry, settings, senders, unread, shown, missing, lacks, fitting, different, dotted, others, hasOther, hidden, unnamed },
    /** Whether anything arrives in Prometheus, for this dashboard or the other one. */
    arrives: !isEmpty || others.length > 0 || dotted.length > 0,
    /** Applications whose spans the table of this dashboard shows, or none does. */
    silent: otlp.data.includes("metrics") ? silent.filter((sender) => (sender.telemetry ?? "otel") === telemetry) : [],
  };
}

/** The naming of a series, if its name exists in one naming only. */
function namingOf({ name, convention }: Sender): Naming | undefined {
  const [naming, ...others] = namings.filter((each) => convention?.names(each).includes(name));
  return others.length === 0 ? naming : undefined;
}

/** The senders whose application is not among the known ones. */
const without = (known: readonly Sender[], senders: readonly Sender[]) =>
  senders.filter(({ application }) => !known.some((other) => other.application === application));

/** The labels that a series lacks, by which every panel of "GenAI Observability" filters. */
export const lacking = ({ labels }: Sender) => [genaiLabel("application"), genaiLabel("environment")].filter((label) => !labels[label]);

/** Whether a series is from the SDK of the settings, by which every panel of "GenAI Observability" filters. */
export const isOfSdk = ({ labels }: Sender, { name }: SdkTargets) => labels[genaiLabel("sdk")] === name;
