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
  const problems = problemsOf(groups);
  const notSent = lacks.map(({ words, panels, applications }) => `No ${words} from ${applicationsOf(applications)}: nothing in ${panels}`);
  const state = arrives && shown.length === 0 ? "no data" : stateOf(series, missing, wordsOf(shown), place);
  const isNormal = missing.length === 0 && problems.length === 0 && notSent.length === 0;
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
const countOf = (senders: readonly Sender[]) => new Set(senders.map(({ application }) => application)).size;
const wordsOf = (senders: readonly Sender[]) =>
  [...new Set(senders.flatMap(({ convention }) => convention?.words ?? []))].sort().join(" and ");

const set = "npx pulumi config set";
const sending = `OTEL_RESOURCE_ATTRIBUTES=${environmentAttributes[0]}=production`;
const promoting =
  "otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, resource_to_telemetry_conversion in a " +
  "collector";

/** The usual names of gateways as applications. Their metrics are no sign: SDKs send gen_ai.server.request.duration, too. */
const gatewayNames = /^(litellm|litellm-proxy|aigw|(envoy-)?ai-gateway|agentgateway)$/;

/** All that apply, in this order, each with its cure. Causes that look alike are one problem, which says "either … or". */
function problemsOf(groups: Groups): string[] {
  const { telemetry, missing, dotted, others, hasOther, hidden, shown, settings, unnamed, senders, silent, unread } = groups;
  const problems = namingProblem(groups);
  const tell = (found: readonly unknown[], text: string) => found.length > 0 && problems.push(text);

  const translation = "check otlp.translation_strategy in Prometheus, or in a collector";
  tell(missing.length > 0 ? dotted : [], `A component does not translate OTLP's names, such as ${dotted[0]}: ${translation}`);

  const shownBy = others[0]?.convention?.telemetry ?? "otel";
  const switching = hasOther ? `To remove this dashboard: ${set} telemetry ${shownBy}` : `To add it: ${set} telemetry both`;
  tell(others, `Other names arrive: ${wordsOf(others)}. "${titles[shownBy]}" reads them. ${switching}`);

  if (telemetry === "spec") {
    const [label, filtering] = [genaiLabel("sdk"), "by which every panel filters"];
    const ofOtherSdk = hidden.filter((sender) => !isOfSdk(sender, settings));
    const noSeries = `No series has ${label} "${settings.name}", ${filtering}. Set sdkName to the name that the SDK sends`;
    const another = `have another ${label} than "${settings.name}", ${filtering}: show them in another stack`;
    tell(ofOtherSdk, shown.length === 0 ? noSeries : `The series of ${applicationsOf(ofOtherSdk)} ${another}`);

    const ofSdk = hidden.filter((sender) => isOfSdk(sender, settings));
    const labels = `The series of ${applicationsOf(ofSdk)} lack ${[...new Set(ofSdk.flatMap(lacking))].join(" and ")}, ${filtering}`;
    const causes = `either a collector removes what OpenLIT sends up to 1.33, or the SDK is a later one, for "${openTelemetryTitle}"`;
    tell(ofSdk, `${labels}: ${causes}`);
  } else {
    const active = senders.flatMap(({ application, labels: { job, service_name } }) => [application, service_name, job]);
    const budgets = (settings.budgets ?? []).filter((name) => !active.includes(name));
    const checkName = "Check whether it is the name of an application";
    tell(budgets, `alertBudgets: ${firstOf(budgets)} sent nothing in the last 24 hours. ${checkName}`);

    const isUnset = (name: string) => gatewayNames.test(name) && !settings.gateways?.names.includes(name);
    const gateways = [...new Set(senders.map(({ application }) => application).filter(isUnset))];
    const twice = "of a gateway, by the name. If applications behind it send metrics, too, their calls count twice";
    const cures = `${set} gateways ${[...(settings.gateways?.names ?? []), ...gateways].join(",")}, and npx pulumi up. If it is an application: set its OTEL_SERVICE_NAME`;
    tell(gateways, `${gateways.join(" and ")}: ${twice}: ${cures}`);

    const unset = unnamed.filter(({ resource }) => resource?.length === 0);
    tell(unset, `No environment for ${applicationsOf(unset)}: set it in the application: ${sending}`);

    const unstored = unnamed.filter(({ environments, resource }) => environments.length === 0 && resource === undefined);
    const causes = `either the application sends none: ${sending}, or nothing stores the attribute, neither as a label nor in target_info`;
    tell(unstored, `No environment for ${applicationsOf(unstored)}: ${causes}. To promote it: ${promoting}`);
  }

  const names = firstOf([...new Set(unread.map(({ name }) => name.replace(/_(bucket|sum|count|total)$/, "")))], 3);
  const cure = "Use an instrumentation that follows OpenTelemetry's conventions for generative AI";
  tell(
    telemetry === "otel" ? unread : [],
    `${applicationsOf(unread)} sends metrics under other names, which no panel reads: ${names}. ${cure}`,
  );

  const traces = "the application exports traces only, or other metrics than panels read: set what dashboards/README.md#set-this says";
  const deltas = "its metrics are refused, as Prometheus refuses delta temporality";
  const temporality = "set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does";
  tell(silent, `Spans of ${applicationsOf(silent)} arrive, but no metrics: either ${traces}; or ${deltas}: ${temporality}`);
  return problems;
}

const cures: Record<Naming, string> = {
  prometheus: "let that application push by OTLP as the others do, or switch off what appends them (add_metric_suffixes in a collector)",
  "no-suffixes":
    "either its metrics have no unit, which the conventions require (s for durations), or what it is scraped from appends none: let it " +
    "push by OTLP",
};

/** Names that are stored in another naming than the panels read. */
function namingProblem({ telemetry, different, fitting, settings: { naming } }: Groups): string[] {
  if (!different.some(({ convention }) => convention?.telemetry === telemetry)) return [];
  const other = namings.find((each) => each !== naming) ?? naming;
  const read = `${set} metricNaming ${other}`;
  if (fitting.length === 0) return [`Prometheus stores the names ${forms[other]}. Read these: ${read}`];
  const isMinority = countOf(different) <= countOf(fitting);
  const [few, form, many] = isMinority ? [different, other, fitting] : [fitting, naming, different];
  const stored = `The names of ${applicationsOf(few)} are stored ${forms[form]}, those of ${applicationsOf(many)}`;
  const advice = `${stored} ${forms[isMinority ? naming : other]}, and panels read one form: ${cures[form]}`;
  return [isMinority ? advice : `${advice}. Then read the others: ${read}`];
}
