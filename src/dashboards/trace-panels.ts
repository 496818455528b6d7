/** Factories of panels with traces. */
import * as common from "@grafana/grafana-foundation-sdk/common";
import { MappingType } from "@grafana/grafana-foundation-sdk/dashboard";
import * as histogram from "@grafana/grafana-foundation-sdk/histogram";
import * as table from "@grafana/grafana-foundation-sdk/table";
import type { TraceSignal } from "../signals/signal";
import { accent, failedColor, neutral } from "./colors";
import { legend, oneColor, steps, tooltip, withDefaults } from "./defaults";
import { type DatasourceRef, traceQuery } from "./queries";

/** The maximum number of traces, and of rows, in a panel (spec 8). */
const maxTraces = 20;

/** A trace can have several matching spans, so rows are limited, too. */
const newestRows = [
  { id: "sortBy", options: { sort: [{ field: "Start time", desc: true }] } },
  { id: "limit", options: { limitField: maxTraces } },
];

/** In place of rows, in Grafana 13; 12.3 shows headers only. */
const noneOf = ({ spans }: TraceSignal) => `No ${spans}.`;

/** The distribution of the durations of spans. Tempo returns nanoseconds. */
export function durationHistogramPanel(title: string, signal: TraceSignal, datasource: DatasourceRef) {
  const seconds = { left: "Duration", operator: "/", right: "1000000000" };
  return (
    withDefaults(new histogram.PanelBuilder(), title, datasource, signal)
      .noValue(noneOf(signal))
      .unit("s")
      .thresholds(steps(neutral))
      .colorScheme(oneColor(accent))
      // More buckets than half of the spans are gaps.
      .bucketCount(maxTraces / 2)
      .combine(false)
      .lineWidth(1)
      .fillOpacity(80)
      .legend(legend(false))
      .tooltip(tooltip(common.TooltipDisplayMode.Single, common.SortOrder.None))
      .transformations([
        ...newestRows,
        { id: "calculateField", options: { mode: "binary", binary: seconds, alias: "Duration", replaceFields: true } },
      ])
      .withTarget(traceQuery(signal, datasource, maxTraces))
  );
}

/** A column of a table of spans: its name in Tempo's response, and its properties. */
export interface Column {
  name: string;
  /** The title, if it differs from the name. */
  title?: string;
  /** Pixels. Columns without a width share the rest. */
  width?: number;
  properties?: { id: string; value: unknown }[];
}

/** Long text is broken into lines, since Grafana 12.2; older releases show its beginning. Without a minimum, a column has 150 pixels or more. */
export const longText = [
  { id: "custom.wrapText", value: true },
  { id: "custom.minWidth", value: 95 },
];

/** Shows a part of a text. The cell's value stays whole. */
export const shortened = (pattern: string) => ({
  id: "mappings",
  value: [{ type: MappingType.RegexToText, options: { pattern, result: { text: "$1", index: 0 } } }],
});

/**
 * Columns of all tables, as narrow as their texts: beside Grafana's docked menu, a window of 1280 pixels has 930 for a table. The year is that of the time
 * range. The link to the trace is the span's id, of which the beginning is enough.
 */
export const timeColumn: Column = {
  name: "Start time",
  title: "Time",
  width: 94,
  properties: [{ id: "unit", value: "time:MM-DD HH:mm" }],
};
export const durationColumn: Column = { name: "Duration", width: 76 };
export const traceColumn: Column = { name: "Span ID", title: "Trace", width: 56, properties: [shortened("/^(.{4}).*$/")] };
/** Names break into lines at hyphens. */
export const applicationColumn = (name: string, width = 120): Column => ({ name, title: "Application", width, properties: longText });
export const modelColumn = (name: string): Column => ({ name, title: "Model", width: 96, properties: longText });

/** Numbers, which up to Grafana 12.3 are text: units and decimals apply to both. A conversion would make a missing one 0, up to 13.0. */
export const numeric = { id: "custom.align", value: "right" };

/** A column with the cost of a request. */
export const costColumn: Column = {
  name: "gen_ai.usage.cost",
  title: "Cost",
  width: 88,
  properties: [
    numeric,
    { id: "unit", value: "currencyUSD" },
    // An embedding costs some millionths of a dollar.
    { id: "decimals", value: 6 },
  ],
};

/** A column with the status of a span: a failed one is marked. */
export const statusColumn: Column = {
  name: "status",
  title: "Status",
  width: 60,
  properties: [
    { id: "custom.cellOptions", value: { type: common.TableCellDisplayMode.ColorText } },
    {
      id: "mappings",
      value: [
        {
          type: MappingType.ValueToText,
          options: {
            error: { text: "failed", color: failedColor, index: 0 },
            ok: { text: "ok", color: neutral, index: 1 },
            // The conventions leave the status of a success unset.
            unset: { text: "ok", color: neutral, index: 2 },
          },
        },
      ],
    },
  ],
};

/** The maximum height of a row in pixels, since Grafana 12.2: four lines of text. A click on the cell's eye shows all of it. */
const maxRowHeight = 100;

/** The columns of the spec's tables, in their order. Other columns, if any, follow. */
const specColumns: readonly Column[] = [
  timeColumn,
  applicationColumn("gen_ai.application_name"),
  modelColumn("gen_ai.request.model"),
  { name: "Name", title: "Operation" },
  { name: "gen_ai.content.prompt", title: "Prompt", properties: longText },
  { name: "gen_ai.content.completion", title: "Completion", properties: longText },
  costColumn,
  durationColumn,
  { name: "gen_ai.environment", title: "Environment", width: 106 },
  traceColumn,
];

/** Columns that are the same in all rows by the query's filters. */
const filtered = ["gen_ai.type", "status", "telemetry.sdk.name"];

/** Columns that repeat another one: the service and name of the trace's first span. */
const repeated = ["Trace Service", "Trace Name"];

export type SpanTableOptions = {
  /** Names of columns that the table leaves out. */
  without?: readonly string[];
  /** The columns in their order. Defaults to those of the spec. */
  columns?: readonly Column[];
};

/** Spans as rows, newest first. The spec gives these tables no title. */
export function spanTablePanel(signal: TraceSignal, datasource: DatasourceRef, { without = [], columns }: SpanTableOptions = {}) {
  const excluded = [...(columns ? [] : filtered), ...repeated, ...without];
  const shown = (columns ?? specColumns).filter(({ name }) => !excluded.includes(name));
  const panel = withDefaults(new SpanTableBuilder(), "", datasource, signal)
    .noValue(noneOf(signal))
    .thresholds(steps(neutral))
    .showHeader(true)
    .cellHeight(common.TableCellHeight.Sm)
    .maxRowHeight(maxRowHeight)
    .inspect(true)
    // The text of an empty cell, in place of that of an empty panel.
    .overrideByRegexp(".*", [{ id: "noValue", value: "–" }])
    // Tempo's plugin marks this column as hidden, which tables ignore since Grafana 12.2. The link of the span's id needs it.
    .overrideByName("traceIdHidden", [{ id: "custom.hideFrom.viz", value: true }]);
  for (const { name, title, width, properties = [] } of shown) {
    const all = [
      ...(title === undefined ? [] : [{ id: "displayName", value: title }]),
      ...(width === undefined ? [] : [{ id: "custom.width", value: width }]),
      ...properties,
    ];
    if (all.length > 0) panel.overrideByName(name, all);
  }
  return panel
    .transformations([
      ...newestRows,
      {
        id: "organize",
        options: {
          excludeByName: Object.fromEntries(excluded.map((name) => [name, true])),
          indexByName: Object.fromEntries(shown.map(({ name }, index) => [name, index])),
        },
      },
    ])
    .withTarget(traceQuery(signal, datasource, maxTraces));
}

/** The SDK lacks the newest option of tables, and sets one that Grafana 12.2 removed. */
class SpanTableBuilder extends table.PanelBuilder {
  maxRowHeight(pixels: number): this {
    const { footer: _removed, ...options } = this.internal.options as table.Options;
    this.internal.options = { ...options, maxRowHeight: pixels };
    return this;
  }
}
