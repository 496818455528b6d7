/** Factories of panels: one for each visualization, with its height. */
import * as bargauge from "@grafana/grafana-foundation-sdk/bargauge";
import * as common from "@grafana/grafana-foundation-sdk/common";
import type { Threshold } from "@grafana/grafana-foundation-sdk/dashboard";
import * as histogram from "@grafana/grafana-foundation-sdk/histogram";
import * as logs from "@grafana/grafana-foundation-sdk/logs";
import * as piechart from "@grafana/grafana-foundation-sdk/piechart";
import * as stat from "@grafana/grafana-foundation-sdk/stat";
import * as table from "@grafana/grafana-foundation-sdk/table";
import * as timeseries from "@grafana/grafana-foundation-sdk/timeseries";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";
import { accent, fixed, neutral, oneColor, palette, steps } from "./colors";
import type { Column } from "./columns";
import { type DatasourceRef, lastValue, maxTraces, missingValue, noData, type Signals, tooltip, withDefaults } from "./defaults";

/** Sizes of values in pixels. Otherwise, each panel has the largest that fits. */
const valueSize = { stat: 40, bar: 18 };

/** Pixels of a bar, at most. */
const barHeight = 32;

/** Pixels of a donut's legend. Donuts have one size only if their legends have one. */
const legendWidth = 240;

/** The number of intervals of a graph, approximately: 24 hours have intervals of 15 minutes. More are hairlines, and lines are only peaks. */
const intervals = 100;

interface GraphOptions {
  /** Stacks the series. */
  stacked?: true;
  /** Label of the left axis. Left out if the title or the legend says the same. */
  axisLabel?: string;
  /** Label of the right axis. */
  rightAxisLabel?: string;
  /** Colors of the signals, in their order; an empty one for several series with fixed colors. Left out, the series have Grafana's palette. */
  colors?: readonly string[];
}

/**
 * The factories of panels with metrics of a datasource.
 *
 * @param minInterval of graphs: a shorter one could contain no sample. Defaults to none.
 */
export function metricPanels(datasource: DatasourceRef, minInterval?: string) {
  /** Values over time. A signal with another unit than the first one gets the right axis. */
  const graph = (
    title: string,
    [first, ...others]: Signals,
    { stacked, axisLabel = "", rightAxisLabel = "", colors = [] }: GraphOptions,
  ) => {
    const ofLeftAxis = (signal: MetricSignal) => (signal.unit === first.unit ? forAxis(signal) : signal);
    const signals = [forAxis(first), ...others.map(ofLeftAxis)] as const;
    const panel = withDefaults(new timeseries.PanelBuilder(), title, datasource, ...signals)
      .height(8)
      .min(0)
      .maxDataPoints(intervals)
      .thresholds(steps(neutral))
      .colorScheme(palette())
      .axisLabel(axisLabel)
      .axisPlacement(common.AxisPlacement.Auto)
      .stacking(new common.StackingConfigBuilder().mode(stacked ? common.StackingMode.Normal : common.StackingMode.None).group("A"))
      .legend(new common.VizLegendOptionsBuilder().showLegend(true))
      .tooltip(tooltip(common.TooltipDisplayMode.Multi, common.SortOrder.Descending));
    if (minInterval) panel.interval(minInterval);
    for (const [index, signal] of signals.entries()) {
      const color = colors[index];
      const own = [...(color ? [fixed(color)] : []), ...(signal.unit === signals[0].unit ? [] : rightAxis(signal, rightAxisLabel))];
      if (own.length > 0) panel.overrideByName(signal.legend, own);
    }
    return panel;
  };

  return {
    /** Totals of intervals. */
    bars: (title: string, signals: Signals, options: GraphOptions = {}) =>
      graph(title, signals, options)
        .drawStyle(common.GraphDrawStyle.Bars)
        .lineWidth(0)
        .fillOpacity(70)
        .showPoints(common.VisibilityMode.Never),

    /** Means. */
    lines: (title: string, signals: Signals, options: GraphOptions = {}) =>
      graph(title, signals, options)
        .drawStyle(common.GraphDrawStyle.Line)
        .lineWidth(2)
        .fillOpacity(10)
        .showPoints(common.VisibilityMode.Auto),

    /** One number for the time range, and others with units of their own. With thresholds, values below the first one are green. */
    stat: (title: string, signals: MetricSignal | Signals, thresholds: readonly Threshold[] = [], empty = noData) => {
      const all: Signals = "query" in signals ? [signals] : signals;
      const panel = withDefaults(new stat.PanelBuilder(), title, datasource, ...all)
        .height(4)
        .noValue(empty)
        .thresholds(steps(thresholds.length > 0 ? "green" : neutral, thresholds))
        .mappings([missingValue(empty)])
        .graphMode(common.BigValueGraphMode.None)
        .text(new common.VizTextDisplayOptionsBuilder().valueSize(valueSize.stat))
        .reduceOptions(lastValue());
      for (const other of all.slice(1)) panel.overrideByName(other.legend, properties(other));
      return panel;
    },

    /** Shares of a total, the largest first. */
    pieChart: (title: string, signal: MetricSignal) =>
      withDefaults(new piechart.PanelBuilder(), title, datasource, signal)
        .height(7)
        .thresholds(steps(neutral))
        .colorScheme(palette())
        .pieType(piechart.PieChartType.Donut)
        // Grafana writes shares with the decimal places of the values: 62.87%.
        .displayLabels(signal.decimals ? [] : [piechart.PieChartLabels.Percent])
        .reduceOptions(lastValue())
        .legend(
          new piechart.PieChartLegendOptionsBuilder()
            .showLegend(true)
            .displayMode(common.LegendDisplayMode.Table)
            .placement(common.LegendPlacement.Right)
            .width(legendWidth)
            .values([piechart.PieChartLegendValues.Value]),
        )
        .tooltip(tooltip(common.TooltipDisplayMode.Single, common.SortOrder.None)),

    /** A ranking: a bar for each value of a label. */
    barGauge: (title: string, signal: MetricSignal, empty = noData) =>
      withDefaults(new bargauge.PanelBuilder(), title, datasource, signal)
        .height(7)
        // Without it, a single bar has no name: grafana/grafana#48983.
        .displayName(signal.legend.replace(/{{(\w+)}}/g, "$${__field.labels.$1}"))
        .noValue(empty)
        .min(0)
        .thresholds(steps(neutral))
        .mappings([missingValue(empty)])
        .colorScheme(oneColor(accent))
        .orientation(common.VizOrientation.Horizontal)
        .namePlacement(common.BarGaugeNamePlacement.Left)
        .sizing(common.BarGaugeSizing.Manual)
        .maxVizHeight(barHeight)
        .text(new common.VizTextDisplayOptionsBuilder().valueSize(valueSize.bar))
        .reduceOptions(lastValue()),
  };
}

/**
 * The plain unit of times and costs, of which an axis writes the decimal places of its steps: 70 s, $0.005. Of Grafana's own ones, it writes 1.17 mins and
 * $0.00500.
 */
function forAxis(signal: MetricSignal): MetricSignal {
  const unit = signal.unit === "s" ? "suffix:s" : signal.unit === "currencyUSD" ? "prefix:$" : undefined;
  return unit ? { ...signal, unit, decimals: undefined } : signal;
}

const properties = ({ unit, decimals }: MetricSignal) => [
  { id: "unit", value: unit },
  ...(decimals === undefined ? [] : [{ id: "decimals", value: decimals }]),
];

const rightAxis = (signal: MetricSignal, label: string) => [
  ...properties(signal),
  { id: "custom.axisPlacement", value: common.AxisPlacement.Right },
  { id: "custom.axisLabel", value: label },
];

/** Log lines, newest first, with the labels that differ from line to line. */
export function logsPanel(title: string, signal: LogSignal, datasource: DatasourceRef) {
  return withDefaults(new logs.PanelBuilder(), title, datasource, signal)
    .height(10)
    .showTime(true)
    .showLabels(true)
    .wrapLogMessage(true)
    .enableLogDetails(true)
    .sortOrder(common.LogsSortOrder.Descending);
}

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
    const all = Object.entries({ displayName: title, "custom.width": width, ...properties }).map(([id, value]) => ({ id, value }));
    const set = all.filter(({ value }) => value !== undefined);
    if (set.length > 0) panel.overrideByName(name, set);
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
