/** Which applications send spans of calls to models: those that the tables of the dashboards find, and the others. */
import { conventions } from "../signals/names/conventions";
import { spec } from "../signals/names/spec";
import type { SdkTelemetry } from "../signals/signal";
import { queryList, type Stores, withoutSecret } from "./query";
import { applicationsOf, type Finding, note, ok } from "./table";
import type { CheckedDashboard } from "./targets";

/** An application whose spans were found. */
export interface SpanSender {
  /** Its `service.name`; empty if it contains a secret. */
  application: string;
  /** The dashboard whose table shows the spans; undefined if none does. */
  telemetry: SdkTelemetry | undefined;
  instrumentation?: "LiteLLM" | "OpenInference" | undefined;
}

/** All spans of these instrumentations have the attribute, and no others. */
const instrumentations = { "litellm.call_id": "LiteLLM", "openinference.span.kind": "OpenInference" } as const;
const attributeNames = ["resource.service.name", ...Object.keys(instrumentations).map((name) => `span.${name}`)].join(", ");

const { model, operation } = conventions.attributes;

/**
 * Spans that no table finds. In TraceQL, a condition on a missing attribute is false, and its opposite true. With the dashboard for
 * OpenLIT's spans of 2024, those are left out: of many spans, its search finds some, and this one would find others.
 */
const notShown = (hasSpec: boolean) =>
  `{ (span.openinference.span.kind != nil || span.${model} != nil && !(span.${operation} =~ ".+"))` +
  `${hasSpec ? ` && !(span.${spec.attributes.application} != nil)` : ""} }`;

type Trace = { spanSets?: { spans?: { attributes?: { key: string; value?: { stringValue?: string } }[] }[] }[] };

/** The applications of the newest spans in the last hour. Tempo has no index: a longer time costs more. */
export async function findSpans(stores: Stores, dashboards: readonly CheckedDashboard[]): Promise<SpanSender[]> {
  const end = Math.floor(Date.now() / 1000);
  const search = async (spans: string, telemetry?: SdkTelemetry): Promise<SpanSender[]> => {
    const q = `${spans} | select(${attributeNames})`;
    const parameters = new URLSearchParams({ q, limit: "100", spss: "1", start: String(end - 3600), end: String(end) });
    const traces = (await queryList(stores, "tempo", `/api/search?${parameters}`, "traces")) as Trace[];
    const found = traces.flatMap(({ spanSets = [] }) => spanSets.flatMap(({ spans = [] }) => spans));
    return found.map(({ attributes = [] }) => {
      const values = new Map(attributes.map(({ key, value }) => [key, value?.stringValue]));
      const instrumentation = Object.entries(instrumentations).find(([name]) => values.has(name))?.[1];
      return { application: withoutSecret(values.get("service.name") ?? "", stores), telemetry, instrumentation };
    });
  };
  const shown = dashboards.flatMap(({ sdk }) => sdk ?? []);
  const found = await Promise.all([
    ...shown.map(({ spans, telemetry }) => search(spans, telemetry)),
    ...(shown.length > 0 ? [search(notShown(shown.some(({ telemetry }) => telemetry === "spec")))] : []),
  ]);
  return [...new Map(found.flat().map((sender) => [JSON.stringify(sender), sender])).values()];
}

/** SDKs send spans of one convention, so it is normal that only one dashboard has spans. */
export function judgeSpans(spans: readonly SpanSender[], dashboards: readonly CheckedDashboard[], arePushed: boolean): Finding {
  const titlesOf = (isFound: boolean) =>
    dashboards
      .filter(({ sdk }) => sdk && spans.some(({ telemetry }) => telemetry === sdk.telemetry) === isFound)
      .map(({ title }) => `"${title}"`);
  const [found, missing] = [titlesOf(true).join(" and "), titlesOf(false).join(" or ")];
  const shown = spans.filter(({ telemetry }) => telemetry).map(({ application }) => application);
  const others = spans.filter(({ telemetry, application }) => !telemetry && !shown.includes(application));
  const problem = (isOpenInference: boolean, cure: string) => {
    const senders = others.filter(({ instrumentation }) => (instrumentation === "OpenInference") === isOpenInference);
    return senders.length > 0 ? [`Spans of ${applicationsOf(senders)} lack ${operation}, by which the tables find requests: ${cure}`] : [];
  };
  const problems = [
    ...problem(true, "OpenInference adds it with OPENINFERENCE_ENABLE_GENAI_SEMCONV=true"),
    ...problem(false, "use a later release of its instrumentation"),
  ];
  const state = `arrive for ${found}${missing && `, not for ${missing} in the last hour`}`;
  if (problems.length > 0) return note([...(found ? [state] : []), ...problems].join(". "));
  if (found) return ok(state);
  return arePushed ? note(`no data yet: no spans for ${missing} in the last hour`) : ok("no spans are pushed: otlpData is metrics");
}
