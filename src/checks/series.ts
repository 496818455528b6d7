/** Judges what arrives in Prometheus for a dashboard, by one ordered table of findings, each with its cure. */
import { genaiObservabilityTitle, openTelemetryTitle } from "../dashboards/names";
import { genaiLabel } from "../signals/genai";
import { environmentAttributes } from "../signals/identity";
import { type Naming, namings } from "../signals/names/translate";
import type { SdkTelemetry } from "../signals/signal";
import { type Groups, groupSenders, isOfSdk, lacking } from "./groups";
import type { Sender, Telemetry } from "./senders";
import { applicationsOf, type Finding, firstOf, note, ok } from "./table";
import type { CheckedDashboard, CheckTargets } from "./targets";

export function judgeSeries(
  { series, sdk }: CheckedDashboard,
  telemetry: Telemetry,
  { tenant, sdk: settings, ...targets }: Pick<CheckTargets, "dashboards" | "sdk" | "otlp" | "tenant">,
): Finding {
  const place = tenant && telemetry.names.length === 0 ? `the tenant ${tenant} (datasourceTenant)` : undefined;
  if (!sdk || !settings) return judgeNames(series, telemetry.names, place);
  const groups = groupSenders({ telemetry: sdk.telemetry, series }, telemetry, { ...targets, sdk: settings });
  const { shown, missing, lacks, arrives } = groups;
  if (!arrives && !targets.otlp.data.includes("metrics")) return ok("no metrics are pushed: otlpData is traces");
  const problems = Object.values(findings).flatMap((textOf) => textOf(groups) ?? []);
  const notSent = lacks.map(({ words, panels, applications }) => `No ${words} from ${applicationsOf(applications)}: nothing in ${panels}`);
  const state = arrives && shown.length === 0 ? "no data" : stateOf(series, missing, wordsOf(shown), place);
  // It is normal that an application does not send what the conventions do not have.
  const isNormal = missing.length === 0 && problems.length === 0 && !lacks.some(({ isExpected }) => isExpected);
  return (isNormal ? ok : note)([state, ...problems, ...notSent].join(". "));
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

const differing: Record<Naming, string> = {
  prometheus: "let that application push by OTLP as the others do, or switch off what appends them (add_metric_suffixes in a collector)",
  "no-suffixes":
    "either its metrics have no unit, which the conventions require (s for durations), or what it is scraped from appends none: let it " +
    "push by OTLP",
};

const countOf = (senders: readonly Sender[]) => new Set(senders.map(({ application }) => application)).size;

const wordsOf = (senders: readonly Sender[]) =>
  [...new Set(senders.flatMap(({ convention }) => convention?.words ?? []))].sort().join(" and ");

const set = "npx pulumi config set";
const sending = `OTEL_RESOURCE_ATTRIBUTES=${environmentAttributes[0]}=production`;
const promoting = [
  "otlp.promote_resource_attributes in Prometheus",
  "promote_otel_resource_attributes in Mimir",
  "resource_to_telemetry_conversion in a collector",
].join(", ");

/** The usual names of gateways as applications. Their metrics are no sign: SDKs send gen_ai.server.request.duration, too. */
const gatewayNames = /^(litellm|litellm-proxy|aigw|(envoy-)?ai-gateway|agentgateway)$/;

/** A finding about those that `find` returns; undefined if there are none. */
const finding =
  <T>(find: (groups: Groups) => readonly T[], text: (found: readonly T[], groups: Groups) => string) =>
  (groups: Groups) => {
    const found = find(groups);
    return found.length > 0 ? text(found, groups) : undefined;
  };

/** All that apply are told, in this order. Causes that look alike are one finding, which says "either … or". */
const findings: Record<string, (groups: Groups) => string | undefined> = {
  "other-naming": finding(
    ({ telemetry, different }) => (different.some(({ convention }) => convention?.telemetry === telemetry) ? different : []),
    (different, { fitting, settings: { naming } }) => {
      const other = namings.find((each) => each !== naming) ?? naming;
      const read = `${set} metricNaming ${other}`;
      if (fitting.length === 0) return `Prometheus stores the names ${forms[other]}. Read these: ${read}`;
      const isMinority = countOf(different) <= countOf(fitting);
      const [few, form, many] = isMinority ? [different, other, fitting] : [fitting, naming, different];
      const [ofFew, ofMany] = [`${applicationsOf(few)} are stored ${forms[form]}`, applicationsOf(many)];
      const stored = `The names of ${ofFew}, those of ${ofMany} ${forms[isMinority ? naming : other]}`;
      const advice = `${stored}, and panels read one form: ${differing[form]}`;
      return isMinority ? advice : `${advice}. Then read the others: ${read}`;
    },
  ),
  "not-translated": finding(
    ({ dotted, missing }) => (missing.length > 0 ? dotted : []),
    (names) =>
      `A component does not translate OTLP's names, such as ${names[0]}: check otlp.translation_strategy in Prometheus, or in a ` +
      "collector",
  ),
  "other-names": finding(
    ({ others }) => others,
    (others, { hasOther }) => {
      const telemetry = others[0]?.convention?.telemetry ?? "otel";
      const cure = hasOther ? `To remove this dashboard: ${set} telemetry ${telemetry}` : `To add it: ${set} telemetry both`;
      return `Other names arrive: ${wordsOf(others)}. "${titles[telemetry]}" reads them. ${cure}`;
    },
  ),
  "other-sdk": finding(
    ({ telemetry, hidden, settings }) => (telemetry === "spec" ? hidden.filter((sender) => !isOfSdk(sender, settings)) : []),
    (senders, { shown, settings: { name } }) =>
      shown.length === 0
        ? `No series has ${genaiLabel("sdk")} "${name}", by which every panel filters. Set sdkName to the name that the SDK sends`
        : `The series of ${applicationsOf(senders)} have another ${genaiLabel("sdk")} than "${name}", by which every panel filters: ` +
          "show them in another stack",
  ),
  "without-labels": finding(
    ({ telemetry, hidden, settings }) => (telemetry === "spec" ? hidden.filter((sender) => isOfSdk(sender, settings)) : []),
    (senders) =>
      `The series of ${applicationsOf(senders)} lack ${[...new Set(senders.flatMap(lacking))].join(" and ")}, by which every panel ` +
      `filters: either a collector removes what OpenLIT sends up to 1.33, or the SDK is a later one, for "${openTelemetryTitle}"`,
  ),
  "silent-budget": finding(
    ({ telemetry, settings: { budgets = [] }, senders }) => {
      const active = senders.flatMap(({ application, labels: { job, service_name } }) => [application, service_name, job]);
      return telemetry === "otel" ? budgets.filter((name) => !active.includes(name)) : [];
    },
    (names) => `alertBudgets: ${firstOf(names)} sent nothing in the last 24 hours. Check whether it is the name of an application`,
  ),
  "gateway-not-set": finding(
    ({ telemetry, settings: { gateways }, senders }) => {
      const known = senders
        .map(({ application }) => application)
        .filter((name) => gatewayNames.test(name) && !gateways?.names.includes(name));
      return telemetry === "otel" ? [...new Set(known)] : [];
    },
    (names) =>
      `${names.join(" and ")}: of a gateway, by the name. If applications behind it send metrics, too, their calls count twice: ${set} ` +
      `gateways ${names.join(",")}. If it is an application: set its OTEL_SERVICE_NAME`,
  ),
  "environment-not-set": finding(
    ({ unnamed }) => unnamed.filter(({ resource }) => resource?.length === 0),
    (senders) => `No environment for ${applicationsOf(senders)}: set it in the application: ${sending}`,
  ),
  "environment-not-stored": finding(
    ({ unnamed }) => unnamed.filter(({ environments, resource }) => environments.length === 0 && resource === undefined),
    (senders) =>
      `No environment for ${applicationsOf(senders)}: either the application sends none: ${sending}, or nothing stores the attribute, ` +
      `neither as a label nor in target_info. To promote it: ${promoting}`,
  ),
  "unread-metrics": finding(
    ({ telemetry, silent, unread }) => [
      ...silent.flatMap(({ application, metrics }) => metrics.map((name) => ({ application, name }))),
      ...(telemetry === "otel" ? unread : []),
    ],
    (found) =>
      `${applicationsOf(found)} sends metrics under other names, which no panel reads: ` +
      `${firstOf([...new Set(found.map(({ name }) => name))], 3)}. Use an instrumentation that follows OpenTelemetry's conventions for ` +
      "generative AI",
  ),
  "only-spans": finding(
    ({ silent }) => silent.filter(({ instrumentation, metrics }) => instrumentation !== "OpenInference" && metrics.length === 0),
    (senders) => {
      const isLiteLlm = senders.some(({ instrumentation }) => instrumentation === "LiteLLM");
      const cause = isLiteLlm ? ", as LiteLLM does without LITELLM_OTEL_INTEGRATION_ENABLE_METRICS=true" : "";
      return (
        `Spans of ${applicationsOf(senders)} arrive, but no metrics: either the application exports traces only${cause}, or its metrics ` +
        "are refused, as Prometheus refuses delta temporality. Set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the " +
        "output otlp does"
      );
    },
  ),
  openinference: finding(
    ({ silent }) => silent.filter(({ instrumentation, metrics }) => instrumentation === "OpenInference" && metrics.length === 0),
    (senders) => `${applicationsOf(senders)} sends spans of OpenInference, whose instrumentations send no metrics, which panels read`,
  ),
};
