/** The dashboards of a stack with their uids, titles, rules and models. */
import { limitsOf } from "../alerts/rule";
import { type Prices, pricesOf } from "../prices/prices";
import type { Settings } from "../settings";
import { type DashboardPart, defaultUids, llmMonitoringUid } from "../settings/keys";
import type { RecordingRule } from "../signals/counters";
import { genaiRecordingRules, genaiSignals, requestCounter, sdkSpans } from "../signals/genai";
import { llmMonitoringSignals, serviceStreams } from "../signals/llm-monitoring";
import { type Gateways, openTelemetryCounters, openTelemetryRecordingRules } from "../signals/opentelemetry-rules";
import { openTelemetrySpans } from "../signals/opentelemetry-traces";
import { type Contents, defaultReadOptions, type ReadOptions, type SdkTelemetry, seriesReadBy } from "../signals/signal";
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

/** Options of a dashboard for the telemetry of SDKs. Default to the defaults of the settings. */
type SdkDashboardOptions = Partial<ReadOptions> & { uid?: string | undefined };

type OpenTelemetryDashboardOptions = SdkDashboardOptions & {
  /** Prices of models, in addition to the price list. */
  prices?: Prices | undefined;
  /** Budgets of a day in USD, by application. */
  budgets?: Readonly<Record<string, number>> | undefined;
  gateways?: Gateways | undefined;
  /** The limits of the alerts. Default to those of the settings. */
  limits?: Parameters<typeof limitsOf>[0];
  /** The uids of other dashboards by title, for links. */
  others?: Readonly<Record<string, string>>;
  /** The service, if alerts on costs count its samples. */
  service?: string | undefined;
};

/** "LLM Monitoring" of a service. */
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
export function genaiDashboard(sdkName: string, options: SdkDashboardOptions = {}): DashboardDefinition {
  const { uid = defaultUids.genaiDashboard, ...reading } = { ...defaultReadOptions, ...options };
  return {
    part: "genai-observability",
    uid,
    title: genaiObservabilityTitle,
    series: seriesReadBy(genaiSignals(sdkName, { ...reading, genaiReads: "samples" })),
    sdk: {
      telemetry: "spec",
      spans: sdkSpans(sdkName),
      counters: [requestCounter(sdkName, reading.naming)],
      rules: reading.genaiReads === "rules" ? genaiRecordingRules(sdkName, reading.naming) : [],
    },
    model: (uids) => {
      const { genaiObservability } = require("./genai-observability") as typeof import("./genai-observability");
      return genaiObservability({ ...reading, uid, sdkName, uids });
    },
  };
}

/** The series that most SDKs send: of several sources of a series, the first one. */
const namesOfMost = (rules: readonly RecordingRule[]) => {
  const always = rules.filter((rule) => rule.always && rules.find(({ name }) => name === rule.name) === rule);
  return [...new Set(always.map(({ reads }) => reads))];
};

/** "GenAI Observability (OpenTelemetry)", for the telemetry of current SDKs. */
export function openTelemetryDashboard({
  prices,
  budgets = {},
  gateways,
  limits = { errorRate: 1, latency: 30 },
  service,
  others = {},
  ...options
}: OpenTelemetryDashboardOptions = {}): DashboardDefinition {
  const { uid = defaultUids.otelDashboard, ...reading } = { ...defaultReadOptions, ...options };
  const rules = openTelemetryRecordingRules(reading.naming, { prices: pricesOf(prices), budgets, gateways, service });
  return {
    part: "genai-observability-otel",
    uid,
    title: openTelemetryTitle,
    series: namesOfMost(rules),
    sdk: { telemetry: "otel", spans: openTelemetrySpans(), counters: openTelemetryCounters(reading.naming), rules },
    model: (uids) => {
      const { openTelemetry } = require("./opentelemetry") as typeof import("./opentelemetry");
      const hasBudgets = Object.keys(budgets).length > 0;
      return openTelemetry({ ...reading, uid, uids, others, gateways, limits: limitsOf(limits), budgets: hasBudgets });
    },
  };
}

export const gatewaysOf = ({ gateways, countedBy }: Pick<Settings["dashboards"], "gateways" | "countedBy">): Gateways | undefined =>
  gateways && { names: gateways, countedBy };

/** The dashboards of a stack's settings, one by one and as a list. Another stack can manage some of them. */
export function defineDashboards({ service, dashboards, alerts }: Settings) {
  const { genaiUid, otelUid, telemetry, sdkName, naming, contents, genaiReads, prices } = dashboards;
  const reading: ReadOptions = { genaiReads, naming, contents };
  const llmMonitoring = llmMonitoringDashboard(service.name, contents);
  const genai = telemetry === "otel" ? undefined : genaiDashboard(sdkName, { ...reading, uid: genaiUid });
  const budgets = alerts.state === "on" ? alerts.budgets : {};
  const others = Object.fromEntries([llmMonitoring, ...(genai ? [genai] : [])].map(({ title, uid }) => [title, uid]));
  const ofStack = { gateways: gatewaysOf(dashboards), others, limits: alerts, service: service.name };
  const otel = telemetry === "spec" ? undefined : openTelemetryDashboard({ ...reading, uid: otelUid, prices, budgets, ...ofStack });
  return { llmMonitoring, genai, otel, all: [genai, otel, llmMonitoring].filter((definition) => definition !== undefined) };
}
