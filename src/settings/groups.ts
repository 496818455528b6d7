/** The settings in the groups that the components take. */
import { type DatasourceType, defaultUids, type FlatSettings, type KeyName } from "./keys";

/** For each field of a group its key. */
const groups = {
  service: { name: "service" },
  grafana: { url: "grafanaUrl", auth: "grafanaAuth", caCert: "grafanaCaCert", managedResources: "managedResources", protect: "protect" },
  datasources: { mode: "datasources", namePrefix: "datasourceNamePrefix", tenant: "datasourceTenant", caCert: "datasourceCaCert" },
  prometheus: {
    uid: "prometheusUid",
    url: "prometheusUrl",
    username: "prometheusUsername",
    password: "prometheusPassword",
    server: "prometheusType",
  },
  loki: { uid: "lokiUid", url: "lokiUrl", username: "lokiUsername", password: "lokiPassword" },
  tempo: { uid: "tempoUid", url: "tempoUrl", username: "tempoUsername", password: "tempoPassword" },
  folder: { title: "folderTitle", uid: "folderUid", parentUid: "folderParentUid", viewers: "folderViewers", editors: "folderEditors" },
  dashboards: {
    genaiUid: "genaiDashboardUid",
    otelUid: "otelDashboardUid",
    telemetry: "telemetry",
    sdkName: "sdkName",
    naming: "metricNaming",
    environmentAttribute: "environmentAttribute",
    contents: "contents",
    recordingRules: "recordingRules",
    prices: "prices",
  },
  alerts: {
    state: "alerts",
    contactPoint: "alertContactPoint",
    runbooks: "alertRunbooks",
    window: "alertWindow",
    errorRate: "alertErrorRate",
    latency: "alertLatency",
    costPerHour: "alertCostPerHour",
    budget: "alertBudget",
    budgets: "alertBudgets",
  },
  checks: { onFailure: "checks", serviceApiKey: "serviceApiKey" },
  connection: {
    serviceUrl: "serviceUrl",
    serviceCaCert: "serviceCaCert",
    verifyConnection: "verifyConnection",
    registrationTrigger: "registrationTrigger",
    platformName: "platformName",
    metricsUrl: "metricsUrl",
    metricsUsername: "metricsUsername",
    logsUrl: "logsUrl",
    logsUsername: "logsUsername",
    platformApiKey: "platformApiKey",
  },
  otlp: {
    endpoint: "otlpEndpoint",
    instanceId: "otlpInstanceId",
    token: "otlpToken",
    cloudAccessPolicyToken: "cloudAccessPolicyToken",
    cloudRegion: "cloudRegion",
    data: "otlpData",
  },
} as const satisfies Record<string, Record<string, KeyName>>;

type Groups = typeof groups;

type Grouped = {
  readonly [G in keyof Groups]: { readonly [F in keyof Groups[G]]: FlatSettings[Groups[G][F] & KeyName] };
};

/** Checked settings. Secrets are Outputs marked secret; all other values are plain. */
export type Settings = Omit<Grouped, DatasourceType | "datasources"> & {
  readonly datasources: Grouped["datasources"] & { readonly kept: boolean } & {
    readonly [T in DatasourceType]: Grouped[T] & { readonly uid: string };
  };
};

/** Groups settings. A datasource without a uid has the default one. */
export function groupSettings(settings: FlatSettings): Settings {
  const valuesOf = (keys: Record<string, KeyName>) =>
    Object.fromEntries(Object.entries(keys).map(([field, key]) => [field, settings[key]]));
  const grouped = Object.fromEntries(Object.entries(groups).map(([group, keys]) => [group, valuesOf(keys)])) as unknown as Grouped;
  const { prometheus, loki, tempo, datasources, ...others } = grouped;
  const uids = defaultUids[datasources.mode];
  return {
    ...others,
    datasources: {
      ...datasources,
      kept: datasources.mode === "kept",
      prometheus: { ...prometheus, uid: prometheus.uid ?? uids.prometheus },
      loki: { ...loki, uid: loki.uid ?? uids.loki },
      tempo: { ...tempo, uid: tempo.uid ?? uids.tempo },
    },
  };
}
