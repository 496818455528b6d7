/** All resources in Grafana through the life of one stack: deployment, changed settings, problems, `destroy`. By hand: see drift.test.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isGenuine } from "../support/genuine";
import { sandbox, setUp, stack } from "../support/set-up";
import { project } from "../support/stack";

setUp();

const everything = {
  folders: [{ uid: "llm-observability", title: "LLM Observability" }],
  dashboards: ["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"].map((uid) => `llm-observability/${uid}`),
  datasources: ["llm-observability-loki", "llm-observability-prometheus", "llm-observability-tempo"],
};

describe("the first deployment", () => {
  it("creates all resources", async () => {
    const dashboards = ["platform-genai-observability", "platform-genai-observability-otel"];
    const names = ["checks", "grafana", "platform", "platform-folder", ...dashboards, "platform-loki", "platform-prometheus"];
    const recording = sandbox.recordsInGrafana ? ["platform-recording-rules"] : [];
    const ofService = ["platform-tempo", "service", "service-connection", "service-llm-monitoring"];
    expect(await stack.up()).toEqual([...names, ...recording, ...ofService].map((name) => `create ${name}`));
    const { rules, ...others } = await sandbox.contents();
    expect(others).toEqual(everything);
    expect(rules.length > 0).toBe(sandbox.recordsInGrafana);
    expect(rules.filter(({ record }) => !record)).toEqual([]);
    expect(sandbox.registrations).toBe(1);
  });

  it("has the addresses of folder and dashboards as outputs", async () => {
    const { links } = (await stack.outputs()) as { links: Record<string, string> };
    expect(links).toEqual({
      folder: expect.stringContaining(`${sandbox.grafanaUrl}/dashboards/f/llm-observability`),
      llmMonitoring: expect.stringContaining(`${sandbox.grafanaUrl}/d/llmobs-llm-monitoring`),
      genaiObservability: expect.stringMatching(new RegExp(`^${sandbox.grafanaUrl}/d/genai-observability(/|$)`)),
      genaiObservabilityOtel: expect.stringContaining(`${sandbox.grafanaUrl}/d/genai-observability-otel`),
    });
  });

  // A genuine Grafana adds what its release knows, and may not reach the backends.
  it.skipIf(isGenuine)("stores the dashboards as they are rendered, with the ownership mark; no check fails", async () => {
    const files = {
      "llmobs-llm-monitoring": "llm-monitoring.json",
      "genai-observability": "genai-observability.json",
      "genai-observability-otel": "genai-observability-otel.json",
    };
    for (const [uid, file] of Object.entries(files)) {
      const { version: _first, ...model } = JSON.parse(readFileSync(join(__dirname, "../../dashboards", file), "utf8"));
      const { id: _id, version: _version, ...stored } = (await sandbox.do(`/api/dashboards/uid/${uid}`)).dashboard;
      const description = expect.stringMatching(
        new RegExp(`^Managed by Pulumi \\(${project}/test@[0-9a-f]{8}\\): changes made here are overwritten\\.$`),
      );
      expect(stored).toEqual({ ...model, description });
    }
    expect((await stack.outputs()).checks).toMatch(
      /^13 ok, 0 failed, 6 notes \(series of "GenAI Observability", .*, recording rules, log streams, spans\); found at [-\d]{10} \d\d:\d\d UTC, to look again: npm run doctor$/,
    );
    const table = (await stack.resources()).find(({ urn }) => urn.endsWith("::checks"))?.outputs.stdout;
    expect(table).toContain("no data yet");
  });
});

describe("a changed setting", () => {
  // Several settings at a time, if each operation has only one cause. Settings of the push alone: see connection.test.ts.
  it.each<[string, () => Record<string, string>, string[]]>([
    [
      "the folder, its permissions, the connection, a datasource's uid",
      () => ({ folderTitle: "LLM", folderAccess: "editors", platformName: "signoz", prometheusUid: "prometheus-2" }),
      [
        "create platform-folder-permissions",
        "replace platform-prometheus",
        "update checks",
        "update platform-folder",
        "update platform-genai-observability",
        "update platform-genai-observability-otel",
        "update platform-recording-rules",
        "update platform-tempo",
        "update service-connection",
        "update service-llm-monitoring",
      ],
    ],
    [
      "a password, the address of a datasource, the SDK, without the dashboard of current SDKs",
      () => ({
        ...{ prometheusAuth: "123456:canary-prometheus-2", lokiUrl: `${sandbox.backendsUrl}/loki/` },
        ...{ sdkName: "other-sdk", telemetry: "spec" },
      }),
      [
        "delete platform-genai-observability-otel",
        "delete platform-recording-rules",
        "update checks",
        "update platform-genai-observability",
        "update platform-loki",
        "update platform-prometheus",
      ],
    ],
    [
      "a dashboard's uid, the tenant of the datasources, one more dashboard",
      () => ({ genaiDashboardUid: "genai-2", telemetry: "both", datasourceTenant: "tenant-1" }),
      [
        "create platform-genai-observability-otel",
        "create platform-recording-rules",
        "replace platform-genai-observability",
        "update checks",
        "update platform-loki",
        "update platform-prometheus",
        "update platform-tempo",
      ],
    ],
  ])("%s: only the necessary operations", async (_what, settings, operations) => {
    await stack.set(settings());
    expect(await stack.up()).toEqual(operations.filter((operation) => sandbox.recordsInGrafana || !operation.includes("recording")));
  });

  it("is applied completely: up --refresh changes nothing", async () => {
    expect(await stack.up("--refresh")).toEqual([]);
    expect(sandbox.registrations).toBe(2);
  });
});

it("destroy leaves an empty Grafana", async () => {
  await stack.destroy();
  expect(await sandbox.contents()).toEqual({ folders: [], dashboards: [], datasources: [], rules: [] });
});
