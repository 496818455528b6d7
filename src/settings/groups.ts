/** The settings in the groups that the components take. */
import { type DatasourceType, defaultUids, type FlatSettings, type KeyName } from "./keys";

/** Checked settings. Secrets are Outputs marked secret; all other values are plain. */
export type Settings = Readonly<ReturnType<typeof groupSettings>>;

export function groupSettings(all: FlatSettings) {
  const named = <K extends KeyName>(...names: K[]) => Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<FlatSettings, K>;
  /** Settings without a prefix of their names: `folderTitle` as `title`. */
  const unprefixed = <P extends string, N extends string>(prefix: P, ...names: N[]) => {
    const keyOf = (name: N) => (prefix + name.charAt(0).toUpperCase() + name.slice(1)) as KeyName;
    return Object.fromEntries(names.map((name) => [name, all[keyOf(name)]])) as {
      [K in N]: FlatSettings[`${P}${Capitalize<K>}` & KeyName];
    };
  };
  const createsDatasources = all.managedResources === "all" && all.datasources !== "existing";
  const datasource = (type: DatasourceType) => ({
    auth: all[`${type}Auth` as "lokiAuth"],
    url: createsDatasources ? all[`${type}Url` as "lokiUrl"] : undefined,
    uid: all[`${type}Uid` as "lokiUid"] ?? defaultUids[all.datasources][type],
  });
  return {
    service: { name: all.service },
    grafana: { ...unprefixed("grafana", "url", "auth", "caCert"), ...named("managedResources", "protect") },
    datasources: {
      ...(createsDatasources && unprefixed("datasource", "tenant", "caCert")),
      kept: all.datasources === "kept",
      prometheus: { ...datasource("prometheus"), server: all.prometheusType },
      loki: datasource("loki"),
      tempo: datasource("tempo"),
    },
    folder: unprefixed("folder", "title", "uid", "parentUid", "access"),
    dashboards: {
      ...named("telemetry", "sdkName", "contents", "recordingRules", "genaiReads", "prices"),
      gateways: all.gateways && { names: all.gateways, countedBy: all.countedBy },
      genaiUid: all.genaiDashboardUid,
      otelUid: all.otelDashboardUid,
      naming: all.metricNaming,
    },
    alerts: {
      ...unprefixed("alert", "contactPoint", "runbooks", "errorRate", "latency", "budget", "budgets"),
      state: all.alerts,
    },
    checks: { onFailure: all.checks },
    connection: named(
      ...(["serviceUrl", "serviceCaCert", "registrationTrigger"] as const),
      ...(["platformName", "metricsUrl", "metricsUsername", "logsUrl", "logsUsername", "platformApiKey"] as const),
    ),
    otlp: { ...unprefixed("otlp", "endpoint", "instanceId", "token", "data"), ...named("cloudAccessPolicyToken", "cloudRegion") },
  };
}
