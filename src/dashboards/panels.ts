/** Factories of panels: one for each way to show a signal. What several of them share is at the end. */
import * as bargauge from "@grafana/grafana-foundation-sdk/bargauge";
import {
  AxisPlacement,
  BarGaugeDisplayMode,
  BarGaugeValueMode,
  BigValueColorMode,
  BigValueGraphMode,
  GraphDrawStyle,
  LegendDisplayMode,
  LegendPlacement,
  LogsDedupStrategy,
  LogsSortOrder,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TableCellHeight,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizOrientation,
  VizTooltipOptionsBuilder,
} from "@grafana/grafana-foundation-sdk/common";
import { FieldColorBuilder, FieldColorModeId } from "@grafana/grafana-foundation-sdk/dashboard";
import * as histogram from "@grafana/grafana-foundation-sdk/histogram";
import * as logs from "@grafana/grafana-foundation-sdk/logs";
import * as piechart from "@grafana/grafana-foundation-sdk/piechart";
import * as stat from "@grafana/grafana-foundation-sdk/stat";
import * as table from "@grafana/grafana-foundation-sdk/table";
import * as timeseries from "@grafana/grafana-foundation-sdk/timeseries";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";
import { type AnySignal, baseColor, describe, noValue, steps, type Threshold } from "./common";
import { type DatasourceRef, logQuery, metricQuery, traceQuery } from "./queries";

/** At most so many traces, and rows, in trace panels (spec 8). */
const traceLimit = 20;

/** One number for the whole time range. Without thresholds it has no color: nothing judges it. */
export function statPanel(title: string, signal: MetricSignal, datasource: DatasourceRef, thresholds: Threshold[] = []) {
  return measured(begin(new stat.PanelBuilder(), title, datasource, signal), signal)
    .thresholds(steps(thresholds.length > 0 ? "green" : baseColor, thresholds))
    .colorMode(BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(lastValues())
    .withTarget(metricQuery(signal, datasource));
}

export interface TimeseriesOptions {
  /** Bars for what is added up in each interval, lines for means. */
  draw: "bars" | "lines";
  /** One series upon the other: where together they make a total. */
  stacked?: true;
  /** What the left axis shows. */
  axisLabel: string;
  /** The shortest interval that holds a sample of each series: shorter ones would leave holes. */
  shortest?: string;
}

/** Values over time, a series for each signal or for each of its label's values. Signals in another unit than the first get the right axis. */
export function timeseriesPanel(
  title: string,
  signals: readonly [MetricSignal, ...MetricSignal[]],
  datasource: DatasourceRef,
  { draw, stacked, axisLabel, shortest }: TimeseriesOptions,
) {
  const panel = begin(new timeseries.PanelBuilder(), title, datasource, ...signals)
    .unit(signals[0].unit)
    .min(0)
    .thresholds(steps(baseColor))
    .colorScheme(palette())
    .axisLabel(axisLabel)
    .axisPlacement(AxisPlacement.Auto)
    .drawStyle(draw === "bars" ? GraphDrawStyle.Bars : GraphDrawStyle.Line)
    .lineWidth(draw === "bars" ? 0 : 2)
    .fillOpacity(draw === "bars" ? 70 : 10)
    .showPoints(draw === "bars" ? VisibilityMode.Never : VisibilityMode.Auto)
    .stacking(new StackingConfigBuilder().mode(stacked ? StackingMode.Normal : StackingMode.None).group("A"))
    .legend(new VizLegendOptionsBuilder().showLegend(true).displayMode(LegendDisplayMode.List).placement(LegendPlacement.Bottom).calcs([]))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  if (shortest) panel.interval(shortest);
  for (const signal of signals) {
    panel.withTarget(metricQuery(signal, datasource));
    if (signal.unit === signals[0].unit) continue;
    panel.overrideByName(signal.legend, [
      { id: "unit", value: signal.unit },
      { id: "custom.axisPlacement", value: AxisPlacement.Right },
      { id: "custom.axisLabel", value: signal.legend },
    ]);
  }
  return panel;
}

/** Shares of a whole. */
export function pieChartPanel(title: string, signal: MetricSignal, datasource: DatasourceRef) {
  return measured(begin(new piechart.PanelBuilder(), title, datasource, signal), signal)
    .thresholds(steps(baseColor))
    .colorScheme(palette())
    .pieType(piechart.PieChartType.Donut)
    .displayLabels([piechart.PieChartLabels.Percent])
    .reduceOptions(lastValues())
    .legend(
      new piechart.PieChartLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.Table)
        .placement(LegendPlacement.Bottom)
        .values([piechart.PieChartLegendValues.Value, piechart.PieChartLegendValues.Percent])
        .calcs([]),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Single).sort(SortOrder.None))
    .withTarget(metricQuery(signal, datasource));
}

/** A ranking: one bar for each value of a label. */
export function barGaugePanel(title: string, signal: MetricSignal, datasource: DatasourceRef) {
  return measured(begin(new bargauge.PanelBuilder(), title, datasource, signal), signal)
    .min(0)
    .thresholds(steps(baseColor))
    .colorScheme(palette())
    .orientation(VizOrientation.Horizontal)
    .displayMode(BarGaugeDisplayMode.Gradient)
    .valueMode(BarGaugeValueMode.Color)
    .showUnfilled(true)
    .reduceOptions(lastValues())
    .withTarget(metricQuery(signal, datasource));
}

/** Log lines, newest first. */
export function logsPanel(title: string, signal: LogSignal, datasource: DatasourceRef) {
  return begin(new logs.PanelBuilder(), title, datasource, signal)
    .showTime(true)
    .showLabels(false)
    .showCommonLabels(false)
    .wrapLogMessage(true)
    .prettifyLogMessage(false)
    .enableLogDetails(true)
    .dedupStrategy(LogsDedupStrategy.None)
    .sortOrder(LogsSortOrder.Descending)
    .withTarget(logQuery(signal, datasource));
}

/** How the durations of spans are spread. Tempo gives nanoseconds. */
export function durationHistogramPanel(title: string, signal: TraceSignal, datasource: DatasourceRef) {
  const seconds = { left: "Duration", operator: "/", right: "1000000000" };
  return begin(new histogram.PanelBuilder(), title, datasource, signal)
    .unit("s")
    .thresholds(steps(baseColor))
    .colorScheme(palette())
    .combine(false)
    .lineWidth(1)
    .fillOpacity(80)
    .legend(new VizLegendOptionsBuilder().showLegend(false).displayMode(LegendDisplayMode.List).placement(LegendPlacement.Bottom).calcs([]))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Single).sort(SortOrder.None))
    .transformations([
      ...newestRows,
      { id: "calculateField", options: { mode: "binary", binary: seconds, alias: "Duration", replaceFields: true } },
    ])
    .withTarget(traceQuery(signal, datasource, traceLimit));
}

/** Spans as rows, newest first. The spec gives these tables no title. */
export function spanTablePanel(signal: TraceSignal, datasource: DatasourceRef) {
  const titled = (title: string, ...others: { id: string; value: unknown }[]) => [{ id: "displayName", value: title }, ...others];
  const longText = [
    { id: "custom.cellOptions", value: { type: "auto", wrapText: true } },
    { id: "custom.width", value: 400 },
  ];
  return (
    begin(new table.PanelBuilder(), "", datasource, signal)
      .thresholds(steps(baseColor))
      .showHeader(true)
      .cellHeight(TableCellHeight.Sm)
      .inspect(true)
      // What stands in the panel without data is no text for a span without, say, a cost.
      .overrideByRegexp(".*", [{ id: "noValue", value: "–" }])
      .overrideByName("gen_ai.application_name", titled("Application"))
      .overrideByName("gen_ai.environment", titled("Environment"))
      .overrideByName("gen_ai.content.prompt", titled("Prompt", ...longText))
      .overrideByName("gen_ai.content.completion", titled("Completion", ...longText))
      .overrideByName("gen_ai.usage.cost", titled("Cost", { id: "unit", value: "currencyUSD" }))
      .transformations([
        ...newestRows,
        // Tempo sends all attributes as text.
        { id: "convertFieldType", options: { conversions: [{ targetField: "gen_ai.usage.cost", destinationType: "number" }] } },
        // What the query's filter fixes is the same in all rows.
        { id: "organize", options: { excludeByName: { "gen_ai.type": true, status: true, "telemetry.sdk.name": true } } },
      ])
      .withTarget(traceQuery(signal, datasource, traceLimit))
  );
}

/** What every panel begins with: its words, and where it reads from. */
function begin<B extends Beginning>(panel: B, title: string, datasource: DatasourceRef, ...signals: AnySignal[]): B {
  return panel
    .title(title)
    .description(describe(...signals))
    .datasource(datasource)
    .noValue(noValue(...signals));
}

/** What the SDK's builders of panels have in common; it declares no type for that. */
interface Beginning {
  title(title: string): this;
  description(description: string): this;
  datasource(datasource: DatasourceRef): this;
  noValue(text: string): this;
}

/** The unit of a panel with one signal, and its digits. */
function measured<B extends Measured>(panel: B, { unit, decimals }: MetricSignal): B {
  panel.unit(unit);
  return decimals === undefined ? panel : panel.decimals(decimals);
}

interface Measured {
  unit(unit: string): this;
  decimals(digits: number): this;
}

/** A trace may hold more than one span that was found: rows are limited, too. */
const newestRows = [
  { id: "sortBy", options: { sort: [{ field: "Start time", desc: true }] } },
  { id: "limit", options: { limitField: traceLimit } },
];

/** The value of an instant query. */
const lastValues = () => new ReduceDataOptionsBuilder().values(false).calcs(["lastNotNull"]);

const palette = () => new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic);
