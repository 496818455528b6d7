/** Dashboard B, "GenAI Observability" (spec 2.3): metrics and traces that an instrumentation SDK pushes. */
import { DashboardBuilder } from "@grafana/grafana-foundation-sdk/dashboard";
import { genaiSignals } from "../signals/genai";
import type { MetricSignal } from "../signals/signal";
import type { Threshold } from "./common";
import { place, row, section } from "./grid";
import { genaiObservabilityTitle } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { barGaugePanel, durationHistogramPanel, pieChartPanel, spanTablePanel, statPanel, timeseriesPanel } from "./panels";
import type { DatasourceRef } from "./queries";
import { datasourceVariable, queryVariable } from "./variables";

/** What the dashboard depends on. */
export interface GenaiObservabilityConfig {
  uid: string;
  /** `<sdk_name>` of the spec. */
  sdkName: string;
  /** Uid of the metrics datasource that is picked at first. */
  prometheusUid: string;
  /** Uid of the traces datasource that is picked at first. */
  tempoUid: string;
}

/** How often OpenTelemetry SDKs export metrics, unless they are told otherwise. */
const exportInterval = "1m";

/** The middle one of the colors that Grafana itself proposes for thresholds. */
const amber = "#EAB839";

export function genaiObservability(config: GenaiObservabilityConfig): DashboardModel {
  const signals = genaiSignals(config.sdkName);
  const metrics: DatasourceRef = { type: "prometheus", uid: "${metricsDatasource}" };
  const traces: DatasourceRef = { type: "tempo", uid: "${traceDatasource}" };

  const dashboard = new DashboardBuilder(genaiObservabilityTitle)
    .uid(config.uid)
    .tags([])
    .time({ from: "now-24h", to: "now" })
    .timezone("browser")
    .refresh("")
    .editable()
    .links([])
    .withVariable(datasourceVariable("traceDatasource", "Trace Datasource", "tempo", config.tempoUid))
    .withVariable(datasourceVariable("metricsDatasource", "Metrics Datasource", "prometheus", config.prometheusUid))
    .withVariable(queryVariable("application", "Application", "label_values(gen_ai_application_name)", metrics))
    .withVariable(queryVariable("environment", "Environment", "label_values(gen_ai_environment)", metrics));

  const stat = (title: string, signal: MetricSignal, thresholds?: Threshold[]) => statPanel(title, signal, metrics, thresholds);
  const pieChart = (title: string, signal: MetricSignal) => pieChartPanel(title, signal, metrics);
  const barGauge = (title: string, signal: MetricSignal) => barGaugePanel(title, signal, metrics);

  place(dashboard, [
    section("Row title"),
    row(
      4,
      [12, stat("Total Successful GenAI Requests", signals.requests)],
      [12, stat("Total Successful VectorDB Requests", signals.databaseRequests)],
    ),
    row(
      4,
      [8, stat("Total Usage Tokens", signals.tokens)],
      [8, stat("Total Usage Cost", signals.cost)],
      [
        8,
        stat("Avg Usage Cost", signals.costPerRequest, [
          { from: 0.5, color: amber },
          { from: 1, color: "red" },
        ]),
      ],
    ),
    row(7, [24, durationHistogramPanel("Request Duration Distribution", signals.durations, traces)]),
    row(7, [24, barGauge("Top GenAI Models by Usage", signals.topModels)]),
    row(
      9,
      [6, pieChart("GenAI Requests by Platform", signals.requestsByPlatform)],
      [6, pieChart("GenAI Requests by Type", signals.requestsByType)],
      [6, pieChart("GenAI Requests by Environment", signals.requestsByEnvironment)],
      [6, pieChart("GenAI Requests by Application", signals.requestsByApplication)],
    ),
    row(
      9,
      [14, barGauge("VectorDB Usage by System", signals.databaseRequestsBySystem)],
      [10, pieChart("DB Requests by Operation", signals.databaseRequestsByOperation)],
    ),
    row(8, [
      24,
      timeseriesPanel(
        "Average Token Consumption vs. Average Usage Cost Comparison",
        [signals.promptTokensOverTime, signals.completionTokensOverTime, signals.costOverTime],
        metrics,
        { draw: "lines", axisLabel: "Tokens / request", shortest: exportInterval },
      ),
    ]),
    section("GenAI Requests"),
    row(16, [24, spanTablePanel(signals.genaiTraces, traces)]),
    section("VectorDB Requests"),
    row(15, [24, spanTablePanel(signals.databaseTraces, traces)]),
  ]);
  return normalize(dashboard.build());
}
