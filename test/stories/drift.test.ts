/** Changes by hand in Grafana are reported and reverted: a dashboard, a permission, deleted resources, recording and alert rules. A rotated token. */
import { expect, it } from "vitest";
import { sandbox, setUp, stack } from "../support/set-up";

setUp(() => ({ ...sandbox.config(), folderViewers: "none" }));

const genai = "/api/dashboards/uid/genai-observability";
const permissions = "/api/access-control/folders/llm-observability";
const ruleApi = "/api/v1/provisioning/alert-rules";

const recording = () => (sandbox.recordsInGrafana ? ["platform-recording-rules"] : []);

const drift = () => stack.npm("preview-report", "--stack", "test", "--drift");

it("a dashboard and a permission that were changed by hand are in the report, and reverted", async () => {
  await stack.up();
  const { dashboard, meta } = await sandbox.do(genai);
  const title = dashboard.panels[1].title;
  dashboard.panels[1].title = "Edited by hand";
  await sandbox.do("/api/dashboards/db", "POST", { dashboard, folderUid: meta.folderUid, message: "by hand" });
  await sandbox.do(permissions, "POST", { permissions: [{ builtInRole: "Viewer", permission: "View" }] });
  const report = await drift();
  expect(report).toContain(`1. **\`Edited by hand\`**: title \`${title}\` → \`Edited by hand\``);
  expect(report).toContain("permissions of the folder `llm-observability`: changed outside of Pulumi\n  - Viewer set to `View`");
  expect(await stack.up("--refresh")).toEqual(["update platform-folder-permissions", "update platform-genai-observability"]);
  expect((await sandbox.do(genai)).dashboard.panels[1].title).toBe(title);
  expect(JSON.stringify(await sandbox.do(permissions))).not.toContain("Viewer");
});

it("what was deleted by hand comes back: a dashboard and a datasource, and a folder with its dashboards", async () => {
  await sandbox.do(genai, "DELETE");
  await sandbox.do("/api/datasources/uid/llm-observability-loki", "DELETE");
  expect(await stack.up("--refresh")).toEqual(["create platform-genai-observability", "create platform-loki"]);
  await sandbox.do("/api/folders/llm-observability?forceDeleteRules=true", "DELETE");
  const dashboards = ["platform-genai-observability", "platform-genai-observability-otel", "service-llm-monitoring"];
  expect(await stack.up("--refresh")).toEqual(
    ["platform-folder", "platform-folder-permissions", ...dashboards, ...recording()].sort().map((name) => `create ${name}`),
  );
});

it("recording rules do not change, and come back if they were deleted by hand", async ({ skip }) => {
  if (!sandbox.recordsInGrafana) skip("this release has no recording rules with a target datasource");
  await stack.set({ genaiReads: "rules" });
  expect(await stack.up()).toEqual(["update checks", "update platform-genai-observability", "update platform-recording-rules"]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  const { rules } = await sandbox.contents();
  expect(rules.map(({ record }) => record)).toContainEqual(
    expect.objectContaining({ metric: "application:gen_ai_requests:increase1m", target_datasource_uid: "llm-observability-prometheus" }),
  );
  for (const { uid } of rules) await sandbox.do(`${ruleApi}/${uid}`, "DELETE");
  expect(await drift()).toContain("rule group `Recording rules`: deleted outside of Pulumi");
  expect(await stack.up("--refresh")).toEqual(["create platform-recording-rules"]);
});

it("alert rules are created, do not change after that, and come back if they were changed or deleted by hand", async () => {
  await stack.set({ alerts: "on", alertBudget: "100" });
  const created = await stack.up();
  expect(created.filter((operation) => !/^create (service|platform)-alert-/.test(operation))).toEqual([]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  const rules = (await sandbox.contents()).rules.filter(({ record }) => !record);
  expect(rules).toHaveLength(created.length);
  expect(rules.map(({ ruleGroup }) => ruleGroup)).toEqual(rules.map(({ title }) => title));

  await stack.set({ alertErrorRate: "3" });
  expect(await stack.npm("preview-report", "--stack", "test")).toContain(
    "alert rule `GenAI: Error rate, warning`\n  - condition `$A > 0.05` → `$A > 0.03`\n",
  );
  expect(await stack.up()).toEqual(["update platform-alert-otel-error-rate-critical", "update platform-alert-otel-error-rate-warning"]);

  const uidOf = (title: string) => rules.find((rule) => rule.title === title)?.uid ?? "";
  const rate = `${ruleApi}/${uidOf("GenAI: Error rate, warning")}`;
  await sandbox.do(rate, "PUT", { ...(await sandbox.do(rate)), for: "1h" });
  await sandbox.do(`${ruleApi}/${uidOf("GenAI: Budget, 50 %")}`, "DELETE");
  const report = await drift();
  expect(report).toContain("alert rule `GenAI: Error rate, warning`: changed outside of Pulumi\n  - pending period `10m0s` → `1h0m0s`");
  expect(report).toContain("alert rule `GenAI: Budget, 50 %`: deleted outside of Pulumi");
  expect(await stack.up("--refresh")).toEqual(["create platform-alert-otel-budget-50", "update platform-alert-otel-error-rate-warning"]);
  expect(await sandbox.do(rate)).toMatchObject({ for: "10m" });

  await stack.set({ alertContactPoint: "nope" });
  await expect(stack.up()).rejects.toThrow(/no contact point with the name .*nope/);
  stack.unset("alertContactPoint");
});

it("after one up, refresh and destroy use a rotated token", async () => {
  const [old, next] = [await sandbox.token("Admin"), await sandbox.token("Admin")];
  await stack.set({ grafanaAuth: old.key });
  await stack.up();
  await stack.set({ grafanaAuth: next.key });
  await old.revoke();
  expect(await stack.up()).toContain("update grafana");
  expect(await stack.refresh()).toEqual([]);
  await stack.destroy();
  expect(await sandbox.contents()).toEqual({ folders: [], dashboards: [], datasources: [], rules: [] });
});
