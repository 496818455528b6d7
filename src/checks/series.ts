/** Judges what arrives in Prometheus for a dashboard: what its panels show, and what keeps the rest away, each with its cure. */
import { genaiObservabilityTitle, openTelemetryTitle } from "../dashboards/names";
import { genaiLabel } from "../signals/genai";
import { environmentAttributes, isNamed } from "../signals/identity";
import { type Naming, namings } from "../signals/names/translate";
import { readSeries } from "../signals/opentelemetry-rules";
import type { SdkTelemetry } from "../signals/signal";
import { shell } from "../text/sanitize";
import { quantities, seriesOf } from "./conventions";
import type { Sender, Telemetry } from "./senders";
import { applicationsOf, type Finding, firstOf, note, ok } from "./table";
import type { CheckedDashboard, CheckTargets } from "./targets";

type Targets = Pick<CheckTargets, "dashboards" | "sdk" | "otlp" | "tenant">;
type SdkTargets = NonNullable<CheckTargets["sdk"]>;

export function judgeSeries({ series, sdk }: CheckedDashboard, arrived: Telemetry, targets: Targets): Finding {
  const { dashboards, tenant, otlp, sdk: settings } = targets;
  const place = tenant && arrived.names.length === 0 ? `the tenant ${tenant} (datasourceTenant)` : undefined;
  if (!sdk || !settings) return judgeNames(series, arrived, place);
  const hasOther = dashboards.some((other) => other.sdk && other.sdk.telemetry !== sdk.telemetry);
  const view = viewOf(sdk.telemetry, series, hasOther, arrived, settings);
  const { own, shown, missing, others, dotted } = view;
  const arrives = [own, shown, others, dotted].some(({ length }) => length > 0);
  const arePushed = otlp.data.includes("metrics");
  if (!arrives && !arePushed) return ok("no metrics are pushed: otlpData is traces");
  const problems = problemsOf(view, arePushed ? arrived : { ...arrived, silent: [] });
  const state = arrives && shown.length === 0 ? "no data" : stateOf(series, missing, wordsOf(shown), place);
  return (missing.length === 0 && problems.length === 0 ? ok : note)([state, ...problems].join(". "));
}

/** For a dashboard of a service. The series of another service have another word before `_llm_`. */
function judgeNames(series: readonly string[], { names, hidden }: Telemetry, place?: string): Finding {
  const missing = series.filter((name) => !names.includes(name));
  const state = stateOf(series, missing, "", place);
  const filters = `panels select the job ${series[0]?.replace(/_llm_.*/, "")}, and labels applicationName and environment`;
  if (hidden.length > 0) return note(`${state}. Panels do not show ${firstOf(hidden)}: ${filters}`);
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

/** What a dashboard for SDKs shows of what arrives. `hasOther`: whether the stack also has the dashboard of the other telemetry. */
type View = ReturnType<typeof viewOf>;

function viewOf(telemetry: SdkTelemetry, series: readonly string[], hasOther: boolean, arrived: Telemetry, settings: SdkTargets) {
  const { senders, names } = arrived;
  const own = senders.filter(({ convention }) => convention?.telemetry === telemetry);
  const inNaming = own.filter(({ convention }) => convention?.namings.includes(settings.naming));
  const ofGateways = settings.gateways ? readSeries(settings.naming) : new Set();
  const read = senders.filter((sender) => series.includes(sender.name) || inNaming.includes(sender) || ofGateways.has(sender.name));
  const shown = read.filter((sender) => telemetry === "otel" || (isOfSdk(sender, settings) && lacking(sender).length === 0));
  /** An application that follows the conventions can lack some of the names. */
  const hasAll = telemetry === "otel" && shown.length > 0;
  const missing = hasAll ? [] : series.filter((name) => !shown.some((sender) => sender.name === name));
  /** Names of the other dashboard. If it exists, they matter only where nothing else arrives. */
  const foreign = senders.filter(({ convention }) => convention && convention.telemetry !== telemetry);
  const others = hasOther && shown.length + own.length > 0 ? [] : without(shown, foreign);
  const dotted = names.filter((name) => name.includes("."));
  /** Applications of all dashboards that send names in one naming only: `fitting` in the naming of the settings, `different` in another. */
  const ofOneNaming = (hasOther ? senders : own).filter(({ convention }) => convention?.namings.length === 1);
  const inSame = ofOneNaming.filter(({ convention }) => convention?.namings.includes(settings.naming));
  const inOther = ofOneNaming.filter((sender) => !inSame.includes(sender));
  const [fitting, different] = [without(inOther, inSame), without(inSame, inOther)];
  return { telemetry, hasOther, settings, own, read, shown, missing, others, dotted, fitting, different };
}

/** The senders whose application is not among the known ones. */
const without = (known: readonly Sender[], senders: readonly Sender[]) =>
  senders.filter(({ application }) => !known.some((other) => other.application === application));

/** The labels that a series lacks, by which every panel of "GenAI Observability" filters. */
const lacking = ({ labels }: Sender) => [genaiLabel("application"), genaiLabel("environment")].filter((label) => !labels[label]);

/** Whether a series is from the SDK of the settings, by which every panel of "GenAI Observability" filters. */
const isOfSdk = ({ labels }: Sender, { name }: SdkTargets) => labels[genaiLabel("sdk")] === name;

const titles: Record<SdkTelemetry, string> = { spec: genaiObservabilityTitle, otel: openTelemetryTitle };
const forms: Record<Naming, string> = { prometheus: "with suffixes", "no-suffixes": "without suffixes" };
const countOf = (senders: readonly Sender[]) => new Set(senders.map(({ application }) => application)).size;
const wordsOf = (senders: readonly Sender[]) =>
  [...new Set(senders.flatMap(({ convention }) => convention?.words ?? []))].sort().join(" and ");

const set = "npx pulumi config set --stack STACK";
const sending = `OTEL_RESOURCE_ATTRIBUTES=${environmentAttributes[0]}=production`;
const promoting =
  "otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, resource_to_telemetry_conversion in a " +
  "collector";

/** The usual names of gateways as applications. Their metrics are no sign: SDKs send gen_ai.server.request.duration, too. */
const gatewayNames = /^(.+\/)?(litellm|litellm-proxy|aigw|(envoy-)?ai-gateway|agentgateway)$/;

/** All that apply, in this order, each with its cure. Causes that look alike are one problem, which says "either … or". */
function problemsOf(view: View, { senders, unread, silent }: Telemetry): string[] {
  const { telemetry, hasOther, settings, own, read, shown, missing, others, dotted, different } = view;
  const problems = namingProblem(view);
  const isGateway = (application: string) => isNamed(application, settings.gateways?.names);
  const tell = (found: readonly unknown[], text: string) => found.length > 0 && problems.push(text);

  const translation = "check otlp.translation_strategy in Prometheus, or in a collector";
  tell(missing.length > 0 ? dotted : [], `A component does not translate OTLP's names, such as ${dotted[0]}: ${translation}`);

  const shownBy = others[0]?.convention?.telemetry ?? "otel";
  const switching = hasOther ? `To remove this dashboard: ${set} telemetry ${shownBy}` : `To add it: ${set} telemetry both`;
  tell(others, `Other names arrive: ${wordsOf(others)}. "${titles[shownBy]}" reads them. ${switching}`);

  if (telemetry === "spec") {
    const [label, filtering] = [genaiLabel("sdk"), "by which every panel filters"];
    /** Of applications of which panels show nothing, although the dashboard reads the names that they send. */
    const hidden = without(shown, own).filter((sender) => read.includes(sender));
    const ofOtherSdk = hidden.filter((sender) => !isOfSdk(sender, settings));
    const noSeries = `No series has ${label} "${settings.name}", ${filtering}. Set sdkName to the name that the SDK sends`;
    const another = `have another ${label} than "${settings.name}", ${filtering}: show them in another stack`;
    tell(ofOtherSdk, shown.length === 0 ? noSeries : `The series of ${applicationsOf(ofOtherSdk)} ${another}`);

    const ofSdk = hidden.filter((sender) => isOfSdk(sender, settings));
    const labels = `The series of ${applicationsOf(ofSdk)} lack ${[...new Set(ofSdk.flatMap(lacking))].join(" and ")}, ${filtering}`;
    const causes = `either a collector removes what OpenLIT sends up to 1.33, or the SDK is a later one, for "${openTelemetryTitle}"`;
    tell(ofSdk, `${labels}: ${causes}`);
  } else {
    const isUnset = (name: string) => gatewayNames.test(name) && !isGateway(name);
    const gateways = [...new Set(senders.map(({ application }) => application).filter(isUnset))];
    const twice = "of a gateway, by the name. If applications behind it send metrics, too, their calls count twice";
    const names = [...(settings.gateways?.names ?? []), ...gateways].join(",");
    const cures = `${set} gateways ${shell`${names}`}, and npx pulumi up --stack STACK. If it is an application: set its OTEL_SERVICE_NAME`;
    tell(gateways, `${gateways.join(" and ")}: ${twice}: ${cures}`);

    const named = shown.filter(({ environment }) => environment === "known");
    const unnamed = without(named, shown);
    const unset = unnamed.filter(({ environment }) => environment === "missing");
    tell(unset, `No environment for ${applicationsOf(unset)}: set it in the application: ${sending}`);

    const unstored = unnamed.filter(({ environment }) => environment === "untold");
    const causes = `either the application sends none: ${sending}, or nothing stores the attribute, neither as a label nor in target_info`;
    tell(unstored, `No environment for ${applicationsOf(unstored)}: ${causes}. To promote it: ${promoting}`);

    const unreadNames = firstOf([...new Set(unread.map(({ name }) => name.replace(/_(bucket|sum|count|total)$/, "")))], 3);
    const cure = "Use an instrumentation that follows OpenTelemetry's conventions for generative AI";
    tell(unread, `${applicationsOf(unread)} sends metrics under other names, which no panel reads: ${unreadNames}. ${cure}`);
  }

  /** Applications whose spans the table of this dashboard shows, or none does. */
  const onlySpans = silent.filter((sender) => (sender.telemetry ?? "otel") === telemetry && !isGateway(sender.application));
  const traces = "the application exports traces only, or other metrics than panels read: see dashboards/README.md#set-this";
  const deltas = "its metrics are refused, as Prometheus refuses delta temporality";
  const temporality = "set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does";
  tell(onlySpans, `Spans of ${applicationsOf(onlySpans)} arrive, but no metrics: either ${traces}; or ${deltas}: ${temporality}`);

  const complete = telemetry === "otel" ? without(different, shown) : [];
  for (const { measure, words, panels } of quantities) {
    const having = senders.filter(({ name }) => seriesOf(measure, settings.naming).includes(name));
    const lacks = without(having, complete).filter(({ application }) => !isGateway(application));
    tell(lacks, `No ${words} from ${applicationsOf(lacks)}: nothing in ${panels}`);
  }
  return problems;
}

const cures: Record<Naming, string> = {
  prometheus: "let that application push by OTLP as the others do, or switch off what appends them (add_metric_suffixes in a collector)",
  "no-suffixes":
    "either its metrics have no unit, which the conventions require (s for durations), or what it is scraped from appends none: let it " +
    "push by OTLP",
};

/** Names that are stored in another naming than the panels read. */
function namingProblem({ telemetry, different, fitting, settings: { naming } }: View): string[] {
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
