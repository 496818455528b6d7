/** The life of a stack: deployments without changes, drift that is reported and reverted, a rotated token, and `destroy`. */
import { expect, it } from "vitest";
import { recordsSeries } from "../../src/platform/problems";
import type { TestStack } from "../support/stack";
import { ask } from "./grafana";
import { type Run, setUp } from "./run";

let run: Run;
let stack: TestStack;

setUp(async (started) => {
  run = started;
  stack = await run.stack({ ...run.config(), folderViewers: "none" });
});

const genai = () => `/api/dashboards/uid/${run.config().genaiDashboardUid}`;
const permissions = () => `/api/access-control/folders/${run.config().folderUid}`;

/** Levels of roles in the folder. */
async function levels(): Promise<Record<string, string>> {
  const grants = (await run.org.do(permissions())) as { builtInRole?: string; permission: string }[];
  return Object.fromEntries(grants.flatMap(({ builtInRole, permission }) => (builtInRole ? [[builtInRole, permission]] : [])));
}

it("the first up creates all resources", async () => {
  expect(await stack.up()).toContain("create service-connection");
  expect(await run.org.contents()).toEqual(run.uids());
  expect(run.sandbox.registrations).toBe(1);
});

it("nothing changes after that: preview, up, preview --refresh, up --refresh", async () => {
  await stack.pulumi("preview", "--expect-no-changes");
  expect(await stack.up()).toEqual([]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  expect(await stack.up("--refresh")).toEqual([]);
  expect(await stack.npm("preview-report", "--stack", "test", "--refresh")).toContain("No changes");
  expect(run.sandbox.registrations).toBe(1);
});

it("a changed setting changes only its resource", async () => {
  await stack.set({ folderTitle: "Changed" });
  expect(await stack.up()).toEqual(["update folder"]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
});

it("a dashboard that was edited by hand is in the drift report, and reverted", async () => {
  const { dashboard, meta } = await run.org.do(genai());
  dashboard.panels[1].title = "Edited by hand";
  await run.org.do("/api/dashboards/db", { dashboard, folderUid: meta.folderUid, message: "by hand" });
  expect(await stack.npm("preview-report", "--stack", "test", "--drift")).toContain("Edited by hand");
  expect(await stack.up("--refresh")).toEqual(["update genai-observability"]);
  expect(JSON.stringify((await run.org.do(genai())).dashboard)).not.toContain("Edited by hand");
});

it("a permission that was added by hand is in the drift report, and reverted", async () => {
  expect(await levels()).not.toHaveProperty("Viewer");
  await run.org.do(permissions(), { permissions: [{ builtInRole: "Viewer", permission: "View" }] });
  expect(await levels()).toHaveProperty("Viewer", "View");
  expect(await stack.npm("preview-report", "--stack", "test", "--drift")).toMatch(/Viewer/);
  expect(await stack.up("--refresh")).toEqual(["update folder-permissions"]);
  expect(await levels()).not.toHaveProperty("Viewer");
});

it("resources that were deleted by hand are created again", async () => {
  await run.org.do(genai(), undefined, "DELETE");
  await run.org.do(`/api/datasources/uid/${run.config().lokiUid}`, undefined, "DELETE");
  expect(await stack.up("--refresh")).toEqual(["create genai-observability", "create loki"]);
});

it("recording rules are created, do not change after that, and come back if they were deleted by hand", async ({ skip }) => {
  const { version } = (await ask("/api/health")).body;
  await stack.set({ recordingRules: "grafana", prometheusType: "prometheus" });
  if (!recordsSeries(version)) {
    await expect(stack.up()).rejects.toThrow("recordingRules grafana requires 12.1 or later");
    await stack.set({ recordingRules: "external" });
    await stack.up();
    skip("this release has no recording rules with a target datasource");
  }
  expect(await stack.up()).toEqual([
    "create recording-rules",
    "update checks",
    "update genai-observability",
    "update genai-observability-otel",
    "update prometheus",
  ]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  const rules = (await run.org.do("/api/v1/provisioning/alert-rules")) as { uid: string; record: object }[];
  expect(rules).toHaveLength(25);
  expect(rules[0]?.record).toMatchObject({
    metric: "application:gen_ai_requests:increase1m",
    target_datasource_uid: run.config().prometheusUid,
  });
  for (const { uid } of rules) await run.org.do(`/api/v1/provisioning/alert-rules/${uid}`, undefined, "DELETE");
  expect(await stack.npm("preview-report", "--stack", "test", "--drift")).toContain(
    "rule group `Recording rules`: deleted outside of Pulumi",
  );
  expect(await stack.up("--refresh")).toEqual(["create recording-rules"]);
});

it("alert rules are created, do not change after that, and come back if they were changed or deleted by hand", async () => {
  const path = "/api/v1/provisioning/alert-rules";
  await stack.set({ alerts: "on", alertBudget: "100" });
  const created = await stack.up();
  expect(created.filter((operation) => !/^create (service-)?alert-/.test(operation))).toEqual([]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  const all = (await run.org.do(path)) as { uid: string; title: string; ruleGroup: string; labels?: { stack?: string } }[];
  const rules = all.filter(({ labels }) => labels?.stack);
  expect(rules).toHaveLength(created.length);
  expect(rules.map(({ ruleGroup }) => ruleGroup)).toEqual(rules.map(({ title }) => title));

  await stack.set({ alertErrorRate: "3" });
  expect(await stack.npm("preview-report", "--stack", "test")).toContain(
    "alert rule `GenAI: Error rate, warning`\n  - condition `$A > 0.05` → `$A > 0.03`\n",
  );
  expect(await stack.up()).toEqual(["update alert-otel-error-rate-critical", "update alert-otel-error-rate-warning"]);

  const uidOf = (title: string) => rules.find((rule) => rule.title === title)?.uid ?? "";
  const rate = `${path}/${uidOf("GenAI: Error rate, warning")}`;
  await run.org.do(rate, { ...(await run.org.do(rate)), for: "1h" }, "PUT");
  await run.org.do(`${path}/${uidOf("GenAI: Budget, 50 %")}`, undefined, "DELETE");
  const drift = await stack.npm("preview-report", "--stack", "test", "--drift");
  expect(drift).toContain("alert rule `GenAI: Error rate, warning`: changed outside of Pulumi\n  - pending period `10m0s` → `1h0m0s`");
  expect(drift).toContain("alert rule `GenAI: Budget, 50 %`: deleted outside of Pulumi");
  expect(await stack.up("--refresh")).toEqual(["create alert-otel-budget-50", "update alert-otel-error-rate-warning"]);
  expect(await run.org.do(rate)).toMatchObject({ for: "10m" });

  await stack.set({ alertContactPoint: "nope" });
  await expect(stack.up()).rejects.toThrow(/no contact point with the name .*nope/);
  stack.unset("alertContactPoint");
});

it("after one up, refresh and destroy use a rotated token", async () => {
  const next = await run.org.token("Admin");
  await stack.set({ grafanaAuth: next.key });
  await run.token.revoke();
  expect(await stack.up()).toContain("update platform-grafana");
  expect(await stack.refresh()).toEqual([]);
});

it("destroy deletes all resources", async () => {
  await stack.destroy();
  expect(await run.org.contents()).toEqual([]);
});
