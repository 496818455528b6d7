/** Defaults of all panels: texts, datasource, queries, unit, colors of names, tooltip. */
import type { Builder, Dataquery } from "@grafana/grafana-foundation-sdk/cog";
import { MappingType, SpecialValueMatch, type ValueMapping } from "@grafana/grafana-foundation-sdk/dashboard";
import * as loki from "@grafana/grafana-foundation-sdk/loki";
import * as prometheus from "@grafana/grafana-foundation-sdk/prometheus";
import * as tempo from "@grafana/grafana-foundation-sdk/tempo";
import type { DatasourceType } from "../settings/keys";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";
import { colorsOf, faint, fixed } from "./colors";

/** A datasource by its uid, or by a variable that contains the uid. */
export type DatasourceRef = { type: DatasourceType; uid: string };

/** The uids of the datasources that dashboards read. */
export type DatasourceUids = Record<DatasourceType, string>;

/** At least one signal. */
export type Signals<S = MetricSignal> = readonly [S, ...S[]];

type AnySignal = MetricSignal | LogSignal | TraceSignal;

/** The text of a panel without data. The panel's description says how to find the cause. */
export const noData = "No data";

/** The maximum number of traces, and of rows, in a panel. */
export const maxTraces = 20;

/**
 * The spans that Tempo returns of a trace: by default the oldest 3, at most 100. With fewer, the newest spans of an agent at work are
 * missing.
 */
export const spansPerTrace = 100;

/** Title, texts, datasource, queries, and the first signal's unit. */
export function withDefaults<B extends PanelBuilder>(panel: B, title: string, datasource: DatasourceRef, ...signals: Signals<AnySignal>) {
  const [first] = signals;
  // Grafana 12.3 shows only the headers of an empty table, and not this text.
  const empty = "spans" in first ? `No ${first.spans}.` : noData;
  panel.title(title).description(describe(signals)).datasource(datasource).noValue(empty);
  if ("unit" in first) panel.unit(first.unit);
  if ("decimals" in first && first.decimals !== undefined) panel.decimals(first.decimals);
  for (const [index, signal] of signals.entries()) {
    panel.withTarget(queryOf(signal, datasource).refId(refIdOf(index)));
    const colors = "legend" in signal ? colorsOf(signal.legend) : [];
    for (const [pattern, color] of colors) panel.overrideByRegexp(pattern, properties({ color: fixed(color) }));
  }
  return panel;
}

function queryOf(signal: AnySignal, datasource: DatasourceRef) {
  if ("streams" in signal) {
    const query = new loki.DataqueryBuilder().expr(signal.query).queryType("range").editorMode(loki.QueryEditorMode.Code);
    return query.direction(loki.LokiQueryDirection.Backward).datasource(datasource);
  }
  if ("spans" in signal) {
    const query = new tempo.DataqueryBuilder().query(signal.query).queryType("traceql").limit(maxTraces).spss(spansPerTrace);
    // The editor adds the type of metrics. Without it here, the dashboard would count as changed.
    return query.tableType(tempo.SearchTableType.Spans).metricsQueryType(tempo.MetricsQueryType.Range).datasource(datasource);
  }
  const query = new prometheus.DataqueryBuilder().expr(signal.query).legendFormat(signal.legend).datasource(datasource);
  if (signal.isTable) query.format(prometheus.PromQueryFormat.Table);
  return query.editorMode(prometheus.QueryEditorMode.Code)[signal.queryType]();
}

/** A panel's description as Markdown: what it shows, what it reads, how the query calculates it, and what to check if it is empty. */
function describe(signals: Signals<AnySignal>): string {
  const described = signals.filter(({ description }) => description);
  const texts = described.map((signal, index) => {
    const isSaid = described.findIndex(({ calculation }) => calculation === signal.calculation) < index;
    const reads = `${signal.description}\n\nReads ${escapeEmphasis(sourceOf(signal).names)}`;
    return `${reads}${isSaid ? ", in the same way." : `. ${signal.calculation}`}`;
  });
  const { store, noun } = sourceOf(signals[0]);
  const isRecorded = "series" in signals[0] && signals[0].series.some((name) => name.includes(":"));
  const received = `check whether ${store} receives these ${noun}`;
  const cause = isRecorded ? "nothing was sent, or rules do not record it: npm run doctor" : received;
  return [...texts, `If the panel is empty, ${cause}.`].join("\n\n");
}

function sourceOf(signal: AnySignal) {
  if ("series" in signal) return { store: "Prometheus", noun: "series", names: signal.series.join(" and ") };
  if ("streams" in signal) return { store: "Loki", noun: "streams", names: signal.streams };
  return { store: "Tempo", noun: "spans", names: signal.spans };
}

/** The properties of an override, by Grafana's ids. Those that are undefined are left out. */
export const properties = (byId: Readonly<Record<string, unknown>>) =>
  Object.entries(byId).flatMap(([id, value]) => (value === undefined ? [] : [{ id, value }]));

/** In Markdown, underscores at the ends of a word are emphasis. */
const escapeEmphasis = (text: string) => text.replace(/(?<![a-z0-9_])_+|_+(?![a-z0-9_])/gi, (run) => run.replaceAll("_", "\\_"));

/** The methods that all panel builders of Grafana's SDK have. The SDK declares no such type. */
interface PanelBuilder {
  title(title: string): this;
  description(description: string): this;
  datasource(datasource: DatasourceRef): this;
  noValue(text: string): this;
  unit(unit: string): this;
  decimals(decimals: number): this;
  withTarget(query: Builder<Dataquery>): this;
  overrideByRegexp(pattern: string, properties: { id: string; value: unknown }[]): this;
}

/** Shows a missing value as a gray text. By default, it has the color of the lowest threshold, which can be green. */
export const missingValue = (text: string): ValueMapping => ({
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.NullAndNan, result: { text, color: faint, index: 0 } },
});

/** The id of a panel's query, A for the first one. */
export const refIdOf = (index: number) => String.fromCharCode(65 + index);

/** A trace can have several matching spans, so rows are limited, too. */
export const newestRows = [
  { id: "sortBy", options: { sort: [{ field: "Start time", desc: true }] } },
  { id: "limit", options: { limitField: maxTraces } },
];
