/** Everything at Grafana, through the life of one stack: each setting changed alone, edits by hand, wrong tokens, and the end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { releaseOfEnvironment } from "../sandbox/grafana/http";
import type { Sandbox } from "../support/sandbox";
import { setUp } from "../support/set-up";
import { isSecretInState, project, type TestStack } from "../support/stack";

let sandbox: Sandbox;
let stack: TestStack;

setUp((...both) => ([sandbox, stack] = both));

const everything = [
  "create checks",
  "create folder",
  "create genai-observability",
  "create loki",
  "create platform",
  "create platform-grafana",
  "create prometheus",
  "create service",
  "create service-connection",
  "create service-llm-monitoring",
  "create tempo",
];

/** Whether Grafana's release is older than those that are supported. */
const isOld = releaseOfEnvironment() === "9.4";

/** One failure is one message: without the engine's path to the property, and without what Node.js says of promises. */
function expectOneMessage(text: string): void {
  expect(text).not.toMatch(/serializ|PromiseRejection|unhandled|\n\s+at /);
  expect(text.match(/^ {4}error: /gm)).toHaveLength(1);
}

describe("the first deployment", () => {
  it("creates everything, and the checks find it well", async () => {
    expect(await stack.up()).toEqual(everything);
    const { datasources, folders, dashboards } = sandbox.grafana();
    expect(datasources.map(({ uid }) => uid).sort()).toEqual([
      "llm-observability-loki",
      "llm-observability-prometheus",
      "llm-observability-tempo",
    ]);
    expect(folders).toMatchObject([{ uid: "llm-observability", title: "LLM Observability" }]);
    expect(dashboards.map(({ uid, folderUid }) => [uid, folderUid]).sort()).toEqual([
      ["genai-observability", "llm-observability"],
      ["llmobs-llm-monitoring", "llm-observability"],
    ]);
    const { checks } = await stack.outputs();
    const series = 'series of "llmobs - LLM Monitoring", series of "GenAI Observability"';
    // An old Grafana has no health check of Loki and Tempo.
    const unasked = "datasource llm-observability-loki, datasource llm-observability-tempo";
    expect(checks).toBe(isOld ? `6 ok, 0 failed, 4 notes (${unasked}, ${series})` : `8 ok, 0 failed, 2 notes (${series})`);
    const table = (await stack.resources()).find(({ urn }) => urn.endsWith("::checks"))?.outputs.stdout;
    expect(table).toContain("no data yet");
  });

  it("stores both dashboards as they are rendered, with the stack's mark, but for what Grafana numbers itself", async () => {
    const files = { "llmobs-llm-monitoring": "llm-monitoring.json", "genai-observability": "genai-observability.json" };
    for (const [uid, file] of Object.entries(files)) {
      const rendered = JSON.parse(readFileSync(join(__dirname, "../../dashboards", file), "utf8"));
      const { dashboard } = (await sandbox.ask(`/api/dashboards/uid/${uid}`)).body as { dashboard: Record<string, unknown> };
      const { id: _id, version: _version, ...stored } = dashboard;
      const { version: _first, ...wanted } = rendered;
      const description = `Managed by Pulumi (${project}/test): changes made here are overwritten.`;
      expect(stored).toEqual({ ...wanted, description });
    }
  });

  it("gives addresses to click", async () => {
    const { links } = (await stack.outputs()) as { links: Record<string, string> };
    expect(links).toEqual({
      folder: expect.stringContaining(`${sandbox.grafanaUrl}/dashboards/f/llm-observability`),
      llmMonitoring: expect.stringContaining(`${sandbox.grafanaUrl}/d/llmobs-llm-monitoring`),
      genaiObservability: expect.stringContaining(`${sandbox.grafanaUrl}/d/genai-observability`),
    });
  });

  it("keeps the models readable and the credentials secret", async () => {
    const resources = await stack.resources();
    for (const { inputs } of resources.filter(({ type }) => type.endsWith(":Dashboard"))) {
      expect(JSON.parse(String(inputs.configJson))).toHaveProperty("title");
    }
    const prometheus = resources.find(({ urn }) => urn.endsWith("::prometheus"));
    expect(isSecretInState(prometheus?.inputs.secureJsonDataEncoded)).toBe(true);
    const environment = resources.find(({ urn }) => urn.endsWith("::checks"))?.inputs.environment as Record<string, unknown>;
    expect(environment.LLM_OBSERVABILITY_CHECKS).toContain("llm-observability-prometheus");
    expect(isSecretInState(environment.LLM_OBSERVABILITY_CHECKS_SECRETS)).toBe(true);
    expect(stack.stored()).not.toContain("canary");
  });

  it.each([
    ["up", () => stack.up()],
    ["up --refresh", () => stack.up("--refresh")],
  ])("is complete: %s changes nothing", async (_what, work) => {
    expect(await work()).toEqual([]);
  });
});

describe("a changed setting", () => {
  // Several at a time, where what they do cannot be mistaken for one another's.
  it.each<[string, () => Record<string, string>, string[]]>([
    [
      "the folder, a service's dashboard, the connection",
      () => ({ folderTitle: "LLM", documentationUrl: "https://docs.example.com", platformName: "signoz" }),
      ["update folder", "update service-connection", "update service-llm-monitoring"],
    ],
    [
      "the folder's permissions, the SDK, the tenant of a datasource",
      () => ({ folderViewers: "none", sdkName: "other-sdk", lokiTenant: "tenant-1" }),
      ["create folder-permissions", "update checks", "update genai-observability", "update loki"],
    ],
    ["an address", () => ({ prometheusUrl: `${sandbox.backendsUrl}/prometheus/` }), ["update checks", "update prometheus"]],
    ["a password", () => ({ prometheusPassword: "canary-prometheus-2" }), ["update checks", "update prometheus"]],
    ["a dashboard's uid", () => ({ genaiDashboardUid: "genai-2" }), ["replace genai-observability", "update checks"]],
    [
      "a datasource's uid",
      () => ({ prometheusUid: "prometheus-2" }),
      ["replace prometheus", "update checks", "update genai-observability", "update service-llm-monitoring", "update tempo"],
    ],
    ["what is pushed", () => ({ otlpData: "metrics" }), ["update checks"]],
    ["the push's token, and what a failed check does", () => ({ otlpToken: "canary-token-2", checks: "warn" }), ["update checks"]],
  ])("%s: does exactly what it must", async (_what, settings, operations) => {
    await stack.set(settings());
    expect(await stack.up()).toEqual(operations);
  });

  it("leaves nothing to do, all of them together", async () => {
    expect(await stack.preview()).toEqual([]);
  });
});

describe("a change by hand", () => {
  it("to a dashboard is undone by up --refresh, and nothing else is touched", async () => {
    const { body } = await sandbox.ask("/api/dashboards/uid/llmobs-llm-monitoring");
    const dashboard = { ...(body.dashboard as Record<string, unknown>), tags: ["edited"] };
    await sandbox.ask("/api/dashboards/db", "POST", { dashboard, folderUid: "llm-observability", overwrite: true });
    expect(await stack.up("--refresh")).toEqual(["update service-llm-monitoring"]);
    const after = await sandbox.ask("/api/dashboards/uid/llmobs-llm-monitoring");
    expect(after.body.dashboard).toMatchObject({ tags: ["llmobs", "OpenAI", "Cohere", "Anthropic"] });
  });

  it("that deletes a datasource is undone", async () => {
    await sandbox.ask("/api/datasources/uid/llm-observability-loki", "DELETE");
    expect(await stack.up("--refresh")).toEqual(["create loki"]);
  });

  it("that deletes the folder with its dashboards is undone", async () => {
    await sandbox.ask("/api/folders/llm-observability?forceDeleteRules=true", "DELETE");
    expect(await stack.up("--refresh")).toEqual([
      "create folder",
      "create folder-permissions",
      "create genai-observability",
      "create service-llm-monitoring",
    ]);
  });
});

describe("the folder's permissions", () => {
  const roles = async () => {
    const { body } = await sandbox.ask("/api/access-control/folders/llm-observability");
    const grants = body as unknown as { builtInRole: string; permission: string }[];
    return Object.fromEntries(grants.map(({ builtInRole, permission }) => [builtInRole, permission]));
  };

  it("are what the settings say, and what is usual for a role without one", async () => {
    expect(await roles()).toEqual({ Admin: "Admin", Editor: "Edit" });
    stack.unset("folderViewers");
    await stack.set({ folderEditors: "admin" });
    expect(await stack.up()).toEqual(["update folder-permissions"]);
    expect(await roles()).toEqual({ Admin: "Admin", Editor: "Admin", Viewer: "View" });
  });

  it("stay when no setting names any", async () => {
    stack.unset("folderEditors");
    expect(await stack.up()).toEqual(["delete folder-permissions"]);
    expect(await roles()).toEqual({ Admin: "Admin", Editor: "Admin", Viewer: "View" });
  });
});

describe("what stands in the way", () => {
  it("a foreign dashboard with our title in the folder is not saved over", async () => {
    const foreign = { uid: "foreign", title: "GenAI Observability" };
    await sandbox.ask("/api/dashboards/uid/genai-2", "DELETE");
    await sandbox.ask("/api/dashboards/db", "POST", { dashboard: foreign, folderUid: "llm-observability" });
    const text = await stack.failing("up", "--yes", "--skip-preview");
    expect(text).toContain('Folder llm-observability has another dashboard with the title "GenAI Observability", uid foreign');
    expectOneMessage(text);
    await sandbox.ask("/api/dashboards/uid/foreign", "DELETE");
    expect(await stack.up("--refresh")).toEqual(["create genai-observability"]);
  });

  it("a wrong token fails with the setting to mend, and the right one goes through", async () => {
    await stack.set({ grafanaAuth: "canary-wrong" });
    const text = await stack.failing("up", "--yes", "--skip-preview");
    expect(text).toContain("Check grafanaAuth");
    expectOneMessage(text);
    await stack.set({ grafanaAuth: sandbox.config().grafanaAuth ?? "" });
    // The preflight stopped the deployment before the wrong token was stored with the provider.
    expect(await stack.up()).toEqual([]);
  });
});

describe("the end", () => {
  it("leaves Grafana as it was found, but for the folder where Grafana would delete others' dashboards with it", async () => {
    await stack.destroy();
    const folders = isOld ? [{ uid: "llm-observability" }] : [];
    expect(sandbox.grafana()).toMatchObject({ datasources: [], folders, dashboards: [] });
  });
});
