/** Every setting reaches its argument. Each setting has its own name as value, so that a dropped or swapped one is noticed. */
// The program requires the builders of dashboards on first use: see src/dashboards/models.ts.
import "../../src/load.cjs";
import { describe, expect, it } from "vitest";
import { openTelemetryAlerts, openTelemetryRequests } from "../../src/alerts/opentelemetry";
import { serviceAlerts } from "../../src/alerts/service";
import { checksArgs, defineDashboards, platformArgs, preflightArgs, serviceArgs } from "../../src/arguments";
import type { Settings } from "../../src/settings";
import { settingsKeys } from "../../src/settings/keys";
import { genaiRecordingRules, genaiSignals } from "../../src/signals/genai";
import { llmMonitoringSignals } from "../../src/signals/llm-monitoring";
import { openTelemetryRecordingRules } from "../../src/signals/opentelemetry-rules";
import { seriesOf } from "../../src/signals/signal";

/** The values of settings on which the arguments depend: those with which most settings are used. */
const choices = {
  managedResources: "all",
  datasources: "managed",
  verifyConnection: "on",
  imports: [],
  retainOnDelete: [],
  metricNaming: "prometheus",
  contents: "show",
  recordingRules: "off",
  telemetry: "spec",
  alerts: "off",
  alertWindow: "hour",
};

/** Settings in which all other keys, secret ones included, have the text `key`. */
const settings = (changed: { [K in keyof Settings]?: unknown } = {}) =>
  ({ ...Object.fromEntries(Object.keys(settingsKeys).map((key) => [key, key])), ...choices, ...changed }) as unknown as Settings;

const datasource = (type: string) => ({
  uid: `${type}Uid`,
  url: `${type}Url`,
  username: `${type}Username`,
  password: `${type}Password`,
  tenant: "datasourceTenant",
  caCert: "datasourceCaCert",
});

const serviceDashboard = {
  part: "llm-monitoring",
  uid: "service-llm-monitoring",
  title: "service - LLM Monitoring",
  folderUid: "folderUid",
  managed: true,
  referOnly: "none",
  series: seriesOf(llmMonitoringSignals("service")),
  model: expect.any(Function),
};

const genaiDashboard = {
  part: "genai-observability",
  uid: "genaiDashboardUid",
  title: "GenAI Observability",
  folderUid: "folderUid",
  managed: true,
  referOnly: "service-dashboard",
  series: seriesOf(genaiSignals("sdkName")),
  model: expect.any(Function),
};

const otelDashboard = {
  ...genaiDashboard,
  part: "genai-observability-otel",
  uid: "otelDashboardUid",
  title: "GenAI Observability (OpenTelemetry)",
  series: [
    "gen_ai_client_operation_duration_seconds_count",
    "gen_ai_client_operation_duration_seconds_bucket",
    "gen_ai_client_token_usage_sum",
  ],
};

const platform = {
  grafana: {
    url: "grafanaUrl",
    auth: "grafanaAuth",
    caCert: "grafanaCaCert",
    cloudAccessPolicyToken: "cloudAccessPolicyToken",
  },
  managed: true,
  adoption: { imports: [], retainOnDelete: [] },
  confirmOwner: undefined,
  datasources: {
    prometheus: { ...datasource("prometheus"), server: "prometheusType" },
    loki: datasource("loki"),
    tempo: datasource("tempo"),
  },
  folder: {
    title: "folderTitle",
    uid: "folderUid",
    parentUid: "folderParentUid",
    viewers: "folderViewers",
    editors: "folderEditors",
  },
  genaiDashboard,
  otelDashboard: undefined,
  recording: undefined,
  alerts: undefined,
};

const service = {
  dashboard: serviceDashboard,
  alerts: undefined,
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
  otlp: { endpoint: "otlpEndpoint", instanceId: "otlpInstanceId", data: "otlpData", captureContents: true, token: "otlpToken" },
};

const checkedDashboard = ({ title, uid, folderUid, series }: typeof serviceDashboard) => ({ title, uid, folderUid, series });

const shownSpans =
  '{ span.telemetry.sdk.name = "sdkName" && status = ok && span.gen_ai.application_name =~ `.+` && span.gen_ai.environment =~ `.+` }';

const checks = {
  targets: {
    grafana: { url: "grafanaUrl", caCert: "grafanaCaCert" },
    datasources: [
      { type: "prometheus", uid: "prometheusUid", url: "prometheusUrl" },
      { type: "loki", uid: "lokiUid", url: "lokiUrl" },
      { type: "tempo", uid: "tempoUid", url: "tempoUrl" },
    ],
    folder: { uid: "folderUid", parentUid: "folderParentUid" },
    dashboards: [
      checkedDashboard(serviceDashboard),
      { ...checkedDashboard(genaiDashboard), sdk: { telemetry: "spec", spans: shownSpans } },
    ],
    streams: '{job="service"}',
    sdk: {
      name: "sdkName",
      naming: "prometheus",
      environmentAttribute: undefined,
      counters: [{ series: "gen_ai_requests_total", selector: 'gen_ai_requests_total{telemetry_sdk_name="sdkName"}' }],
    },
    recording: undefined,
    otlp: { endpoint: "otlpEndpoint", data: "otlpData" },
    serviceUrl: "serviceUrl",
    serviceCaCert: "serviceCaCert",
    verifyConnection: true,
    onFailure: "checks",
  },
  grafanaAuth: "grafanaAuth",
  connection: {
    serviceApiKey: "serviceApiKey",
    body: {
      Platform: "platformName",
      MetricsUrl: "metricsUrl",
      MetricsUsername: "metricsUsername",
      LogsUrl: "logsUrl",
      LogsUsername: "logsUsername",
      ApiKey: "platformApiKey",
    },
  },
  datasources: [{ ...datasource("prometheus"), server: "prometheusType" }, datasource("loki"), datasource("tempo")],
};

/** The arguments that the settings of the other tests change. A new setting changes only the three records above. */
const unchanged = {
  platform: { ...platformArgs(settings()), genaiDashboard },
  service: { ...serviceArgs(settings(), "project"), dashboard: serviceDashboard },
  checks: checksArgs(settings()),
};

it("the arguments of the platform", () => {
  expect(platformArgs(settings())).toStrictEqual(platform);
});

it("the preflight checks the resources that the stack creates, and those that it refers to", () => {
  const references = ["prometheus", "loki", "tempo"].map((type) => ({ type, uid: `${type}Uid` }));
  const all = {
    access: { url: "grafanaUrl", auth: "grafanaAuth", caCert: "grafanaCaCert" },
    datasources: { created: true, references },
    folder: { created: true, uid: "folderUid", parentUid: "folderParentUid" },
    dashboards: [genaiDashboard, serviceDashboard],
    recordsInGrafana: false,
    alerts: [],
  };
  expect(preflightArgs(settings())).toStrictEqual(all);
  const existing = { ...all, datasources: { created: false, references } };
  expect(preflightArgs(settings({ datasources: "existing" }))).toStrictEqual(existing);
  const folder = { ...all.folder, created: false };
  const onlyService = { ...existing, folder, dashboards: [serviceDashboard] };
  expect(preflightArgs(settings({ managedResources: "service-dashboard" }))).toStrictEqual(onlyService);
  expect(preflightArgs(settings({ managedResources: "none" }))).toStrictEqual({ ...existing, folder, dashboards: [] });
});

it("the arguments of the service", () => {
  expect(serviceArgs(settings(), "project")).toStrictEqual(service);
});

it("the arguments of the checks", () => {
  expect(checksArgs(settings())).toStrictEqual(checks);
});

it("with recording rules, panels read recorded series, and the checks expect these", () => {
  const names = genaiRecordingRules("sdkName").map(({ name, reads }) => ({ name, reads }));
  for (const by of ["grafana", "external"] as const) {
    const recorded = settings({ recordingRules: by });
    expect(checksArgs(recorded).targets).toStrictEqual({ ...checks.targets, recording: { by, rules: names } });
    expect(preflightArgs(recorded).recordsInGrafana).toBe(by === "grafana");
    const rules = by === "grafana" ? { rules: genaiRecordingRules("sdkName"), prometheusUid: "prometheusUid" } : undefined;
    expect(platformArgs(recorded).recording).toStrictEqual(rules);
    const queries = JSON.stringify(defineDashboards(recorded).genai.model());
    expect(queries).not.toMatch(/"expr":"[^"]*_total\{/);
    for (const { name } of names) expect(queries).toContain(name);
  }
});

it.each([
  ["spec", [genaiDashboard]],
  ["otel", [otelDashboard]],
  ["both", [genaiDashboard, otelDashboard]],
] as const)("telemetry %s decides which dashboards of SDKs exist, with their rules", (telemetry, expected) => {
  const recorded = settings({ telemetry, recordingRules: "grafana" });
  const args = platformArgs(recorded);
  expect([args.genaiDashboard, args.otelDashboard].filter(Boolean)).toStrictEqual(expected);
  expect(preflightArgs(recorded).dashboards).toStrictEqual([...expected, serviceDashboard]);
  const { targets } = checksArgs(recorded);
  expect(targets.dashboards.map(({ uid }) => uid)).toEqual([serviceDashboard.uid, ...expected.map(({ uid }) => uid)]);
  const rules = [
    ...(telemetry === "otel" ? [] : genaiRecordingRules("sdkName")),
    ...(telemetry === "spec" ? [] : openTelemetryRecordingRules()),
  ].map(({ name }) => name);
  expect(args.recording?.rules.map(({ name }) => name)).toEqual(rules);
  expect(rules).toEqual(expect.arrayContaining(targets.recording?.rules.map(({ name }) => name) ?? []));
  expect(new Set(rules).size).toBe(rules.length);
  expect(targets.dashboards.map(({ sdk }) => sdk?.telemetry)).toEqual([
    undefined,
    ...(telemetry === "both" ? ["spec", "otel"] : [telemetry]),
  ]);
  const counters = {
    spec: ["gen_ai_requests_total"],
    otel: ["gen_ai_client_operation_duration_seconds_count", "gen_ai_client_inference_duration_seconds_count"],
  };
  const read = telemetry === "both" ? [...counters.spec, ...counters.otel] : counters[telemetry];
  expect(targets.sdk?.counters.map(({ series }) => series)).toEqual(read);
});

it("the settings of naming, contents, rules and environments reach the dashboard of OpenTelemetry", () => {
  const text = (changed: Parameters<typeof settings>[0]) => JSON.stringify(defineDashboards(settings(changed)).otel.model());
  expect(text({})).toMatch(/gen_ai_client_token_usage_sum.*,\.gen_ai\.input\.messages/s);
  expect(text({ metricNaming: "no-suffixes" })).toContain("gen_ai_client_operation_duration_count");
  expect(text({ contents: "hide" })).not.toMatch(/,\.gen_ai\.(input|output|content)/);
  expect(text({ recordingRules: "external" })).not.toContain("last_over_time");
  expect(text({ environmentAttribute: "team.name" })).toContain("team_name=~");
  const checked = (changed: object) => checksArgs(settings({ telemetry: "otel", ...changed })).targets.sdk?.environmentAttribute;
  // The dashboard of another stack can read recorded series.
  expect([{}, { recordingRules: "grafana" }, { managedResources: "service-dashboard" }].map(checked)).toEqual([
    "environmentAttribute",
    undefined,
    undefined,
  ]);
});

it("with another naming, panels, rules and checks have its names", () => {
  const changed = settings({ metricNaming: "no-suffixes", recordingRules: "grafana" });
  const rules = genaiRecordingRules("sdkName", "no-suffixes");
  expect(platformArgs(changed).recording).toStrictEqual({ rules, prometheusUid: "prometheusUid" });
  const { targets } = checksArgs(changed);
  expect(targets.sdk).toStrictEqual({
    name: "sdkName",
    naming: "no-suffixes",
    environmentAttribute: undefined,
    counters: [{ series: "gen_ai_total_requests", selector: 'gen_ai_total_requests{telemetry_sdk_name="sdkName"}' }],
  });
  expect(targets.recording?.rules).toStrictEqual(rules.map(({ name, reads }) => ({ name, reads })));
  expect(targets.dashboards[1]?.series).toStrictEqual(seriesOf(genaiSignals("sdkName", { naming: "no-suffixes" })));
  expect(JSON.stringify(defineDashboards(settings({ metricNaming: "no-suffixes" })).genai.model())).toContain("gen_ai_total_requests");
});

it("the setting of contents reaches the models", () => {
  const { service, genai } = defineDashboards(settings({ contents: "hide" }));
  expect(JSON.stringify(service.model())).not.toContain("lokiUid");
  expect(JSON.stringify(genai.model())).not.toContain("span.gen_ai.content");
});

describe("alerts", () => {
  const on = {
    alerts: "on",
    telemetry: "otel",
    recordingRules: "external",
    alertErrorRate: 7,
    alertLatency: 31,
    alertFirstToken: 11,
    alertCostPerHour: 51,
    alertBudget: 501,
    alertWindow: "day",
  };
  const limits = {
    alertErrorRate: 7,
    alertLatency: 31,
    alertFirstToken: 11,
    alertCostPerHour: 51,
    alertBudget: 501,
    alertWindow: "day" as const,
  };
  const common = { runbooks: "alertRunbooks", prometheusUid: "prometheusUid", service: "service", contactPoint: "alertContactPoint" };
  const sdkRequests = openTelemetryRequests();
  const ofService = { ...common, rules: serviceAlerts("service", limits, sdkRequests), dashboardUid: "service-llm-monitoring" };
  const ofSdks = { ...common, rules: openTelemetryAlerts(limits), dashboardUid: "otelDashboardUid" };

  it("have the limits of the settings, as shares instead of percentages, and read series of the naming", () => {
    expect(serviceArgs(settings(on), "").alerts).toStrictEqual(ofService);
    expect(platformArgs(settings(on)).alerts).toStrictEqual(ofSdks);
    expect(preflightArgs(settings(on)).alerts).toStrictEqual([ofSdks, ofService]);
    const renamed = settings({ ...on, metricNaming: "no-suffixes" });
    expect(platformArgs(renamed).alerts?.rules).toStrictEqual(openTelemetryAlerts(limits, "no-suffixes"));
  });

  it("exist for the dashboards that the stack manages, those of SDKs if counters are recorded", () => {
    const idsWith = (changed: object) => {
      const each = settings({ ...on, ...changed });
      return [platformArgs(each).alerts, serviceArgs(each, "").alerts].map((alerts) => alerts?.rules.map(({ id }) => id));
    };
    const [sdks, service] = [ofSdks, ofService].map(({ rules }) => rules.map(({ id }) => id));
    const alone = service?.filter((id) => id !== "connection");
    expect(idsWith({})).toEqual([sdks, service]);
    expect(idsWith({ managedResources: "service-dashboard" })).toEqual([undefined, service]);
    expect(idsWith({ managedResources: "none" })).toEqual([undefined, undefined]);
    expect(idsWith({ telemetry: "spec" })).toEqual([undefined, alone]);
    expect(idsWith({ recordingRules: "off" })).toEqual([undefined, alone]);
    expect(idsWith({ alerts: "off" })).toEqual([undefined, undefined]);
  });
});

it("the folder is checked only if the stack creates it in a parent folder", () => {
  expect(checksArgs(settings({ folderParentUid: undefined })).targets.folder).toBeUndefined();
  expect(checksArgs(settings({ managedResources: "service-dashboard" })).targets.folder).toBeUndefined();
});

it("every setting is used", () => {
  const all = [settings(), settings({ otlpToken: undefined }), settings({ alerts: "on", telemetry: "both" })].map((each) => {
    const { service, genai, otel } = defineDashboards(each);
    return [platformArgs(each), serviceArgs(each, ""), checksArgs(each), service.model(), genai.model(), otel];
  });
  // In a query, the quotes around a value are escaped.
  const text = JSON.stringify(all).replaceAll('\\"', '"');
  // The test of the alerts covers their limits, which are numbers.
  const isLimit = (key: string) => /^alert[A-Z]/.test(key) && !["alertContactPoint", "alertRunbooks"].includes(key);
  const unused = Object.keys(settingsKeys).filter((key) => !(key in choices) && !isLimit(key) && !text.includes(`"${key}"`));
  expect(unused).toEqual([]);
});

it("without a push token, one is created for the region", () => {
  const otlp = { ...unchanged.service.otlp, token: { region: "cloudRegion" } };
  expect(serviceArgs(settings({ otlpToken: undefined }), "project")).toStrictEqual({ ...unchanged.service, otlp });
});

it.each([
  ["managed", { prometheus: "llm-observability-prometheus", loki: "llm-observability-loki", tempo: "llm-observability-tempo" }],
  ["existing", { prometheus: "grafanacloud-prom", loki: "grafanacloud-logs", tempo: "grafanacloud-traces" }],
])("%s datasources have default uids", (datasources, expected) => {
  const unset = { prometheusUid: undefined, lokiUid: undefined, tempoUid: undefined };
  const uids = checksArgs(settings({ datasources, ...unset })).targets.datasources.map(({ type, uid }) => [type, uid]);
  expect(Object.fromEntries(uids)).toEqual(expected);
});

it("existing datasources are not created", () => {
  expect(platformArgs(settings({ datasources: "existing" }))).toStrictEqual({ ...unchanged.platform, datasources: undefined });
});

it.each([
  ["service-dashboard", true],
  ["none", false],
])("with managedResources %s, another stack manages the platform", (managedResources, managed) => {
  const genai = { ...genaiDashboard, managed: false };
  const shared = { ...unchanged.platform, managed: false, datasources: undefined, genaiDashboard: genai };
  expect(platformArgs(settings({ managedResources }))).toStrictEqual(shared);
  const dashboard = { ...serviceDashboard, managed };
  expect(serviceArgs(settings({ managedResources }), "project")).toStrictEqual({ ...unchanged.service, dashboard });
});

it("during an import, a failed check only warns", () => {
  const both = { imports: ["folder"], retainOnDelete: ["tempo"] };
  expect(platformArgs(settings(both))).toStrictEqual({ ...unchanged.platform, adoption: both });
  expect(checksArgs(settings(both))).toStrictEqual({ ...unchanged.checks, targets: { ...unchanged.checks.targets, onFailure: "warn" } });
  expect(checksArgs(settings({ retainOnDelete: ["tempo"] }))).toStrictEqual(unchanged.checks);
});

it("without verifyConnection, the checks do not get the service's API key", () => {
  const targets = { ...unchanged.checks.targets, verifyConnection: false };
  expect(checksArgs(settings({ verifyConnection: "off" }))).toStrictEqual({ ...unchanged.checks, targets, connection: undefined });
});
