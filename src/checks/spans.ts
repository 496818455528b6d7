/** Which applications send spans of calls to models: what the tables of the dashboards search, and those that they do not find. */
import type { GrafanaAccess } from "../network/grafana";
import { conventions } from "../signals/names/conventions";
import { spec } from "../signals/names/spec";
import type { SdkTelemetry } from "../signals/signal";
import type { CheckTargets } from "./input";
import { queryList, withoutSecret } from "./query";

/** An application whose spans were found, by one convention. */
export interface SpanSender {
  /** Its `service.name`; empty if it contains a secret. */
  application: string;
  /** The dashboard whose table shows them; undefined if none does. */
  telemetry: SdkTelemetry | undefined;
  /** OpenInference's have none of the conventions' attributes, unless a variable adds them. */
  by?: "LiteLLM" | "OpenInference" | undefined;
}

/** Attributes that all of their spans have, and no others. */
const marks = { "litellm.call_id": "LiteLLM", "openinference.span.kind": "OpenInference" } as const;
const selected = `select(resource.service.name, ${Object.keys(marks)
  .map((mark) => `span.${mark}`)
  .join(", ")})`;

/**
 * Spans that no table finds. A condition on a missing attribute is false, and its opposite true. Those of the spec's SDK are not among them if they have a dashboard:
 * of many, its search finds some, and this one would find others.
 */
const { model, operation } = conventions.attributes;
const unfound = (hasSpec: boolean) =>
  `{ (span.openinference.span.kind != nil || span.${model} != nil && !(span.${operation} =~ ".+"))` +
  `${hasSpec ? ` && !(span.${spec.attributes.application} != nil)` : ""} }`;

type Attributes = readonly { key: string; value?: { stringValue?: string } }[];
type Found = { spanSets?: { spans?: { attributes?: Attributes }[] }[] };

/** The applications of the newest spans in the last hour, of each dashboard and of none. Tempo has no index: a longer time costs more. */
export async function askSpans(access: GrafanaAccess, targets: CheckTargets): Promise<SpanSender[]> {
  const end = Math.floor(Date.now() / 1000);
  const search = async (spans: string, telemetry?: SdkTelemetry): Promise<SpanSender[]> => {
    const parameters = { q: `${spans} | ${selected}`, limit: "100", spss: "1", start: String(end - 3600), end: String(end) };
    const traces = (await queryList(access, targets, ["tempo", "/api/search", "traces"], parameters)) as Found[];
    return traces.flatMap(({ spanSets = [] }) =>
      spanSets.flatMap(({ spans = [] }) => spans.map(({ attributes = [] }) => senderOf(attributes, telemetry))),
    );
  };
  const senderOf = (attributes: Attributes, telemetry?: SdkTelemetry): SpanSender => {
    const values = new Map(attributes.map(({ key, value }) => [key, value?.stringValue]));
    const by = Object.entries(marks).find(([mark]) => values.has(mark))?.[1];
    return { application: withoutSecret(values.get("service.name") ?? "", access), telemetry, by };
  };
  const shown = targets.dashboards.flatMap(({ sdk }) => sdk ?? []);
  const found = await Promise.all([
    ...shown.map(({ spans, telemetry }) => search(spans, telemetry)),
    ...(shown.length > 0 ? [search(unfound(shown.some(({ telemetry }) => telemetry === "spec")))] : []),
  ]);
  return [...new Map(found.flat().map((sender) => [JSON.stringify(sender), sender])).values()];
}
