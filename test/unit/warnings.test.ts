import { expect, it } from "vitest";
import { parseSettings } from "../../src/settings";
import { warnings } from "../../src/settings/warnings";

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
