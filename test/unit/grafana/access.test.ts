/** The stand-in for Grafana, beyond what the recordings show: organizations, service accounts, and what their roles may do. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addFolder, basic, bearer, board, call, datasource, done, type Json, own, start, useGrafana } from "./client";

useGrafana();

const admin = basic("admin", "canary-password");
const inOrg = (id: number) => ({ ...admin, "x-grafana-org-id": String(id) });
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

describe.each(["9.4", "12.3"] as const)("organizations of %s", (release) => {
  beforeEach(async () => {
    own.url = await start({ release });
    expect(await done("POST", "/api/orgs", { name: "Second" }, admin)).toEqual({ message: "Organization created", orgId: 2 });
  });

  it("are made, listed and deleted by the server's administrator alone", async () => {
    const main = { id: 1, name: "Main Org." };
    expect(await done("GET", "/api/orgs", undefined, admin)).toEqual([main, { id: 2, name: "Second" }]);
    expect(await done("GET", "/api/orgs?name=Second", undefined, admin)).toEqual([{ id: 2, name: "Second" }]);
    expect(await call("POST", "/api/orgs", { name: "Second" }, admin)).toMatchObject({ status: 409 });
    expect(await call("POST", "/api/orgs", { name: "Third" })).toMatchObject(refused("orgs:create"));
    expect(await call("GET", "/api/orgs")).toMatchObject(refused("orgs:read"));
    expect(await call("DELETE", "/api/orgs/2")).toMatchObject(refused("orgs:delete"));
    expect(await call("DELETE", "/api/orgs/2", undefined, inOrg(2))).toMatchObject({ status: 400 });
    expect(await call("DELETE", "/api/orgs/9", undefined, admin)).toMatchObject({ status: 404 });
    expect(await done("DELETE", "/api/orgs/2", undefined, admin)).toEqual({ message: "Organization deleted" });
    expect(await done("GET", "/api/orgs", undefined, admin)).toEqual([main]);
    expect(await done("POST", "/api/orgs", { name: "Second" }, admin)).toMatchObject({ orgId: 3 });
  });

  it("have all that is in them to themselves, the same uids included", async () => {
    for (const headers of [admin, inOrg(2)]) {
      await done("POST", "/api/folders", { uid: "a", title: "A" }, headers);
      await done("POST", "/api/dashboards/db", board("b", "B"), headers);
      await done("POST", "/api/datasources", datasource, headers);
    }
    await done("DELETE", "/api/folders/a", undefined, inOrg(2));
    expect(await done("GET", "/api/search", undefined, inOrg(2))).toEqual([]);
    expect(await done("GET", "/api/search", undefined, admin)).toMatchObject([{ uid: "a" }, { uid: "b" }]);
    expect(await done("GET", "/api/datasources", undefined, inOrg(2))).toMatchObject([{ uid: "own-metrics", orgId: 2 }]);
  });

  it("have service accounts, whose tokens are theirs", async () => {
    const { auth } = await account("Admin", "second", inOrg(2));
    expect(await done("GET", "/api/org", undefined, auth)).toMatchObject({ id: 2 });
    await done("POST", "/api/folders", { uid: "a", title: "A" }, auth);
    expect(await done("GET", "/api/folders")).toEqual([]);
    await done("DELETE", "/api/orgs/2", undefined, admin);
    expect(await call("GET", "/api/org", undefined, auth)).toMatchObject({ status: 401 });
  });

  it("that do not exist have nothing, and take nothing", async () => {
    await addFolder("a", "A");
    expect(await done("GET", "/api/search", undefined, inOrg(9))).toEqual([]);
    expect(await call("POST", "/api/folders", { title: "B" }, inOrg(9))).toMatchObject(refused("folders:create"));
    expect(await call("GET", "/api/datasources", undefined, inOrg(9))).toMatchObject(refused("datasources:read"));
  });
});

describe("service accounts", () => {
  it("are shown as each release shows them", async () => {
    const shown = { id: 3, name: "A B", orgId: 1, isDisabled: false, role: "Viewer", tokens: 0, avatarUrl: "" };
    const make = () => call("POST", "/api/serviceaccounts", { name: "A B" }, admin);
    expect(await make()).toMatchObject({ status: 201, body: { ...shown, login: "sa-1-a-b", uid: expect.any(String) } });
    own.url = await start({ release: "9.4", stateFile: `${own.stateFile}-older` });
    expect((await make()).body).toEqual({ ...shown, login: "sa-a-b" });
  });

  it("have tokens that work until they, or the account, are deleted", async () => {
    const { auth, path, tokenId } = await account("Admin", "mine");
    const { key } = await done("POST", `${path}/tokens`, { name: "other" }, admin);
    expect(key).toMatch(/^glsa_\w{32}_[0-9a-f]{8}$/);
    expect(readFileSync(own.stateFile, "utf8")).not.toContain(key);
    expect(await done("DELETE", `${path}/tokens/${tokenId}`, undefined, admin)).toEqual({ message: "Service account token deleted" });
    expect(await call("GET", "/api/org", undefined, auth)).toMatchObject({ status: 401, body: { messageId: "api-key.invalid" } });
    await done("POST", "/api/folders", { uid: "a", title: "A" }, tokenOf(key));
    expect(await done("DELETE", path, undefined, admin)).toEqual({ message: "Service account deleted" });
    expect(await call("GET", "/api/org", undefined, tokenOf(key))).toMatchObject({ status: 401 });
    const holders = (await done("GET", "/api/access-control/folders/a")).map((entry: Json) => entry.userLogin);
    expect(holders).toEqual([undefined, undefined, undefined]);
  });

  it.each<[string, string, unknown, number, string]>([
    ["a taken name", "", { name: "MINE" }, 400, "serviceaccounts.ErrAlreadyExists"],
    ["an unknown role", "", { name: "other", role: "Owner" }, 400, "serviceaccounts.ErrInvalidRoleSpecified"],
    ["a taken name of a token", "/3/tokens", { name: "mine" }, 400, "serviceaccounts.ErrTokenAlreadyExists"],
    ["a token of an unknown account", "/9/tokens", { name: "other" }, 404, "serviceaccounts.ErrNotFound"],
  ])("are not made with %s", async (_what, path, body, status, messageId) => {
    await account("Viewer", "mine");
    expect(await call("POST", `/api/serviceaccounts${path}`, body, admin)).toMatchObject({
      status,
      body: { messageId, statusCode: status },
    });
  });

  it("are not another organization's", async () => {
    await done("POST", "/api/orgs", { name: "Second" }, admin);
    const { path, tokenId } = await account("Viewer");
    for (const each of [path, `${path}/tokens/${tokenId}`]) {
      expect(await call("DELETE", each, undefined, inOrg(2))).toMatchObject({
        status: 404,
        body: { messageId: "serviceaccounts.ErrNotFound" },
      });
    }
    const nope = await call("DELETE", `${path}/tokens/99`, undefined, admin);
    expect(nope).toMatchObject({ status: 404, body: { messageId: "serviceaccounts.ErrTokenNotFound" } });
  });
});

describe.each(["9.4", "12.3"] as const)("the roles of %s", (release) => {
  let viewer: Record<string, string>;
  let editor: Record<string, string>;

  beforeEach(async () => {
    own.url = await start({ release });
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
  ])("need an Editor for %s: %s %s", async (permission, method, path, body) => {
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
  ])("need an Admin for %s: %s %s", async (permission, method, path, body) => {
    for (const headers of [viewer, editor]) expect(await call(method, path, body, headers)).toMatchObject(refused(permission));
    expect((await call(method, path, body)).status).toBeLessThan(300);
  });

  it("go by a folder's permissions", async () => {
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

  it("do not tell who may not see all folders whether there is one", async () => {
    expect(await call("GET", "/api/folders/nope")).toMatchObject({ status: 404 });
    expect(await call("GET", "/api/folders/nope", undefined, editor)).toMatchObject(refused("folders:read"));
    const dashboard = await call("GET", "/api/dashboards/uid/nope", undefined, editor);
    expect(dashboard).toMatchObject(release === "9.4" ? refused("dashboards:read") : { status: 404, body: { title: "Not found" } });
  });
});

describe("an Editor's own folder", () => {
  const permissions = (headers: Record<string, string>) => call("GET", "/api/access-control/folders/own", undefined, headers);

  it("is the Editor's to let others in, in 12.3, until that is taken away and Grafana reads the permissions again", async () => {
    const { auth, id } = await account("Editor");
    await done("POST", "/api/folders", { uid: "own", title: "Own" }, auth);
    expect(await done("GET", "/api/folders/own", undefined, auth)).toMatchObject({ canAdmin: true });
    await done("POST", "/api/access-control/folders/own", { permissions: [{ userId: id }] }, auth);
    expect(await permissions(auth)).toMatchObject({ status: 200 });
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_001);
    expect(await permissions(auth)).toMatchObject(refused("folders.permissions:read"));
    expect(await done("GET", "/api/folders/own", undefined, auth)).toMatchObject({ canAdmin: false, canEdit: true });
    vi.restoreAllMocks();
  });

  it("is not in 9.4, where only users get this", async () => {
    own.url = await start({ release: "9.4" });
    const { auth } = await account("Editor");
    await done("POST", "/api/folders", { uid: "own", title: "Own" }, auth);
    expect(await permissions(auth)).toMatchObject(refused("folders.permissions:read"));
    await done("POST", "/api/folders", { uid: "user", title: "User" }, admin);
    const [first] = await done("GET", "/api/access-control/folders/user", undefined, bearer);
    expect(first).toMatchObject({ userId: 1, userLogin: "admin", permission: "Admin", roleName: "managed:users:1:permissions" });
  });
});
