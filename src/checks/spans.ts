/** Which applications send spans of calls to models: those that the tables of the dashboards find, and the others. */
import { isNamed } from "../signals/identity";
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
}

const { model, operation } = conventions.attributes;

/**
 * Spans that no table finds. In TraceQL, a condition on a missing attribute is false, and its opposite true. With the dashboard for
 * OpenLIT's spans of 2024, those are left out: of many spans, its search finds some, and this one would find others.
 */
const notShown = (hasSpec: boolean) =>
  `{ (span.openinference.span.kind != nil || span.${model} != nil) && !(span.${operation} =~ ".+")` +
  `${hasSpec ? ` && !(span.${spec.attributes.application} != nil)` : ""} }`;

type Trace = { spanSets?: { spans?: { attributes?: { key: string; value?: { stringValue?: string } }[] }[] }[] };

/** The applications of some spans in the last hour. Tempo has no index: a longer time costs more. */
export async function findSpans(stores: Stores, dashboards: readonly CheckedDashboard[]): Promise<SpanSender[]> {
  const end = Math.floor(Date.now() / 1000);
  const search = async (spans: string, telemetry?: SdkTelemetry): Promise<SpanSender[]> => {
    const q = `${spans} | select(resource.service.name)`;
    const parameters = new URLSearchParams({ q, limit: "100", spss: "1", start: String(end - 3600), end: String(end) });
    const traces = (await queryList(stores, "tempo", `/api/search?${parameters}`, "traces")) as Trace[];
    const found = traces.flatMap(({ spanSets = [] }) => spanSets.flatMap(({ spans = [] }) => spans));
    return found.map(({ attributes = [] }) => {
      const name = attributes.find(({ key }) => key === "service.name")?.value?.stringValue ?? "";
      return { application: withoutSecret(name, stores), telemetry };
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
export function judgeSpans(
  spans: readonly SpanSender[],
  dashboards: readonly CheckedDashboard[],
  arePushed: boolean,
  gateways: readonly string[] = [],
): Finding {
  const titlesOf = (isFound: boolean) =>
    dashboards
      .filter(({ sdk }) => sdk && spans.some(({ telemetry }) => telemetry === sdk.telemetry) === isFound)
      .map(({ title }) => `"${title}"`);
  const [found, missing] = [titlesOf(true).join(" and "), titlesOf(false).join(" or ")];
  const shown = spans.filter(({ telemetry }) => telemetry).map(({ application }) => application);
  const others = spans.filter(
    ({ telemetry, application }) => !telemetry && !shown.includes(application) && !isNamed(application, gateways),
  );
  const state = `arrive for ${found}${missing && `, not for ${missing} in the last hour`}`;
  if (others.length > 0) {
    const lack = `Spans of ${applicationsOf(others)} lack ${operation}, by which the tables find requests`;
    const cure = "use a later release of its instrumentation, or set what dashboards/README.md#set-this says";
    return note([...(found ? [state] : []), `${lack}: ${cure}`].join(". "));
  }
  if (found) return ok(state);
  return arePushed ? note(`no data yet: no spans for ${missing} in the last hour`) : ok("no spans are pushed: otlpData is metrics");
}
