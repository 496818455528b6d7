/** A hosted Grafana: existing datasources, telemetry of other SDKs, a push token from Grafana Cloud. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { commandsOf } from "../support/documents";
import { isGenuine } from "../support/genuine";
import { run } from "../support/run";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary, project } from "../support/stack";

setUp(() => sandbox.existingConfig());

beforeAll(async () => {
  stack.environment.GRAFANA_CLOUD_API_URL = sandbox.cloudUrl;
  await sandbox.createHosted();
  await stack.set({ grafanaAuth: (await sandbox.token("Editor")).key });
});

/** Changes the options of the Prometheus datasource. */
const setServer = (jsonData: object) => {
  const [uid, type, access] = ["grafanacloud-prom", "prometheus", "proxy"];
  return sandbox.do(`/api/datasources/uid/${uid}`, "PUT", {
    uid,
    name: uid,
    type,
    access,
    url: `${sandbox.backendsUrl}/prometheus`,
    jsonData,
  });
};

// Of 10.4 and 11.6, the release is the problem.
it("a Prometheus that Grafana would take for a Mimir is one problem of a preview, with the ways out", async ({ skip }) => {
  if (!sandbox.recordsInGrafana) skip("this release has no recording rules with a target datasource");
  await setServer({});
  const text = await stack.failing("preview");
  expect(text).toContain('Grafana cannot evaluate the recording rules of "GenAI Observability (OpenTelemetry)":');
  expect(text).toContain("The datasource grafanacloud-prom (uid grafanacloud-prom) does not say its Prometheus type");
  const ways = ["set the Prometheus type", "npm run rules -- --stack test", "recordingRules external", "telemetry spec --stack test"];
  const places = ways.map((way) => text.indexOf(way));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(Math.min(...places)).toBeGreaterThan(0);
  await setServer({ prometheusType: "Prometheus" });
});

it("a token with the role Editor deploys the dashboards, and existing datasources do not change", async () => {
  const paths = ["prom", "logs", "traces"].map((name) => `/api/datasources/uid/grafanacloud-${name}`);
  const datasources = () => Promise.all(paths.map((path) => sandbox.do(path)));
  const before = await datasources();
  const operations = await stack.up();
  expect(operations).toContain("create platform-genai-observability");
  expect(operations.filter((operation) => /prometheus|loki|tempo/.test(operation))).toEqual([]);
  expect(await datasources()).toEqual(before);
});

// A genuine Grafana evaluates the rules later.
it.skipIf(isGenuine)("recording rules that Grafana cannot write are a failed check, with Grafana's reason", async () => {
  await setServer({ prometheusType: "Mimir" });
  await expect(stack.npm("doctor", "--stack", "test")).rejects.toThrow(
    /recording rules +failed +rules fail in Grafana \(\d+\): remote write failed: failed to write time series: .*actual=404.*1 failed \(recording rules\)/s,
  );
  await setServer({ prometheusType: "Prometheus" });
});

// A genuine Grafana may not reach the backends.
it.skipIf(isGenuine)("failed checks are warnings or fail the deployment, name the series that arrive, and contain no secret", async () => {
  sandbox.setMetrics(["gen_ai_client_operation_duration_seconds_count", "doku_llm_usageCost"]);
  await stack.set({ checks: "warn", otlpToken: "wrong-canary-token" });
  const warning = await stack.pulumi("up", "--yes", "--skip-preview");
  expect(warning).toContain("1 updated");
  expect(warning).toContain("Other names arrive: OpenTelemetry's conventions up to 1.41. ");
  expect(warning).toContain("; found doku_llm_usageCost: check the setting service");
  expect(warning).toContain("refuses the credentials (401): check otlpInstanceId, the token and its scopes");
  expect(warning).toContain("The deployment continues, because the setting checks is warn.");
  expect((await stack.outputs()).checks).toMatch(/^\d+ ok, 2 failed \(OTLP metrics, OTLP traces\), \d+ notes \(series of /);
  await stack.set({ checks: "fail" });
  const failure = await stack.failing("up", "--yes", "--skip-preview");
  // The end of the output: the order of what stands above it varies.
  expect(failure).toContain("2 errored");
  expect(warning + failure).not.toContain("canary");
});

const tokenIn = ({ otlp }: Record<string, unknown>) => {
  const { OTEL_EXPORTER_OTLP_HEADERS: headers } = otlp as Record<string, string>;
  const [, credentials = ""] = new URLSearchParams(headers).get("Authorization")?.split(" ") ?? [];
  return Buffer.from(credentials, "base64").toString().replace("345678:", "");
};

it("a push token is created with exactly the scopes of the setting otlpData, and is valid for a year", async () => {
  stack.unset("otlpToken");
  await stack.set({ cloudAccessPolicyToken: "canary-cloud-token", cloudRegion: "eu", otlpData: "metrics", checks: "fail" });
  const operations = await stack.up();
  expect(operations.filter((operation) => operation.startsWith("create"))).toEqual([
    "create grafana-cloud",
    "create service-otlp-push",
    "create service-otlp-push",
  ]);
  const { policies, tokens } = sandbox.cloud();
  expect(policies).toMatchObject([
    { scopes: ["metrics:write"], region: "eu", realms: [{ type: "stack", identifier: sandbox.config().otlpInstanceId }] },
  ]);
  // Names are unique in an organization, in which each environment creates a token.
  expect(policies[0]?.name).toMatch(/^service-otlp-push-[0-9a-f]{7,}$/);
  expect(tokens).toMatchObject([{ accessPolicyId: policies[0]?.id, name: expect.stringMatching(`^${policies[0]?.name}-\\d{10}$`) }]);
  for (const { displayName } of [...policies, ...tokens]) expect(displayName).toBe(`OTLP push of ${project}/test: service`);
  expect((Date.parse(tokens[0]?.expiresAt ?? "") - Date.now()) / 86_400_000).toBeCloseTo(365, 1);
  expect(stack.stored()).not.toContain(tokenIn(await stack.outputs()));
  expect(await stack.preview("--refresh")).toEqual([]);
});

/** Sets the end of the token in the state, as if time had passed. */
async function setEnd(days: number): Promise<void> {
  const end = new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
  const file = join(stack.folder, "state.json");
  writeFileSync(file, (await stack.pulumi("stack", "export")).replaceAll(/("expiresAt": ")[^"]+/g, `$1${end}`));
  await stack.pulumi("stack", "import", "--file", file);
}

it("in its last 90 days, the next up creates a new token, and the old one stays valid", async () => {
  const old = tokenIn(await stack.outputs());
  await setEnd(91);
  expect(await stack.preview()).toEqual([]);
  await setEnd(89);
  // The checks push with the new token.
  expect(await stack.up()).toEqual(["replace service-otlp-push", "update checks"]);
  expect(tokenIn(await stack.outputs())).not.toBe(old);
  const authorization = `Basic ${Buffer.from(`345678:${old}`).toString("base64")}`;
  const headers = { Authorization: authorization, "Content-Type": "application/x-protobuf" };
  expect((await fetch(`${sandbox.backendsUrl}/otlp/v1/metrics`, { method: "POST", headers })).status).toBe(200);
});

it("the policy is deleted with both tokens if the setting is removed", async () => {
  stack.unset("cloudAccessPolicyToken", "cloudRegion");
  await stack.set({ otlpToken: canary.otlpToken, otlpData: "both" });
  expect(await stack.up()).toContain("delete service-otlp-push");
  expect(sandbox.cloud()).toMatchObject({ policies: [], tokens: [] });
});

/** The resources of the former version that a token needs, and the checks, which depend on it. */
const former = `
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
const platform = new pulumi.ComponentResource("llm-observability:platform:ObservabilityPlatform", "platform");
const parent = new pulumi.ComponentResource("llm-observability:platform:MonitoredService", "service");
const cloudAccessPolicyToken = new pulumi.Config().requireSecret("cloudAccessPolicyToken");
const provider = new grafana.Provider("platform-cloud", { cloudAccessPolicyToken }, { parent: platform });
const common = { region: "eu", displayName: "Push" };
const what = { scopes: ["metrics:write", "traces:write"], realms: [{ type: "stack", identifier: "345678" }] };
const policy = new grafana.cloud.AccessPolicy("service-otlp-push", { ...common, ...what }, { parent, provider });
const args = { ...common, accessPolicyId: policy.policyId };
const { token } = new grafana.cloud.AccessPolicyToken("service-otlp-push", args, { parent, provider });
new local.Command("checks", { create: "true", environment: { token } });
`;

it("the former token, which never ends, stays valid with the commands of the changes", async () => {
  const file = join(stack.folder, "former.ts");
  writeFileSync(file, former);
  stack.useProgram(file);
  stack.unset("otlpToken");
  await stack.set({ cloudAccessPolicyToken: "canary-cloud-token", cloudRegion: "eu" });
  await stack.up();
  const accessPolicyId = sandbox.cloud().policies[0]?.id;
  stack.useProgram(join(__dirname, "../../index.ts"));
  const env = { ...stack.environment, PULUMI_STACK: "test", PULUMI_SKIP_CONFIRMATIONS: "true", PULUMI_OPTION_SKIP_PREVIEW: "true" };
  await run("bash", ["-euo", "pipefail", "-c", commandsOf("token", ".github/CHANGELOG.md")], { cwd: stack.folder, env });
  const { policies, tokens } = sandbox.cloud();
  expect(policies).toMatchObject([{ id: accessPolicyId }]);
  expect(tokens.map((token) => [token.accessPolicyId, token.expiresAt])).toEqual([
    [accessPolicyId, undefined],
    [accessPolicyId, expect.any(String)],
  ]);
});
