/**
 * Dashboard C, "GenAI Observability (OpenTelemetry)": metrics and traces of current SDKs. From top to bottom, it answers: Is it healthy?
 * Which one is not? Since when? Which requests? Rows with details load when they are opened.
 */

import type { Builder } from "@grafana/grafana-foundation-sdk/cog";
import { MappingType, type Panel, RowBuilder, type Threshold, type ValueMapping } from "@grafana/grafana-foundation-sdk/dashboard";
import type { Limits } from "../settings/limits";
import { modelIdentity } from "../signals/identity";
import * as measured from "../signals/opentelemetry";
import type { Gateways } from "../signals/opentelemetry-rules";
import { messageAttributes, openTelemetryTraceSignals, slowVariable, spansOf } from "../signals/opentelemetry-traces";
import type { MetricSignal, TraceSignal } from "../signals/signal";
import { byThresholds, cachedColor, faint, redFrom, steps, warning } from "./colors";
import { type Column, databaseColumns, failedColumns, hiddenColumns, requestColumns, slowColumns } from "./columns";
import { missingValue, noData } from "./defaults";
import {
  choiceVariable,
  dashboardLink,
  exportInterval,
  metricsDatasource,
  queryVariable,
  type SdkDashboardConfig,
  sdkDashboardHead,
} from "./head";
import { exploreSpans, pointTime, rowName, selecting, seriesName } from "./links";
import { openTelemetryTitle } from "./names";
import { type DashboardModel, normalize } from "./normalize";
import { openTelemetryPanels as ids } from "./panel-ids";
import { metricPanels } from "./panels";
import { numberTable, spanTablePanel } from "./tables";

export interface OpenTelemetryConfig extends SdkDashboardConfig {
  /** The limits of the alerts. */
  limits: Limits;
  /** Defaults to none. */
  gateways?: Gateways | undefined;
  /** Whether to show how much of the budgets by application is used. Defaults to no. */
  budgets?: boolean;
  /** Other dashboards, to which it has links. Defaults to none. */
  others?: readonly Parameters<typeof dashboardLink>[0][];
}

/** The texts of empty panels: few SDKs send these signals. */
const emitters = {
  agents: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for agents.",
  tools: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for tools.",
  toolErrors: "No failed calls. Agent frameworks send them by OpenTelemetry's conventions for tools.",
  mcp: "Nothing arrives. MCP clients and servers send it by OpenTelemetry's conventions for MCP.",
  databases: "Nothing arrives. OpenLIT sends it for vector databases.",
} as const;

/** Not green: some SDKs measure only successful requests, so their rate is always 0. */
const noneMeasured: ValueMapping = { type: MappingType.ValueToText, options: { "0": { text: "None measured", color: faint, index: 0 } } };

/** The limits of the alerts on budgets. */
const budgetThresholds: Threshold[] = [{ value: 0.8, color: warning }, ...redFrom(1)];

const labels = { model: "Model", provider: "Provider", application: "Application", environment: "Environment" } as const;

/** The choices of "Slow from" in seconds. The first choice is the limit of the alert. */
const durations = [1, 5, 10, 30, 60, 120];

/** The line below the open panels. */
const firstFolded = 58;

/** A row that is folded, in the n-th line below the open panels. */
const folded = (line: number, id: number, title: string, ...panels: readonly Builder<Panel>[]) =>
  panels.reduce<RowBuilder>(
    (row, panel) => row.withPanel(panel),
    new RowBuilder(title).id(id).gridPos({ x: 0, y: firstFolded + line, w: 24, h: 1 }),
  );

export function openTelemetry(config: OpenTelemetryConfig): DashboardModel {
  const { uid, limits, others = [] } = config;
  const [totals, courses] = [measured.numbers("$__range"), measured.numbers("$__interval")];
  const [columns, graphs] = [measured.columns(), measured.graphs()];
  const signals = measured.details();
  const spans = openTelemetryTraceSignals(config.contents, config.gateways);
  const messages = config.contents === "hide" ? Object.values(messageAttributes) : [];
  const { stat, statWith, barGauge, bars, lines } = metricPanels(metricsDatasource, exportInterval);

  const number = (title: string, name: keyof typeof totals, options: Parameters<typeof statWith>[3] = {}) =>
    statWith(title, totals[name], [courses[name]], options).span(8);
  const errorRate = number("Error Rate", "errorRate", { thresholds: redFrom(limits.errorRate) });

  const failedIn = exploreSpans("Failed requests", spansOf(rowName, config.gateways, "status = error"));
  const failedAt = exploreSpans("Failed requests", spansOf(seriesName, config.gateways, "status = error"), pointTime);
  const requestsAt = exploreSpans("Requests until then", spansOf(seriesName, config.gateways), pointTime);
  const half = (id: number, graph: ReturnType<typeof lines>) => graph.height(7).id(id).span(12);
  const names = modelIdentity.map((name) => {
    const kept = ["traceDatasource", "metricsDatasource", "by", slowVariable, ...modelIdentity.filter((other) => other !== name)];
    return { name, title: labels[name], link: selecting(uid, name, kept) };
  });
  const table = numberTable("By $by", names, [
    { title: "Requests", width: 78, signal: columns.requests, link: exploreSpans("Requests", spansOf(rowName, config.gateways)) },
    { title: "Errors", width: 66, signal: columns.errorRate, limit: limits.errorRate, link: failedIn },
    { title: "p95", width: 80, signal: columns.latency, limit: limits.latency },
    { title: "First token", width: 76, signal: columns.firstToken, limit: limits.firstToken },
    { title: "Tokens", width: 76, signal: columns.tokens },
    { title: "Cached", width: 70, signal: columns.cached },
    { title: "Cost", width: 88, signal: columns.cost },
    { title: "Cost / request", width: 104, signal: columns.costPerRequest },
  ]);

  const spanTable = (title: string, signal: TraceSignal, shown: readonly Column[], ...hidden: readonly string[]) =>
    spanTablePanel(title, signal, shown, [...hiddenColumns, ...messages, ...hidden]);
  const slow = [...new Set([limits.latency, ...durations])].map((seconds) => [`${seconds}s`, `${seconds} s`] as const);

  const head = sdkDashboardHead(openTelemetryTitle, config).tags(["opentelemetry"]).links(others.map(dashboardLink));
  const dashboard = measured
    .variables()
    .map(({ name, query }) => queryVariable(name, labels[name], query, metricsDatasource, ".*"))
    .reduce((before, variable) => before.withVariable(variable), head)
    .withVariable(choiceVariable("by", "By", Object.entries(labels)))
    .withVariable(choiceVariable(slowVariable, "Slow from", slow))

    .withPanel(number("Requests", "requests").id(2))
    .withPanel(errorRate.mappings([missingValue(noData), noneMeasured]).id(3))
    .withPanel(number("p95 Latency", "latency", { thresholds: redFrom(limits.latency), empty: "Too few or not sent" }).id(4))
    .withPanel(number("p95 First Token", "firstToken", { thresholds: redFrom(limits.firstToken), empty: "Too few or not sent" }).id(39))
    .withPanel(number("Tokens", "tokens").id(5))
    .withPanel(statWith("Cost", totals.cost, [signals.modelsWithoutPrice, signals.requestsWithCost]).id(6).span(8))

    .withPanel(table.id(40).height(11).span(24))

    .withPanel(half(ids.requests, bars("Requests by $by", graphs.requests, { stacked: true, link: requestsAt })))
    .withPanel(half(ids.errorRate, lines("Error Rate by $by", [graphs.errorRate], { intervals: 48, limit: limits.outage, link: failedAt })))
    .withPanel(half(ids.latency, lines("p95 Latency by $by", [graphs.latency], { intervals: 24, limit: limits.latency, link: requestsAt })))
    .withPanel(half(ids.cost, bars("Cost by $by", graphs.cost, { stacked: true, link: requestsAt })))

    .withPanel(spanTable("Failed Requests", spans.failed, failedColumns, "status").height(8).id(42))
    .withPanel(spanTable("Slow Requests", spans.slow, slowColumns).height(8).id(43))
    .withPanel(spanTable("Newest Requests", spans.newest, requestColumns).height(11).id(34));

  const third = (title: string, signal: MetricSignal, empty?: string) => barGauge(title, signal, empty).span(8);
  const tokensByType = lines("Tokens by Type", [signals.tokensOverTime, signals.cachedTokensOverTime], { colors: ["", cachedColor] });
  const firstTokens = lines("p95 First Token by $by", [graphs.firstToken], { intervals: 24, limit: limits.firstToken, link: requestsAt });
  const errorsByType = bars("Errors by Type", [signals.errorsByType], { stacked: true }).noValue("No errors");
  const databaseLatency = lines("p95 Latency by System", [signals.databaseLatencyOverTime], { intervals: 24 }).noValue(emitters.databases);
  const budgets = barGauge("Budget Today", signals.usedBudget, "Nothing used").max(1).thresholds(steps("green", budgetThresholds));
  const width = config.budgets ? 6 : 8;
  const costs = [
    stat("Cost of the Period", signals.costOfPeriod).timeFrom("now/M").id(47).height(7),
    stat("A Month Before", signals.costBefore).timeFrom("now/M").timeShift("1M").id(48).height(7),
    barGauge("Tokens without Cost", signals.tokensWithoutCost, "None").id(ids.tokensWithoutCost),
    ...(config.budgets ? [budgets.colorScheme(byThresholds()).id(ids.budgets)] : []),
  ].map((panel) => panel.span(width));

  dashboard
    .withRow(folded(0, 44, "Tokens and Cache", tokensByType.id(12).span(12), firstTokens.id(ids.firstToken).span(12)))
    .withRow(folded(1, 46, "Cost and Budgets", ...costs))
    .withRow(folded(2, 49, "Errors by Type", errorsByType.id(22).span(24)))
    .withRow(
      folded(
        ...([3, 23, "Operations, Agents and Tools"] as const),
        third("Requests by Operation", signals.operations).id(19),
        third("Invocations by Agent", signals.agents, emitters.agents).id(24),
        lines("Mean Duration by Agent", [signals.agentDurationOverTime]).noValue(emitters.agents).height(7).id(25).span(8),
        third("Tool Calls by Tool", signals.tools, emitters.tools).id(27),
        third("Tool Errors by Tool", signals.toolErrors, emitters.toolErrors).id(28),
        third("MCP Operations by Method", signals.mcp, emitters.mcp).id(26),
      ),
    )
    .withRow(
      folded(
        ...([4, 29, "Vector Databases"] as const),
        third("Requests by System", signals.databaseSystems, emitters.databases).id(30),
        third("Requests by DB Operation", signals.databaseOperations, emitters.databases).id(31),
        databaseLatency.height(7).id(32).span(8),
        spanTable("Newest Requests to Vector Databases", spans.databases, databaseColumns).height(11).id(36),
      ),
    );
  if (config.gateways) {
    const { share, requests, byApplication } = measured.coverage(config.gateways.countedBy);
    const coverage = statWith("Coverage", share, [requests]).height(7).id(51).span(8);
    dashboard.withRow(folded(5, 50, "Gateways", coverage, barGauge("Coverage by Application", byApplication).max(1).id(52).span(16)));
  }
  return normalize(dashboard.build());
}
