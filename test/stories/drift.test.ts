/**
 * Changes by hand in Grafana are reported and reverted: a dashboard, a permission, deleted resources, recording and alert rules. A rotated
 * token. Who may see the dashboards.
 */
import { beforeAll, expect, it } from "vitest";
import { commandsOf } from "../support/documents";
import { sandbox, setUp, stack } from "../support/set-up";
import { operationsIn } from "../support/stack";

setUp(() => ({ ...sandbox.config(), folderAccess: "view", alerts: "on", alertBudget: "100" }));

const dashboards = "/api/dashboards/uid";
const permissions = "/api/access-control/folders/llm-observability";
const ruleApi = "/api/v1/provisioning/alert-rules";

let token: Awaited<ReturnType<typeof sandbox.token>>;

beforeAll(async () => {
  token = await sandbox.token("Admin");
  await stack.set({ grafanaAuth: token.key });
});

/** Operations on recording rules, if this release has those with a target datasource. */
const recording = (...operations: string[]) => (sandbox.recordsInGrafana ? operations : []);

const alertRules = async () => (await sandbox.contents()).rules.filter(({ record }) => !record);
const recordingRules = async () => (await sandbox.contents()).rules.filter(({ record }) => record);

/** The permissions of the folder, by role. */
async function roles(): Promise<Record<string, string>> {
  const grants = (await sandbox.do(permissions)) as { builtInRole?: string; permission: string }[];
  return Object.fromEntries(grants.flatMap(({ builtInRole, permission }) => (builtInRole ? [[builtInRole, permission]] : [])));
}

it("rules and permissions do not change after they were created, and are updated with their settings: other permissions replace the list", async () => {
  const created = (await stack.up()).filter((operation) => /^create (service|platform)-alert-/.test(operation));
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  const rules = await alertRules();
  expect(rules).toHaveLength(created.length);
  expect(rules.map(({ ruleGroup }) => ruleGroup)).toEqual(rules.map(({ title }) => title));

  await stack.set({ alertErrorRate: "3", folderAccess: "editors", ...(sandbox.recordsInGrafana && { genaiReads: "rules" }) });
  expect(await stack.up()).toEqual([
    ...recording("update checks"),
    "update platform-alert-errors",
    "update platform-alert-errors-lasting",
    "update platform-folder-permissions",
    ...recording("update platform-genai-observability"),
    // Its graphs have the limits of the alerts.
    "update platform-genai-observability-otel",
    ...recording("update platform-recording-rules"),
  ]);
  expect(await roles()).toEqual({ Admin: "Admin", Editor: "Edit" });
  for (const metric of recording("application:gen_ai_requests:increase1m")) {
    expect((await recordingRules()).map(({ record }) => record)).toContainEqual(
      expect.objectContaining({ metric, target_datasource_uid: "llm-observability-prometheus" }),
    );
  }
});

it("what was changed or deleted by hand is in the report, and reverted", async () => {
  const { dashboard, meta } = await sandbox.do(`${dashboards}/genai-observability`);
  const title = dashboard.panels[1].title;
  dashboard.panels[1].title = "Edited by hand";
  await sandbox.do("/api/dashboards/db", "POST", { dashboard, folderUid: meta.folderUid, message: "by hand" });
  await sandbox.do(permissions, "POST", { permissions: [{ builtInRole: "Viewer", permission: "View" }] });
  const rules = await alertRules();
  const uidOf = (wanted: string) => rules.find((rule) => rule.title === wanted)?.uid ?? "";
  const rate = `${ruleApi}/${uidOf("GenAISlow")}`;
  await sandbox.do(rate, "PUT", { ...(await sandbox.do(rate)), for: "1h" });
  const deleted = [{ uid: uidOf("GenAIBudget") }, ...(await recordingRules())];
  for (const { uid } of deleted) await sandbox.do(`${ruleApi}/${uid}`, "DELETE");
  await sandbox.do(`${dashboards}/llmobs-llm-monitoring`, "DELETE");
  await sandbox.do("/api/datasources/uid/llm-observability-loki", "DELETE");

  const [find = "", restore = ""] = commandsOf("drift").trim().split("\n");
  const report = await stack.follow(find);
  for (const text of [
    `1. **\`Edited by hand\`**: title \`${title}\` → \`Edited by hand\``,
    "permissions of the folder `llm-observability`: changed outside of Pulumi\n  - Viewer set to `View`",
    "alert rule `GenAISlow`: changed outside of Pulumi\n  - pending period `5m0s` → `1h0m0s`",
    "alert rule `GenAIBudget`: deleted outside of Pulumi",
    ...recording("rule group `Recording rules`: deleted outside of Pulumi"),
  ])
    expect(report).toContain(text);
  expect(operationsIn(await stack.follow(`${restore} --json`))).toEqual([
    "create platform-alert-budget",
    "create platform-loki",
    ...recording("create platform-recording-rules"),
    "create service-llm-monitoring",
    "update platform-alert-slow",
    "update platform-folder-permissions",
    "update platform-genai-observability",
  ]);
  expect((await sandbox.do(`${dashboards}/genai-observability`)).dashboard.panels[1].title).toBe(title);
  expect(await roles()).toEqual({ Admin: "Admin", Editor: "Edit" });
  expect(await sandbox.do(rate)).toMatchObject({ for: "5m" });
});

it("a folder that was deleted by hand comes back with its dashboards and rules", async () => {
  const { length } = await alertRules();
  await sandbox.do("/api/folders/llm-observability?forceDeleteRules=true", "DELETE");
  const operations = await stack.up("--refresh");
  const isAlert = (operation: string) => /^create \w+-alert-/.test(operation);
  expect(operations.filter((operation) => !isAlert(operation))).toEqual([
    "create platform-folder",
    "create platform-folder-permissions",
    "create platform-genai-observability",
    "create platform-genai-observability-otel",
    ...recording("create platform-recording-rules"),
    "create service-llm-monitoring",
  ]);
  expect(operations.filter(isAlert)).toHaveLength(length);
});

it("without their settings, the permissions stay; after one up, refresh and destroy use a rotated token", async () => {
  stack.unset("folderAccess");
  const next = await sandbox.token("Admin");
  await stack.set({ grafanaAuth: next.key });
  await token.revoke();
  expect(await stack.up()).toEqual(["delete platform-folder-permissions", "update checks", "update grafana"]);
  expect(await roles()).toEqual({ Admin: "Admin", Editor: "Edit" });
  expect(await stack.refresh()).toEqual([]);
  await stack.destroy();
  expect(await sandbox.contents()).toEqual({ folders: [], dashboards: [], datasources: [], rules: [] });
});
