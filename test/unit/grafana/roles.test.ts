/** The stand-in for Grafana, beyond the recordings: the permissions of each role. A stand-in that permits too much would hide bugs. */
import { beforeEach, describe, expect, it } from "vitest";
import { addFolder, basic, board, call, datasource, done, own, start, useGrafana } from "./client";

useGrafana();

const admin = basic("admin", "canary-password");
const tokenOf = (key: string) => ({ authorization: `Bearer ${key}` });

/** A service account with a token. */
async function account(role: string, name = role, headers: Record<string, string> = admin) {
  const { status, body } = await call("POST", "/api/serviceaccounts", { name, role }, headers);
  expect(status).toBe(201);
  const token = await done("POST", `/api/serviceaccounts/${body.id}/tokens`, { name }, headers);
  return { ...body, path: `/api/serviceaccounts/${body.id}`, tokenId: token.id, auth: tokenOf(token.key) };
}

const refused = (permission: string) => ({
  status: 403,
  body: { title: "Access denied", message: expect.stringMatching(new RegExp(`Permissions needed: ${permission}$`)) },
});

describe("roles", () => {
  let viewer: Record<string, string>;
  let editor: Record<string, string>;

  beforeEach(async () => {
    own.url = await start();
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("b", "B"));
    await done("POST", "/api/datasources", datasource);
    viewer = (await account("Viewer")).auth;
    editor = (await account("Editor")).auth;
  });

  it.each([
    ["GET", "/api/org"],
    ["GET", "/api/folders/a"],
    ["GET", "/api/dashboards/uid/b"],
    ["GET", "/api/search"],
    ["GET", "/api/datasources"],
    ["GET", "/api/datasources/uid/own-metrics"],
  ])("let a Viewer %s %s", async (method, path) => {
    expect(await call(method, path, undefined, viewer)).toMatchObject({ status: 200 });
  });

  it.each<[string, string, string, unknown]>([
    ["folders:create", "POST", "/api/folders", { title: "New" }],
    ["folders:write", "PUT", "/api/folders/a", { title: "New", overwrite: true }],
    ["folders:delete", "DELETE", "/api/folders/a", undefined],
    ["any of dashboards:create, dashboards:write", "POST", "/api/dashboards/db", board("c", "C")],
    ["dashboards:delete", "DELETE", "/api/dashboards/uid/b", undefined],
    ["dashboards:write", "GET", "/api/dashboards/uid/b/versions", undefined],
    ["dashboards:write", "GET", "/api/dashboards/uid/b/versions/1", undefined],
  ])("require Editor for %s: %s %s", async (permission, method, path, body) => {
    expect(await call(method, path, body, viewer)).toMatchObject(refused(permission));
    expect(await call(method, path, body, editor)).toMatchObject({ status: 200 });
  });

  it.each<[string, string, string, unknown]>([
    ["datasources:create", "POST", "/api/datasources", { ...datasource, uid: "c", name: "c" }],
    ["datasources:write", "PUT", "/api/datasources/uid/own-metrics", datasource],
    ["datasources:delete", "DELETE", "/api/datasources/uid/own-metrics", undefined],
    ["folders.permissions:read", "GET", "/api/access-control/folders/a", undefined],
    ["folders.permissions:write", "POST", "/api/access-control/folders/a", { permissions: null }],
    ["folders.permissions:write", "POST", "/api/access-control/folders/a/builtInRoles/Viewer", { permission: "Edit" }],
    ["serviceaccounts:create", "POST", "/api/serviceaccounts", { name: "new" }],
  ])("require Admin for %s: %s %s", async (permission, method, path, body) => {
    for (const headers of [viewer, editor]) expect(await call(method, path, body, headers)).toMatchObject(refused(permission));
    expect((await call(method, path, body)).status).toBeLessThan(300);
  });

  it("are limited by the permissions of a folder", async () => {
    const set = (builtInRole: string, permission: string) =>
      done("POST", "/api/access-control/folders/a", { permissions: [{ builtInRole, permission }] });
    await set("Editor", "View");
    expect(await done("GET", "/api/folders/a", undefined, editor)).toMatchObject({ canEdit: false, canSave: false, canDelete: false });
    // Editors may save elsewhere: it is the save itself that is refused.
    expect(await call("POST", "/api/dashboards/db", board("c", "C"), editor)).toMatchObject({
      status: 403,
      body: { message: "Access denied to save dashboard" },
    });
    await set("Viewer", "");
    expect(await done("GET", "/api/search", undefined, viewer)).toEqual([]);
    expect(await done("GET", "/api/folders", undefined, viewer)).toEqual([]);
    expect(await call("GET", "/api/folders/a", undefined, viewer)).toMatchObject(refused("folders:read"));
    expect(await call("GET", "/api/dashboards/uid/b", undefined, viewer)).toMatchObject(refused("dashboards:read"));
  });

  it("get 403 for a missing folder, except Admin", async () => {
    expect(await call("GET", "/api/folders/nope")).toMatchObject({ status: 404 });
    expect(await call("GET", "/api/folders/nope", undefined, editor)).toMatchObject(refused("folders:read"));
    const dashboard = await call("GET", "/api/dashboards/uid/nope", undefined, editor);
    expect(dashboard).toMatchObject({ status: 404, body: { title: "Not found" } });
  });
});
