/** The dashboards of a stack with their uids, titles, rules and models. */
import { pricesOf } from "../prices/prices";
import type { Settings } from "../settings";
import { type DashboardPart, llmMonitoringUid } from "../settings/keys";
import { limitsOf } from "../settings/limits";
import type { RecordingRule } from "../signals/counters";
import { genaiRecordingRules, genaiSignals, requestCounter, sdkSpans } from "../signals/genai";
import { llmMonitoringSignals, serviceStreams } from "../signals/llm-monitoring";
import { openTelemetryCounters, openTelemetryRecordingRules } from "../signals/opentelemetry-rules";
import { openTelemetrySpans } from "../signals/opentelemetry-traces";
import { type Contents, type SdkTelemetry, seriesReadBy } from "../signals/signal";
import type { DatasourceUids } from "./defaults";
import { genaiObservabilityTitle, llmMonitoringTitle, openTelemetryTitle } from "./names";
import type { DashboardModel } from "./normalize";

export interface DashboardDefinition {
  /** The end of its resource's name. */
  part: DashboardPart;
  uid: string;
  title: string;
  /** The names of the series that the panels read, or that their recording rules read. */
  series: readonly string[];
  /** A selector of the log streams that the panels read. Defaults to none. */
  streams?: string | undefined;
  /** Only dashboards for the telemetry of SDKs have it. */
  sdk?: {
    telemetry: SdkTelemetry;
    /** A query of the spans that the panels show. */
    spans: string;
    /** The counters that show whether processes share series, with selectors. */
    counters: readonly { series: string; selector: string }[];
    /** The rules that record the series of the panels. None if panels read samples. */
    rules: readonly RecordingRule[];
  };
  /**
   * Builds the model. The first call loads about 300 files of Grafana's SDK: a deployment makes it while the engine starts its plugins.
   */
  model(uids: DatasourceUids): DashboardModel;
}

export function llmMonitoringDashboard(service: string, contents: Contents = "show"): DashboardDefinition {
  return {
    part: "llm-monitoring",
    uid: llmMonitoringUid(service),
    title: llmMonitoringTitle(service),
    series: seriesReadBy(llmMonitoringSignals(service)),
    streams: contents === "show" ? serviceStreams(service) : undefined,
    model: (uids) => {
      const { llmMonitoring } = require("./llm-monitoring") as typeof import("./llm-monitoring");
      return llmMonitoring({ service, uids, contents });
    },
  };
}

/** "GenAI Observability", for the telemetry of an SDK of 2024. */
function genaiDashboard({ dashboards }: Settings): DashboardDefinition {
  const { sdkName, naming, genaiReads, genaiUid: uid } = dashboards;
  return {
    part: "genai-observability",
    uid,
    title: genaiObservabilityTitle,
    series: seriesReadBy(genaiSignals(sdkName, { ...dashboards, genaiReads: "samples" })),
    sdk: {
      telemetry: "spec",
      spans: sdkSpans(sdkName),
      counters: [requestCounter(sdkName, naming)],
      rules: genaiReads === "rules" ? genaiRecordingRules(sdkName, naming) : [],
    },
    model: (uids) => {
      const { genaiObservability } = require("./genai-observability") as typeof import("./genai-observability");
      return genaiObservability({ ...dashboards, uid, uids });
    },
  };
}

/** The series that most SDKs send: of several sources of a series, the first one. */
const namesOfMost = (rules: readonly RecordingRule[]) => {
  const always = rules.filter((rule) => rule.always && rules.find(({ name }) => name === rule.name) === rule);
  return [...new Set(always.map(({ reads }) => reads))];
};

/**
 * "GenAI Observability (OpenTelemetry)", for the telemetry of current SDKs.
 *
 * @param others the dashboards to which it has links
 */
function openTelemetryDashboard({ service, dashboards, alerts }: Settings, others: readonly DashboardDefinition[]): DashboardDefinition {
  const { naming, prices, gateways, otelUid: uid } = dashboards;
  const { budgets = {} } = alerts;
  const rules = openTelemetryRecordingRules(naming, { prices: pricesOf(prices), budgets, gateways, service: service.name });
  return {
    part: "genai-observability-otel",
    uid,
    title: openTelemetryTitle,
    series: namesOfMost(rules),
    sdk: { telemetry: "otel", spans: openTelemetrySpans, counters: openTelemetryCounters(naming), rules },
    model: (uids) => {
      const { openTelemetry } = require("./opentelemetry") as typeof import("./opentelemetry");
      return openTelemetry({ ...dashboards, uid, uids, others, limits: limitsOf(alerts), budgets: Object.keys(budgets).length > 0 });
    },
  };
}

/** The dashboards of a stack's settings, one by one and as a list. Another stack can manage some of them. */
export function defineDashboards(settings: Settings) {
  const { telemetry, contents } = settings.dashboards;
  const llmMonitoring = llmMonitoringDashboard(settings.service.name, contents);
  const genai = telemetry === "otel" ? undefined : genaiDashboard(settings);
  const others = [llmMonitoring, ...(genai ? [genai] : [])];
  const otel = telemetry === "spec" ? undefined : openTelemetryDashboard(settings, others);
  return { llmMonitoring, genai, otel, all: [genai, otel, llmMonitoring].filter((definition) => definition !== undefined) };
}
