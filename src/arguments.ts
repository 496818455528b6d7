/** Derives the arguments of the preflight, the components and the checks from the settings. Pure. */
import * as pulumi from "@pulumi/pulumi";
import { openTelemetryAlerts, openTelemetryRequests } from "./alerts/opentelemetry";
import type { AlertRule } from "./alerts/rule";
import { serviceAlerts } from "./alerts/service";
import type { DeploymentChecksArgs } from "./checks/command";
import { connectionBody } from "./connection/registration";
import { genaiObservability, llmMonitoring, openTelemetry } from "./dashboards/models";
import { genaiObservabilityTitle, llmMonitoringTitle, llmMonitoringUid, openTelemetryTitle } from "./dashboards/names";
import type { AlertsArgs } from "./platform/alerts";
import type { DashboardDefinition } from "./platform/dashboard";
import type { DatasourcesArgs } from "./platform/datasources";
import type { ObservabilityPlatformArgs } from "./platform/platform";
import type { GrafanaFacts, PreflightArgs } from "./platform/preflight";
import type { MonitoredServiceArgs } from "./platform/service";
import type { Settings } from "./settings";
import { type DatasourceType, datasourceTypes, defaultUids } from "./settings/keys";
import type { CounterMode, RecordingRule } from "./signals/counters";
import { type GenaiOptions, genaiRecordingRules, genaiSignals, requestCounter } from "./signals/genai";
import { sdkSpans } from "./signals/genai-traces";
import { llmMonitoringSignals, serviceStreams } from "./signals/llm-monitoring";
import {
  certainRecordingRules,
  openTelemetryArrivals,
  openTelemetryCounters,
  openTelemetryRecordingRules,
} from "./signals/opentelemetry-rules";
import { openTelemetrySpans } from "./signals/opentelemetry-traces";
import { seriesOf } from "./signals/signal";

/** All dashboards, deployed or not: the only place that derives their uids, titles and models. */
export function defineDashboards(settings: Settings): Record<"service" | "genai" | "otel", DashboardDefinition> {
  const { service, folderUid, managedResources, genaiDashboardUid, otelDashboardUid, sdkName, contents } = settings;
  const { prometheus, loki, tempo } = datasourcesArgs(settings);
  return {
    service: {
      part: "llm-monitoring",
      uid: llmMonitoringUid(service),
      title: llmMonitoringTitle(service),
      folderUid,
      managed: managedResources !== "none",
      referOnly: "none",
      series: seriesOf(llmMonitoringSignals(service)),
      model: () =>
        llmMonitoring({
          service,
          prometheusUid: prometheus.uid,
          lokiUid: loki.uid,
          contents,
        }),
    },
    genai: {
      part: "genai-observability",
      uid: genaiDashboardUid,
      title: genaiObservabilityTitle,
      folderUid,
      managed: managedResources === "all",
      referOnly: "service-dashboard",
      // What arrives: recorded series have a check of their own.
      series: seriesOf(genaiSignals(sdkName, { naming: settings.metricNaming })),
      model: () =>
        genaiObservability({
          uid: genaiDashboardUid,
          sdkName,
          prometheusUid: prometheus.uid,
          tempoUid: tempo.uid,
          ...genaiOptions(settings),
        }),
    },
    otel: {
      part: "genai-observability-otel",
      uid: otelDashboardUid,
      title: openTelemetryTitle,
      folderUid,
      managed: managedResources === "all",
      referOnly: "service-dashboard",
      series: openTelemetryArrivals(settings.metricNaming),
      model: () =>
        openTelemetry({
          uid: otelDashboardUid,
          prometheusUid: prometheus.uid,
          tempoUid: tempo.uid,
          mode: counterMode(settings),
          naming: settings.metricNaming,
          environmentAttribute: settings.environmentAttribute,
          contents,
        }),
    },
  };
}

/** What the setting `telemetry` names: the telemetry of the spec, that of today, or both. */
const isRead = ({ telemetry }: Settings) => ({ ofSpec: telemetry !== "otel", ofToday: telemetry !== "spec" });

/** The dashboards that exist in Grafana, whichever stack manages them. */
function existingDashboards(settings: Settings) {
  const { genai, otel, service } = defineDashboards(settings);
  const { ofSpec, ofToday } = isRead(settings);
  return { genai: ofSpec ? genai : undefined, otel: ofToday ? otel : undefined, service };
}

/** The same as a list, that of the service at the end. */
export function deployedDashboards(settings: Settings): DashboardDefinition[] {
  const { genai, otel, service } = existingDashboards(settings);
  return [genai, otel, service].filter((dashboard) => dashboard !== undefined);
}

const isRecorded = ({ recordingRules }: Settings) => recordingRules !== "off";

const counterMode = (settings: Settings): CounterMode => (isRecorded(settings) ? "recorded" : "direct");

const genaiOptions = (settings: Settings): GenaiOptions => {
  const { metricNaming: naming, contents } = settings;
  return { mode: counterMode(settings), naming, contents };
};

/** The rules of the deployed dashboards. */
function recordingRules(settings: Settings, rulesOfToday = openTelemetryRecordingRules): RecordingRule[] {
  const { sdkName, metricNaming } = settings;
  const { ofSpec, ofToday } = isRead(settings);
  return [...(ofSpec ? genaiRecordingRules(sdkName, metricNaming) : []), ...(ofToday ? rulesOfToday(metricNaming) : [])];
}

/** The alert rules of a dashboard; undefined if this stack does not manage them. */
function alertsOf(settings: Settings, { uid, managed }: DashboardDefinition, rules: () => AlertRule[]): AlertsArgs | undefined {
  if (settings.alerts === "off" || !managed) return undefined;
  const { service, alertContactPoint: contactPoint, alertRunbooks: runbooks } = settings;
  const { prometheus } = datasourcesArgs(settings);
  return { rules: rules(), prometheusUid: prometheus.uid, dashboardUid: uid, service, contactPoint, runbooks };
}

/** The rules on the samples of the service. One of them compares these with the telemetry of current SDKs, if it is recorded. */
function serviceAlertsArgs(settings: Settings): AlertsArgs | undefined {
  const compared = isRecorded(settings) && isRead(settings).ofToday ? openTelemetryRequests(settings.metricNaming) : undefined;
  return alertsOf(settings, defineDashboards(settings).service, () => serviceAlerts(settings.service, settings, compared));
}

/** The rules on the telemetry of current SDKs, which read recorded series only. */
function openTelemetryAlertsArgs(settings: Settings): AlertsArgs | undefined {
  const { otel } = existingDashboards(settings);
  const rules = () => openTelemetryAlerts(settings, settings.metricNaming);
  return otel && isRecorded(settings) ? alertsOf(settings, otel, rules) : undefined;
}

/** The datasources. Existing ones have a uid only. */
function datasourcesArgs(settings: Settings): DatasourcesArgs {
  const argsOf = (type: DatasourceType) => ({
    uid: settings[`${type}Uid`] ?? defaultUids[settings.datasources][type],
    url: settings[`${type}Url`] ?? "", // rules.ts: set for managed datasources.
    username: settings[`${type}Username`],
    password: settings[`${type}Password`],
    tenant: settings.datasourceTenant,
    caCert: settings.datasourceCaCert,
  });
  return { prometheus: { ...argsOf("prometheus"), server: settings.prometheusType }, loki: argsOf("loki"), tempo: argsOf("tempo") };
}

/** Whether the stack creates the datasources. If not, they exist, or another stack creates them. */
const createsDatasources = ({ datasources, managedResources }: Settings) => datasources === "managed" && managedResources === "all";

const grafanaAccess = ({ grafanaUrl: url, grafanaAuth: auth, grafanaCaCert: caCert }: Settings) => ({ url, auth, caCert });

export function preflightArgs(settings: Settings): PreflightArgs {
  const datasources = datasourcesArgs(settings);
  return {
    access: grafanaAccess(settings),
    datasources: {
      created: createsDatasources(settings),
      references: datasourceTypes.map((type) => ({ type, uid: datasources[type].uid })),
    },
    folder: { created: settings.managedResources === "all", uid: settings.folderUid, parentUid: settings.folderParentUid },
    dashboards: deployedDashboards(settings).filter(({ managed }) => managed),
    recordsInGrafana: settings.recordingRules === "grafana",
    alerts: [openTelemetryAlertsArgs(settings), serviceAlertsArgs(settings)].filter((alerts) => alerts !== undefined),
  };
}

/** @param facts the result of the preflight, for which the resources wait. Defaults to no preflight. */
export function platformArgs(settings: Settings, facts?: Promise<GrafanaFacts>): ObservabilityPlatformArgs {
  const afterwards = <T>(value: pulumi.Output<T>) =>
    facts ? pulumi.all([value, facts.then(() => undefined)]).apply(([plain]) => plain as T) : value;
  const { folderTitle: title, folderUid: uid, folderParentUid: parentUid, folderViewers: viewers, folderEditors: editors } = settings;
  const { imports, retainOnDelete, cloudAccessPolicyToken } = settings;
  const { genai, otel } = existingDashboards(settings);
  return {
    grafana: {
      ...grafanaAccess(settings),
      auth: afterwards(settings.grafanaAuth),
      cloudAccessPolicyToken: cloudAccessPolicyToken && afterwards(cloudAccessPolicyToken),
    },
    managed: settings.managedResources === "all",
    adoption: { imports, retainOnDelete },
    confirmOwner: facts && (async (owner) => (await facts).confirmOwner(owner)),
    datasources: createsDatasources(settings) ? datasourcesArgs(settings) : undefined,
    folder: { title, uid, parentUid, viewers, editors },
    genaiDashboard: genai,
    otelDashboard: otel,
    recording:
      settings.recordingRules === "grafana"
        ? { rules: recordingRules(settings), prometheusUid: datasourcesArgs(settings).prometheus.uid }
        : undefined,
    alerts: openTelemetryAlertsArgs(settings),
  };
}

/** @param project the namespace of the stack's config keys */
export function serviceArgs(settings: Settings, project: string): Omit<MonitoredServiceArgs, "platform"> {
  const { serviceUrl, serviceCaCert, platformName, metricsUrl, metricsUsername, logsUrl, logsUsername, platformApiKey } = settings;
  const {
    registrationTrigger,
    verifyConnection,
    otlpEndpoint: endpoint,
    otlpInstanceId: instanceId,
    otlpData: data,
    otlpToken,
    cloudRegion = "",
  } = settings;
  const fields = { platformName, metricsUrl, metricsUsername, logsUrl, logsUsername, platformApiKey };
  const serviceApiKeyConfig = `${project}:serviceApiKey`;
  return {
    dashboard: defineDashboards(settings).service,
    alerts: serviceAlertsArgs(settings),
    connection: { serviceUrl, serviceApiKeyConfig, serviceCaCert, ...fields, registrationTrigger, verifyConnection },
    // rules.ts: without a token, the region is set.
    otlp: { endpoint, instanceId, data, captureContents: settings.contents === "show", token: otlpToken ?? { region: cloudRegion } },
  };
}

export function checksArgs(settings: Settings): Omit<DeploymentChecksArgs, "otlpAuthorization"> {
  const { folderUid, folderParentUid: parentUid, serviceUrl, serviceCaCert, serviceApiKey, sdkName, metricNaming: naming } = settings;
  const { auth: grafanaAuth, ...grafana } = grafanaAccess(settings);
  const datasources = datasourcesArgs(settings);
  const { genai, otel, service } = existingDashboards(settings);
  const verifyConnection = settings.verifyConnection === "on";
  return {
    targets: {
      grafana,
      datasources: datasourceTypes.map((type) => ({ type, uid: datasources[type].uid, url: settings[`${type}Url`] })),
      folder: settings.managedResources === "all" && parentUid ? { uid: folderUid, parentUid } : undefined,
      dashboards: [
        checked(service),
        ...(genai ? [{ ...checked(genai), sdk: { telemetry: "spec" as const, spans: sdkSpans(sdkName) } }] : []),
        ...(otel ? [{ ...checked(otel), sdk: { telemetry: "otel" as const, spans: openTelemetrySpans() } }] : []),
      ],
      streams: settings.contents === "show" ? serviceStreams(settings.service) : undefined,
      sdk: {
        name: sdkName,
        naming,
        // The dashboard of another stack can read recorded series.
        environmentAttribute: otel?.managed && !isRecorded(settings) ? settings.environmentAttribute : undefined,
        counters: [...(genai ? [requestCounter(sdkName, naming)] : []), ...(otel ? openTelemetryCounters(naming) : [])],
      },
      recording: recordingTargets(settings),
      otlp: { endpoint: settings.otlpEndpoint, data: settings.otlpData },
      serviceUrl,
      serviceCaCert,
      verifyConnection,
      // Imported resources get this program's properties only in the next deployment.
      onFailure: settings.imports.length > 0 ? "warn" : settings.checks,
    },
    grafanaAuth,
    connection: verifyConnection ? { serviceApiKey, body: connectionBody<pulumi.Input<string>>(settings) } : undefined,
    datasources: Object.values(datasources),
  };
}

const checked = ({ title, uid, folderUid, series }: DashboardDefinition) => ({ title, uid, folderUid, series });

/** The recorded series and who writes them; undefined without recording rules. */
function recordingTargets(settings: Settings): DeploymentChecksArgs["targets"]["recording"] {
  const { recordingRules: by } = settings;
  if (by === "off") return undefined;
  return { by, rules: recordingRules(settings, certainRecordingRules).map(({ name, reads }) => ({ name, reads })) };
}
