/** Judges what arrives in Prometheus for a dashboard, by one ordered table of findings, each with its cure. */
import { genaiObservabilityTitle, openTelemetryTitle } from "../dashboards/names";
import { genaiLabel } from "../signals/genai";
import { environmentAttributes, exportedJob } from "../signals/identity";
import { type Naming, namings } from "../signals/names/translate";
import type { SdkTelemetry } from "../signals/signal";
import type { Facts, Sender } from "./facts";
import type { CheckedDashboard, CheckTargets, SdkTargets } from "./input";
import { isOfSdk, type Lack, lacking, type Situation, situationOf } from "./situation";
import { applicationsOf, type Finding, firstOf, note, ok } from "./table";

export function judgeSeries(
  { series, sdk }: CheckedDashboard,
  facts: Facts,
  targets: Pick<CheckTargets, "dashboards" | "sdk" | "otlp" | "tenant">,
): Finding {
  const place = targets.tenant && facts.names.length === 0 ? `the tenant ${targets.tenant} (datasourceTenant)` : undefined;
  if (!sdk || !targets.sdk) return judgeNames(series, facts.names, place);
  const situation = situationOf(sdk.telemetry, series, facts, targets, targets.sdk);
  const { shown, missing, arrives } = situation;
  if (!arrives && !targets.otlp.data.includes("metrics"))
    return { ...ok("no metrics are pushed: otlpData is traces"), codes: ["not-pushed"] };
  const told = (all: readonly ((situation: Situation) => Told[])[]) => all.flatMap((finding) => finding(situation));
  const problems = told(findings);
  const isHidden = arrives && shown.length === 0;
  const state: Told = {
    code: isHidden ? "no-data" : missing.length === 0 ? "arrive" : missing.length < series.length ? "some-data" : "no-data-yet",
    text: isHidden ? "no data" : stateOf(series, missing, wordsOf(shown), place),
  };
  const isNormal = missing.length === 0 && problems.length === 0 && !situation.lacks.some(isUnexpected);
  const all = [state, ...problems, ...told(lackFindings)];
  return { ...(isNormal ? ok : note)(all.map(({ text }) => text).join(". ")), codes: all.map(({ code }) => code) };
}

/** For a dashboard of a service. The series of another service have another word before `_llm_`. */
function judgeNames(series: readonly string[], names: readonly string[], place?: string): Finding {
  const missing = series.filter((name) => !names.includes(name));
  const state = stateOf(series, missing, "", place);
  if (missing.length === 0) return ok(state);
  const others = names.filter((name) => missing.some((other) => other.replace(/^.+?_llm_/, "") === name.replace(/^.+?_llm_/, "")));
  return note(others.length > 0 ? `${state}; found ${firstOf(others)}: check the setting service` : state);
}

/** @param place where nothing at all was found: with several tenants, telemetry can be in another one */
function stateOf(series: readonly string[], missing: readonly string[], words = "", place?: string): string {
  const what = words && ` (${words})`;
  if (missing.length === 0) return `arrive${what}`;
  const state = missing.length < series.length ? `not all data yet${what}` : "no data yet";
  return `${state}: no ${firstOf(missing)} in the last 24 hours${place ? `, in ${place}` : ""}`;
}

const titles: Record<SdkTelemetry, string> = { spec: genaiObservabilityTitle, otel: openTelemetryTitle };
const forms: Record<Naming, string> = { prometheus: "with suffixes", "no-suffixes": "without suffixes" };

const wordsOf = (senders: readonly Sender[]) =>
  [...new Set(senders.flatMap(({ convention }) => convention?.words ?? []))].sort().join(" and ");

const set = "npx pulumi config set";
const record = `${set} recordingRules grafana`;
const sending = ({ environmentAttribute: read = environmentAttributes[0] }: SdkTargets) => `OTEL_RESOURCE_ATTRIBUTES=${read}=production`;
const promoting =
  "otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, resource_to_telemetry_conversion in a collector";

const unreadMetrics = (names: readonly string[]) =>
  `metrics under other names, which no panel reads: ${firstOf(names, 3)}. Use an instrumentation that follows OpenTelemetry's conventions for generative AI`;

/** A finding, and its sentence. */
type Told = { code: string; text: string };

/** A finding: its text, if its condition finds something. */
const finding =
  <T>(code: string, condition: (situation: Situation) => readonly T[], text: (found: readonly T[], situation: Situation) => string) =>
  (situation: Situation): Told[] => {
    const found = condition(situation);
    return found.length > 0 ? [{ code, text: text(found, situation) }] : [];
  };

/** All that apply are told, in this order. What cannot be told apart is one finding, which says "either … or". */
const findings = [
  finding(
    "other-naming",
    ({ misnamed }) => namings.filter((naming) => misnamed.some(({ name, convention }) => convention?.names(naming).includes(name))),
    ([naming = "prometheus"]) => `Prometheus stores the names ${forms[naming]}. Read these: ${set} metricNaming ${naming}`,
  ),
  finding(
    "not-translated",
    ({ dotted, missing }) => (missing.length > 0 ? dotted : []),
    (names) =>
      `A component does not translate OTLP's names, such as ${names[0]}: check otlp.translation_strategy in Prometheus, or in a collector`,
  ),
  finding(
    "other-names",
    ({ others, isEmpty, hasOther }) => (hasOther && !isEmpty ? [] : others),
    (others, { hasOther }) => {
      const telemetry = others[0]?.convention?.telemetry ?? "otel";
      const cure = hasOther ? `To remove this dashboard: ${set} telemetry ${telemetry}` : `To add it: ${set} telemetry both`;
      return `Other names arrive: ${wordsOf(others)}. "${titles[telemetry]}" reads them. ${cure}`;
    },
  ),
  finding(
    "other-sdk",
    ({ telemetry, shown, hidden, settings }) =>
      telemetry === "spec" && shown.length === 0 ? hidden.filter((sender) => !isOfSdk(sender, settings)) : [],
    (_senders, { settings }) =>
      `No series has ${genaiLabel("sdk")} "${settings.name}", by which every panel filters. Set sdkName to the name that the SDK sends`,
  ),
  finding(
    "without-labels",
    ({ telemetry, hidden, settings }) => (telemetry === "spec" ? hidden.filter((sender) => isOfSdk(sender, settings)) : []),
    (senders) =>
      `The series of ${applicationsOf(senders)} lack ${[...new Set(senders.flatMap(lacking))].join(" and ")}, by which every panel filters: either a ` +
      `collector removes what OpenLIT sends up to 1.33, or the SDK is a later one, for "${openTelemetryTitle}"`,
  ),
  finding(
    "names-only-recorded",
    ({ telemetry, hidden }) => (telemetry === "otel" ? hidden : []),
    (senders) => `Panels leave out ${applicationsOf(senders)}, since only recording rules read ${wordsOf(senders)}: ${record}`,
  ),
  finding(
    "exported-job",
    ({ telemetry, shown, settings }) =>
      telemetry === "otel" && settings.environmentAttribute !== undefined ? shown.filter(({ labels }) => labels[exportedJob]) : [],
    (senders) =>
      `Panels show ${applicationsOf(senders)} as ${senders[0]?.labels.job}: Prometheus scrapes a collector and has the application in ${exportedJob}. Set ` +
      `honor_labels: true for this scrape. Or let recording rules read it: ${record}`,
  ),
  finding(
    "silent-budget",
    ({ budgeted }) => budgeted,
    (names) => `alertBudgets: ${firstOf(names)} sent nothing in the last 24 hours. Check whether it is the name of an application`,
  ),
  finding(
    "counted-turns",
    ({ turns }) => turns,
    (senders) => `Panels count turns of agents of ${applicationsOf(senders)} as requests, and recording rules do not: ${record}`,
  ),
  finding(
    "environment-by-another-label",
    ({ unnamed }) => unnamed.filter(({ environments }) => environments.length > 0),
    (senders, { settings }) =>
      `No environment for ${applicationsOf(senders)}: panels read ${settings.environmentAttribute}, not ${senders[0]?.environments[0]}. Recording rules ` +
      `read both: ${record}. Or read this one: ${set} environmentAttribute ${senders[0]?.environments[0]}`,
  ),
  finding(
    "environment-in-resource",
    ({ unnamed }) => unnamed.filter(({ resource = [] }) => resource.length > 0),
    (senders) => {
      const [attribute] = senders.flatMap(({ resource = [] }) => resource);
      return (
        `No environment for ${applicationsOf(senders)}: ${attribute} is in target_info only. Recording rules read it there: ${record}. Or promote it: ` +
        `${promoting}, and ${set} environmentAttribute ${attribute}`
      );
    },
  ),
  finding(
    "environment-not-set",
    ({ unnamed }) => unnamed.filter(({ resource }) => resource?.length === 0),
    (senders, { settings }) => `No environment for ${applicationsOf(senders)}: set it in the application: ${sending(settings)}`,
  ),
  finding(
    "environment-not-stored",
    ({ unnamed }) => unnamed.filter(({ environments, resource }) => environments.length === 0 && resource === undefined),
    (senders, { settings }) =>
      `No environment for ${applicationsOf(senders)}: either the application sends none: ${sending(settings)}, or nothing stores the attribute, neither ` +
      `as a label nor in target_info. To promote it: ${promoting}`,
  ),
  finding(
    "metrics-of-its-own",
    ({ silent }) => silent.filter(({ metrics }) => metrics.length > 0),
    (senders) => `${applicationsOf(senders)} sends spans, and ${unreadMetrics(senders.flatMap(({ metrics }) => metrics))}`,
  ),
  finding(
    "unknown-metrics",
    ({ unread }) => unread,
    (names) => `There are ${unreadMetrics(names)}`,
  ),
  finding(
    "only-spans",
    ({ silent }) => silent.filter(({ by, metrics }) => by !== "OpenInference" && metrics.length === 0),
    (senders) =>
      `Spans of ${applicationsOf(senders)} arrive, but no metrics: either the application exports traces only` +
      `${senders.some(({ by }) => by === "LiteLLM") ? ", as LiteLLM does without LITELLM_OTEL_INTEGRATION_ENABLE_METRICS=true" : ""}, or its metrics are ` +
      "refused, as Prometheus refuses delta temporality. Set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does",
  ),
  finding(
    "openinference",
    ({ silent }) => silent.filter(({ by, metrics }) => by === "OpenInference" && metrics.length === 0),
    (senders) => `${applicationsOf(senders)} sends spans of OpenInference, whose instrumentations send no metrics, which panels read`,
  ),
];

const isUnexpected = ({ quantity, nowhere, onlyRecorded }: Lack) => onlyRecorded.length > 0 || (quantity.isExpected && nowhere.length > 0);

/** What applications do not send, and the panels that stay empty: it is normal for what the conventions do not have. */
const lackFindings = [
  finding(
    "quantities-only-recorded",
    ({ lacks }) => lacks.filter(({ onlyRecorded }) => onlyRecorded.length > 0),
    (lacks) =>
      `Only recording rules read ${lacks.map(({ quantity, onlyRecorded }) => `the ${quantity.words} of ${applicationsOf(onlyRecorded)}`).join(", ")}: ${record}`,
  ),
  finding(
    "quantities-not-sent",
    ({ lacks }) => lacks.filter(({ nowhere }) => nowhere.length > 0),
    (lacks) =>
      lacks
        .map(({ quantity, nowhere }) => `No ${quantity.words} from ${applicationsOf(nowhere)}: nothing in ${quantity.panels}`)
        .join(". "),
  ),
];
