/** Alert rules through the life of a stack: changed thresholds, changes by hand, contact points, groups of others, and `destroy`. */
import { expect, it } from "vitest";
import type { Rule } from "../sandbox/grafana/state";
import type { Sandbox } from "../support/sandbox";
import { setUp } from "../support/set-up";
import { project, type TestStack } from "../support/stack";

let sandbox: Sandbox;
let stack: TestStack;

setUp(
  (...both) => ([sandbox, stack] = both),
  (sandbox) => ({ ...sandbox.config(), alerts: "on", alertBudget: "100", recordingRules: "external" }),
);

const rulePath = "/api/v1/provisioning/alert-rules";
const rules = () => sandbox.grafana().rules;
const ruleOf = (title: string) => rules().find(({ group }) => group === title) as Rule;
const report = (...flags: string[]) => stack.npm("preview-report", "--stack", "test", ...flags);

/** Changes a rule with the API, which may change provisioned rules. */
async function editByHand({ uid }: Rule, change: (rule: Record<string, unknown>) => object): Promise<void> {
  const { body } = await sandbox.ask(`${rulePath}/${uid}`);
  expect(await sandbox.ask(`${rulePath}/${uid}`, "PUT", { ...body, ...change(body) })).toMatchObject({ status: 200 });
}

it("the first deployment creates a group for each rule in the folder, linked to panels that exist", async () => {
  const created = (await stack.up()).filter((operation) => operation.includes("alert-"));
  expect(created).toContain("create alert-otel-error-rate-warning");
  expect(created).toContain("create service-alert-budget-100");
  expect(created).toHaveLength(rules().length);
  expect(new Set(rules().map(({ group }) => group)).size).toBe(rules().length);
  const panels = new Set(
    sandbox.grafana().dashboards.flatMap(({ uid, versions }) => {
      const [panels = []] = versions.slice(-1).map(({ model }) => model.panels as { id: number; panels?: { id: number }[] }[]);
      return panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]).map(({ id }) => `${uid} ${id}`);
    }),
  );
  for (const { folderUid, group, content } of rules()) {
    expect(folderUid).toBe("llm-observability");
    expect(content.title).toBe(group);
    const { annotations = {}, labels } = content as { annotations?: Record<string, string>; labels?: object };
    expect(panels).toContain(`${annotations.__dashboardUid__} ${annotations.__panelId__}`);
    expect(annotations.summary).not.toContain("{value}");
    expect(labels).toEqual({ severity: expect.any(String), service: "llmobs", stack: `${project}/test` });
  }
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
});

it("a changed threshold changes its rules, and the report says it in words", async () => {
  await stack.set({ alertErrorRate: "3" });
  const text = await report();
  expect(text).toContain("## Changes in stack `test`: 2 to update\n");
  expect(text).toContain("- **update** alert rule `GenAI: Error rate, warning`\n  - condition `$A > 0.05` → `$A > 0.03`\n");
  expect(text).toContain("- **update** alert rule `GenAI: Error rate, critical`\n  - condition `$A > 0.1` → `$A > 0.06`\n");
  expect(await stack.up()).toEqual(["update alert-otel-error-rate-critical", "update alert-otel-error-rate-warning"]);
});

it("rules that were changed or deleted by hand are in the drift report, and restored", async () => {
  const [edited, gone] = [ruleOf("GenAI: Error rate, warning"), ruleOf("llmobs: Cost per hour")];
  await editByHand(edited, (rule) => ({
    for: "1h",
    labels: { ...(rule.labels as object), severity: "info" },
    data: JSON.parse(JSON.stringify(rule.data).replace("$A > 0.03", "$A > 0.5")),
  }));
  await sandbox.ask(`${rulePath}/${gone.uid}`, "DELETE");
  const text = await report("--drift");
  expect(text).toContain("- **drift** alert rule `llmobs: Cost per hour`: deleted outside of Pulumi");
  const [, changes = ""] = /changed outside of Pulumi\n((?: {2}- .*\n?)*)/.exec(text.slice(text.indexOf(edited.group))) ?? [];
  const lines = ["condition `$A > 0.03` → `$A > 0.5`", "pending period `10m0s` → `1h0m0s`", "severity `warning` → `info`"];
  expect(changes.trimEnd().split("\n").sort()).toEqual(lines.map((line) => `  - ${line}`));
  expect(await stack.up("--refresh")).toEqual(["create service-alert-cost-per-hour", "update alert-otel-error-rate-warning"]);
  expect(ruleOf(edited.group).content).toEqual(edited.content);
});

it("rules that a killed deployment left in Grafana are deleted by adopt, and created again", async () => {
  const [lost] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::service-alert-cost-per-hour"));
  // The connection depends on it.
  await stack.pulumi("state", "delete", String(lost?.urn), "--force", "--target-dependents", "--yes");
  expect(await stack.failing("up", "--yes", "--skip-preview")).toContain('rule group with name "llmobs: Cost per hour" already exists');
  expect(await stack.npm("adopt", "--stack", "test", "--yes")).toContain("The next up creates them again: llmobs: Cost per hour");
  expect(await stack.up()).toContain("create service-alert-cost-per-hour");
});

it("without alerts, the rules are deleted; a group of others with the name of a rule is never replaced", async () => {
  const own = ruleOf("llmobs: Cost per hour");
  await stack.set({ alerts: "off" });
  await stack.up();
  expect(rules()).toEqual([]);
  const { title, condition, data, noDataState, execErrState } = own.content as Record<string, unknown>;
  const foreign = {
    title,
    condition,
    data,
    noDataState,
    execErrState,
    for: "5m0s",
    orgID: 1,
    folderUID: own.folderUid,
    ruleGroup: own.group,
  };
  const path = `/api/v1/provisioning/folder/${own.folderUid}/rule-groups/${encodeURIComponent(own.group)}`;
  await sandbox.ask(path, "PUT", { title: own.group, folderUid: own.folderUid, interval: 60, rules: [foreign] });
  expect(rules()).toHaveLength(1);
  await stack.set({ alerts: "on", recordingRules: "external" });
  expect(await stack.failing("up", "--yes", "--skip-preview")).toContain(
    'Folder llm-observability contains an evaluation group "llmobs: Cost per hour" that no stack created',
  );
  expect(rules()).toHaveLength(1);
  await sandbox.ask(`${rulePath}/${rules()[0]?.uid}`, "DELETE");
});

it("destroy deletes the rules before the folder", async () => {
  await stack.up();
  expect(rules().length).toBeGreaterThan(20);
  await stack.destroy();
  expect(sandbox.grafana()).toMatchObject({ rules: [], folders: [], dashboards: [] });
});
