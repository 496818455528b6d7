/** A Grafana that fails in the middle of a deployment, and contents that others changed before `destroy`: the documented recoveries. */
import { expect, it } from "vitest";
import { sandbox, setUp, stack } from "../support/set-up";

setUp(() => ({ ...sandbox.config(), alerts: "on" }));

it("500 while dashboards are saved is reported at a dashboard, and the next up completes the deployment", async () => {
  const broken = { status: 500, body: { message: "database is locked" } };
  sandbox.observe = async ({ path }, phase) => (phase === "arrived" && path.endsWith("/api/dashboards/db") ? broken : undefined);
  const text = await stack.failing("up", "--yes", "--skip-preview");
  sandbox.observe = undefined;
  expect(text).toMatch(/Dashboard \([\w-]+\):\n +error: [\s\S]{0,30}.*\[500\].*database is locked/);
  // A stack trace means that the program does not handle the error.
  expect(text).not.toMatch(/^\s+at .+:\d+/m);
  expect(sandbox.registrations).toBe(0);
  await stack.up();
  const { datasources, folders, dashboards } = sandbox.grafana();
  expect(folders).toMatchObject([{ uid: "llm-observability", title: "LLM Observability" }]);
  expect(datasources).toHaveLength(3);
  expect(dashboards.map(({ uid }) => uid).sort()).toEqual(["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"]);
  expect(sandbox.registrations).toBe(1);
});

it("destroy stops at an alert rule that others deleted, and at a folder with dashboards of others, until the documented steps", async () => {
  const rule = sandbox.grafana().rules.find(({ group }) => group === "LlmobsSlow");
  expect((await sandbox.ask(`/api/v1/provisioning/alert-rules/${rule?.uid}`, "DELETE")).status).toBe(204);
  const others = "/api/dashboards/uid/others";
  await sandbox.ask("/api/dashboards/db", "POST", { dashboard: { uid: "others", title: "Of others" }, folderUid: "llm-observability" });
  expect(await stack.failing("destroy", "--yes", "--skip-preview")).toContain("getAlertRuleGroupNotFound");
  await stack.refresh();
  expect(await stack.failing("destroy", "--yes", "--skip-preview")).toMatch(/folder llm-observability is not empty/);
  expect((await sandbox.ask(others)).status).toBe(200);
  await sandbox.ask(others, "DELETE");
  await stack.destroy();
  expect(sandbox.grafana()).toMatchObject({ datasources: [], folders: [], dashboards: [], rules: [] });
});
