/** Dashboard C, "GenAI Observability (OpenTelemetry)": metrics and traces of current SDKs, which follow OpenTelemetry's semantic conventions. */

import { BigValueTextMode } from "@grafana/grafana-foundation-sdk/common";
import { MappingType, RowBuilder, type Threshold, type ValueMapping } from "@grafana/grafana-foundation-sdk/dashboard";
import { openTelemetrySignals, openTelemetryVariables } from "../signals/opentelemetry";
import { messageAttributes, openTelemetryTraceSignals } from "../signals/opentelemetry-traces";
import type { MetricSignal } from "../signals/signal";
import { byThresholds, cachedColor, failedColor, faint, steps, succeededColor, warning } from "./colors";
import { databaseColumns, filterColumns, requestColumns } from "./columns";
import { missingValue, noData } from "./defaults";
import { exportInterval, metricsDatasource, queryVariable, type SdkDashboardConfig, sdkDashboardHead, tracesDatasource } from "./head";
import { openTelemetryTitle } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { metricPanels, spanTablePanel } from "./panels";

/** Who sends what few SDKs send: the texts of empty panels. */
const emitters = {
  cost: "No SDK sends costs, and no model has a price.",
  agents: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for agents.",
  tools: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for tools.",
  toolErrors: "No failed calls. Agent frameworks send them by OpenTelemetry's conventions for tools.",
  mcp: "Nothing arrives. MCP clients and servers send it by OpenTelemetry's conventions for MCP.",
  databases: "Nothing arrives. OpenLIT sends it for vector databases.",
} as const;

/** In place of a cost, where a sentence is too long. A cost of 0 would be wrong. */
const notSent = "Not sent";

/** Not green: a rate of 0 is also that of an SDK that measures only successful requests. */
const noneMeasured: ValueMapping = { type: MappingType.ValueToText, options: { "0": { text: "None measured", color: faint, index: 0 } } };

const thresholds = (warningFrom: number, redFrom: number): Threshold[] => [
  { value: warningFrom, color: warning },
  { value: redFrom, color: "red" },
];

/** Shares of failed requests: one in a hundred is worth a look, one in twenty is an outage of a model or a mistake in the application. */
const errorThresholds = thresholds(0.01, 0.05);

/** Shares of a budget, as its alerts have them. */
const budgetThresholds = thresholds(0.5, 1);

/** Tokens of months are billions: 12.3 Mil instead of 12,345,678, which is wider than a panel. */
const abbreviated = (signal: MetricSignal): MetricSignal => ({ ...signal, unit: "short", decimals: undefined });

export function openTelemetry(config: SdkDashboardConfig): DashboardModel {
  const signals = openTelemetrySignals();
  const spans = openTelemetryTraceSignals(config.contents);
  const messages = config.contents === "hide" ? Object.values(messageAttributes) : [];
  const { stat, pieChart, barGauge, bars, lines } = metricPanels(metricsDatasource, exportInterval);
  const outcomes = [signals.succeededOverTime, signals.failedOverTime] as const;
  const tokensOverTime = [abbreviated(signals.tokensOverTime), abbreviated(signals.cachedTokensOverTime)] as const;
  const byOutcome = { stacked: true, colors: [succeededColor, failedColor] } as const;
  const errorRate = stat("Error Rate", signals.errorRate, errorThresholds).mappings([missingValue(noData), noneMeasured]);
  const tokensByType = lines("Tokens by Type", tokensOverTime, { colors: ["", cachedColor] });
  const errorsByType = barGauge("Errors by Type", signals.errorsByType, "No errors");
  const labels = { application: "Application", environment: "Environment", provider: "Provider", model: "Model" };

  const dashboard = openTelemetryVariables()
    .map(({ name, query }) => queryVariable(name, labels[name], query, metricsDatasource, ".*"))
    .reduce((head, variable) => head.withVariable(variable), sdkDashboardHead(openTelemetryTitle, config))

    .withRow(new RowBuilder("Overview").id(1))
    .withPanel(stat("Requests", signals.requests).id(2).span(8))
    .withPanel(errorRate.id(3).span(8))
    .withPanel(stat("p95 Latency", signals.latency).id(4).span(8))

    .withPanel(stat("Tokens", abbreviated(signals.tokens)).id(5).span(8))
    .withPanel(stat("Cost", [signals.cost, signals.modelsWithoutPrice], [], notSent).textMode(BigValueTextMode.ValueAndName).id(6).span(8))
    .withPanel(stat("Cost / Request", signals.costPerRequest, [], notSent).id(7).span(8))

    .withRow(new RowBuilder("Over Time").id(8))
    .withPanel(bars("Requests by Outcome", outcomes, byOutcome).id(9).span(12))
    .withPanel(lines("p95 Latency by Application", [signals.latencyOverTime]).id(10).span(12))

    .withPanel(lines("p95 Time to First Token", [signals.firstTokenOverTime]).id(11).span(8))
    .withPanel(tokensByType.id(12).span(8))
    .withPanel(bars("Cost by Model", [signals.costOverTime], { stacked: true }).noValue(emitters.cost).id(13).span(8))

    .withRow(new RowBuilder("Breakdown").id(14))
    .withPanel(barGauge("Top Models by Requests", signals.topModelsByRequests).id(15).span(12))
    .withPanel(barGauge("Top Models by Tokens", abbreviated(signals.topModelsByTokens)).id(16).span(12))

    .withPanel(barGauge("Top Models by Cost", signals.topModelsByCost, notSent).id(17).span(12))
    .withPanel(barGauge("Tokens without Cost", abbreviated(signals.tokensWithoutCost), "None").id(37).span(12))

    .withPanel(pieChart("Requests by Provider", signals.requestsByProvider).id(18).span(12))
    .withPanel(pieChart("Requests by Operation", signals.requestsByOperation).id(19).span(12))

    .withPanel(pieChart("Requests by Environment", signals.requestsByEnvironment).id(20).span(12))
    .withPanel(pieChart("Requests by Application", signals.requestsByApplication).id(21).span(12))

    .withPanel(errorsByType.id(22).span(config.budgets ? 12 : 24));
  if (config.budgets) {
    const budgets = barGauge("Budget Today", signals.usedBudget, "Nothing used").max(1).thresholds(steps("green", budgetThresholds));
    dashboard.withPanel(budgets.colorScheme(byThresholds()).id(38).span(12));
  }
  dashboard

    .withRow(new RowBuilder("Agents and Tools").id(23))
    .withPanel(pieChart("Invocations by Agent", signals.agents).noValue(emitters.agents).id(24).span(12))
    .withPanel(pieChart("MCP Operations by Method", signals.mcp).noValue(emitters.mcp).id(26).span(12))

    .withPanel(pieChart("Tool Calls by Tool", signals.tools).noValue(emitters.tools).id(27).span(12))
    .withPanel(pieChart("Tool Errors by Tool", signals.toolErrors).noValue(emitters.toolErrors).id(28).span(12))

    .withPanel(lines("Mean Duration by Agent", [signals.agentDurationOverTime]).noValue(emitters.agents).id(25).span(24))

    .withRow(new RowBuilder("Vector Databases").id(29))
    .withPanel(pieChart("Requests by System", signals.databaseSystems).noValue(emitters.databases).id(30).span(12))
    .withPanel(pieChart("Requests by DB Operation", signals.databaseOperations).noValue(emitters.databases).id(31).span(12))

    .withPanel(lines("p95 Latency by System", [signals.databaseLatencyOverTime]).noValue(emitters.databases).id(32).span(24))

    .withRow(new RowBuilder("GenAI Requests").id(33))
    .withPanel(spanTablePanel(spans.genaiTraces, tracesDatasource, requestColumns, [...filterColumns, ...messages]).id(34))

    .withRow(new RowBuilder("VectorDB Requests").id(35))
    .withPanel(spanTablePanel(spans.databaseTraces, tracesDatasource, databaseColumns, filterColumns).id(36));
  return normalize(dashboard.build());
}
