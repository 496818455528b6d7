/** The stand-in for the Grafana plugin against recordings of the genuine one: rule groups. */
import { expect, it } from "vitest";
import type { Values } from "../../sandbox/plugins/values";
import type { Declared } from "./deployment";
import { edited, programOf, Stage } from "./replay";

const stage = new Stage();

const both = programOf("v12-29b-preview-refresh-rule-group-unchanged");
/** Without the rules before this one. */
const without = (program: readonly Declared[], count: number): Declared[] =>
  program.map(({ inputs, ...one }) => ({
    ...one,
    inputs: inputs.rules ? { ...inputs, rules: (inputs.rules as Values[]).slice(count) } : inputs,
  }));

const created = { steps: { f: "create", prom: "create", r: "create" }, errors: {} };
/** The steps of a deployment that changes only the group. */
const updated = { f: "same", prom: "same", r: "update" };

it("a group, a changed threshold, and a removed first rule: rules have uids by position", async () => {
  const deployment = stage.deployment();
  const requests = [stage.play("v12-29-rule-group-create")];
  expect(await deployment.up(both)).toEqual(created);
  requests.push(stage.play("v12-29b-rule-group-preview-refresh-unchanged"));
  stage.expectState(deployment, "v12-29b-preview-refresh-rule-group-unchanged");
  await deployment.refresh();
  stage.expectDifferences(deployment, both, "v12-29b-preview-refresh-rule-group-unchanged");
  requests.push(stage.play("v12-29c-rule-group-update"));
  expect((await deployment.up(edited(both, { "[1]": "[2]" }))).steps).toEqual(updated);
  // The id of the engine stays. The id of the plugin has the organization of the rules from now on.
  expect([deployment.state.get("r")?.id, deployment.plain("r").outputs.id]).toEqual(
    ["0", "1"].map((org) => `${org}:r12-llm-observability:R12 LLM`),
  );
  requests.push(stage.play("v12-29x-first-rule-removed-from-program"));
  expect((await deployment.up(without(both, 1))).steps).toEqual(updated);
  stage.expectSent(...requests);
});

it("drift: a changed rule, and a deleted one", async () => {
  const deployment = stage.deployment();
  const program = programOf("v12-29g-preview-refresh-rule-group");
  // The state of before: the group as its last deployment read it.
  const ids: Record<string, string> = { f: "0:r12-llm-observability", prom: "1:r12-llm-metrics", r: "1:r12-llm-observability:R12 LLM" };
  const imported = (...names: string[]) =>
    deployment.up(program.flatMap((one) => (names.includes(one.name) ? [{ ...one, import: ids[one.name] ?? "" }] : [])));
  stage.play("v12-29f-rule-group-refresh-preview-only");
  // The import of a datasource reads it twice.
  stage.left.push(...stage.left);
  expect((await imported("f", "prom")).errors).toEqual({});
  stage.play("v12-29y4-middle-rule-removed", { without: ({ method }) => method === "PUT" });
  expect((await imported("r")).errors).toEqual({});
  stage.sent = [];

  const requests = [stage.play("v12-29g-rule-group-up-refresh")];
  await deployment.refresh();
  stage.expectDifferences(deployment, program, "v12-29g-preview-refresh-rule-group");
  expect((await deployment.up(program)).steps).toEqual(updated);
  requests.push(stage.play("v12-29h-rule-deleted-by-hand-up-refresh"));
  await deployment.refresh();
  expect((await deployment.up(program)).steps).toEqual(updated);
  stage.expectSent(...requests);
});

it("a recording rule", async () => {
  const deployment = stage.deployment();
  const program = programOf("v12-29r-preview-refresh-rule-group-record");
  const requests = stage.play("v12-29r-rule-group-record");
  expect(await deployment.up(program)).toEqual(created);
  stage.expectSent(requests);
  stage.expectState(deployment, "v12-29r-preview-refresh-rule-group-record");
});

it("notification settings, with a known and an unknown contact point", async () => {
  const deployment = stage.deployment();
  const declared = programOf("v12-29s-preview-refresh-rule-group-keep-notify");
  const requests = stage.play("v12-29s-rule-group-keep-notify");
  expect(await deployment.up(declared)).toEqual(created);
  stage.expectSent(requests);
  stage.expectState(deployment, "v12-29s-preview-refresh-rule-group-keep-notify");

  stage.sent = [];
  // The genuine plugin repeats both for two minutes.
  const refused = stage.play("v12-29s1-notify-unknown-contact-point", { without: (_request, index) => index > 1 });
  const { errors } = await deployment.up(edited(declared, { "r12-team-webhook": "r12-nope", '"keepFiringFor":"10m",': "" }));
  const answer = '{"message":"invalid alert rule\\nreceiver r12-nope does not exist"}';
  const route = "[PUT /v1/provisioning/folder/{FolderUID}/rule-groups/{Group}]";
  expect(errors.r).toBe(`${route}[400] putAlertRuleGroupBadRequest ${answer}`);
  stage.expectSent(refused);
});
