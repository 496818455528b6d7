/** A hosted Grafana: datasources that exist, telemetry of other SDKs, two services in one stack, and things that are missing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../support/sandbox";
import { setUp } from "../support/set-up";
import { canary, project, type TestStack } from "../support/stack";

let sandbox: Sandbox;
let stack: TestStack;

setUp(
  (...both) => ([sandbox, stack] = both),
  (itsSandbox) => itsSandbox.existingConfig(),
);

beforeAll(() => {
  stack.environment.GRAFANA_CLOUD_API_URL = sandbox.cloudUrl;
});

it("a missing datasource fails the preview with its uid and the list of those that exist", async () => {
  await sandbox.ask("/api/datasources", "POST", {
    uid: "some-prometheus",
    name: "Some",
    type: "prometheus",
    access: "proxy",
    url: "http://p",
  });
  const text = await stack.failing("preview");
  expect(text).toContain("prometheusUid: there is no datasource with the uid grafanacloud-prom");
  expect(text).toContain("tempoUid: there is no datasource with the uid grafanacloud-traces");
  expect(text).toMatch(/These exist:\s+some-prometheus {2}prometheus {2}Some/);
  expect(text).not.toMatch(/^\s+at /m);
});

it("existing datasources are read and never touched", async () => {
  await sandbox.createHosted();
  const before = sandbox.grafana().datasources;
  const operations = await stack.up();
  expect(operations).toContain("create genai-observability");
  expect(operations.filter((operation) => /prometheus|loki|tempo/.test(operation))).toEqual([]);
  expect(sandbox.grafana().datasources).toEqual(before);
  expect(await stack.up("--refresh")).toEqual([]);
});

it("the checks name the series that arrive instead of the expected ones", async () => {
  sandbox.setMetrics(["gen_ai_client_operation_duration_seconds_count", "doku_llm_usageCost"]);
  await stack.set({ checks: "warn" });
  const said = await stack.pulumi("up", "--yes", "--skip-preview");
  expect(said).toContain("1 updated");
  expect(said).toContain("no gen_ai_requests_total; found gen_ai_client_operation_duration_seconds_count");
  expect(said).toContain("no llmobs_llm_usageCost; found doku_llm_usageCost");
  expect((await stack.outputs()).checks).toMatch(/^\d+ ok, 0 failed, \d+ notes \(series of /);
});

it("a failed check fails the deployment with its reason, or warns, and nothing in it is secret", async () => {
  await stack.set({ otlpToken: "wrong-canary-token" });
  const warned = await stack.pulumi("up", "--yes", "--skip-preview");
  expect(warned).toContain("refuses the credentials (401): check otlpInstanceId, the token and its scopes");
  expect(warned).toContain("the setting checks is warn, so the deployment goes on");
  await stack.set({ checks: "fail", otlpToken: "wrong-canary-token-2" });
  const failed = await stack.failing("up", "--yes", "--skip-preview");
  expect(failed).toContain("exit status 1");
  expect(warned + failed).not.toContain("canary");
  await stack.set({ otlpToken: sandbox.config().otlpToken ?? "" });
  expect(await stack.up()).toEqual(["update checks"]);
});

it("a token of the push is made with exactly the scopes of what is pushed", async () => {
  stack.unset("otlpToken");
  await stack.set({
    cloudAccessPolicyToken: "canary-cloud-token",
    cloudRegion: "eu",
    cloudStackId: "1",
    otlpData: "metrics",
    checks: "warn",
  });
  const operations = await stack.up();
  expect(operations.filter((operation) => operation.startsWith("create"))).toEqual([
    "create platform-cloud",
    "create service-otlp-push",
    "create service-otlp-push",
  ]);
  const { policies, tokens } = sandbox.cloud();
  expect(policies).toMatchObject([{ scopes: ["metrics:write"], region: "eu", realms: [{ type: "stack", identifier: "1" }] }]);
  // Names are taken for a whole organization: another environment there makes a token of its own.
  for (const { name, displayName } of [...policies, ...tokens]) {
    expect(name).toMatch(/^service-otlp-push-[0-9a-f]{7,}$/);
    expect(displayName).toBe(`OTLP push of ${project}/test: service`);
  }
  expect(tokens).toMatchObject([{ accessPolicyId: policies[0]?.id }]);
  const { otlp } = (await stack.outputs()) as { otlp: Record<string, string> };
  const [, credentials = ""] = /Basic%20(.+)$/.exec(otlp.OTEL_EXPORTER_OTLP_HEADERS ?? "") ?? [];
  const made = Buffer.from(credentials, "base64").toString().split(":")[1] ?? "";
  expect(made.length).toBeGreaterThan(10);
  expect(stack.stored()).not.toContain(made);
  // A token that was made under a name which the program gave is not made anew.
  const state = await stack.pulumi("stack", "export");
  const given = state.replaceAll(/"__defaults": \[\s*"name"\s*\]/g, '"__defaults": []');
  expect(given).not.toBe(state);
  writeFileSync(join(stack.folder, "state.json"), given);
  await stack.pulumi("stack", "import", "--file", "state.json");
  expect(await stack.preview("--refresh")).toEqual([]);
  stack.unset("cloudAccessPolicyToken", "cloudRegion", "cloudStackId");
  await stack.set({ otlpToken: canary.otlpToken, otlpData: "both", checks: "fail" });
  expect(await stack.up()).toContain("delete service-otlp-push");
  expect(sandbox.cloud()).toMatchObject({ policies: [], tokens: [] });
});

it("a dashboard that somebody else has under our uid is not saved over", async () => {
  await stack.set({ genaiDashboardUid: "taken" });
  await sandbox.ask("/api/dashboards/db", "POST", { dashboard: { uid: "taken", title: "Somebody's" } });
  expect(await stack.failing("up", "--yes", "--skip-preview")).toContain("412");
  expect((await sandbox.ask("/api/dashboards/uid/taken")).body.dashboard).toMatchObject({ title: "Somebody's" });
  // A new uid is a replacement: the old dashboard was deleted first, and comes again.
  stack.setPlain({ genaiDashboardUid: "genai-observability" });
  expect(await stack.up()).toEqual(["replace genai-observability"]);
  expect((await sandbox.ask("/api/dashboards/uid/genai-observability")).status).toBe(200);
});

it("a second service in the same stack declares its own things only", async () => {
  stack.useProgram(join(__dirname, "../engine/programs/two-services.ts"));
  const operations = await stack.up();
  expect(operations.filter((operation) => operation.startsWith("create"))).toEqual([
    "create second",
    "create second-connection",
    "create second-llm-monitoring",
  ]);
  expect((await sandbox.ask("/api/dashboards/uid/other-llm-monitoring")).status).toBe(200);
});

it("without Grafana a preview warns and a deployment says what to check", async () => {
  await sandbox.stopGrafana();
  expect(await stack.pulumi("preview")).toContain("this preview does not check whether uids, titles and the organization are right");
  const text = await stack.failing("up", "--yes", "--skip-preview");
  expect(text).toContain("cannot be reached (ECONNREFUSED). Check grafanaUrl");
});
