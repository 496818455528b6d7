// The program requires the builders of dashboards on first use: see src/dashboards/definitions.ts.
import "../../src/load.cjs";
import { expect, it } from "vitest";
import { defineAlerts } from "../../src/alerts/definitions";
import type { CheckTargets } from "../../src/checks/input";
import { checkTargets } from "../../src/checks/targets";
import { defineDashboards } from "../../src/dashboards/definitions";
import { isManaged } from "../../src/platform/dashboard";
import { keyDocs, type Settings } from "../../src/settings";
import { type KeyName, settingsKeys } from "../../src/settings/keys";
import { selfSigned } from "../support/certificate";
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
  ["prometheusUrl", ["prometheusPassword"], { prometheusUsername: "1", prometheusPassword: "canary-5" }],
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
  expect(warned({ otlpEndpoint: "http://10.0.0.1:4318" }, made)[0]).toMatch(
    /\n {2}otlpEndpoint +the token created with cloudAccessPolicyToken$/,
  );
});

it("warns about alert rules that need recorded series, unless another stack creates them, or nobody does", () => {
  const [warning, ...others] = warned({ alerts: "on" });
  expect(others).toEqual([]);
  expect(warning).toMatch(
    /^alerts is on, but recordingRules is off: .* SDKs, .* not created\. .*npx pulumi config set recordingRules grafana, or external/,
  );
  for (const changed of [{}, { alerts: "on", recordingRules: "external" }, { alerts: "on", telemetry: "spec" }])
    expect(warned(changed)).toEqual([]);
  expect(warned({ alerts: "on", managedResources: "service-dashboard" }, complete)).toEqual([]);
});

it("does not warn about this machine", () => {
  const warns = (host: string) => warned({ serviceUrl: `http://${host}:4000/prefix` }).length > 0;
  const hosts = ["localhost", "service.localhost", "127.1.2.3", "[::1]"];
  expect(hosts.filter(warns)).toEqual([]);
  const others = ["localhost.example.com", "127.0.0.1.example.com", "alocalhost", "[::2]"];
  expect(others.filter(warns)).toEqual(others);
});

/** What the program derives from settings, except for secrets. */
async function derive(settings: Settings): Promise<string[]> {
  const { grafana, adoption, datasources, folder, connection, otlp, checks, dashboards } = settings;
  const { all: definitions } = defineDashboards(settings);
  const output = checkTargets({ ...settings, definitions, otlpAuthorization: "" });
  const targets = await new Promise<CheckTargets>((resolve) => output.apply(resolve));
  // Each of these concerns one of the dashboards of SDKs.
  const unread = { spec: { environmentAttribute: "" }, otel: { name: "" }, both: {} }[dashboards.telemetry];
  const uids = { prometheus: datasources.prometheus.uid, loki: datasources.loki.uid, tempo: datasources.tempo.uid };
  const models = definitions.filter((each) => isManaged(each, grafana.managedResources)).map(({ model }) => model(uids));
  const areRecorded = dashboards.recordingRules !== "off" && grafana.managedResources === "all";
  const rules = areRecorded ? definitions.map(({ sdk }) => sdk?.telemetry === "otel" && sdk.rules) : [];
  const groups = { grafana, adoption, datasources, folder, connection, otlp, checks };
  const derived = [groups, models, rules, defineAlerts(settings).all, { ...targets, sdk: { ...targets.sdk, ...unread } }];
  return derived.map((each) => JSON.stringify(each));
}

it("names the settings without effect, and no others", async () => {
  const valid = (values: Record<string, string>) => {
    const result = read({ ...complete, ...values });
    return "settings" in result ? result : undefined;
  };
  const contexts: Record<string, string>[] = [
    ...["spec", "otel"].flatMap((telemetry) => [{ telemetry }, { telemetry, alerts: "on", recordingRules: "external" }]),
    { alerts: "on" },
    { alerts: "on", managedResources: "service-dashboard" },
    { managedResources: "none" },
  ];
  const plain = keyDocs().filter(({ name, secret }) => !secret && !/^(telemetry|managedResources|alerts|recordingRules)$/.test(name));
  const { cert } = selfSigned();
  const wrong: string[] = [];
  const compared = new Set<string>();
  for (const context of contexts) {
    const before = valid(context) as NonNullable<ReturnType<typeof valid>>;
    const derived = await derive(before.settings);
    for (const { name, choices } of plain) {
      const key = name as KeyName;
      const parse = (value: string | undefined) => settingsKeys[key].safeParse(value).data;
      const values = [...(choices ?? ["7", "other", '{"x":{"input":1}}', '{"x":1}', "https://other.example.com", cert])];
      const other = values.find((value) => ![undefined, parse({ ...complete, ...context }[key])].includes(parse(value)));
      const after = other && valid({ ...context, [key]: other });
      if (!after) continue; // Problems tell about other settings without effect.
      compared.add(key);
      const required = ({ warnings }: typeof before) =>
        new RegExp(`\\n {2}${key} +requires (.*)`).exec(warnings.join())?.[1]?.split(" and ");
      const advice = Object.fromEntries((required(after) ?? []).map((each) => each.split(" ").slice(0, 2)));
      const advised = valid({ ...context, ...advice, [key]: other });
      if (!advised || required(advised)) wrong.push(`${key} requires ${JSON.stringify(advice)}`);
      const hasEffect = (await derive(after.settings)).join() !== derived.join();
      if (hasEffect === Object.keys(advice).length > 0) wrong.push(`${key}, ${JSON.stringify(context)}`);
    }
  }
  expect(wrong).toEqual([]);
  const ofOthers = /^(cloud|(loki|tempo|prometheus|datasource)(?!Uid|s$))/;
  expect(plain.map(({ name }) => name).filter((name) => !ofOthers.test(name) && !compared.has(name))).toEqual([]);
}, 60_000);
