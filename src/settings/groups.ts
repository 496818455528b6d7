/** The settings in the groups that the components take. */
import { type DatasourceType, defaultUids, type FlatSettings, type KeyName } from "./keys";

/** Checked settings. Secrets are Outputs marked secret; all other values are plain. */
export type Settings = Readonly<ReturnType<typeof groupSettings>>;

/** Groups settings. A datasource without a uid has the default one. */
export function groupSettings(all: FlatSettings) {
  const datasource = (type: DatasourceType) => ({
    uid: all[`${type}Uid`] ?? defaultUids[all.datasources][type],
    url: all[`${type}Url`],
    username: all[`${type}Username`],
    password: all[`${type}Password`],
  });
  /** Settings under their own names. */
  const named = <K extends KeyName>(...names: K[]) => Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<FlatSettings, K>;
  return {
    service: { name: all.service },
    grafana: { url: all.grafanaUrl, auth: all.grafanaAuth, caCert: all.grafanaCaCert, ...named("managedResources", "protect") },
    datasources: {
      mode: all.datasources,
      kept: all.datasources === "kept",
      namePrefix: all.datasourceNamePrefix,
      tenant: all.datasourceTenant,
      caCert: all.datasourceCaCert,
      prometheus: { ...datasource("prometheus"), server: all.prometheusType },
      loki: datasource("loki"),
      tempo: datasource("tempo"),
    },
    folder: {
      title: all.folderTitle,
      uid: all.folderUid,
      parentUid: all.folderParentUid,
      viewers: all.folderViewers,
      editors: all.folderEditors,
    },
    dashboards: {
      genaiUid: all.genaiDashboardUid,
      otelUid: all.otelDashboardUid,
      telemetry: all.telemetry,
      sdkName: all.sdkName,
      naming: all.metricNaming,
      contents: all.contents,
      recordingRules: all.recordingRules,
      genaiReads: all.genaiReads,
      prices: all.prices,
      gateways: all.gateways,
      countedBy: all.countedBy,
    },
    alerts: {
      state: all.alerts,
      contactPoint: all.alertContactPoint,
      runbooks: all.alertRunbooks,
      errorRate: all.alertErrorRate,
      latency: all.alertLatency,
      budget: all.alertBudget,
      budgets: all.alertBudgets,
    },
    checks: { onFailure: all.checks, serviceApiKey: all.serviceApiKey },
    connection: named(
      ...(["serviceUrl", "serviceCaCert", "verifyConnection", "registrationTrigger"] as const),
      ...(["platformName", "metricsUrl", "metricsUsername", "logsUrl", "logsUsername", "platformApiKey"] as const),
    ),
    otlp: {
      endpoint: all.otlpEndpoint,
      instanceId: all.otlpInstanceId,
      token: all.otlpToken,
      cloudAccessPolicyToken: all.cloudAccessPolicyToken,
      cloudRegion: all.cloudRegion,
      data: all.otlpData,
    },
  };
}
