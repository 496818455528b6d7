/** Dashboard B, "GenAI Observability": metrics and traces of an SDK of 2024. Its panels are specified: see dashboards/README.md. */
import { RowBuilder } from "@grafana/grafana-foundation-sdk/dashboard";
import { contentAttributes, genaiLabel, genaiSignals } from "../signals/genai";
import type { TraceSignal } from "../signals/signal";
import { amber, completionColor, costColor, promptColor } from "./colors";
import { hiddenSpecColumns, specColumns } from "./columns";
import { exportInterval, metricsDatasource, queryVariable, type SdkDashboardConfig, sdkDashboardHead } from "./head";
import { genaiObservabilityTitle } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { durationHistogramPanel, metricPanels } from "./panels";
import { spanTablePanel } from "./tables";

export interface GenaiObservabilityConfig extends SdkDashboardConfig {
  /** The value of the SDK's attribute `telemetry.sdk.name`. */
  sdkName: string;
}

export function genaiObservability(config: GenaiObservabilityConfig): DashboardModel {
  const signals = genaiSignals(config.sdkName, config);
  const { stat, pieChart, barGauge, lines } = metricPanels(metricsDatasource, exportInterval);
  const labelValues = (name: "application" | "environment", label: string) =>
    queryVariable(name, label, `label_values(${genaiLabel(name)})`, metricsDatasource);
  const table = (signal: TraceSignal, hidden: readonly string[]) =>
    spanTablePanel("", signal, specColumns, [...hiddenSpecColumns, ...hidden]);
  const isHidden = config.contents === "hide";
  const costThresholds = [
    { value: 0.5, color: amber },
    { value: 1, color: "red" },
  ];
  const comparison = lines(
    "Average Token Consumption vs. Average Usage Cost Comparison",
    [signals.promptTokensOverTime, signals.completionTokensOverTime, signals.costOverTime],
    { axisLabel: "Tokens / request", rightAxisLabel: "USD / request", colors: [promptColor, completionColor, costColor] },
  );

  const dashboard = sdkDashboardHead(genaiObservabilityTitle, config)
    .withVariable(labelValues("application", "Application"))
    .withVariable(labelValues("environment", "Environment"))

    .withRow(new RowBuilder("Row title").id(1))
    .withPanel(stat("Total Successful GenAI Requests", signals.requests).id(2).span(12))
    .withPanel(stat("Total Successful VectorDB Requests", signals.databaseRequests).id(3).span(12))

    .withPanel(stat("Total Usage Tokens", signals.tokens).id(4).span(8))
    .withPanel(stat("Total Usage Cost", signals.cost).id(5).span(8))
    .withPanel(stat("Avg Usage Cost", signals.costPerRequest, costThresholds).id(6).span(8))

    .withPanel(durationHistogramPanel("Request Duration Distribution", signals.durations).id(7).span(12))
    .withPanel(barGauge("Top GenAI Models by Usage", signals.topModels).id(8).span(12))

    .withPanel(pieChart("GenAI Requests by Platform", signals.requestsByPlatform).id(9).span(12))
    .withPanel(pieChart("GenAI Requests by Type", signals.requestsByType).id(10).span(12))

    .withPanel(pieChart("GenAI Requests by Environment", signals.requestsByEnvironment).id(11).span(12))
    .withPanel(pieChart("GenAI Requests by Application", signals.requestsByApplication).id(12).span(12))

    .withPanel(barGauge("VectorDB Usage by System", signals.databaseRequestsBySystem).id(13).span(12))
    .withPanel(pieChart("DB Requests by Operation", signals.databaseRequestsByOperation).id(14).span(12))

    .withPanel(comparison.id(15).span(24).height(9))

    .withRow(new RowBuilder("GenAI Requests").id(16))
    // The name of a span takes the place of the contents.
    .withPanel(table(signals.genaiTraces, isHidden ? contentAttributes : ["Name"]).id(17))

    .withRow(new RowBuilder("VectorDB Requests").id(18))
    .withPanel(table(signals.databaseTraces, isHidden ? contentAttributes : []).id(19));
  return normalize(dashboard.build());
}
