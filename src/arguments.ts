/** From the settings of a stack to the arguments of its components. Pure. */
import type * as pulumi from "@pulumi/pulumi";
import type { DatasourceCredentials, DeploymentChecksArgs } from "./checks/command";
import type { CheckTargets } from "./checks/input";
import { connectionBody } from "./connection/registration";
import { genaiObservability, llmMonitoring } from "./dashboards/models";
import { genaiObservabilityTitle, llmMonitoringTitle, llmMonitoringUid } from "./dashboards/names";
import type { DashboardModel } from "./dashboards/normalize";
import type { DatasourceArgs, DatasourceUids } from "./platform/datasources";
import type { ObservabilityPlatformArgs } from "./platform/platform";
import type { GrafanaFacts, PreflightArgs } from "./platform/preflight";
import { refusesFullFolders } from "./platform/release";
import type { MonitoredServiceArgs, PushToken } from "./platform/service";
import type { Settings } from "./settings";
import { type DatasourceType, datasourceTypes } from "./settings/datasource-types";
import { defaultUids } from "./settings/keys";
import { genaiSignals } from "./signals/genai";
import { llmMonitoringSignals } from "./signals/llm-monitoring";
import { seriesOf } from "./signals/signal";

/** The uids of the datasources: as set, or the default of the mode. */
export function datasourceUids(settings: Settings): DatasourceUids {
  const { prometheusUid, lokiUid, tempoUid } = settings;
  const defaults = defaultUids[settings.datasources];
  return { prometheus: prometheusUid ?? defaults.prometheus, loki: lokiUid ?? defaults.loki, tempo: tempoUid ?? defaults.tempo };
}

function datasourceConfig(settings: Settings, type: DatasourceType): DatasourceArgs {
  return {
    uid: datasourceUids(settings)[type],
    url: settings[`${type}Url`] ?? "", // rules.ts: set where datasources are managed
    username: settings[`${type}Username`],
    password: settings[`${type}Password`],
    token: settings[`${type}Token`],
    tenant: settings[`${type}Tenant`],
  };
}

/** Whether the stack creates the datasources: others exist, or are another stack's. */
const createsDatasources = ({ datasources, managedResources }: Settings) => datasources === "managed" && managedResources === "all";

/** What the preflight asks of Grafana. */
export function preflightArgs(settings: Settings): PreflightArgs {
  const { grafanaUrl: url, grafanaAuth: auth, grafanaOrgId: orgId, grafanaCaCert: caCert, folderUid, managedResources } = settings;
  const uids = datasourceUids(settings);
  const genai = { uid: settings.genaiDashboardUid, title: genaiObservabilityTitle, folderUid, alternative: "service-dashboard" } as const;
  const llm = {
    uid: llmMonitoringUid(settings.service),
    title: llmMonitoringTitle(settings.service),
    folderUid,
    alternative: "none",
  } as const;
  return {
    access: { url, auth, orgId, caCert },
    datasources: {
      created: createsDatasources(settings),
      wanted: datasourceTypes.map((type) => ({ type, uid: uids[type] })),
    },
    folder: { created: managedResources === "all", uid: folderUid, parentUid: settings.folderParentUid },
    dashboards: [...(managedResources === "all" ? [genai] : []), ...(managedResources === "none" ? [] : [llm])],
  };
}

/** @param facts what the preflight found */
export function platformArgs(settings: Settings, facts: GrafanaFacts): ObservabilityPlatformArgs {
  const owned = settings.managedResources === "all";
  const { grafanaOrgId } = settings;
  const managed = () => ({
    mode: "managed" as const,
    prometheus: datasourceConfig(settings, "prometheus"),
    loki: datasourceConfig(settings, "loki"),
    tempo: datasourceConfig(settings, "tempo"),
    caCert: settings.datasourceCaCert,
  });
  return {
    grafana: {
      url: settings.grafanaUrl,
      auth: settings.grafanaAuth,
      orgId: facts.basicAuth && grafanaOrgId !== undefined ? String(grafanaOrgId) : undefined,
      caCert: settings.grafanaCaCert,
      cloudAccessPolicyToken: settings.cloudAccessPolicyToken,
    },
    owned,
    adoption: { imports: settings.imports, retainOnDelete: settings.retainOnDelete },
    datasources: createsDatasources(settings) ? managed() : { mode: "existing", uids: datasourceUids(settings) },
    folder: {
      title: settings.folderTitle,
      uid: settings.folderUid,
      parentUid: settings.folderParentUid,
      refusesDeletion: refusesFullFolders(facts.version),
      viewers: settings.folderViewers,
      editors: settings.folderEditors,
    },
    genaiDashboard: { uid: settings.genaiDashboardUid, sdkName: settings.sdkName },
  };
}

/** @param project the namespace of the stack's config keys */
export function serviceArgs(settings: Settings, project: string): Omit<MonitoredServiceArgs, "platform"> {
  const { documentationUrl, communityUrl, repositoryUrl } = settings;
  return {
    service: settings.service,
    ownsDashboard: settings.managedResources !== "none",
    links: { documentationUrl, communityUrl, repositoryUrl },
    connection: {
      serviceUrl: settings.serviceUrl,
      serviceApiKeyConfig: `${project}:serviceApiKey`,
      serviceCaCert: settings.serviceCaCert,
      platformName: settings.platformName,
      metricsUrl: settings.metricsUrl,
      metricsUsername: settings.metricsUsername,
      logsUrl: settings.logsUrl,
      logsUsername: settings.logsUsername,
      platformApiKey: settings.platformApiKey,
      registrationTrigger: settings.registrationTrigger,
      verifyConnection: settings.verifyConnection,
    },
    otlp: { endpoint: settings.otlpEndpoint, instanceId: settings.otlpInstanceId, data: settings.otlpData, token: pushToken(settings) },
  };
}

/** rules.ts: there is either a token or all that is needed to make one. */
function pushToken({ otlpToken, cloudRegion = "", cloudStackId = "" }: Settings): PushToken {
  return otlpToken ?? { region: cloudRegion, stackId: cloudStackId };
}

/** Both models. */
export function dashboardModels(settings: Settings): { service: DashboardModel; genai: DashboardModel } {
  const { prometheus, loki, tempo } = datasourceUids(settings);
  const { service, links } = serviceArgs(settings, "");
  return {
    service: llmMonitoring({ service, prometheusUid: prometheus, lokiUid: loki, ...links }),
    genai: genaiObservability({ uid: settings.genaiDashboardUid, sdkName: settings.sdkName, prometheusUid: prometheus, tempoUid: tempo }),
  };
}

export function checkTargets(settings: Settings): CheckTargets {
  const { service, folderUid, folderParentUid: parentUid } = settings;
  const uids = datasourceUids(settings);
  return {
    grafana: { url: settings.grafanaUrl, orgId: settings.grafanaOrgId, caCert: settings.grafanaCaCert },
    datasources: datasourceTypes.map((type) => ({ type, uid: uids[type], url: settings[`${type}Url`] })),
    folder: settings.managedResources === "all" && parentUid ? { uid: folderUid, parentUid } : undefined,
    dashboards: [
      {
        title: llmMonitoringTitle(service),
        uid: llmMonitoringUid(service),
        folderUid,
        series: seriesOf(llmMonitoringSignals(service)),
      },
      { title: genaiObservabilityTitle, uid: settings.genaiDashboardUid, folderUid, series: seriesOf(genaiSignals(settings.sdkName)) },
    ],
    otlp: { endpoint: settings.otlpEndpoint, data: settings.otlpData },
    serviceUrl: settings.serviceUrl,
    serviceCaCert: settings.serviceCaCert,
    verifyConnection: settings.verifyConnection === "on",
    // What is being taken over is not yet as this stack will have it.
    onFailure: settings.imports.length > 0 ? "warn" : settings.checks,
  };
}

/** With what the service is asked for the connection in place; undefined where it is not asked. */
export function connectionSecrets(settings: Settings): DeploymentChecksArgs["connection"] {
  if (settings.verifyConnection === "off") return undefined;
  return { serviceApiKey: settings.serviceApiKey, body: connectionBody<pulumi.Input<string>>(settings) };
}

/** Everything that grants access to a datasource. */
export function datasourceCredentials(settings: Settings): DatasourceCredentials[] {
  return datasourceTypes.map((type) => {
    const { username, password, token, tenant } = datasourceConfig(settings, type);
    return { username, password, token, tenant, caCert: settings.datasourceCaCert };
  });
}
