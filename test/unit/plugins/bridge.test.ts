/** The stand-in for the Grafana plugin, beyond the recordings: the state after a failure. */
import { describe, expect, it } from "vitest";
import { stillClock } from "./clock";
import { urnOf } from "./plugin";
import { occurred, types } from "./replay";
import { against } from "./scripted";

const waits = stillClock();

const inputs = { title: "F", uid: "f" };
const shown = JSON.stringify({ ...inputs, url: "/f" });
const broken = '{"message":"broken","traceID":"1"}';
const unread = 'error reading folder with ID`0:f`: [GET /folders/{folder_uid}][500] getFolderByUidInternalServerError {"message":"broken"}';

describe("a failure", () => {
  it("after a create keeps the folder, although the read fails", async () => {
    const { plugin } = await against({ "POST /api/folders": [[200, shown]], "GET /api/folders/f": [[500, broken]] });
    const error = await plugin.create(types.folder, "f", inputs).catch((failure) => failure);
    const urn = urnOf(types.folder, "f");
    expect(error).toMatchObject({ message: `creating ${urn}: ${occurred(unread)}`, id: "0:f", outputs: { ...inputs, id: "0:f" } });
  });

  it("after a create keeps nothing, if the folder no longer exists", async () => {
    const { plugin } = await against({ "POST /api/folders": [[200, shown]] });
    const error = await plugin.create(types.folder, "f", inputs).catch((failure) => failure);
    expect(error.message).toBe(`expected non-nil error with nil state during Create of ${urnOf(types.folder, "f")}`);
    expect(error).not.toHaveProperty("outputs");
  });

  it("of an update stores the planned values", async () => {
    const { plugin } = await against({ "GET /api/folders/f": [[200, shown]], "PUT /api/folders/f": [[500, broken]] });
    const state = { ...inputs, id: "0:f", url: "http://x/f", parentFolderUid: "", orgId: "0" };
    const error = await plugin.update(types.folder, "0:f", state, { ...inputs, title: "G" }).catch((failure) => failure);
    expect(error).toMatchObject({ id: "0:f", outputs: { ...state, title: "G" } });
    expect(error.message).toContain("[PUT /folders/{folder_uid}][500] updateFolderInternalServerError");
  });

  it("of an update names `pulumi refresh`, if the resource no longer exists", async () => {
    const { plugin } = await against({
      "GET /api/folders/f": [
        [200, shown],
        [404, broken],
      ],
      "PUT /api/folders/f": [[200, shown]],
    });
    const update = plugin.update(types.folder, "0:f", { ...inputs, id: "0:f" }, { ...inputs, title: "G" });
    await expect(update).rejects.toThrow("fixed by running `pulumi refresh` before updating.");
  });

  it("of a refresh or a delete names the resource", async () => {
    const { plugin } = await against({
      "GET /api/folders/f": [[500, broken]],
      "DELETE /api/folders/f?forceDeleteRules=true": [[403, broken]],
    });
    const urn = urnOf(types.folder, "name");
    await expect(plugin.read(types.folder, "0:f", { id: "0:f" })).rejects.toThrow(`refreshing ${urn}: ${occurred(unread)}`);
    const refused = 'error reading folder with ID`0:f`: [DELETE /folders/{folder_uid}][403] deleteFolderForbidden {"message":"broken"}';
    await expect(plugin.delete(types.folder, "0:f", { id: "0:f" })).rejects.toThrow(
      `deleting ${urnOf(types.folder, "name")}: ${occurred(refused)}`,
    );
  });

  it("follows two minutes of retries if the parent folder does not exist", async () => {
    const { plugin, server } = await against({});
    const missing = '[GET /folders/{folder_uid}][404] getFolderByUidNotFound {"message":"nothing here"}';
    await expect(plugin.create(types.folder, "f", { ...inputs, parentFolderUid: "p" })).rejects.toThrow(
      occurred(`failed to find parent folder 'p': ${missing}`),
    );
    expect(server.requests).toHaveLength(16);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(120);
  });

  it("of a delete of permissions follows if their folder is missing", async () => {
    const { plugin } = await against({});
    const missing = '[GET /access-control/{resource}/{resourceID}][404] getResourcePermissionsNotFound {"message":"nothing here"}';
    await expect(plugin.delete(types.permission, "0:f", { id: "0:f" })).rejects.toThrow(`Failed to update permissions: ${missing}`);
  });
});
