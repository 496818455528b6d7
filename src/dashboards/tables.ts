/** Factories of tables: of numbers by a label, and of spans. */

import { TableCellDisplayMode } from "@grafana/grafana-foundation-sdk/common";
import * as table from "@grafana/grafana-foundation-sdk/table";
import type { MetricSignal, TraceSignal } from "../signals/signal";
import { neutral, redFrom, steps } from "./colors";
import type { Column } from "./columns";
import { newestRows, properties, refIdOf, withDefaults } from "./defaults";
import { metricsDatasource, tracesDatasource } from "./head";
import type { DataLink } from "./links";

/** The most rows of a table by a label. */
const mostRows = 15;

interface NumberColumn {
  title: string;
  /** In pixels. */
  width: number;
  signal: MetricSignal;
  /** A value above it is red. */
  limit?: number;
  link?: DataLink;
}

/** The text of an empty cell. By default, cells have the text of an empty panel. */
const emptyCells = properties({ noValue: "–" });

/** Text in red from a limit on. */
const coloredAbove = (limit: number) => ({
  "custom.cellOptions": { type: TableCellDisplayMode.ColorText },
  thresholds: steps(neutral, redFrom(limit)).build(),
  color: { mode: "thresholds" },
});

/**
 * A row for each value of a label, ordered by the first column of numbers, the highest first.
 *
 * @param names the possible labels, each with the title of its column and a link. The query has one of them.
 */
export function numberTable(
  title: string,
  names: readonly { name: string; title: string; link: DataLink }[],
  columns: readonly NumberColumn[],
) {
  const shown = `The ${mostRows} rows with the most ${columns[0]?.title.toLowerCase()}. `;
  const described = columns.map(({ title, signal }, index) => ({
    ...signal,
    isTable: true as const,
    description: `${index === 0 ? shown : ""}${title}: ${signal.description}`,
  }));
  const [first, ...others] = described as [MetricSignal, ...MetricSignal[]];
  const panel = withDefaults(new table.PanelBuilder(), title, metricsDatasource, { ...first, decimals: undefined }, ...others)
    .thresholds(steps(neutral))
    .overrideByRegexp(".*", emptyCells);
  // Names can be numbers.
  for (const { name, title, link } of names)
    panel.overrideByName(name, properties({ displayName: title, "custom.wrapText": true, unit: "string", links: [link] }));
  const fields = columns.map((_, index) => `Value #${refIdOf(index)}`);
  for (const [index, { title, width, signal, limit, link }] of columns.entries()) {
    const head = { displayName: title, "custom.width": width, "custom.wrapHeaderText": true, unit: signal.unit, decimals: signal.decimals };
    const color = limit === undefined ? {} : coloredAbove(limit);
    panel.overrideByName(`${fields[index]}`, properties({ ...head, ...color, links: link && [link] }));
  }
  const order = [...names.map(({ name }) => [name, 0]), ...fields.map((name, index) => [name, index + 1])];
  return panel.transformations([
    { id: "merge", options: {} },
    { id: "sortBy", options: { sort: [{ field: fields[0], desc: true }] } },
    { id: "limit", options: { limitField: mostRows } },
    { id: "organize", options: { excludeByName: { Time: true }, indexByName: Object.fromEntries(order) } },
  ]);
}

/**
 * The maximum height of a row in pixels, since Grafana 12.2: three lines of text. Grafana takes the height from the raw text, so of texts
 * with short lines, a fourth one would cover the next row. A click on the cell's eye shows the whole text.
 */
const maxRowHeight = 78;

/**
 * Spans as rows, newest first.
 *
 * @param title none for "GenAI Observability", as specified
 * @param columns the columns in their order. Other columns follow.
 * @param hidden names of columns that the table leaves out
 */
export function spanTablePanel(title: string, signal: TraceSignal, columns: readonly Column[], hidden: readonly string[]) {
  // The service and name of the trace's first span repeat other columns.
  const excluded = ["Trace Service", "Trace Name", ...hidden];
  const visible = columns.filter(({ name }) => !excluded.includes(name));
  const panel = withDefaults(new SpanTableBuilder(), title, tracesDatasource, signal)
    .height(16)
    .span(24)
    .thresholds(steps(neutral))
    .maxRowHeight(maxRowHeight)
    .inspect(true)
    .overrideByRegexp(".*", emptyCells)
    // Tempo's plugin marks this column as hidden, which tables ignore since Grafana 12.2. The link of the span's id needs it.
    .overrideByName("traceIdHidden", properties({ "custom.hideFrom.viz": true }));
  for (const { name, title, width, ...others } of visible)
    panel.overrideByName(name, properties({ displayName: title, "custom.width": width, ...others }));
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

/** Grafana's SDK lacks the newest option of tables, and sets an option that Grafana 12.2 removed. */
class SpanTableBuilder extends table.PanelBuilder {
  maxRowHeight(pixels: number): this {
    const { footer: _removed, ...options } = this.internal.options as table.Options;
    this.internal.options = { ...options, maxRowHeight: pixels };
    return this;
  }
}
