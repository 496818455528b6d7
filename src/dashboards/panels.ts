/** Factories of panels: one for each visualization, with the defaults of both dashboards. */
import * as bargauge from "@grafana/grafana-foundation-sdk/bargauge";
import * as common from "@grafana/grafana-foundation-sdk/common";
import {
  FieldColorBuilder,
  FieldColorModeId,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from "@grafana/grafana-foundation-sdk/dashboard";
import * as histogram from "@grafana/grafana-foundation-sdk/histogram";
import * as logs from "@grafana/grafana-foundation-sdk/logs";
import * as piechart from "@grafana/grafana-foundation-sdk/piechart";
import * as stat from "@grafana/grafana-foundation-sdk/stat";
import * as table from "@grafana/grafana-foundation-sdk/table";
import * as timeseries from "@grafana/grafana-foundation-sdk/timeseries";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";
import { type AnySignal, describe, noValue } from "./descriptions";
import { type DatasourceRef, logQuery, metricQuery, traceQuery } from "./queries";

/** The maximum number of traces, and of rows, in a panel (spec 8). */
const maxTraces = 20;

/** The color of values without a threshold. */
const neutral = "text";

/** One number for the time range. With thresholds, values below the first one are green. */
export function statPanel(title: string, signal: MetricSignal, datasource: DatasourceRef, thresholds: readonly Threshold[] = []) {
  return withDefaults(new stat.PanelBuilder(), title, datasource, signal)
    .thresholds(steps(thresholds.length > 0 ? "green" : neutral, thresholds))
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(common.BigValueGraphMode.None)
    .reduceOptions(lastValue())
    .withTarget(metricQuery(signal, datasource));
}

export interface TimeseriesOptions {
  /** Bars for totals of intervals, lines for means. */
  draw: "bars" | "lines";
  /** Stacks the series. */
  stacked?: true;
  /** Label of the left axis. */
  axisLabel: string;
  /** The minimum interval: a shorter one could contain no sample. */
  minInterval?: string;
}

/** Values over time. A signal with another unit than the first one gets the right axis. */
export function timeseriesPanel(
  title: string,
  signals: readonly [MetricSignal, ...MetricSignal[]],
  datasource: DatasourceRef,
  { draw, stacked, axisLabel, minInterval }: TimeseriesOptions,
) {
  const bars = draw === "bars";
  const panel = withDefaults(new timeseries.PanelBuilder(), title, datasource, ...signals)
    .min(0)
    .thresholds(steps(neutral))
    .colorScheme(palette())
    .axisLabel(axisLabel)
    .axisPlacement(common.AxisPlacement.Auto)
    .drawStyle(bars ? common.GraphDrawStyle.Bars : common.GraphDrawStyle.Line)
    .lineWidth(bars ? 0 : 2)
    .fillOpacity(bars ? 70 : 10)
    .showPoints(bars ? common.VisibilityMode.Never : common.VisibilityMode.Auto)
    .stacking(new common.StackingConfigBuilder().mode(stacked ? common.StackingMode.Normal : common.StackingMode.None).group("A"))
    .legend(legend(true))
    .tooltip(tooltip(common.TooltipDisplayMode.Multi, common.SortOrder.Descending));
  if (minInterval) panel.interval(minInterval);
  for (const signal of signals) {
    panel.withTarget(metricQuery(signal, datasource));
    if (signal.unit === signals[0].unit) continue;
    panel.overrideByName(signal.legend, [
      { id: "unit", value: signal.unit },
      { id: "custom.axisPlacement", value: common.AxisPlacement.Right },
      { id: "custom.axisLabel", value: signal.legend },
    ]);
  }
  return panel;
}

/** Shares of a total. */
export function pieChartPanel(title: string, signal: MetricSignal, datasource: DatasourceRef) {
  return withDefaults(new piechart.PanelBuilder(), title, datasource, signal)
    .thresholds(steps(neutral))
    .colorScheme(palette())
    .pieType(piechart.PieChartType.Donut)
    .displayLabels([piechart.PieChartLabels.Percent])
    .reduceOptions(lastValue())
    .legend(
      new piechart.PieChartLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(common.LegendDisplayMode.Table)
        .placement(common.LegendPlacement.Bottom)
        .values([piechart.PieChartLegendValues.Value, piechart.PieChartLegendValues.Percent])
        .calcs([]),
    )
    .tooltip(tooltip(common.TooltipDisplayMode.Single, common.SortOrder.None))
    .withTarget(metricQuery(signal, datasource));
}

/** A ranking: a bar for each value of a label. */
export function barGaugePanel(title: string, signal: MetricSignal, datasource: DatasourceRef) {
  return withDefaults(new bargauge.PanelBuilder(), title, datasource, signal)
    .min(0)
    .thresholds(steps(neutral))
    .colorScheme(palette())
    .orientation(common.VizOrientation.Horizontal)
    .displayMode(common.BarGaugeDisplayMode.Gradient)
    .valueMode(common.BarGaugeValueMode.Color)
    .showUnfilled(true)
    .reduceOptions(lastValue())
    .withTarget(metricQuery(signal, datasource));
}

/** Log lines, newest first. */
export function logsPanel(title: string, signal: LogSignal, datasource: DatasourceRef) {
  return withDefaults(new logs.PanelBuilder(), title, datasource, signal)
    .showTime(true)
    .showLabels(false)
    .showCommonLabels(false)
    .wrapLogMessage(true)
    .prettifyLogMessage(false)
    .enableLogDetails(true)
    .dedupStrategy(common.LogsDedupStrategy.None)
    .sortOrder(common.LogsSortOrder.Descending)
    .withTarget(logQuery(signal, datasource));
}

/** The distribution of the durations of spans. Tempo returns nanoseconds. */
export function durationHistogramPanel(title: string, signal: TraceSignal, datasource: DatasourceRef) {
  const seconds = { left: "Duration", operator: "/", right: "1000000000" };
  return withDefaults(new histogram.PanelBuilder(), title, datasource, signal)
    .unit("s")
    .thresholds(steps(neutral))
    .colorScheme(palette())
    .combine(false)
    .lineWidth(1)
    .fillOpacity(80)
    .legend(legend(false))
    .tooltip(tooltip(common.TooltipDisplayMode.Single, common.SortOrder.None))
    .transformations([
      ...newestRows,
      { id: "calculateField", options: { mode: "binary", binary: seconds, alias: "Duration", replaceFields: true } },
    ])
    .withTarget(traceQuery(signal, datasource, maxTraces));
}

/** Spans as rows, newest first. The spec gives these tables no title. */
export function spanTablePanel(signal: TraceSignal, datasource: DatasourceRef) {
  const displayName = (value: string) => ({ id: "displayName", value });
  const longText = [
    { id: "custom.cellOptions", value: { type: "auto", wrapText: true } },
    { id: "custom.width", value: 400 },
  ];
  return (
    withDefaults(new table.PanelBuilder(), "", datasource, signal)
      .thresholds(steps(neutral))
      .showHeader(true)
      .cellHeight(common.TableCellHeight.Sm)
      .inspect(true)
      // The text of an empty cell, in place of that of an empty panel.
      .overrideByRegexp(".*", [{ id: "noValue", value: "–" }])
      .overrideByName("gen_ai.application_name", [displayName("Application")])
      .overrideByName("gen_ai.environment", [displayName("Environment")])
      .overrideByName("gen_ai.content.prompt", [displayName("Prompt"), ...longText])
      .overrideByName("gen_ai.content.completion", [displayName("Completion"), ...longText])
      .overrideByName("gen_ai.usage.cost", [displayName("Cost"), { id: "unit", value: "currencyUSD" }])
      .transformations([
        ...newestRows,
        // Tempo sends all attributes as text.
        { id: "convertFieldType", options: { conversions: [{ targetField: "gen_ai.usage.cost", destinationType: "number" }] } },
        // The query's filters make these the same in all rows.
        { id: "organize", options: { excludeByName: { "gen_ai.type": true, status: true, "telemetry.sdk.name": true } } },
      ])
      .withTarget(traceQuery(signal, datasource, maxTraces))
  );
}

/** Title, texts, datasource and unit of a panel. */
function withDefaults<B extends PanelBuilder>(panel: B, title: string, datasource: DatasourceRef, ...signals: AnySignal[]): B {
  panel
    .title(title)
    .description(describe(...signals))
    .datasource(datasource)
    .noValue(noValue(...signals));
  const [signal] = signals;
  if (signal && "unit" in signal) panel.unit(signal.unit);
  if (signal && "decimals" in signal && signal.decimals !== undefined) panel.decimals(signal.decimals);
  return panel;
}

/** The methods that all of the SDK's panel builders share. The SDK declares no such type. */
interface PanelBuilder {
  title(title: string): this;
  description(description: string): this;
  datasource(datasource: DatasourceRef): this;
  noValue(text: string): this;
  unit(unit: string): this;
  decimals(decimals: number): this;
}

/** A trace can have several matching spans, so rows are limited, too. */
const newestRows = [
  { id: "sortBy", options: { sort: [{ field: "Start time", desc: true }] } },
  { id: "limit", options: { limitField: maxTraces } },
];

/** Thresholds are always set: without them, Grafana colors values of 80 and more red. */
const steps = (base: string, thresholds: readonly Threshold[] = []) =>
  new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([{ value: null, color: base }, ...thresholds]);

/** The value of an instant query. */
const lastValue = () => new common.ReduceDataOptionsBuilder().values(false).calcs(["lastNotNull"]);

const palette = () => new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic);

const legend = (show: boolean) =>
  new common.VizLegendOptionsBuilder()
    .showLegend(show)
    .displayMode(common.LegendDisplayMode.List)
    .placement(common.LegendPlacement.Bottom)
    .calcs([]);

const tooltip = (mode: common.TooltipDisplayMode, sort: common.SortOrder) => new common.VizTooltipOptionsBuilder().mode(mode).sort(sort);
