/** The stand-in for the Grafana plugin against recordings of the genuine one: folders, with permissions, parents and deletion. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Declared, Deployment } from "./deployment";
import { occurred, Stage, types } from "./replay";

const stage = new Stage();

/** Prefixes in the recordings of each release. */
const releases = [
  { release: "9.4", file: "", uid: "", title: "" },
  { release: "12.3", file: "v12-", uid: "r12-", title: "R12 " },
];

describe.each(releases)("permissions, Grafana $release", ({ file, ...of }) => {
  const uid = `${of.uid}llm-observability`;
  const permissions = [
    { role: "Viewer", permission: "View" },
    { role: "Editor", permission: "Edit" },
  ];
  const program: Declared[] = [
    { type: types.folder, name: "f", inputs: { title: `${of.title}LLM Observability`, uid } },
    { type: types.permission, name: "p", needs: "f", inputs: { folderUid: uid, permissions } },
  ];
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await stage.deployment();
  });

  it("up", async () => {
    const requests = stage.play(`${file}24-folder-permission`);
    expect(await deployment.up(program)).toEqual({ steps: { f: "create", p: "create" }, errors: {} });
    stage.expectSent(requests);
  });

  it("refresh --preview-only shows drift only in changeSummary", async () => {
    const requests = stage.play(`${file}24b-folder-permission-hand-edit`);
    const preview = await deployment.refreshPreview();
    stage.expectSent(requests);
    stage.expectPreview(preview, `${file}24-refresh-preview-only-permission`);
    expect(preview.changes).toEqual({ same: 1, update: 1 });
    expect(preview.steps.map(({ op, detailedDiff }) => [op, detailedDiff])).toEqual([
      ["refresh", null],
      ["refresh", null],
    ]);
  });

  it("preview --refresh shows drift as a change of inputs", async () => {
    const requests = stage.play(`${file}24c-folder-permission-preview-refresh`);
    const preview = await deployment.preview(program, { refresh: true });
    stage.expectSent(requests);
    stage.expectPreview(preview, `${file}24c-preview-refresh-permission`);
  });

  it("up --refresh removes the drift", async () => {
    const requests = stage.play(`${file}24d-folder-permission-up-refresh`);
    await deployment.refresh();
    expect(await deployment.up(program)).toEqual({ steps: { f: "same", p: "update" }, errors: {} });
    stage.expectSent(requests);
  });
});

it("a token with the role Editor gets 403 after the plugin removed its grant", async () => {
  const [uid, deployment] = ["r12-ed-folder", await stage.deployment()];
  const permissions = [
    { role: "Viewer", permission: "View" },
    { role: "Editor", permission: "Edit" },
  ];
  const program: Declared[] = [
    { type: types.folder, name: "f", inputs: { title: "R12 Ed", uid } },
    { type: types.permission, name: "p", needs: "f", inputs: { folderUid: uid, permissions } },
  ];
  const requests = [stage.play("v12-24e-folder-permission-editor-token")];
  expect((await deployment.up(program)).errors).toEqual({});
  requests.push(stage.play("v12-24f-folder-permission-editor-token-up-refresh"));
  await deployment.refresh();
  expect((await deployment.up(program)).steps).toEqual({ f: "same", p: "same" });
  requests.push(stage.play("v12-24g-folder-permission-editor-token-repair"));
  const reason = "You'll need additional permissions to perform this action. Permissions needed: folders.permissions:read";
  expect((await deployment.refresh()).errors).toEqual({
    p: `Failed to read permissions: [GET /access-control/{resource}/{resourceID}][403] getResourcePermissionsForbidden {"message":"${reason}"}`,
  });
  stage.expectSent(...requests);
});

describe("destroy", () => {
  const existing = async (uid: string, preventDestroyIfNotEmpty: boolean): Promise<Deployment> => {
    const deployment = await stage.deployment();
    const inputs = { title: "LLM Observability", uid, preventDestroyIfNotEmpty, __defaults: [] };
    deployment.state.set("f", { type: types.folder, id: `0:${uid}`, inputs, outputs: { ...inputs, id: `0:${uid}` } });
    return deployment;
  };
  const holds = (uid: string, titles: string) =>
    `folder ${uid} is not empty and prevent_destroy_if_not_empty is set. It contains the following dashboards and/or folders: [${titles}]`;
  const old = "llm-observability";
  const uid = "r12-llm-observability";

  it.each([
    // Grafana before 10.2 ignores folderUIDs.
    ["26-destroy-folder-not-empty-option", old, holds(old, "LLM Observability mine")],
    ["26b-destroy-folder-empty-option", old, holds(old, "LLM Observability")],
    ["26c-destroy-folder-empty-option-dashboard-elsewhere", old, holds(old, "LLM Observability elsewhere")],
    // The search does not return rules.
    [
      "v12-26f-destroy-folder-option-rule-inside",
      "r12-pd",
      occurred(
        'error reading folder with ID`0:r12-pd`: [DELETE /folders/{folder_uid}][400] deleteFolderBadRequest {"message":"Folder cannot be deleted: folder is not empty"}',
      ),
    ],
    ["v12-26-destroy-folder-not-empty-option", uid, holds(uid, "r12-foreign")],
  ])("%s fails", async (scenario, folder, reason) => {
    const requests = stage.play(scenario);
    const deployment = await existing(folder, true);
    await expect(deployment.destroy()).rejects.toThrow(reason);
    stage.expectSent(requests);
    expect([...deployment.state.keys()]).toEqual(["f"]);
  });

  it.each([
    ["26d-destroy-folder-empty", old, false],
    ["26e-destroy-folder-not-empty", old, false],
    ["v12-26b-destroy-folder-empty-option", uid, true],
    ["v12-26c-destroy-folder-empty-option-dashboard-elsewhere", uid, true],
    ["v12-26e-destroy-folder-not-empty", uid, false],
  ])("%s succeeds", async (scenario, folder, option) => {
    const requests = stage.play(scenario);
    const deployment = await existing(folder, option);
    await deployment.destroy();
    stage.expectSent(requests);
  });
});

describe("a parent folder", () => {
  const folder = (name: string, title: string, uid: string, parentFolderUid?: string): Declared => ({
    type: types.folder,
    name,
    inputs: { title, uid, parentFolderUid },
  });

  it("moves the folder when it changes", async () => {
    const deployment = await stage.deployment();
    const uid = "r12-llm-observability";
    const configJson = JSON.stringify({ uid: "r12-svc-llm-monitoring", title: "svc - LLM Monitoring", schemaVersion: 39, panels: [] });
    const program = (parent?: string): Declared[] => [
      folder("parent", "R12 Team", "r12-team"),
      folder("parent2", "R12 Team 2", "r12-team-2"),
      folder("f", "R12 LLM Observability", uid, parent),
      { type: types.dashboard, name: "a", inputs: { configJson, folder: uid } },
    ];
    const requests = [stage.play("v12-27-parent-folder")];
    expect((await deployment.up(program("r12-team"))).errors).toEqual({});

    const sent = [...stage.sent];
    stage.play("v12-27-parent-folder", { again: true });
    stage.expectPreview(await deployment.preview(program("r12-team"), { refresh: true }), "v12-27-preview-refresh-parent-folder");
    stage.expectPreview(await deployment.preview(program("r12-team-2")), "v12-27c-preview-parent-folder-changed");
    stage.sent = sent;

    requests.push(stage.play("v12-27b-parent-folder-second-up"));
    expect((await deployment.up(program("r12-team"))).steps.f).toBe("same");
    requests.push(stage.play("v12-27c-parent-folder-changed"));
    expect((await deployment.up(program("r12-team-2"))).steps.f).toBe("update");
    expect(deployment.plain("f").outputs.parentFolderUid).toBe("r12-team-2");
    requests.push(stage.play("v12-27d-parent-folder-removed"));
    expect((await deployment.up(program())).steps.f).toBe("update");
    expect(deployment.plain("f").outputs.parentFolderUid).toBe("");
    stage.expectSent(...requests);
  });

  it("without nested folders is ignored by the create, and fails in every second deployment", async () => {
    const deployment = await stage.deployment();
    const program = [folder("parent", "Team", "team"), folder("f", "LLM Observability", "llm-observability", "team")];
    const first = stage.play("27-parent-folder");
    expect((await deployment.up(program)).steps).toEqual({ parent: "create", f: "create" });
    expect(deployment.plain("f").outputs.parentFolderUid).toBe("");

    stage.play("27-parent-folder", { again: true });
    stage.expectPreview(await deployment.preview(program, { refresh: true }), "27-preview-refresh-parent-folder");
    stage.expectPreview(await deployment.refreshPreview(), "27b-refresh-preview-only-parent-folder");

    stage.sent = [];
    const second = stage.play("27b-parent-folder-second-up");
    const { steps, errors } = await deployment.up(program);
    expect([steps, Object.keys(errors)]).toEqual([{ parent: "same" }, ["f"]]);
    const refusal = '{"message":"To use this service, you need to activate nested folder feature."}';
    expect(errors.f).toMatch(/^updating urn:\S+: 1 error/);
    expect(errors.f).toContain(`: ${occurred(`[POST /folders/{folder_uid}/move][404] moveFolderNotFound ${refusal}`)}`);
    stage.expectSent(second);

    // The failed update stored the parent: the third deployment does not move the folder, and reads the real parent.
    stage.sent = [];
    const third = stage.play("27c-parent-folder-third-up");
    expect(await deployment.up(program)).toEqual({ steps: { parent: "same", f: "update" }, errors: {} });
    stage.expectSent(third);
    expect(deployment.plain("f").outputs.parentFolderUid).toBe("");
    expect(first).toHaveLength(5);
  });
});
