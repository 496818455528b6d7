/** The stand-in for the Grafana plugin against recordings of the genuine one: rule groups. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Deployment } from "./deployment";
import { occurred, type Request, Stage } from "./replay";
import { both, created, deployed, type Options, only, ruleProgram } from "./rule-program";

const stage = new Stage();

describe("a group", () => {
  const program = (options: Options = {}, rules = both) => ruleProgram(rules, options);
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await stage.deployment();
  });

  it("up", async () => {
    const requests = stage.play("v12-29-rule-group-create");
    expect(await deployment.up(program())).toEqual(created);
    stage.expectSent(requests);
    expect(deployment.state.get("r")?.id).toBe("0:r12-llm-observability:R12 LLM");
  });

  it("preview --refresh, nothing changed", async () => {
    const requests = stage.play("v12-29b-rule-group-preview-refresh-unchanged");
    const preview = await deployment.preview(program(), { refresh: true });
    stage.expectSent(requests);
    stage.expectPreview(preview, "v12-29b-preview-refresh-rule-group-unchanged");
  });

  it("up, a threshold changed", async () => {
    const requests = stage.play("v12-29c-rule-group-update");
    expect((await deployment.up(program({ threshold: 2 }))).steps).toEqual(only("update"));
    stage.expectSent(requests);
    // The id of the engine stays. The id of the plugin has the organization of the rules from now on.
    expect([deployment.state.get("r")?.id, deployment.plain("r").outputs.id]).toMatchObject(
      [/^0:/, /^1:/].map((id) => expect.stringMatching(id)),
    );
  });
});

describe("rules", () => {
  const program = (rules: readonly string[], options: Options = {}) => ruleProgram(rules, options);
  const latency = "Latency p95";
  const error = "Error rate";
  const added = "New rule";

  it("the first rule is removed from the program", async () => {
    const deployment = await deployed(stage, "v12-29x-first-rule-removed-from-program", program(both, { threshold: 2 }));
    const requests = stage.play("v12-29x-first-rule-removed-from-program");
    expect((await deployment.up(program([latency]))).steps).toEqual(only("update"));
    stage.expectSent(requests);
  });

  describe("rules without own uids have uids by position", () => {
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await deployed(stage, "v12-29y-rule-appended", program([latency]));
    });

    it.each([
      ["v12-29y-rule-appended", [latency, error]],
      ["v12-29y1-rule-inserted-in-front", [added, latency, error]],
      ["v12-29y2-rules-reordered", [error, added, latency]],
      ["v12-29y3-rules-swapped", [added, error, latency]],
      ["v12-29y4-middle-rule-removed", [added, latency]],
    ])("%s", async (scenario, rules) => {
      const requests = stage.play(scenario);
      expect((await deployment.up(program(rules))).steps).toEqual(only("update"));
      stage.expectSent(requests);
    });

    it("drift", async () => {
      const rules = [added, latency];
      // The state has no outputs of the folder and the datasource yet.
      const before = new Map(deployment.state);
      stage.play("v12-29f-rule-group-refresh-preview-only");
      await deployment.refresh();
      for (const [name, kept] of before) {
        const outputs = name === "r" ? kept.outputs : deployment.state.get(name)?.outputs;
        deployment.state.set(name, { ...kept, outputs: outputs ?? {} });
      }
      stage.sent = [];
      const requests = [stage.play("v12-29f-rule-group-refresh-preview-only")];
      stage.expectPreview(await deployment.refreshPreview(), "v12-29f-refresh-preview-only-rule-group");
      requests.push(stage.play("v12-29g-rule-group-up-refresh"));
      await deployment.only(async () => {
        const sent = [...stage.sent];
        stage.expectPreview(await deployment.preview(program(rules), { refresh: true }), "v12-29g-preview-refresh-rule-group");
        stage.sent = sent;
      });
      stage.play("v12-29g-rule-group-up-refresh");
      await deployment.refresh();
      expect((await deployment.up(program(rules))).steps).toEqual(only("update"));
      const byHand = { without: ({ method }: Request) => method === "DELETE" };
      requests.push(stage.play("v12-29h-refresh-preview-only-rule-deleted", byHand));
      stage.expectPreview(await deployment.refreshPreview(), "v12-29h-refresh-preview-only-rule-deleted");
      requests.push(stage.play("v12-29h-rule-deleted-by-hand-up-refresh"));
      await deployment.refresh();
      expect((await deployment.up(program(rules))).steps).toEqual(only("update"));
      stage.expectSent(...requests);
    });
  });

  it("rules keep own uids at any position", async () => {
    const deployment = await stage.deployment();
    const requests = [stage.play("v12-29i-rule-group-own-uids-create")];
    expect(await deployment.up(program(both, { own: true }))).toEqual(created);
    for (const [scenario, rules] of [
      ["v12-29i1-own-uids-first-removed", [latency]],
      ["v12-29i2-own-uids-inserted-in-front", [added, error, latency]],
      ["v12-29i3-own-uids-reordered", [latency, error, added]],
    ] as const) {
      requests.push(stage.play(scenario));
      expect((await deployment.up(program(rules, { own: true }))).steps).toEqual(only("update"));
    }
    requests.push(stage.play("v12-29o-rule-group-destroy"));
    await deployment.destroy();
    stage.expectSent(...requests);
  });

  it("a recording rule", async () => {
    const deployment = await stage.deployment();
    const requests = stage.play("v12-29r-rule-group-record");
    expect(await deployment.up(program(["Cost per minute"]))).toEqual(created);
    stage.expectSent(requests);
    stage.play("v12-29r-rule-group-record");
    stage.expectPreview(
      await deployment.preview(program(["Cost per minute"]), { refresh: true }),
      "v12-29r-preview-refresh-rule-group-record",
    );
  });

  it("notification settings, with a known and an unknown contact point", async () => {
    const deployment = await stage.deployment();
    const notified = (contactPoint: string, more = {}) => program(both, { each: { notificationSettings: { contactPoint }, ...more } });
    const declared = notified("r12-team-webhook", { keepFiringFor: "10m" });
    const requests = stage.play("v12-29s-rule-group-keep-notify");
    expect(await deployment.up(declared)).toEqual(created);
    stage.expectSent(requests);
    stage.play("v12-29s-rule-group-keep-notify");
    stage.expectPreview(await deployment.preview(declared, { refresh: true }), "v12-29s-preview-refresh-rule-group-keep-notify");

    stage.sent = [];
    const refused = stage.play("v12-29s1-notify-unknown-contact-point");
    const { errors } = await deployment.up(notified("r12-nope"));
    const answer = '{"message":"invalid alert rule\\nreceiver r12-nope does not exist"}';
    const route = "[PUT /v1/provisioning/folder/{FolderUID}/rule-groups/{Group}]";
    expect(errors.r).toContain(`: ${occurred(`${route}[400] putAlertRuleGroupBadRequest ${answer}`)}`);
    stage.expectSent(refused);
    expect(stage.waits.reduce((sum, wait) => sum + wait, 0)).toBe(120);
  });

  it("disableProvenance, a name with a slash, and a deleted group", async () => {
    const deployment = await stage.deployment();
    const declared = program(both, { group: { name: "R12 a/b", disableProvenance: true } });
    const requests = [stage.play("v12-29t-rule-group-disable-provenance")];
    expect(await deployment.up(declared)).toEqual(created);
    expect((await deployment.preview(declared)).changes).toEqual({ same: 3 });
    requests.push(stage.play("v12-29n-refresh-preview-only-group-gone"));
    stage.expectPreview(await deployment.refreshPreview(), "v12-29n-refresh-preview-only-rule-group-gone");
    requests.push(stage.play("v12-29n-rule-group-gone-up-refresh"));
    await deployment.refresh();
    expect((await deployment.up(declared)).steps).toEqual(only("create"));
    stage.expectSent(...requests);
  });
});
