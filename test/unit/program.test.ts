/** The program under the SDK's mocks: its resources, their inputs, and which of them are secret; and the arguments of a datasource alone. */
// The program requires the builders of dashboards on first use: see src/dashboards/definitions.ts.
import "tsx/cjs";
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import { Provider } from "@pulumiverse/grafana";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type DatasourceArgs, datasourceResourceArgs } from "../../src/platform/datasources";
import { ObservabilityPlatform } from "../../src/platform/platform";
import { grafanaProvider } from "../../src/platform/provider";
import { createPushToken } from "../../src/platform/push-token";
import type { DatasourceType } from "../../src/settings/keys";
import { selfSigned } from "../support/certificate";
import { answer, type RawServer, startRawServer } from "../support/raw-server";
import { managed, mark, plainValue, secretKeys, settingsOf } from "./config";

const caCert = selfSigned().cert.trim();
const secretMark = "4dabf18193072939515e22adb298388d";
/** Loads a module of the program, as Pulumi does. */
const load = createRequire(__filename);
/** What the environment could switch on. */
const switches = { insecureSkipVerify: "false", storeDashboardSha256: "false" };
/** Outputs that providers add to the inputs. */
const computed = { registeredAt: "2026-01-01T00:00:00.000Z", url: "https://grafana.example.com/d/x", stdout: "checked" };
const ofPolicy = { name: "service-otlp-push-0123456", policyId: "policy", token: `${mark}-created` };
const declared: pulumi.runtime.MockResourceArgs[] = [];
let grafana: RawServer;

/** Runs the program with these settings. */
async function run(settings: Record<string, string>) {
  const named = Object.entries({ ...settings, grafanaUrl: grafana.url }).map(([key, value]) => [`project:${key}`, value]);
  const secrets = secretKeys.map((key) => `project:${key}`);
  pulumi.runtime.setAllConfig(Object.fromEntries(named), secrets);
  const outputs = await (load("../../index.ts") as typeof import("../../index.js"))();
  await plainValue(outputs.checks);
  return outputs;
}

beforeAll(async () => {
  // The responses to the preflight: an empty Grafana with the parent of the folder.
  grafana = await startRawServer([
    ({ path }) => {
      if (/^\/api\/(search|datasources)/.test(path)) return answer(200, "[]");
      return path.startsWith("/api/dashboards") ? answer(404, "{}") : answer(200, '{"version":"12.3.0"}');
    },
  ]);
  const newResource = (resource: pulumi.runtime.MockResourceArgs) => {
    declared.push(resource);
    return {
      id: `${resource.name}-id`,
      state: { ...resource.inputs, ...computed, ...(resource.type.startsWith("grafana:cloud/") && ofPolicy) },
    };
  };
  // The SDK reads these: the test would see them in the inputs of a provider.
  const variables = ["AUTH", "CLOUD_ACCESS_POLICY_TOKEN", "CLOUD_API_URL", "RETRIES", "SM_ACCESS_TOKEN", "TLS_CERT", "TLS_KEY"];
  for (const name of variables) vi.stubEnv(`GRAFANA_${name}`, "1");
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack");
  await run({ ...managed, grafanaCaCert: caCert, folderParentUid: "parent", lokiAuth: `${mark}-loki` });
});

afterAll(() => {
  vi.unstubAllEnvs();
  return grafana?.close();
});

const inputsOf = (name: string) => declared.find((resource) => resource.name === name)?.inputs ?? {};

/** A secret input as the engine receives it. */
const secretOf = (value: unknown) => expect.objectContaining({ [secretMark]: expect.any(String), value });

const dashboards = ["platform-genai-observability", "platform-genai-observability-otel", "service-llm-monitoring"];

describe("the program", () => {
  it("stores each credential of Grafana and its datasources as a secret, with their CA, and the models in plain text", () => {
    const { basicAuthUsername, secureJsonDataEncoded } = inputsOf("platform-prometheus");
    expect([basicAuthUsername, secureJsonDataEncoded]).toEqual(["123456", secretOf(expect.any(String))]);
    const secrets = { basicAuthPassword: `${mark}-prometheusAuth`, tlsCACert: managed.datasourceCaCert?.trim() };
    expect(JSON.parse(secureJsonDataEncoded.value)).toEqual(secrets);
    expect(inputsOf("platform-loki").httpHeaders).toEqual(secretOf({ Authorization: `Bearer ${mark}-loki`, "X-Scope-OrgID": "tenant-1" }));
    const ofTempo = { Authorization: `Bearer ${managed.tempoAuth}`, "X-Scope-OrgID": "tenant-1" };
    expect(inputsOf("platform-tempo").httpHeaders).toEqual(secretOf(ofTempo));
    for (const name of dashboards)
      expect(inputsOf(name)).toMatchObject({ configJson: expect.stringContaining('"schemaVersion":39'), overwrite: false });
    // The mocks show the map as one secret; the engine stores the first variable in plain text.
    const { LLM_OBSERVABILITY_CHECKS: targets, LLM_OBSERVABILITY_CHECKS_SECRETS: ofChecks } = inputsOf("checks").environment.value;
    expect(targets).not.toContain(mark);
    expect(ofChecks).toContain(managed.grafanaAuth);
    // Debug messages would have credentials, and the state keeps what the checks print.
    expect(inputsOf("checks").environment.value).toMatchObject({ DEBUG: "", NODE_DEBUG: "" });
  });

  it("passes Grafana's address, credentials and certificate to the provider, so that it ignores the environment", () => {
    const inputs = { url: grafana.url, auth: secretOf(managed.grafanaAuth), caCert, ...switches };
    expect(inputsOf("grafana")).toEqual(inputs);
  });

  it("ends if the environment lets the plugin verify no certificate", () => {
    const create = (value: string) => {
      vi.stubEnv("GRAFANA_INSECURE_SKIP_VERIFY", value);
      return grafanaProvider(`verifying-${value}`, { url: grafana.url });
    };
    expect(() => create("true")).toThrow("Run: unset GRAFANA_INSECURE_SKIP_VERIFY");
    expect(() => create("false")).not.toThrow();
  });

  it("creates the folder in its parent, and deletes it only if it is empty", () => {
    const inputs = { title: "LLM Observability", uid: "llm-observability", parentFolderUid: "parent", preventDestroyIfNotEmpty: true };
    expect(inputsOf("platform-folder")).toEqual(inputs);
  });

  it("links the datasources to each other", () => {
    const [prometheus, loki, tempo] = ["llm-observability-prometheus", "llm-observability-loki", "llm-observability-tempo"];
    const ca = { tlsAuthWithCACert: true, managedByPulumi: "project/stack@grafana-" };
    const shift = { spanStartTimeShift: "-5m", spanEndTimeShift: "5m" };
    const options = (name: string) => JSON.parse(inputsOf(`platform-${name}`).jsonDataEncoded);
    expect(["prometheus", "loki", "tempo"].map((name) => inputsOf(`platform-${name}`).uid)).toEqual([prometheus, loki, tempo]);
    const exemplarTraceIdDestinations = [{ name: "trace_id", datasourceUid: tempo }];
    expect(options("prometheus")).toEqual({ httpMethod: "POST", exemplarTraceIdDestinations, prometheusType: "Prometheus", ...ca });
    expect(options("tempo")).toEqual({
      tracesToLogsV2: { datasourceUid: loki, ...shift, filterByTraceID: true },
      tracesToMetrics: { datasourceUid: prometheus, ...shift },
      serviceMap: { datasourceUid: prometheus },
      ...ca,
    });
    const [{ matcherRegex, ...derived }, ...others] = options("loki").derivedFields;
    expect([derived, others]).toEqual([{ name: "trace", url: "${__value.raw}", datasourceUid: tempo }, []]);
    const id = "0af7651916cd43dd8448eb211c80319c";
    for (const line of [`{"trace_id": "${id}","level":"info"}`, `level=info traceID=${id} msg=x`])
      expect(new RegExp(matcherRegex).exec(line)?.[1]).toBe(id);
  });

  it("protects all but what stays in Grafana anyway, which could not be handed over", () => {
    const protection: Record<string, boolean | undefined> = {};
    const note: pulumi.ResourceTransformation = ({ name, opts }) => {
      protection[name] = (opts as pulumi.CustomResourceOptions).protect;
      return undefined;
    };
    const settings = settingsOf({ ...managed, datasources: "kept", folderAccess: "view" });
    const options = { providers: [new Provider("kept-grafana")], protect: true, transformations: [note] };
    new ObservabilityPlatform("kept", { ...settings, url: grafana.url, dashboards: [], alerts: undefined }, options);
    // The others inherit it from the component.
    expect(protection).toEqual({
      ...{ kept: true, "kept-prometheus": false, "kept-loki": false, "kept-tempo": false },
      ...{ "kept-folder": undefined, "kept-folder-permissions": false },
    });
  });

  it("has recording rules with unique titles, whose labels are those of the series, without those that Grafana cannot write", async () => {
    const rule = { name: "a:b", query: "sum(a)", reads: "a", always: true };
    const recordingRules = [rule, ...["x", "y"].map((source) => ({ ...rule, labels: { source } })), { ...rule, onlyExternal: true }];
    const args = { ...settingsOf(managed), url: grafana.url, dashboards: [], recordingRules, alerts: undefined };
    new ObservabilityPlatform("recording", args, { providers: [new Provider("recording-grafana")] });
    const rules = await vi.waitUntil(() => inputsOf("recording-recording-rules").rules);
    const record = { from: "A", metric: "a:b", targetDatasourceUid: "llm-observability-prometheus" };
    expect(rules.map(({ datas: _datas, ...others }: { datas: unknown }) => others)).toEqual([
      { name: "a:b", record },
      { name: "a:b x", record, labels: { source: "x" } },
      { name: "a:b y", record, labels: { source: "y" } },
    ]);
  });
});

// When the token is replaced, and that the old one stays valid, is up to the provider.
it.each([
  ["metrics", ["metrics:write"]],
  ["traces", ["traces:write"]],
  ["both", ["metrics:write", "traces:write"]],
])("creates a secret token of a year with exactly the scopes of otlpData %s on Grafana Cloud", async (otlpData, scopes) => {
  declared.length = 0;
  const { otlpToken: _, ...others } = managed;
  const outputs = await run({ ...others, cloudAccessPolicyToken: `${mark}-cloud`, cloudRegion: "eu", otlpData });
  const of = (type: string) => declared.filter((resource) => resource.type.startsWith(type)).map(({ inputs }) => inputs);
  expect(outputs.otlpTokenScopes).toEqual(scopes);
  expect(inputsOf("grafana-cloud")).toEqual({ cloudAccessPolicyToken: secretOf(`${mark}-cloud`), ...switches });
  const common = { displayName: "OTLP push of project/stack: service", region: "eu" };
  // Without a name, Pulumi generates one. Names are unique in an organization, in which each environment has a token.
  expect(of("grafana:cloud/accessPolicy:")).toEqual([{ ...common, scopes, realms: [{ type: "stack", identifier: "345678" }] }]);
  expect(of("grafana:cloud/accessPolicyRotatingToken:")).toEqual([
    // 365 and 90 days.
    { ...common, namePrefix: ofPolicy.name, accessPolicyId: "policy", expireAfter: "8760h", earlyRotationWindow: "2160h" },
  ]);
  const credentials = Buffer.from(`345678:${ofPolicy.token}`).toString("base64");
  expect(decodeURIComponent(JSON.stringify(await plainValue(outputs.otlp)))).toContain(`Basic ${credentials}`);
  expect(inputsOf("checks").environment.value.LLM_OBSERVABILITY_CHECKS_SECRETS).toContain(credentials);
  const token = createPushToken("other", { instanceId: "1", region: "eu", scopes }, {});
  expect([await pulumi.isSecret(token), await pulumi.isSecret(outputs.otlp)]).toEqual([true, true]);
});

const base = (type: DatasourceType): DatasourceArgs => ({ uid: `${type}-uid`, url: `https://${type}.example.com` });

/** The arguments of one datasource with credentials of its own. */
function argsOf(type: DatasourceType, own: Partial<DatasourceArgs>) {
  const all = { prometheus: base("prometheus"), loki: base("loki"), tempo: base("tempo") };
  return datasourceResourceArgs(type, { ...all, [type]: { ...base(type), ...own } }, pulumi.output("project/dev@1"));
}

const parsed = async (text: pulumi.Input<string> | undefined) => JSON.parse((await plainValue(pulumi.output(text))) ?? "");

it("a password is for basic auth or, without a user name, a bearer token; secret even if a program passes it in plain text", async () => {
  const basic = argsOf("prometheus", { auth: { username: "1", password: "plain" } });
  expect(basic).toMatchObject({ basicAuthEnabled: true, basicAuthUsername: "1" });
  expect(await pulumi.isSecret(pulumi.output(basic.secureJsonDataEncoded))).toBe(true);
  const bearer = argsOf("loki", { auth: { password: "plain" } });
  const headers = pulumi.output(bearer.httpHeaders);
  expect(await pulumi.isSecret(headers)).toBe(true);
  expect(await plainValue(headers)).toEqual({ Authorization: "Bearer plain" });
  expect(bearer).not.toHaveProperty("secureJsonDataEncoded");
});

it("a datasource without credentials has no field for them", () => {
  expect(Object.keys(argsOf("tempo", {})).sort()).toEqual(["jsonDataEncoded", "name", "type", "uid", "url"]);
});

it("a Prometheus datasource has the type with which Grafana writes to it", async () => {
  const optionsOf = (server?: "prometheus" | "mimir") => parsed(argsOf("prometheus", { server }).jsonDataEncoded);
  expect(await optionsOf("prometheus")).toMatchObject({ prometheusType: "Prometheus" });
  expect(await optionsOf("mimir")).toMatchObject({ prometheusType: "Mimir" });
  expect(await optionsOf()).not.toHaveProperty("prometheusType");
});
