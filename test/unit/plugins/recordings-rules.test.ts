/** The stand-in for the Grafana plugin against recordings of the genuine one: rule groups, most of them on Grafana 9.4. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Deployment } from "./deployment";
import { occurred, type Request, Stage } from "./replay";
import { both, created, deployed, names9, names12, type Options, only, ruleProgram } from "./rule-program";

const stage = new Stage();

describe.each([
  { release: "9.4", file: "", names: names9 },
  { release: "12.3", file: "v12-", names: names12 },
])("Grafana $release", ({ file, names }) => {
  const program = (options: Options = {}, rules = both) => ruleProgram(names, rules, options);
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await stage.deployment();
  });

  it("up", async () => {
    const requests = stage.play(`${file}29-rule-group-create`);
    expect(await deployment.up(program())).toEqual(created);
    stage.expectSent(requests);
    expect(deployment.state.get("r")?.id).toBe(`0:${names.of}llm-observability:${names.title}LLM`);
  });

  it("preview --refresh, nothing changed", async () => {
    const requests = stage.play(`${file}29b-rule-group-preview-refresh-unchanged`);
    const preview = await deployment.preview(program(), { refresh: true });
    stage.expectSent(requests);
    stage.expectPreview(preview, `${file}29b-preview-refresh-rule-group-unchanged`);
  });

  it("up, a threshold changed", async () => {
    const requests = stage.play(`${file}29c-rule-group-update`);
    expect((await deployment.up(program({ threshold: 2 }))).steps).toEqual(only("update"));
    stage.expectSent(requests);
    // The id of the engine stays. The id of the plugin has the organization of the rules from now on.
    expect([deployment.state.get("r")?.id, deployment.plain("r").outputs.id]).toMatchObject(
      [/^0:/, /^1:/].map((id) => expect.stringMatching(id)),
    );
  });
});

describe("Grafana 9.4", () => {
  const program = (options: Options = {}, rules = both) => ruleProgram(names9, rules, options);
  /** Seven retries within two minutes, each with four requests. */
  const expectRounds = (requests: Request[]) => {
    const puts = (list: Request[]) => list.filter(({ method }) => method === "PUT");
    expect(puts(stage.sent)).toHaveLength(28);
    for (const put of puts(stage.sent)) expect(put.body).toEqual(puts(requests)[0]?.body);
    expect(stage.waits.reduce((sum, wait) => sum + wait, 0)).toBe(123.5);
  };
  const unsaid = "[PUT /v1/provisioning/folder/{FolderUID}/rule-groups/{Group}] PutAlertRuleGroup (status 500): {}";

  describe("drift", () => {
    const changed = program({ threshold: 2 });
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await stage.deployment();
      stage.play("29-rule-group-create");
      await deployment.up(program());
      stage.play("29c-rule-group-update");
      await deployment.up(changed);
    });

    it("refresh --preview-only shows a detailed diff", async () => {
      const requests = stage.play("29f-rule-group-refresh-preview-only");
      const preview = await deployment.refreshPreview();
      stage.expectSent(requests);
      stage.expectPreview(preview, "29f-refresh-preview-only-rule-group");
    });

    it("up --refresh removes the drift", async () => {
      stage.play("29g-rule-group-up-refresh");
      stage.expectPreview(await deployment.preview(changed, { refresh: true }), "29g-preview-refresh-rule-group");
      stage.sent = [];
      const requests = stage.play("29g-rule-group-up-refresh");
      await deployment.refresh();
      expect((await deployment.up(changed)).steps).toEqual(only("update"));
      stage.expectSent(requests);
    });

    it("refresh --preview-only shows a deleted rule as changes by position", async () => {
      const requests = stage.play("29h-refresh-preview-only-rule-deleted");
      const preview = await deployment.refreshPreview();
      stage.expectSent(requests);
      stage.expectPreview(preview, "29h-refresh-preview-only-rule-deleted");
    });

    it("up --refresh sends its uid with another rule, and fails after two minutes", async () => {
      const requests = stage.play("29h-rule-deleted-by-hand-up-refresh", { again: true });
      await deployment.refresh();
      const { errors } = await deployment.up(changed);
      expect(errors.r).toMatch(/^updating urn:\S+: 1 error/);
      expect(errors.r).toContain(`: ${occurred(unsaid)}`);
      expectRounds(requests);
    });
  });

  it("rules with own uids fail after two minutes", async () => {
    const requests = stage.play("29i-rule-group-own-uids-create", { again: true });
    const deployment = await stage.deployment();
    expect((await deployment.up(program({ own: true }))).errors).toEqual({ r: occurred(unsaid) });
    expectRounds(requests);
    expect([...deployment.state.keys()]).toEqual(["f", "prom"]);
  });

  describe("queries without intervalMs and maxDataPoints", () => {
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await stage.deployment();
    });

    it("have no diff", async () => {
      const requests = [stage.play("29j-rule-group-no-interval-create")];
      expect(await deployment.up(program({ bare: true }))).toEqual(created);
      requests.push(stage.play("29k-rule-group-no-interval-preview-refresh"));
      expect((await deployment.preview(program({ bare: true }), { refresh: true })).changes).toEqual({ same: 3 });
      stage.expectSent(...requests);
    });

    it("the last rule is deleted by hand, then removed from the program; then the group is deleted", async () => {
      const requests = [stage.play("29l-last-rule-deleted-up-refresh")];
      await deployment.refresh();
      expect((await deployment.up(program())).steps).toEqual(only("update"));
      requests.push(stage.play("29m-rule-removed-from-program"));
      expect((await deployment.up(program({}, ["Error rate"]))).steps).toEqual(only("update"));

      // Between the recordings a deployment created both rules again.
      const sent = [...stage.sent];
      stage.play("29l-last-rule-deleted-up-refresh", { without: (_request, index) => index < 4 });
      stage.left = JSON.parse(JSON.stringify(stage.left).replaceAll("taKU0GgOk", "Jsmw0Ggdz"));
      await deployment.up(program());
      stage.sent = sent;
      requests.push(stage.play("29n-refresh-preview-only-group-gone"));
      stage.expectPreview(await deployment.refreshPreview(), "29n-refresh-preview-only-rule-group-gone");
      requests.push(stage.play("29n-rule-group-gone-up-refresh"));
      await deployment.refresh();
      expect((await deployment.up(program())).steps).toEqual(only("create"));
      requests.push(stage.play("29o-rule-group-destroy"));
      await deployment.destroy();
      stage.expectSent(...requests);
    });
  });

  it.each<[string, Options]>([
    ["29p-rule-group-folder-missing", { group: { folderUid: "no-such-folder" } }],
    ["29q-rule-group-slash", { group: { name: "LLM/errors" } }],
  ])("%s", async (scenario, options) => {
    const requests = stage.play(scenario);
    expect(await (await stage.deployment()).up(program(options))).toEqual(created);
    stage.expectSent(requests);
  });

  it("a recording rule fails after two minutes", async () => {
    const requests = stage.play("29r-rule-group-record", { again: true });
    expect((await (await stage.deployment()).up(program({}, ["Cost per minute"]))).errors).toEqual({ r: occurred(unsaid) });
    expectRounds(requests);
  });

  it("keepFiringFor and notificationSettings are a diff in each deployment", async () => {
    const deployment = await stage.deployment();
    const declared = program({ each: { keepFiringFor: "10m", notificationSettings: { contactPoint: "grafana-default-email" } } });
    const requests = stage.play("29s-rule-group-keep-notify");
    expect(await deployment.up(declared)).toEqual(created);
    stage.expectSent(requests);
    stage.play("29s-rule-group-keep-notify");
    expect((await deployment.up(declared)).steps).toEqual(only("update"));
    stage.play("29s-rule-group-keep-notify");
    stage.expectPreview(await deployment.preview(declared, { refresh: true }), "29s-preview-refresh-rule-group-keep-notify");
  });

  it("disableProvenance is a diff in each deployment", async () => {
    const deployment = await stage.deployment();
    const declared = program({ group: { disableProvenance: true } });
    const requests = [stage.play("29t-rule-group-disable-provenance")];
    expect(await deployment.up(declared)).toEqual(created);
    requests.push(stage.play("29u-rule-group-hand-edit-in-the-ui"));
    expect((await deployment.refreshPreview()).changes).toEqual({ same: 2, update: 1 });
    requests.push(stage.play("29v-disable-provenance-second-up"));
    expect((await deployment.up(declared)).steps).toEqual(only("update"));
    stage.expectSent(...requests);
  });

  it("a group with orgId", async () => {
    const requests = stage.play("29w-rule-group-resource-org-basic");
    const deployment = await stage.deployment("admin:admin");
    expect(await deployment.up(program({ group: { orgId: "2" } }))).toEqual(created);
    stage.expectSent(requests);
    expect(deployment.state.get("r")?.id).toBe("2:llm-observability:LLM");
  });

  it("the first rule is removed from the program: its uid is sent with another rule, which fails after two minutes", async () => {
    const deployment = await deployed(stage, "29x-first-rule-removed-from-program", program());
    const requests = stage.play("29x-first-rule-removed-from-program", { again: true });
    const { errors } = await deployment.up(program({}, ["Latency p95"]));
    expect(errors.r).toContain(`: ${occurred(unsaid)}`);
    expectRounds(requests);
  });
});
