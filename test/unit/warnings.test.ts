/** Warnings about valid settings: keys that leave the machine unencrypted, settings without effect. */
import { expect, it } from "vitest";
import { complete, mark, read } from "./config";

const urls = { prometheusUrl: "http://prometheus:9090", lokiUrl: "http://loki:3100", tempoUrl: "http://tempo:3200" };
const config: Record<string, string> = { ...complete, datasources: "managed", ...urls };

function warned(change: Record<string, string>, all: Readonly<Record<string, string>> = config): string[] {
  const result = read({ ...all, ...change });
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.warnings;
}

it("does not warn about TLS, or about datasources without credentials", () => {
  expect(warned({})).toEqual([]);
});

it.each<[address: string, keys: string[], others?: Record<string, string>]>([
  ["grafanaUrl", ["grafanaAuth"]],
  ["prometheusUrl", ["prometheusAuth"], { prometheusAuth: "1:canary-5" }],
  ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
  ["metricsUrl", ["platformApiKey"]],
  ["logsUrl", ["platformApiKey"]],
  ["otlpEndpoint", ["otlpToken"]],
])("warns about %s over plain HTTP and lists its keys", (address, keys, settings = {}) => {
  const [warning = "", ...others] = warned({ [address]: "http://10.0.0.1:4000", ...settings });
  expect(others).toEqual([]);
  expect(warning).toMatch(new RegExp(`\\n  ${address} +${keys.join(", ")}$`));
  expect(warning).not.toContain(mark);
});

it("lists the created token of the push, but not cloudAccessPolicyToken, which only Grafana Cloud receives", () => {
  const { otlpToken: _given, ...others } = config;
  const made = { ...others, cloudAccessPolicyToken: "canary-6", cloudRegion: "eu" };
  expect(warned({}, made)).toEqual([]);
  const [warning] = warned({ otlpEndpoint: "http://10.0.0.1:4318" }, made);
  expect(warning).toMatch(/\n {2}otlpEndpoint +the token created with cloudAccessPolicyToken$/);
});

it("does not warn about this machine", () => {
  const warns = (host: string) => warned({ serviceUrl: `http://${host}:4000/prefix` }).length > 0;
  const hosts = ["localhost", "service.localhost", "127.1.2.3", "[::1]"];
  expect(hosts.filter(warns)).toEqual([]);
  const others = ["localhost.example.com", "127.0.0.1.example.com", "alocalhost", "[::2]"];
  expect(others.filter(warns)).toEqual(others);
});

/** Those of the files for `external`, too. Panels have the first two, and budgets of applications. */
const limits = {
  alertErrorRate: "3",
  alertLatency: "9",
  alertBudget: "5",
  alertBudgets: '{"x":1}',
  alertRunbooks: "https://runbooks.test",
};
it.each<[change: Record<string, string>, lines: string[]]>([
  [{}, []],
  [{ ...limits, recordingRules: "external", alertContactPoint: "on-call" }, ["alertContactPoint requires alerts on"]],
  [limits, ["alertBudget", "alertRunbooks"].map((key) => `${key} requires alerts on`)],
  [
    { telemetry: "otel", sdkName: "x", genaiDashboardUid: "g", genaiReads: "rules" },
    ["genaiDashboardUid", "genaiReads", "sdkName"].map((key) => `${key} requires telemetry spec or both`),
  ],
  [
    { telemetry: "spec", otelDashboardUid: "o", recordingRules: "external" },
    ["otelDashboardUid requires telemetry otel or both", "recordingRules requires telemetry otel or both"],
  ],
  [{ telemetry: "spec", recordingRules: "external", genaiReads: "rules" }, []],
  [{ telemetry: "spec", alertBudget: "5", alertRunbooks: "https://runbooks.test" }, []],
  [{ countedBy: "gateways", cloudRegion: "eu" }, ["cloudRegion requires cloudAccessPolicyToken", "countedBy requires gateways"]],
  [
    { datasources: "existing", datasourceTenant: "tenant" },
    ["datasourceTenant", "lokiUrl", "prometheusUrl", "tempoUrl"].map((key) => `${key} requires datasources managed or kept`),
  ],
  [
    { managedResources: "service-dashboard", genaiReads: "rules" },
    ["genaiReads", "lokiUrl", "prometheusUrl", "tempoUrl"].map((key) => `${key} requires managedResources all`),
  ],
  [
    { managedResources: "none", alerts: "on" },
    [
      "alerts requires managedResources all or service-dashboard",
      ...["lokiUrl", "prometheusUrl", "tempoUrl"].map((key) => `${key} requires managedResources all`),
    ],
  ],
  [{ ...limits, alerts: "on", recordingRules: "external", prices: '{"x":{"input":1}}', telemetry: "both", sdkName: "x" }, []],
])("names the settings without effect, and no others: %j", (change, lines) => {
  const warning = warned(change).find((each) => each.includes("have no effect")) ?? "";
  const [first = "", ...found] = warning.split("\n");
  if (lines.length > 0) expect(first).toContain("npx pulumi config rm KEY --stack dev");
  expect(found.map((line) => line.trim().replace(/ +/g, " ")).sort()).toEqual(lines.sort());
});
