/** Factories of panels with traces. */
import * as common from "@grafana/grafana-foundation-sdk/common";
import * as histogram from "@grafana/grafana-foundation-sdk/histogram";
import * as table from "@grafana/grafana-foundation-sdk/table";
import type { TraceSignal } from "../signals/signal";
import { accent, neutral, oneColor, steps } from "./colors";
import type { Column } from "./columns";
import { type DatasourceRef, maxTraces, tooltip, withDefaults } from "./defaults";

/** A trace can have several matching spans, so rows are limited, too. */
const newestRows = [
  { id: "sortBy", options: { sort: [{ field: "Start time", desc: true }] } },
  { id: "limit", options: { limitField: maxTraces } },
];

/** The distribution of the durations of spans. Tempo returns nanoseconds. More buckets than half of the spans would be gaps. */
export function durationHistogramPanel(title: string, signal: TraceSignal, datasource: DatasourceRef) {
  const seconds = { left: "Duration", operator: "/", right: "1000000000" };
  return withDefaults(new histogram.PanelBuilder(), title, datasource, signal)
    .height(7)
    .unit("s")
    .thresholds(steps(neutral))
    .colorScheme(oneColor(accent))
    .bucketCount(maxTraces / 2)
    .combine(false)
    .tooltip(tooltip(common.TooltipDisplayMode.Single, common.SortOrder.None))
    .transformations([
      ...newestRows,
      { id: "calculateField", options: { mode: "binary", binary: seconds, alias: "Duration", replaceFields: true } },
    ]);
}

/** The maximum height of a row in pixels, since Grafana 12.2: four lines of text. A click on the cell's eye shows all of it. */
const maxRowHeight = 100;

/**
 * Spans as rows, newest first. The spec gives these tables no title.
 *
 * @param columns in their order; others follow
 * @param hidden names of columns that the table leaves out
 */
export function spanTablePanel(signal: TraceSignal, datasource: DatasourceRef, columns: readonly Column[], hidden: readonly string[]) {
  // The service and name of the trace's first span repeat other columns.
  const excluded = ["Trace Service", "Trace Name", ...hidden];
  const visible = columns.filter(({ name }) => !excluded.includes(name));
  const panel = withDefaults(new SpanTableBuilder(), "", datasource, signal)
    .height(16)
    .span(24)
    .thresholds(steps(neutral))
    .maxRowHeight(maxRowHeight)
    .inspect(true)
    // The text of an empty cell, in place of that of an empty panel.
    .overrideByRegexp(".*", [{ id: "noValue", value: "–" }])
    // Tempo's plugin marks this column as hidden, which tables ignore since Grafana 12.2. The link of the span's id needs it.
    .overrideByName("traceIdHidden", [{ id: "custom.hideFrom.viz", value: true }]);
  for (const { name, title, width, properties } of visible) {
    const all = Object.entries({ displayName: title, "custom.width": width, ...properties }).filter(([, value]) => value !== undefined);
    if (all.length > 0)
      panel.overrideByName(
        name,
        all.map(([id, value]) => ({ id, value })),
      );
  }
  return panel.transformations([
    ...newestRows,
    {
      id: "organize",
      options: {
        excludeByName: Object.fromEntries(excluded.map((name) => [name, true])),
        indexByName: Object.fromEntries(visible.map(({ name }, index) => [name, index])),
      },
    },
  ]);
}

/** The SDK lacks the newest option of tables, and sets one that Grafana 12.2 removed. */
class SpanTableBuilder extends table.PanelBuilder {
  maxRowHeight(pixels: number): this {
    const { footer: _removed, ...options } = this.internal.options as table.Options;
    this.internal.options = { ...options, maxRowHeight: pixels };
    return this;
  }
}
