/** The stand-in for the Grafana plugin against recordings of the genuine one: folders, with permissions, parents and deletion. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Declared, Deployment } from "./deployment";
import { occurred, Stage, types } from "./replay";

const stage = new Stage();

describe("permissions", () => {
  const uid = "r12-llm-observability";
  const permissions = [
    { role: "Viewer", permission: "View" },
    { role: "Editor", permission: "Edit" },
  ];
  const program: Declared[] = [
    { type: types.folder, name: "f", inputs: { title: "R12 LLM Observability", uid } },
    { type: types.permission, name: "p", needs: "f", inputs: { folderUid: uid, permissions } },
  ];
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await stage.deployment();
  });

  it("up", async () => {
    const requests = stage.play("v12-24-folder-permission");
    expect(await deployment.up(program)).toEqual({ steps: { f: "create", p: "create" }, errors: {} });
    stage.expectSent(requests);
  });

  it("refresh --preview-only shows drift only in changeSummary", async () => {
    const requests = stage.play("v12-24b-folder-permission-hand-edit");
    const preview = await deployment.refreshPreview();
    stage.expectSent(requests);
    stage.expectPreview(preview, "v12-24-refresh-preview-only-permission");
    expect(preview.changes).toEqual({ same: 1, update: 1 });
    expect(preview.steps.map(({ op, detailedDiff }) => [op, detailedDiff])).toEqual([
      ["refresh", null],
      ["refresh", null],
    ]);
  });

  it("preview --refresh shows drift as a change of inputs", async () => {
    const requests = stage.play("v12-24c-folder-permission-preview-refresh");
    const preview = await deployment.preview(program, { refresh: true });
    stage.expectSent(requests);
    stage.expectPreview(preview, "v12-24c-preview-refresh-permission");
  });

  it("up --refresh removes the drift", async () => {
    const requests = stage.play("v12-24d-folder-permission-up-refresh");
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
  const uid = "r12-llm-observability";

  it.each([
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
});
