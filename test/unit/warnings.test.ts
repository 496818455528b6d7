// The program requires the builders of dashboards on first use: see src/dashboards/models.ts.
import "../../src/load.cjs";
import { expect, it } from "vitest";
import { checksArgs, deployedDashboards, platformArgs, preflightArgs, serviceArgs } from "../../src/arguments";
import { keyDocs, parseSettings, type Settings } from "../../src/settings";
import { warnings } from "../../src/settings/warnings";
import { selfSigned } from "../support/certificate";

const secrets = ["grafanaAuth", "serviceApiKey", "platformApiKey", "otlpToken", "cloudAccessPolicyToken", "prometheusPassword"];

const config = {
  service: "llmobs",
  grafanaUrl: "https://grafana.example.com",
  grafanaAuth: "canary-1",
  prometheusUrl: "http://prometheus:9090",
  lokiUrl: "http://loki:3100",
  tempoUrl: "http://tempo:3200",
  serviceUrl: "https://llmobs.example.com",
  serviceApiKey: "canary-2",
  metricsUrl: "https://metrics.example.com",
  metricsUsername: "1",
  logsUrl: "https://logs.example.com",
  logsUsername: "2",
  platformApiKey: "canary-3",
  otlpEndpoint: "https://otlp.example.com",
  otlpInstanceId: "3",
  otlpToken: "canary-4",
};

function warned(change: Record<string, string>, all: Record<string, string> = config): string[] {
  const result = parseSettings({ values: { ...all, ...change }, isSecret: (key) => secrets.includes(key) }, "dev");
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return warnings(result.settings);
}

it("does not warn about TLS, or about datasources without credentials", () => {
  expect(warned({})).toEqual([]);
});

it.each([
  ["grafanaUrl", ["grafanaAuth"]],
  ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
  ["metricsUrl", ["platformApiKey"]],
  ["logsUrl", ["platformApiKey"]],
  ["otlpEndpoint", ["otlpToken"]],
])("warns about %s over plain HTTP and lists its keys", (address, keys) => {
  const [warning = "", ...others] = warned({ [address]: "http://10.0.0.1:4000" });
  expect(others).toEqual([]);
  expect(warning).toMatch(new RegExp(`\\n  ${address} +${keys.join(", ")}$`));
  expect(warning).not.toContain("canary");
});

it("lists the created token of the push, but not cloudAccessPolicyToken, which only Grafana Cloud receives", () => {
  const { otlpToken: _given, ...others } = config;
  const made = { ...others, cloudAccessPolicyToken: "canary-6", cloudRegion: "eu", cloudStackId: "1" };
  expect(warned({}, made)).toEqual([]);
  expect(warned({ otlpEndpoint: "http://10.0.0.1:4318" }, made)[0]).toMatch(
    /\n {2}otlpEndpoint +the token created with cloudAccessPolicyToken$/,
  );
});

it("warns about a datasource with a password over plain HTTP", () => {
  expect(warned({ prometheusUsername: "1", prometheusPassword: "canary-5" })[0]).toMatch(/\n {2}prometheusUrl +prometheusPassword$/);
});

it("warns about alert rules that need recorded series, unless another stack creates them, or nobody does", () => {
  const [warning, ...others] = warned({ alerts: "on" });
  expect(others).toEqual([]);
  expect(warning).toMatch(
    /^alerts is on, but recordingRules is off: .* SDKs, .* not created\. .*npx pulumi config set recordingRules grafana, or external/,
  );
  const { prometheusUrl: _1, lokiUrl: _2, tempoUrl: _3, ...existing } = config;
  for (const changed of [{}, { alerts: "on", recordingRules: "external" }, { alerts: "on", telemetry: "spec" }])
    expect(warned(changed)).toEqual([]);
  expect(warned({ alerts: "on", managedResources: "service-dashboard" }, existing)).toEqual([]);
});

it.each(["localhost", "service.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])("does not warn about %s, which is this machine", (host) => {
  expect(warned({ serviceUrl: `http://${host}:4000/prefix` })).toEqual([]);
});

it.each(["localhost.example.com", "127.0.0.1.example.com", "[::2]"])("warns about %s, which is another machine", (host) => {
  expect(warned({ serviceUrl: `http://${host}` })).toHaveLength(1);
});

/** The arguments that the program derives from settings. */
function argumentsOf(settings: Settings): string {
  const { targets, ...others } = checksArgs(settings);
  // Only the spec's dashboard reads the series of one SDK.
  const checked = settings.telemetry === "otel" ? { ...targets, sdk: { ...targets.sdk, name: "" } } : targets;
  const ofPlatform = platformArgs(settings, { version: "12.3.0", basicAuth: true });
  return JSON.stringify([preflightArgs(settings), ofPlatform, serviceArgs(settings, "project"), checked, others]);
}

const modelsOf = (settings: Settings) =>
  JSON.stringify(deployedDashboards(settings).flatMap(({ managed, model }) => (managed ? model() : [])));

const product = (...lists: Record<string, string>[][]) =>
  lists.reduce((all, list) => all.flatMap((one) => list.map((other) => ({ ...one, ...other }))), [{}]);

it("names the settings without effect, and no others", () => {
  const { prometheusUrl: _1, lokiUrl: _2, tempoUrl: _3, ...others } = config;
  const read = (values: Record<string, string>) => {
    const result = parseSettings(
      { values: { ...others, datasources: "existing", ...values }, isSecret: (key) => secrets.includes(key) },
      "",
    );
    return "settings" in result ? result.settings : undefined;
  };
  const contexts = product(
    ["spec", "otel", "both"].map((telemetry) => ({ telemetry })),
    ["all", "service-dashboard", "none"].map((managedResources) => ({ managedResources })),
    [{}, { alerts: "on" }],
  );
  const plain = keyDocs.filter(({ name, secret }) => !secret && !["telemetry", "managedResources", "alerts"].includes(name));
  const { cert } = selfSigned();
  const wrong: string[] = [];
  const compared = new Set<string>();
  for (const context of contexts) {
    const before = read(context);
    if (!before) continue;
    const [argumentsBefore, modelsBefore] = [argumentsOf(before), modelsOf(before)];
    for (const { name, choices, parts } of plain) {
      const key = name as keyof Settings;
      const values = [...(choices ?? parts ?? ["7", "other", "https://other.example.com", cert])];
      const after = values.map((value) => read({ ...context, [key]: value })).find((settings) => settings && settings[key] !== before[key]);
      if (!after) continue; // Problems tell about other settings without effect.
      compared.add(key);
      const isNamed = warnings(after).some((warning) => warning.includes(`\n  ${key} `));
      const hasEffect = argumentsOf(after) !== argumentsBefore || modelsOf(after) !== modelsBefore;
      if (isNamed === hasEffect) wrong.push(`${key}, ${JSON.stringify(context)}`);
    }
  }
  expect(wrong).toEqual([]);
  const ofOthers = /^(cloud|(loki|tempo|prometheus|datasource)(?!Uid|s$))/;
  expect(plain.map(({ name }) => name).filter((name) => !ofOthers.test(name) && !compared.has(name))).toEqual([]);
}, 60_000);
