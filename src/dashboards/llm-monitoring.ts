/** Dashboard A, "LLM Monitoring": metrics and logs that the service writes. Its panels are specified: see dashboards/README.md. */
import { DashboardLinkBuilder } from "@grafana/grafana-foundation-sdk/dashboard";
import { llmMonitoringUid } from "../settings/keys";
import { llmMonitoringSignals } from "../signals/llm-monitoring";
import type { Contents } from "../signals/signal";
import { accent, completionColor, promptColor, redFrom } from "./colors";
import type { DatasourceRef, DatasourceUids } from "./defaults";
import { dashboardHead, queryVariable } from "./head";
import { llmMonitoringTitle } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { llmMonitoringPanels as ids } from "./panel-ids";
import { logsPanel, metricPanels } from "./panels";

export interface LlmMonitoringConfig {
  /** The name of the service: the prefix of its metrics. */
  service: string;
  uids: Pick<DatasourceUids, "prometheus" | "loki">;
  /** Whether the panels "Prompts" and "Responses" exist. Defaults to `show`. */
  contents?: Contents;
}

export function llmMonitoring({ service, uids, contents }: LlmMonitoringConfig): DashboardModel {
  const signals = llmMonitoringSignals(service);
  const metrics: DatasourceRef = { type: "prometheus", uid: uids.prometheus };
  const logs: DatasourceRef = { type: "loki", uid: uids.loki };
  const { stat, pieChart, barGauge, bars, lines } = metricPanels(metrics);
  const requestsOverTime = bars("Total Requests overtime", [signals.requestsOverTime], { colors: [accent] });
  const tokensOverTime = [signals.completionTokensOverTime, signals.promptTokensOverTime] as const;
  const tokenColors = [completionColor, promptColor];

  const dashboard = dashboardHead(llmMonitoringTitle(service), llmMonitoringUid(service))
    .tags([service, "OpenAI", "Cohere", "Anthropic"])
    .timezone("")
    .links([
      link("Documentation", "doc", "How the service works and how to use it", "https://docs.openlit.io/"),
      link("Community", "info", "Questions and answers", "https://github.com/openlit/openlit/discussions"),
      link("Source repository", "external link", "The service's source code", "https://github.com/openlit/openlit"),
    ])
    .withVariable(queryVariable("Application", "Application", "label_values(applicationName)", metrics))
    .withVariable(queryVariable("Environment", "Environment", "label_values(environment)", metrics))

    .withPanel(stat("Total Requests", signals.requests).id(1).span(8))
    .withPanel(stat("Avg Request Duration", signals.requestDuration, redFrom(5)).id(ids.duration).span(8))
    .withPanel(stat("Avg Tokens per Request", signals.tokensPerRequest, redFrom(1000)).id(3).span(8))

    .withPanel(stat("Avg Cost / Request", signals.costPerRequest, redFrom(5)).id(4).span(12))
    .withPanel(stat("Total Cost", signals.cost).id(ids.cost).span(12))

    .withPanel(requestsOverTime.id(ids.requests).span(24))

    .withPanel(pieChart("Usage by Category", signals.requestsByCategory).id(7).span(12))
    .withPanel(pieChart("Usage cost by Provider", signals.costByProvider).id(8).span(12))

    .withPanel(pieChart("Usage cost by Application", signals.costByApplication).id(9).span(12))
    .withPanel(pieChart("Usage cost by Environment", signals.costByEnvironment).id(10).span(12))

    .withPanel(stat("Avg Prompt Tokens / Request", signals.promptTokensPerRequest).id(11).span(12))
    .withPanel(stat("Avg Completion Tokens / Request", signals.completionTokensPerRequest).id(12).span(12))

    .withPanel(lines("Token usage overtime", tokensOverTime, { axisLabel: "Tokens / request", colors: tokenColors }).id(13).span(12))
    .withPanel(barGauge("Top models by usage", signals.topModels).id(14).span(12).height(8))

    .withPanel(bars("Token usage by model", [signals.tokensByModel], { stacked: true, axisLabel: "Tokens" }).id(15).span(24));
  if (contents !== "hide") {
    dashboard
      .withPanel(logsPanel("Prompts", signals.prompts, logs).id(16).span(12))
      .withPanel(logsPanel("Responses", signals.responses, logs).id(17).span(12));
  }
  return normalize(dashboard.build());
}

const link = (title: string, icon: string, tooltip: string, url: string) =>
  new DashboardLinkBuilder(title).icon(icon).tooltip(tooltip).url(url).targetBlank(true);
