/** Dashboard B, "GenAI Observability" (spec 2.3): metrics and traces that an instrumentation SDK pushes. */
import { RowBuilder, type Threshold } from "@grafana/grafana-foundation-sdk/dashboard";
import { type GenaiOptions, genaiLabel, genaiSignals } from "../signals/genai";
import { contentAttributes } from "../signals/genai-traces";
import type { MetricSignal } from "../signals/signal";
import { amber, completionColor, costColor, promptColor } from "./colors";
import { genaiObservabilityTitle } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { barGaugePanel, pieChartPanel, statPanel, timeseriesPanel } from "./panels";
import { exportInterval, metricsDatasource, type SdkDashboardConfig, sdkDashboard, tracesDatasource } from "./sdk-dashboard";
import { durationHistogramPanel, spanTablePanel } from "./trace-panels";
import { queryVariable } from "./variables";

export interface GenaiObservabilityConfig extends SdkDashboardConfig, GenaiOptions {
  /** `<sdk_name>` of the spec. */
  sdkName: string;
}

export function genaiObservability(config: GenaiObservabilityConfig): DashboardModel {
  const hidden = config.contents === "hide" ? contentAttributes : [];
  const signals = genaiSignals(config.sdkName, config);

  const stat = (title: string, signal: MetricSignal, thresholds?: Threshold[]) => statPanel(title, signal, metricsDatasource, thresholds);
  const pieChart = (title: string, signal: MetricSignal) => pieChartPanel(title, signal, metricsDatasource);
  const barGauge = (title: string, signal: MetricSignal) => barGaugePanel(title, signal, metricsDatasource);
  const labelValues = (name: "application" | "environment", label: string) =>
    queryVariable(name, label, `label_values(${genaiLabel(name)})`, metricsDatasource);
  const costThresholds = [
    { value: 0.5, color: amber },
    { value: 1, color: "red" },
  ];

  const dashboard = sdkDashboard(genaiObservabilityTitle, config)
    .withVariable(labelValues("application", "Application"))
    .withVariable(labelValues("environment", "Environment"))

    .withRow(new RowBuilder("Row title").id(1))
    .withPanel(stat("Total Successful GenAI Requests", signals.requests).id(2).span(12).height(4))
    .withPanel(stat("Total Successful VectorDB Requests", signals.databaseRequests).id(3).span(12).height(4))

    .withPanel(stat("Total Usage Tokens", signals.tokens).id(4).span(8).height(4))
    .withPanel(stat("Total Usage Cost", signals.cost).id(5).span(8).height(4))
    .withPanel(stat("Avg Usage Cost", signals.costPerRequest, costThresholds).id(6).span(8).height(4))

    .withPanel(durationHistogramPanel("Request Duration Distribution", signals.durations, tracesDatasource).id(7).span(12).height(7))
    .withPanel(barGauge("Top GenAI Models by Usage", signals.topModels).id(8).span(12).height(7))

    .withPanel(pieChart("GenAI Requests by Platform", signals.requestsByPlatform).id(9).span(12).height(7))
    .withPanel(pieChart("GenAI Requests by Type", signals.requestsByType).id(10).span(12).height(7))

    .withPanel(pieChart("GenAI Requests by Environment", signals.requestsByEnvironment).id(11).span(12).height(7))
    .withPanel(pieChart("GenAI Requests by Application", signals.requestsByApplication).id(12).span(12).height(7))

    .withPanel(barGauge("VectorDB Usage by System", signals.databaseRequestsBySystem).id(13).span(12).height(7))
    .withPanel(pieChart("DB Requests by Operation", signals.databaseRequestsByOperation).id(14).span(12).height(7))

    .withPanel(
      timeseriesPanel(
        "Average Token Consumption vs. Average Usage Cost Comparison",
        [signals.promptTokensOverTime, signals.completionTokensOverTime, signals.costOverTime],
        metricsDatasource,
        {
          draw: "lines",
          axisLabel: "Tokens / request",
          rightAxisLabel: "USD / request",
          colors: [promptColor, completionColor, costColor],
          minInterval: exportInterval,
        },
      )
        .id(15)
        .span(24)
        .height(9),
    )

    .withRow(new RowBuilder("GenAI Requests").id(16))
    .withPanel(
      // The name of a span takes the place of the contents.
      spanTablePanel(signals.genaiTraces, tracesDatasource, { without: hidden.length > 0 ? hidden : ["Name"] })
        .id(17)
        .span(24)
        .height(16),
    )

    .withRow(new RowBuilder("VectorDB Requests").id(18))
    .withPanel(spanTablePanel(signals.databaseTraces, tracesDatasource, { without: hidden }).id(19).span(24).height(16));
  return normalize(dashboard.build());
}
