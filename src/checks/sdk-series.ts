/** Judges what arrives for a dashboard of SDKs' telemetry: which convention of names, from how many applications, with which labels. */
import { genaiObservabilityTitle, openTelemetryTitle } from "../dashboards/names";
import { genaiLabel } from "../signals/genai";
import { environmentAttributes } from "../signals/identity";
import { labelName } from "../signals/names/translate";
import type { SdkTelemetry } from "../signals/signal";
import { classifyArrival, explain, noData } from "./arrival";
import type { CheckTargets } from "./input";
import type { Sender } from "./queries";
import { applicationsOf, counted, described, distinctNamesOf, latest, withoutEnvironment } from "./sent-conventions";
import { type Finding, note, ok } from "./table";

const otherThan = (telemetry: SdkTelemetry): SdkTelemetry => (telemetry === "spec" ? "otel" : "spec");

const titles: Record<SdkTelemetry, string> = { spec: genaiObservabilityTitle, otel: openTelemetryTitle };

/** What arrives, for all dashboards of SDKs' telemetry. */
export interface Arrivals {
  /** Names of related series. */
  names: readonly string[];
  senders: readonly Sender[];
  /**
   * Where the environment of the conventions' series is: in labels of all that panels show, or in an attribute of `target_info`; `nowhere` without
   * `target_info`.
   */
  environment: "label" | { resource: string } | "not sent" | "nowhere";
  /** Whether a span of the dashboard arrives. */
  spans: Readonly<Partial<Record<SdkTelemetry, boolean>>>;
}

/** The settings of the dashboards of SDKs, and what else is deployed. */
export interface SdkSettings extends Omit<NonNullable<CheckTargets["sdk"]>, "counters"> {
  /** The telemetry whose dashboards exist. */
  deployed: readonly SdkTelemetry[];
  /** Whether applications have the permission to push metrics (`otlpData`). */
  pushesMetrics: boolean;
}

/** @param series names of the series that the dashboard reads */
export function classifyTelemetry(telemetry: SdkTelemetry, series: readonly string[], arrivals: Arrivals, settings: SdkSettings): Finding {
  const { names, senders, spans } = arrivals;
  const read = namesRead(telemetry, series, settings);
  const own = senders.filter(({ name }) => read.includes(name));
  const shown = own.filter((sender) => isVisible(telemetry, sender, settings));
  const recognized = senders.filter(({ name }) => distinctNamesOf(telemetry).includes(name));
  const elsewhere = senders.filter(({ name }) => distinctNamesOf(otherThan(telemetry)).includes(name));
  if (shown.length > 0) {
    const visible = new Set(shown.map(({ name }) => name));
    const hidden = new Set(own.map(({ name }) => name).filter((name) => !visible.has(name)));
    const finding = classifyShown(
      series,
      names.filter((name) => !hidden.has(name)),
      shown,
      settings,
    );
    const problems = [
      ...(telemetry === "otel" ? [...unread(recognized, settings), ...unnamed(shown, arrivals.environment, settings)] : []),
      ...unseen(telemetry, finding, shown, elsewhere, settings),
    ];
    return problems.length > 0 ? note([finding.detail, ...problems].join(". ")) : finding;
  }
  const expected = allNames(telemetry, series, settings);
  const inOtherNaming = explain(
    expected,
    [...new Set(recognized.map(({ name }) => name))].filter((name) => !expected.includes(name)),
  );
  if (inOtherNaming) return note(inOtherNaming);
  if (recognized.length > 0 && telemetry === "otel") return note(`no data. ${unread(recognized, settings).join()}`);
  if (recognized.length > 0) return note(`no data: ${withoutLabels(recognized, elsewhere, settings)}`);
  if (elsewhere.length > 0) return note(`no data: other names arrive: ${described(elsewhere)}. ${move(telemetry, settings)}`);
  const similar = explain(
    series,
    names.filter((name) => !series.includes(name)),
  );
  if (similar) return note(similar);
  if (!settings.pushesMetrics) return ok("no metrics are pushed: otlpData is traces");
  return note(spans[telemetry] ? `${noData(series)}, although spans arrive. ${refused}` : noData(series));
}

/** The latest convention has other names for the same series. */
const allNames = (telemetry: SdkTelemetry, series: readonly string[], { naming }: SdkSettings) =>
  telemetry === "otel" ? [...series, latest(naming)] : series;

/** Only recording rules read the latest names. */
const namesRead = (telemetry: SdkTelemetry, series: readonly string[], settings: SdkSettings) =>
  settings.environmentAttribute === undefined ? allNames(telemetry, series, settings) : series;

const record = "npx pulumi config set recordingRules grafana";

/** The applications that panels leave out without recording rules: those with the latest names only. */
function unread(senders: readonly Sender[], { naming, environmentAttribute }: SdkSettings): string[] {
  if (environmentAttribute === undefined) return [];
  const isLatest = ({ name }: Sender) => name === latest(naming);
  const others = applicationsOf(senders.filter((sender) => !isLatest(sender)));
  const left = new Set([...applicationsOf(senders.filter(isLatest))].filter((application) => !others.has(application)));
  return left.size > 0 ? [`Panels leave out ${counted(left)}, since only recording rules read ${latest(naming)}: ${record}`] : [];
}

/** A panel of the spec's dashboard shows only series with all labels of the spec. */
const isVisible = (telemetry: SdkTelemetry, { spec }: Sender, { name }: SdkSettings) =>
  telemetry === "otel" || (spec.sdk === name && spec.application !== "" && spec.environment !== "");

/** Whether the dashboard shows anything of what the senders send. */
export const isShown = (telemetry: SdkTelemetry, series: readonly string[], senders: readonly Sender[], settings: SdkSettings) =>
  senders.some((sender) => namesRead(telemetry, series, settings).includes(sender.name) && isVisible(telemetry, sender, settings));

/** The finding about the names if the dashboard shows something. */
function classifyShown(series: readonly string[], found: readonly string[], shown: readonly Sender[], { naming }: SdkSettings): Finding {
  // An SDK with the latest names may have no others.
  const isLatest = shown.some(({ name }) => name === latest(naming));
  return isLatest ? ok(`arrive (${described(shown)})`) : classifyArrival(series, found, described(shown));
}

/** What the dashboard lacks, although it arrives for one that is not deployed. An application can send names of both conventions. */
function unseen(
  telemetry: SdkTelemetry,
  { status }: Finding,
  shown: readonly Sender[],
  elsewhere: readonly Sender[],
  settings: SdkSettings,
) {
  if (elsewhere.length === 0 || settings.deployed.includes(otherThan(telemetry))) return [];
  const known = applicationsOf(shown);
  const isKnown = status === "ok" && [...applicationsOf(elsewhere)].every((application) => known.has(application));
  return isKnown ? [] : [`Other names arrive, too: ${described(elsewhere)}. ${move(telemetry, settings)}`];
}

/** How to come to the dashboard that shows what arrives. */
function move(telemetry: SdkTelemetry, { deployed }: SdkSettings): string {
  const other = otherThan(telemetry);
  const set = "npx pulumi config set telemetry";
  const reads = `"${titles[other]}" reads them`;
  return deployed.includes(other)
    ? `${reads}. To remove this dashboard: ${set} ${other}`
    : `${reads}: ${set} both, or ${other} instead of this dashboard`;
}

/** Why no panel shows the series of the spec's names. */
function withoutLabels(senders: readonly Sender[], elsewhere: readonly Sender[], settings: SdkSettings): string {
  const ofSdk = senders.filter(({ spec }) => spec.sdk === settings.name);
  if (ofSdk.length === 0) {
    return `the series arrive, but none has ${genaiLabel("sdk")} "${settings.name}", by which every panel filters. Set sdkName to the name that the SDK sends`;
  }
  const missing = (["application", "environment"] as const).filter((name) => ofSdk.some(({ spec }) => !spec[name])).map(genaiLabel);
  const cure =
    elsewhere.length > 0
      ? `Other names arrive, too: ${described(elsewhere)}. ${move("spec", settings)}`
      : "Check whether a collector removes it. OpenLIT sends it up to 1.33; later releases belong on the dashboard of the setting telemetry otel";
  return `the series arrive without ${missing.join(" and ")}, by which every panel filters. ${cure}`;
}

/** Why applications or environments are "(none)", with the cure. */
function unnamed(senders: readonly Sender[], environment: Arrivals["environment"], settings: SdkSettings): string[] {
  const isAnonymous = senders.every(({ otel }) => !otel.application);
  return [
    ...(isAnonymous ? ['No application: panels show "(none)". Set OTEL_SERVICE_NAME in each application'] : []),
    ...inOtherLabels(senders, settings),
    ...(environment === "label" ? [] : withoutLabel(senders, environment, settings)),
  ];
}

/** The applications whose environment is in another label than the one that panels read. */
function inOtherLabels(senders: readonly Sender[], { environmentAttribute: read }: SdkSettings): string[] {
  if (read === undefined) return [];
  const known = applicationsOf(senders.filter(({ otel }) => otel.environments.includes(read)));
  const others = senders.filter(({ otel }) => otel.environments.length > 0 && !known.has(otel.application));
  const [other] = others.flatMap(({ otel }) => otel.environments);
  if (!other) return [];
  const cure = known.size > 0 ? `Recording rules read both: ${record}` : `Read this one: ${readAttribute(other)}`;
  return [`Environment "(none)" for ${counted(applicationsOf(others))}: panels read ${read}, not ${other}. ${cure}`];
}

const readAttribute = (attribute: string) => `npx pulumi config set environmentAttribute ${attribute}`;

/** Why applications have no environment in any label. */
function withoutLabel(
  senders: readonly Sender[],
  environment: Exclude<Arrivals["environment"], "label">,
  { environmentAttribute: read }: SdkSettings,
): string[] {
  const missing = applicationsOf(withoutEnvironment(senders));
  const areAll = missing.size === applicationsOf(senders).size;
  const problem = areAll ? 'No environment: panels show "(none)"' : `Environment "(none)" for ${counted(missing)}`;
  if (missing.size === 0) return [];
  if (environment === "not sent")
    return [`${problem}. Set it in each application: OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=production`];
  const promoting = (attribute: string) =>
    "otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, resource_to_telemetry_conversion in a collector" +
    (read === undefined || read === attribute ? "" : `, and ${readAttribute(attribute)}`);
  if (environment === "nowhere") {
    const [name] = environmentAttributes;
    const reason = `since neither the label ${labelName(name)} nor target_info is stored`;
    return [`${problem}, ${reason}. Promote ${name}: ${promoting(name)}`];
  }
  if (read === undefined) return [];
  const { resource } = environment;
  const inResource = `${problem}, since ${resource} is in target_info only. Recording rules read it there: ${record}`;
  return [areAll ? `${inResource}. Or promote it: ${promoting(resource)}` : inResource];
}

const refused =
  "The application exports traces only, or its metrics are refused: Prometheus refuses delta temporality. Set " +
  "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does";
