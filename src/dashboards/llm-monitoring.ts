/** Dashboard A, "LLM Monitoring" (spec 2.2): metrics and logs that the service writes. */
import {
  AnnotationQueryBuilder,
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { llmMonitoringUid } from "../settings/keys";
import { llmMonitoringSignals } from "../signals/llm-monitoring";
import type { Contents, MetricSignal } from "../signals/signal";
import { accent, completionColor, promptColor } from "./colors";
import { llmMonitoringTitle } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { barGaugePanel, logsPanel, pieChartPanel, statPanel, type TimeseriesOptions, timeseriesPanel } from "./panels";
import type { DatasourceRef } from "./queries";
import { queryVariable } from "./variables";

export interface LlmMonitoringConfig {
  /** `<svc>` of the spec. */
  service: string;
  /** Uid of the metrics datasource. */
  prometheusUid: string;
  /** Uid of the logs datasource. */
  lokiUid: string;
  /** Whether the panels "Prompts" and "Responses" exist. Defaults to `show`. */
  contents?: Contents;
}

export function llmMonitoring(config: LlmMonitoringConfig): DashboardModel {
  const { service } = config;
  const signals = llmMonitoringSignals(service);
  const metricsDatasource: DatasourceRef = { type: "prometheus", uid: config.prometheusUid };
  const logs: DatasourceRef = { type: "loki", uid: config.lokiUid };

  const stat = (title: string, signal: MetricSignal, redFrom?: number) =>
    statPanel(title, signal, metricsDatasource, redFrom === undefined ? [] : [{ value: redFrom, color: "red" }]);
  const pieChart = (title: string, signal: MetricSignal) => pieChartPanel(title, signal, metricsDatasource);
  const timeseries = (title: string, signals: [MetricSignal, ...MetricSignal[]], options: TimeseriesOptions) =>
    timeseriesPanel(title, signals, metricsDatasource, options);

  const dashboard = new DashboardBuilder(llmMonitoringTitle(service))
    .uid(llmMonitoringUid(service))
    .tags([service, "OpenAI", "Cohere", "Anthropic"])
    .time({ from: "now-24h", to: "now" })
    .timezone("")
    .refresh("")
    .editable()
    .links([
      link("Documentation", "doc", "How the service works and how to use it", "https://docs.openlit.io/"),
      link("Community", "info", "Questions and answers", "https://github.com/openlit/openlit/discussions"),
      link("Source repository", "external link", "The service's source code", "https://github.com/openlit/openlit"),
    ])
    .annotation(builtInAnnotation())
    .withVariable(queryVariable("Application", "Application", "label_values(applicationName)", metricsDatasource))
    .withVariable(queryVariable("Environment", "Environment", "label_values(environment)", metricsDatasource))

    .withPanel(stat("Total Requests", signals.requests).id(1).span(8).height(4))
    .withPanel(stat("Avg Request Duration", signals.requestDuration, 5).id(2).span(8).height(4))
    .withPanel(stat("Avg Tokens per Request", signals.tokensPerRequest, 1000).id(3).span(8).height(4))

    .withPanel(stat("Avg Cost / Request", signals.costPerRequest, 5).id(4).span(12).height(4))
    .withPanel(stat("Total Cost", signals.cost).id(5).span(12).height(4))

    .withPanel(
      timeseries("Total Requests overtime", [signals.requestsOverTime], { draw: "bars", colors: [accent] })
        .id(6)
        .span(24)
        .height(8),
    )

    .withPanel(pieChart("Usage by Category", signals.requestsByCategory).id(7).span(12).height(7))
    .withPanel(pieChart("Usage cost by Provider", signals.costByProvider).id(8).span(12).height(7))

    .withPanel(pieChart("Usage cost by Application", signals.costByApplication).id(9).span(12).height(7))
    .withPanel(pieChart("Usage cost by Environment", signals.costByEnvironment).id(10).span(12).height(7))

    .withPanel(stat("Avg Prompt Tokens / Request", signals.promptTokensPerRequest).id(11).span(12).height(4))
    .withPanel(stat("Avg Completion Tokens / Request", signals.completionTokensPerRequest).id(12).span(12).height(4))

    .withPanel(
      timeseries("Token usage overtime", [signals.completionTokensOverTime, signals.promptTokensOverTime], {
        draw: "lines",
        axisLabel: "Tokens / request",
        colors: [completionColor, promptColor],
      })
        .id(13)
        .span(12)
        .height(8),
    )
    .withPanel(barGaugePanel("Top models by usage", signals.topModels, metricsDatasource).id(14).span(12).height(8))

    .withPanel(
      timeseries("Token usage by model", [signals.tokensByModel], { draw: "bars", stacked: true, axisLabel: "Tokens" })
        .id(15)
        .span(24)
        .height(8),
    );
  if (config.contents !== "hide") {
    dashboard
      .withPanel(logsPanel("Prompts", signals.prompts, logs).id(16).span(12).height(10))
      .withPanel(logsPanel("Responses", signals.responses, logs).id(17).span(12).height(10));
  }
  return normalize(dashboard.build());
}

function link(title: string, icon: string, tooltip: string, url: string): DashboardLinkBuilder {
  return new DashboardLinkBuilder(title).type(DashboardLinkType.Link).icon(icon).tooltip(tooltip).url(url).tags([]).targetBlank(true);
}

/** Grafana's own list of annotations and alerts. */
function builtInAnnotation(): AnnotationQueryBuilder {
  return new AnnotationQueryBuilder()
    .name("Annotations & Alerts")
    .builtIn(1)
    .datasource({ type: "grafana", uid: "-- Grafana --" })
    .enable(true)
    .hide(true)
    .iconColor("rgba(0, 211, 255, 1)")
    .type("dashboard");
}
