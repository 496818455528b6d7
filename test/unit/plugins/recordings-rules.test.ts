/** The stand-in for the Grafana plugin against recordings of the genuine one: groups of alert rules. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Values } from "../../sandbox/plugins/values";
import type { Declared, Deployment } from "./deployment";
import { occurred, type Request, read, Stage, types } from "./replay";
import { type Options, ruleProgram } from "./rule-program";

const stage = new Stage();

const old = { of: "", title: "" };
const of12 = { of: "r12-", title: "R12 " };
const both = ["Error rate", "Latency p95"];
const only = (name: string): Record<string, string> => ({ f: "same", prom: "same", r: name });
const created = { steps: { f: "create", prom: "create", r: "create" }, errors: {} };

/** A deployment whose group is as the recording's first answer has it, as after a second deployment. */
async function deployed(scenario: string, program: readonly Declared[]): Promise<Deployment> {
  const deployment = await stage.deployment();
  const inputsOf = (name: string): Values => program.find((declared) => declared.name === name)?.inputs ?? {};
  const inputs = inputsOf("r");
  const [folder, title] = [String(inputs.folderUid), String(inputs.name)];
  const list = read(`grafana/${scenario}.json`).find(({ request }: { request: Request }) => request.path.endsWith("/alert-rules")).response
    .body;
  const get = (path: string, body: unknown) => ({
    request: { method: "GET", path, headers: {}, body: null },
    response: { status: 200, body },
  });
  const rules = list.filter(({ folderUID, ruleGroup }: Record<string, string>) => folderUID === folder && ruleGroup === title);
  const path = `/api/v1/provisioning/folder/${folder}/rule-groups/${encodeURIComponent(title)}`;
  stage.left = [
    get(path, { title, folderUid: folder, interval: 60, rules }),
    ...rules.map((rule: { uid: string }) => get(`/api/v1/provisioning/alert-rules/${rule.uid}`, rule)),
  ];
  const id = `1:${folder}:${title}`;
  const ids: Record<string, string> = { f: `0:${folder}`, prom: `1:${inputsOf("prom").uid}`, r: `0:${folder}:${title}` };
  const group = await deployment.plugin.read(types.ruleGroup, id, { ...inputs, id }, {});
  for (const { type, name, inputs: given } of program) {
    const checked = (await deployment.plugin.check(type, name, given)).inputs;
    const outputs = name === "r" ? (group?.outputs ?? {}) : { ...checked, id: ids[name] };
    deployment.state.set(name, { type, id: ids[name] ?? "", inputs: checked, outputs });
  }
  stage.sent = [];
  return deployment;
}

describe.each([
  { release: "9.4", file: "", names: old },
  { release: "12.3", file: "v12-", names: of12 },
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
    // The engine's id stays; the plugin asks for the organization that the rules have from now on.
    expect([deployment.state.get("r")?.id, deployment.plain("r").outputs.id]).toMatchObject(
      [/^0:/, /^1:/].map((id) => expect.stringMatching(id)),
    );
  });
});

describe("Grafana 9.4", () => {
  const program = (options: Options = {}, rules = both) => ruleProgram(old, rules, options);
  /** That of a request which is repeated for two minutes: seven rounds of four. */
  const expectRounds = (requests: Request[]) => {
    const puts = (list: Request[]) => list.filter(({ method }) => method === "PUT");
    expect(puts(stage.sent)).toHaveLength(28);
    for (const put of puts(stage.sent)) expect(put.body).toEqual(puts(requests)[0]?.body);
    expect(stage.waits.reduce((sum, wait) => sum + wait, 0)).toBe(123.5);
  };
  const unsaid = "[PUT /v1/provisioning/folder/{FolderUID}/rule-groups/{Group}] PutAlertRuleGroup (status 500): {}";

  describe("edits by hand", () => {
    const changed = program({ threshold: 2 });
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await stage.deployment();
      stage.play("29-rule-group-create");
      await deployment.up(program());
      stage.play("29c-rule-group-update");
      await deployment.up(changed);
    });

    it("a refresh tells of them in detail", async () => {
      const requests = stage.play("29f-rule-group-refresh-preview-only");
      const preview = await deployment.refreshPreview();
      stage.expectSent(requests);
      stage.expectPreview(preview, "29f-refresh-preview-only-rule-group");
    });

    it("up --refresh undoes them", async () => {
      stage.play("29g-rule-group-up-refresh");
      stage.expectPreview(await deployment.preview(changed, { refresh: true }), "29g-preview-refresh-rule-group");
      stage.sent = [];
      const requests = stage.play("29g-rule-group-up-refresh");
      await deployment.refresh();
      expect((await deployment.up(changed)).steps).toEqual(only("update"));
      stage.expectSent(requests);
    });

    it("a refresh tells of a rule that was deleted by the rules that follow it", async () => {
      const requests = stage.play("29h-refresh-preview-only-rule-deleted");
      const preview = await deployment.refreshPreview();
      stage.expectSent(requests);
      stage.expectPreview(preview, "29h-refresh-preview-only-rule-deleted");
    });

    it("up --refresh then gives its uid to another rule, and fails after two minutes", async () => {
      const requests = stage.play("29h-rule-deleted-by-hand-up-refresh", { again: true });
      await deployment.refresh();
      const { errors } = await deployment.up(changed);
      expect(errors.r).toMatch(/^updating urn:\S+: 1 error/);
      expect(errors.r).toContain(`: ${occurred(unsaid)}`);
      expectRounds(requests);
    });
  });

  it("rules with uids of their own fail after two minutes", async () => {
    const requests = stage.play("29i-rule-group-own-uids-create", { again: true });
    const deployment = await stage.deployment();
    expect((await deployment.up(program({ own: true }))).errors).toEqual({ r: occurred(unsaid) });
    expectRounds(requests);
    expect([...deployment.state.keys()]).toEqual(["f", "prom"]);
  });

  describe("without what Grafana adds to queries", () => {
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await stage.deployment();
    });

    it("there is no difference", async () => {
      const requests = [stage.play("29j-rule-group-no-interval-create")];
      expect(await deployment.up(program({ bare: true }))).toEqual(created);
      requests.push(stage.play("29k-rule-group-no-interval-preview-refresh"));
      expect((await deployment.preview(program({ bare: true }), { refresh: true })).changes).toEqual({ same: 3 });
      stage.expectSent(...requests);
    });

    it("the last rule, deleted by hand, comes back; then it leaves the program; then the group is gone", async () => {
      const requests = [stage.play("29l-last-rule-deleted-up-refresh")];
      await deployment.refresh();
      expect((await deployment.up(program())).steps).toEqual(only("update"));
      requests.push(stage.play("29m-rule-removed-from-program"));
      expect((await deployment.up(program({}, ["Error rate"]))).steps).toEqual(only("update"));

      // A deployment that was not recorded brought both rules back.
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

  it("what the release does not know is a difference in each deployment", async () => {
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

  it("as is a group that others may edit, too", async () => {
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

  it("a group of an organization of its own", async () => {
    const requests = stage.play("29w-rule-group-resource-org-basic");
    const deployment = await stage.deployment("admin:admin");
    expect(await deployment.up(program({ group: { orgId: "2" } }))).toEqual(created);
    stage.expectSent(requests);
    expect(deployment.state.get("r")?.id).toBe("2:llm-observability:LLM");
  });

  it("a first rule that leaves the program gives its uid to another, and that fails after two minutes", async () => {
    const deployment = await deployed("29x-first-rule-removed-from-program", program());
    const requests = stage.play("29x-first-rule-removed-from-program", { again: true });
    const { errors } = await deployment.up(program({}, ["Latency p95"]));
    expect(errors.r).toContain(`: ${occurred(unsaid)}`);
    expectRounds(requests);
  });
});

describe("Grafana 12.3", () => {
  const program = (rules: readonly string[], options: Options = {}) => ruleProgram(of12, rules, options);
  const latency = "Latency p95";
  const error = "Error rate";
  const added = "New rule";

  it("a first rule that leaves the program", async () => {
    const deployment = await deployed("v12-29x-first-rule-removed-from-program", program(both, { threshold: 2 }));
    const requests = stage.play("v12-29x-first-rule-removed-from-program");
    expect((await deployment.up(program([latency]))).steps).toEqual(only("update"));
    stage.expectSent(requests);
  });

  describe("rules without uids of the program's get those of the places", () => {
    let deployment: Deployment;
    beforeAll(async () => {
      deployment = await deployed("v12-29y-rule-appended", program([latency]));
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

    it("edits by hand", async () => {
      const rules = [added, latency];
      // The folder and the datasource get the outputs that they have.
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

  it("rules keep uids of the program's, wherever they stand", async () => {
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

  it("notifications, to a contact point that there is and to one that there is not", async () => {
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

  it("a group that others may edit, too, whose name has a slash, and that goes", async () => {
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
