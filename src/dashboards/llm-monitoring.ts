/** Dashboard A, "LLM Monitoring" (spec 2.2): metrics and logs that the service writes. */
import {
  AnnotationQueryBuilder,
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { llmMonitoringSignals } from "../signals/llm-monitoring";
import type { MetricSignal } from "../signals/signal";
import type { Threshold } from "./common";
import { place, row } from "./grid";
import { llmMonitoringTitle, llmMonitoringUid } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { barGaugePanel, logsPanel, pieChartPanel, statPanel, type TimeseriesOptions, timeseriesPanel } from "./panels";
import type { DatasourceRef } from "./queries";
import { queryVariable } from "./variables";

/** What the dashboard depends on. */
export interface LlmMonitoringConfig {
  /** `<svc>` of the spec. */
  service: string;
  /** Uid of the metrics datasource. */
  prometheusUid: string;
  /** Uid of the logs datasource. */
  lokiUid: string;
  documentationUrl: string;
  communityUrl: string;
  repositoryUrl: string;
}

export function llmMonitoring(config: LlmMonitoringConfig): DashboardModel {
  const { service } = config;
  const signals = llmMonitoringSignals(service);
  const metrics: DatasourceRef = { type: "prometheus", uid: config.prometheusUid };
  const logs: DatasourceRef = { type: "loki", uid: config.lokiUid };
  const red = (from: number) => [{ from, color: "red" }];

  const dashboard = new DashboardBuilder(llmMonitoringTitle(service))
    .uid(llmMonitoringUid(service))
    .tags([service, "OpenAI", "Cohere", "Anthropic"])
    .time({ from: "now-24h", to: "now" })
    .timezone("")
    .refresh("")
    .editable()
    .links([
      link("Documentation", "doc", "How the service works and how to use it", config.documentationUrl),
      link("Community", "info", "Questions and answers", config.communityUrl),
      link("Source repository", "external link", "The service's source code", config.repositoryUrl),
    ])
    .annotation(builtInAnnotation())
    .withVariable(queryVariable("Application", "Application", "label_values(applicationName)", metrics))
    .withVariable(queryVariable("Environment", "Environment", "label_values(environment)", metrics));

  const stat = (title: string, signal: MetricSignal, thresholds?: Threshold[]) => statPanel(title, signal, metrics, thresholds);
  const pieChart = (title: string, signal: MetricSignal) => pieChartPanel(title, signal, metrics);
  const timeseries = (title: string, signals: [MetricSignal, ...MetricSignal[]], options: TimeseriesOptions) =>
    timeseriesPanel(title, signals, metrics, options);

  place(dashboard, [
    row(
      3,
      [6, stat("Total Requests", signals.requests)],
      [4, stat("Avg Request Duration", signals.requestDuration, red(5))],
      [4, stat("Avg Tokens per Request", signals.tokensPerRequest, red(1000))],
      [4, stat("Avg Cost / Request", signals.costPerRequest, red(5))],
      [6, stat("Total Cost", signals.cost)],
    ),
    row(5, [24, timeseries("Total Requests overtime", [signals.requestsOverTime], { draw: "bars", axisLabel: "Requests" })]),
    row(
      9,
      [6, pieChart("Usage by Category", signals.requestsByCategory)],
      [6, pieChart("Usage cost by Provider", signals.costByProvider)],
      [6, pieChart("Usage cost by Application", signals.costByApplication)],
      [6, pieChart("Usage cost by Environment", signals.costByEnvironment)],
    ),
    row(
      6,
      [4, stat("Avg Prompt Tokens / Request", signals.promptTokensPerRequest)],
      [4, stat("Avg Completion Tokens / Request", signals.completionTokensPerRequest)],
      [
        16,
        timeseries("Token usage overtime", [signals.completionTokensOverTime, signals.promptTokensOverTime], {
          draw: "lines",
          axisLabel: "Tokens / request",
        }),
      ],
    ),
    row(
      6,
      [12, barGaugePanel("Top models by usage", signals.topModels, metrics)],
      [12, timeseries("Token usage by model", [signals.tokensByModel], { draw: "bars", stacked: true, axisLabel: "Tokens" })],
    ),
    row(8, [12, logsPanel("Prompts", signals.prompts, logs)], [12, logsPanel("Responses", signals.responses, logs)]),
  ]);
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
