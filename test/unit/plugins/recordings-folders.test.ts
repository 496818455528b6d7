/** The stand-in for the Grafana plugin against recordings of the genuine one: folders, with permissions and deletion. */
import { expect, it } from "vitest";
import { edited, programOf, Stage, types } from "./replay";

const stage = new Stage();
const uid = "r12-llm-observability";

const withPermissions = programOf("v12-24c-preview-refresh-permission");

it("permissions: a change by hand is in previews, and reverted", async () => {
  const deployment = stage.deployment();
  const program = withPermissions;
  const requests = [stage.play("v12-24-folder-permission")];
  expect(await deployment.up(program)).toEqual({ steps: { f: "create", p: "create" }, errors: {} });
  stage.expectState(deployment, "v12-24c-preview-refresh-permission");
  requests.push(stage.play("v12-24c-folder-permission-preview-refresh"));
  await deployment.refresh();
  stage.expectDifferences(deployment, program, "v12-24c-preview-refresh-permission");
  requests.push(stage.play("v12-24d-folder-permission-up-refresh"));
  await deployment.refresh();
  expect(await deployment.up(program)).toEqual({ steps: { f: "same", p: "update" }, errors: {} });
  stage.expectSent(...requests);
});

it("a token with the role Editor gets 403 after the plugin removed its grant", async () => {
  const deployment = stage.deployment();
  const program = edited(withPermissions, { [uid]: "r12-ed-folder", "R12 LLM Observability": "R12 Ed" });
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

const notEmpty = `folder ${uid} is not empty and prevent_destroy_if_not_empty is set. It contains the following dashboards and/or folders: [r12-foreign]`;
const rejected = '[DELETE /folders/{folder_uid}][400] deleteFolderBadRequest {"message":"Folder cannot be deleted: folder is not empty"}';

it.each([
  // The search does not return rules.
  ["v12-26f-destroy-folder-option-rule-inside", "r12-pd", true, `error reading folder with ID\`0:r12-pd\`: ${rejected}`],
  ["v12-26-destroy-folder-not-empty-option", uid, true, notEmpty],
  ["v12-26c-destroy-folder-empty-option-dashboard-elsewhere", uid, true, undefined],
  ["v12-26e-destroy-folder-not-empty", uid, false, undefined],
])("%s", async (scenario, folder, preventDestroyIfNotEmpty, reason) => {
  const requests = stage.play(scenario);
  const deployment = stage.deployment();
  const inputs = { title: "LLM Observability", uid: folder, preventDestroyIfNotEmpty };
  deployment.state.set("f", { type: types.folder, id: `0:${folder}`, inputs, outputs: { ...inputs, id: `0:${folder}` } });
  const destroyed = deployment.destroy();
  await (reason ? expect(destroyed).rejects.toThrow(reason) : destroyed);
  stage.expectSent(requests);
});
