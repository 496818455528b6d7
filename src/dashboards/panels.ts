/** Factories of panels: one for each visualization, with its height. */
import * as bargauge from "@grafana/grafana-foundation-sdk/bargauge";
import * as common from "@grafana/grafana-foundation-sdk/common";
import { MappingType, type Threshold, type ValueMapping } from "@grafana/grafana-foundation-sdk/dashboard";
import * as histogram from "@grafana/grafana-foundation-sdk/histogram";
import * as logs from "@grafana/grafana-foundation-sdk/logs";
import * as piechart from "@grafana/grafana-foundation-sdk/piechart";
import * as stat from "@grafana/grafana-foundation-sdk/stat";
import * as timeseries from "@grafana/grafana-foundation-sdk/timeseries";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";
import { accent, fixed, neutral, oneColor, palette, redFrom, steps } from "./colors";
import { type DatasourceRef, maxTraces, missingValue, newestRows, noData, properties, type Signals, withDefaults } from "./defaults";
import { tracesDatasource } from "./head";
import type { DataLink } from "./links";

/** The font sizes of values in pixels. By default, each panel has the largest size that fits. */
const valueSize = { stat: 40, bar: 18 };

/** The maximum height of a bar in pixels. */
const barHeight = 32;

/** The width of a donut's legend in pixels. With equal legends, donuts have equal sizes. */
const legendWidth = 240;

/**
 * The approximate number of intervals of a graph: 24 hours have intervals of 15 minutes. With more, bars are hairlines and lines are peaks.
 */
const defaultIntervals = 100;

/** The number of intervals behind a number. */
const courseIntervals = 48;

interface GraphOptions {
  /** Stacks the series. */
  stacked?: true;
  /** The label of the left axis. Not needed if the title or the legend says the same. */
  axisLabel?: string;
  /** The label of the right axis. */
  rightAxisLabel?: string;
  /** The colors of the signals. A signal with an empty color keeps the colors of its series. Default to Grafana's palette. */
  colors?: readonly string[];
  /** The number of intervals. Shares and percentiles need many requests, so they have fewer intervals. */
  intervals?: number;
  /** The limit of an alert, which the graph shows as a line. */
  limit?: number;
  /** A link of the points of the first signal. */
  link?: DataLink;
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
    { stacked, axisLabel = "", rightAxisLabel = "", colors = [], intervals = defaultIntervals, limit, link }: GraphOptions,
  ) => {
    const ofLeftAxis = (signal: MetricSignal) => (signal.unit === first.unit ? forAxis(signal) : signal);
    const signals = [forAxis(first), ...others.map(ofLeftAxis)] as const;
    const panel = withDefaults(new timeseries.PanelBuilder(), title, datasource, ...signals)
      .height(8)
      .min(0)
      .maxDataPoints(intervals)
      .thresholds(steps(neutral, limit === undefined ? [] : redFrom(limit)))
      .colorScheme(palette())
      .axisLabel(axisLabel)
      .axisPlacement(common.AxisPlacement.Auto)
      .stacking(new common.StackingConfigBuilder().mode(stacked ? common.StackingMode.Normal : common.StackingMode.None).group("A"))
      .legend(new common.VizLegendOptionsBuilder().showLegend(true))
      .tooltip(tooltip(common.TooltipDisplayMode.Multi, common.SortOrder.Descending));
    if (minInterval) panel.interval(minInterval);
    if (limit !== undefined)
      panel.thresholdsStyle(new common.GraphThresholdsStyleConfigBuilder().mode(common.GraphThresholdsStyleMode.Dashed));
    if (link) panel.overrideByQuery("A", properties({ links: [link] }));
    const rightAxis = { "custom.axisPlacement": common.AxisPlacement.Right, "custom.axisLabel": rightAxisLabel };
    for (const [index, { unit, decimals, legend }] of signals.entries()) {
      const color = colors[index];
      const axis = unit === first.unit ? {} : { unit, decimals, ...rightAxis };
      const own = properties({ color: color ? fixed(color) : undefined, ...axis });
      if (own.length > 0) panel.overrideByName(legend, own);
    }
    return panel;
  };

  /** Numbers in large type. */
  const numbers = (title: string, signals: Signals, thresholds: readonly Threshold[], empty = noData) =>
    withDefaults(new stat.PanelBuilder(), title, datasource, ...signals)
      .noValue(empty)
      .thresholds(steps(thresholds.length > 0 ? "green" : neutral, thresholds))
      .mappings([missingValue(empty)])
      .reduceOptions(lastValue());

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

    /** One number for the time range. With thresholds, values below the first one are green. */
    stat: (title: string, signal: MetricSignal, thresholds: readonly Threshold[] = []) =>
      numbers(title, [signal], thresholds)
        .height(4)
        .graphMode(common.BigValueGraphMode.None)
        .text(new common.VizTextDisplayOptionsBuilder().valueSize(valueSize.stat)),

    /**
     * One number for the time range, and beside it other numbers with their own units, or the course of the first number as a graph.
     */
    statWith: (
      title: string,
      signal: MetricSignal,
      [beside, ...others]: Signals,
      { thresholds = [], empty = noData }: { thresholds?: readonly Threshold[]; empty?: string } = {},
    ) => {
      const isCourse = beside.queryType === "range";
      const course = { ...beside, legend: "course", description: "" };
      const numbersBeside = [beside, ...others];
      const panel = numbers(title, [signal, ...(isCourse ? [course] : numbersBeside)], thresholds, empty)
        .height(3)
        .maxDataPoints(courseIntervals)
        .orientation(common.VizOrientation.Vertical)
        // The scale of the course is its own.
        .fieldMinMax(true)
        .graphMode(common.BigValueGraphMode.Area)
        .textMode(isCourse ? common.BigValueTextMode.Value : common.BigValueTextMode.ValueAndName)
        // Names stand above their numbers.
        .wideLayout(isCourse);
      if (isCourse) panel.overrideByName(course.legend, properties({ mappings: [hidden], color: fixed(accent) }));
      else for (const { legend, unit, decimals } of numbersBeside) panel.overrideByName(legend, properties({ unit, decimals }));
      if (minInterval) panel.interval(minInterval);
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

/** An axis has as many decimal places as its steps: 10 s, not 10.00 s. */
const forAxis = (signal: MetricSignal) =>
  signal.unit === "s" || signal.unit === "currencyUSD" ? { ...signal, decimals: undefined } : signal;

/** Hides any value. */
const hidden: ValueMapping = { type: MappingType.RangeToText, options: { from: null, to: null, result: { text: " ", index: 0 } } };

/** The value of an instant query. */
const lastValue = () => new common.ReduceDataOptionsBuilder().values(false).calcs(["lastNotNull"]);

const tooltip = (mode: common.TooltipDisplayMode, sort: common.SortOrder) => new common.VizTooltipOptionsBuilder().mode(mode).sort(sort);

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

/** The distribution of the durations of spans. Tempo returns nanoseconds. More buckets than half of the spans would be gaps. */
export function durationHistogramPanel(title: string, signal: TraceSignal) {
  const seconds = { left: "Duration", operator: "/", right: "1000000000" };
  return withDefaults(new histogram.PanelBuilder(), title, tracesDatasource, signal)
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
