/** What becomes of the settings: each has its own name for a value, so that none can be dropped on the way, or stand in another's place. */
import { expect, it } from "vitest";
import { checkTargets, connectionSecrets, datasourceCredentials, platformArgs, preflightArgs, serviceArgs } from "../../src/arguments";
import type { Settings } from "../../src/settings";
import { settingsKeys } from "../../src/settings/keys";
import { genaiSignals } from "../../src/signals/genai";
import { llmMonitoringSignals } from "../../src/signals/llm-monitoring";
import { seriesOf } from "../../src/signals/signal";

/** Where a word decides, the one that lets most through. */
const decided = { managedResources: "all", datasources: "managed", verifyConnection: "on", imports: [], retainOnDelete: [] };

/** The text `key` for each key, secret ones included, but for these. */
const settings = (changed: { [K in keyof Settings]?: unknown } = {}) =>
  ({ ...Object.fromEntries(Object.keys(settingsKeys).map((key) => [key, key])), ...decided, ...changed }) as unknown as Settings;

/** Credentials that may name an organization, and a release with all that is used of it. */
const facts = { version: "12.3.0", basicAuth: true };

const uids = { prometheus: "prometheusUid", loki: "lokiUid", tempo: "tempoUid" };

const platform = {
  grafana: {
    url: "grafanaUrl",
    auth: "grafanaAuth",
    orgId: "grafanaOrgId",
    caCert: "grafanaCaCert",
    cloudAccessPolicyToken: "cloudAccessPolicyToken",
  },
  owned: true,
  adoption: { imports: [], retainOnDelete: [] },
  datasources: {
    mode: "managed",
    prometheus: {
      uid: "prometheusUid",
      url: "prometheusUrl",
      username: "prometheusUsername",
      password: "prometheusPassword",
      token: "prometheusToken",
      tenant: "prometheusTenant",
    },
    loki: {
      uid: "lokiUid",
      url: "lokiUrl",
      username: "lokiUsername",
      password: "lokiPassword",
      token: "lokiToken",
      tenant: "lokiTenant",
    },
    tempo: {
      uid: "tempoUid",
      url: "tempoUrl",
      username: "tempoUsername",
      password: "tempoPassword",
      token: "tempoToken",
      tenant: "tempoTenant",
    },
    caCert: "datasourceCaCert",
  },
  folder: {
    title: "folderTitle",
    uid: "folderUid",
    parentUid: "folderParentUid",
    viewers: "folderViewers",
    editors: "folderEditors",
    refusesDeletion: true,
  },
  genaiDashboard: { uid: "genaiDashboardUid", sdkName: "sdkName" },
};

const service = {
  service: "service",
  ownsDashboard: true,
  links: { documentationUrl: "documentationUrl", communityUrl: "communityUrl", repositoryUrl: "repositoryUrl" },
  connection: {
    serviceUrl: "serviceUrl",
    serviceApiKeyConfig: "project:serviceApiKey",
    serviceCaCert: "serviceCaCert",
    platformName: "platformName",
    metricsUrl: "metricsUrl",
    metricsUsername: "metricsUsername",
    logsUrl: "logsUrl",
    logsUsername: "logsUsername",
    platformApiKey: "platformApiKey",
    registrationTrigger: "registrationTrigger",
    verifyConnection: "on",
  },
  otlp: { endpoint: "otlpEndpoint", instanceId: "otlpInstanceId", data: "otlpData", token: "otlpToken" },
};

const targets = {
  grafana: { url: "grafanaUrl", orgId: "grafanaOrgId", caCert: "grafanaCaCert" },
  datasources: [
    { type: "prometheus", uid: "prometheusUid", url: "prometheusUrl" },
    { type: "loki", uid: "lokiUid", url: "lokiUrl" },
    { type: "tempo", uid: "tempoUid", url: "tempoUrl" },
  ],
  folder: { uid: "folderUid", parentUid: "folderParentUid" },
  dashboards: [
    {
      title: "service - LLM Monitoring",
      uid: "service-llm-monitoring",
      folderUid: "folderUid",
      series: seriesOf(llmMonitoringSignals("service")),
    },
    { title: "GenAI Observability", uid: "genaiDashboardUid", folderUid: "folderUid", series: seriesOf(genaiSignals("sdkName")) },
  ],
  otlp: { endpoint: "otlpEndpoint", data: "otlpData" },
  serviceUrl: "serviceUrl",
  serviceCaCert: "serviceCaCert",
  verifyConnection: true,
  onFailure: "checks",
};

it("every setting of the platform is in its place", () => {
  expect(platformArgs(settings(), facts)).toStrictEqual(platform);
});

it.each([
  [
    "a token names no organization: the plugin refuses it",
    { ...facts, basicAuth: false },
    { grafana: { ...platform.grafana, orgId: undefined } },
  ],
  [
    "an old release cannot refuse to delete a folder",
    { ...facts, version: "9.4.0" },
    { folder: { ...platform.folder, refusesDeletion: false } },
  ],
])("%s", (_what, facts, changed) => {
  expect(platformArgs(settings(), facts)).toStrictEqual({ ...platform, ...changed });
});

it("the preflight asks for what the stack creates, and for what it refers to", () => {
  const wanted = (["prometheus", "loki", "tempo"] as const).map((type) => ({ type, uid: uids[type] }));
  const genai = { uid: "genaiDashboardUid", title: "GenAI Observability", folderUid: "folderUid", alternative: "service-dashboard" };
  const llm = { uid: "service-llm-monitoring", title: "service - LLM Monitoring", folderUid: "folderUid", alternative: "none" };
  const all = {
    access: { url: "grafanaUrl", auth: "grafanaAuth", orgId: "grafanaOrgId", caCert: "grafanaCaCert" },
    datasources: { created: true, wanted },
    folder: { created: true, uid: "folderUid", parentUid: "folderParentUid" },
    dashboards: [genai, llm],
  };
  expect(preflightArgs(settings())).toStrictEqual(all);
  const referred = { ...all, datasources: { created: false, wanted } };
  expect(preflightArgs(settings({ datasources: "existing" }))).toStrictEqual(referred);
  const folder = { ...all.folder, created: false };
  expect(preflightArgs(settings({ managedResources: "service-dashboard" }))).toStrictEqual({ ...referred, folder, dashboards: [llm] });
  expect(preflightArgs(settings({ managedResources: "none" }))).toStrictEqual({ ...referred, folder, dashboards: [] });
});

it("every setting of the service is in its place", () => {
  expect(serviceArgs(settings(), "project")).toStrictEqual(service);
});

it("the checks are told where all of it is", () => {
  expect(checkTargets(settings())).toStrictEqual(targets);
});

it("the folder's place is checked where the stack puts it somewhere", () => {
  expect(checkTargets(settings({ folderParentUid: undefined })).folder).toBeUndefined();
  expect(checkTargets(settings({ managedResources: "service-dashboard" })).folder).toBeUndefined();
});

it("the checks are told with what the service and the datasources are asked", () => {
  expect(connectionSecrets(settings())).toStrictEqual({
    serviceApiKey: "serviceApiKey",
    body: {
      Platform: "platformName",
      MetricsUrl: "metricsUrl",
      MetricsUsername: "metricsUsername",
      LogsUrl: "logsUrl",
      LogsUsername: "logsUsername",
      ApiKey: "platformApiKey",
    },
  });
  const { caCert, prometheus, loki, tempo } = platform.datasources;
  expect(datasourceCredentials(settings())).toStrictEqual(
    [prometheus, loki, tempo].map(({ username, password, token, tenant }) => ({ username, password, token, tenant, caCert })),
  );
});

it("no setting leads nowhere", () => {
  const made = settings({ otlpToken: undefined });
  const all = [settings(), made].map((each) => [
    platformArgs(each, facts),
    serviceArgs(each, ""),
    checkTargets(each),
    connectionSecrets(each),
  ]);
  const text = JSON.stringify(all);
  const lost = Object.keys(settingsKeys).filter((key) => !(key in decided) && !text.includes(`"${key}"`));
  expect(lost).toEqual([]);
});

it("the push's token is the one that is given, or made for the region and the stack", () => {
  const made = { ...service.otlp, token: { region: "cloudRegion", stackId: "cloudStackId" } };
  expect(serviceArgs(settings({ otlpToken: undefined }), "project")).toStrictEqual({ ...service, otlp: made });
});

it.each([
  ["managed", { prometheus: "llm-observability-prometheus", loki: "llm-observability-loki", tempo: "llm-observability-tempo" }],
  ["existing", { prometheus: "grafanacloud-prom", loki: "grafanacloud-logs", tempo: "grafanacloud-traces" }],
])("datasources that are %s have uids of their own where none are set", (datasources, expected) => {
  const unset = { prometheusUid: undefined, lokiUid: undefined, tempoUid: undefined };
  const found = checkTargets(settings({ datasources, ...unset })).datasources.map(({ type, uid }) => [type, uid]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

it("of existing datasources only the uids count", () => {
  expect(platformArgs(settings({ datasources: "existing" }), facts)).toStrictEqual({
    ...platform,
    datasources: { mode: "existing", uids },
  });
});

it.each([
  ["service-dashboard", true],
  ["none", false],
])("where managedResources is %s, the platform is another stack's", (managedResources, ownsDashboard) => {
  const shared = { ...platform, owned: false, datasources: { mode: "existing", uids } };
  expect(platformArgs(settings({ managedResources }), facts)).toStrictEqual(shared);
  expect(serviceArgs(settings({ managedResources }), "project")).toStrictEqual({ ...service, ownsDashboard });
});

it("resources being imported fail no check, and those imported before may", () => {
  const both = { imports: ["folder"], retainOnDelete: ["tempo"] };
  expect(platformArgs(settings(both), facts)).toStrictEqual({ ...platform, adoption: both });
  expect(checkTargets(settings(both))).toStrictEqual({ ...targets, onFailure: "warn" });
  expect(checkTargets(settings({ retainOnDelete: ["tempo"] }))).toStrictEqual(targets);
});

it("where the service is not asked, neither is it told with what", () => {
  expect(checkTargets(settings({ verifyConnection: "off" }))).toStrictEqual({ ...targets, verifyConnection: false });
  expect(connectionSecrets(settings({ verifyConnection: "off" }))).toBeUndefined();
});
