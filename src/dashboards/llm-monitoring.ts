/** Dashboard A, "LLM Monitoring" (spec 2.2): metrics and logs that the service writes. */
import {
  AnnotationQueryBuilder,
  DashboardBuilder,
  DashboardLinkBuilder,
  DashboardLinkType,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { llmMonitoringSignals } from "../signals/llm-monitoring";
import { type DashboardModel, finish } from "./finish";
import { type DatasourceRef, stat } from "./panels";
import { variable } from "./variables";

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

/** Uid of the dashboard of one service. */
export const llmMonitoringUid = (service: string) => `${service}-llm-monitoring`;

/** Title of the dashboard of one service. */
export const llmMonitoringTitle = (service: string) => `${service} - LLM Monitoring`;

export function llmMonitoring(config: LlmMonitoringConfig): DashboardModel {
  const { service } = config;
  const signals = llmMonitoringSignals(service);
  const datasource: DatasourceRef = { type: "prometheus", uid: config.prometheusUid };

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
    .withVariable(variable("Application", "label_values(applicationName)", datasource))
    .withVariable(variable("Environment", "label_values(environment)", datasource))
    .withPanel(stat(signals.requests, { title: "Total Requests", at: [0, 0, 6, 3], datasource, decimals: 0 }))
    .withPanel(stat(signals.requestDuration, { title: "Avg Request Duration", at: [6, 0, 4, 3], datasource, red: 5, decimals: 2 }))
    .withPanel(stat(signals.tokensPerRequest, { title: "Avg Tokens per Request", at: [10, 0, 4, 3], datasource, red: 1000, decimals: 0 }))
    .withPanel(stat(signals.costPerRequest, { title: "Avg Cost / Request", at: [14, 0, 4, 3], datasource, red: 5, decimals: 4 }))
    .withPanel(stat(signals.cost, { title: "Total Cost", at: [18, 0, 6, 3], datasource, decimals: 2 }));
  return finish(dashboard.build());
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
