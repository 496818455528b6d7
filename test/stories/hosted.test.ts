/** A hosted Grafana: existing datasources, telemetry of other SDKs, a push token from Grafana Cloud. */
import { beforeAll, expect, it } from "vitest";
import { isGenuine } from "../support/genuine";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary, project } from "../support/stack";

setUp(() => sandbox.existingConfig());

beforeAll(async () => {
  stack.environment.GRAFANA_CLOUD_API_URL = sandbox.cloudUrl;
  await sandbox.createHosted();
  await stack.set({ grafanaAuth: (await sandbox.token("Editor")).key });
});

it("a token with the role Editor deploys the dashboards, and existing datasources do not change", async () => {
  const paths = ["prom", "logs", "traces"].map((name) => `/api/datasources/uid/grafanacloud-${name}`);
  const datasources = () => Promise.all(paths.map((path) => sandbox.do(path)));
  const before = await datasources();
  const operations = await stack.up();
  expect(operations).toContain("create genai-observability");
  expect(operations.filter((operation) => /prometheus|loki|tempo/.test(operation))).toEqual([]);
  expect(await datasources()).toEqual(before);
  expect(await stack.up("--refresh")).toEqual([]);
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

it("a push token is created with exactly the scopes of the setting otlpData", async () => {
  stack.unset("otlpToken");
  await stack.set({
    cloudAccessPolicyToken: "canary-cloud-token",
    cloudRegion: "eu",
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
  expect(policies).toMatchObject([
    { scopes: ["metrics:write"], region: "eu", realms: [{ type: "stack", identifier: sandbox.config().otlpInstanceId }] },
  ]);
  // Names are unique in an organization, in which each environment creates a token.
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
  expect(await stack.preview("--refresh")).toEqual([]);
  stack.unset("cloudAccessPolicyToken", "cloudRegion");
  await stack.set({ otlpToken: canary.otlpToken, otlpData: "both", checks: "fail" });
  expect(await stack.up()).toContain("delete service-otlp-push");
  expect(sandbox.cloud()).toMatchObject({ policies: [], tokens: [] });
});
