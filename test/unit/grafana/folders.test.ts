/** The stand-in for Grafana, beyond what the recordings show: folders. */
import { describe, expect, it } from "vitest";
import { readGrafanaState } from "../../sandbox/grafana/state";
import { addFolder, board, call, done, type Json, own, start, useGrafana } from "./client";

useGrafana();

describe("folders", () => {
  it.each<[string, unknown, number, unknown]>([
    ["a taken uid", { uid: "a", title: "Other" }, 412, { message: "the folder has been changed by someone else" }],
    ["a dashboard's uid", { uid: "b", title: "Other" }, 400, { message: "Dashboard cannot be changed to a folder" }],
    ["a uid of 41 characters", { uid: "x".repeat(41), title: "Other" }, 400, { message: "uid too long, max 40 characters" }],
    ["a uid with a space", { uid: "x y", title: "Other" }, 400, { message: "uid contains illegal characters" }],
    ["an empty title", { uid: "other", title: " " }, 400, { message: "folder title cannot be empty" }],
    ["an unknown parent", { uid: "other", title: "Other", parentUid: "nope" }, 404, { message: "folder not found" }],
  ])("cannot be made with %s", async (_what, body, status, answered) => {
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("b", "B"));
    expect(await call("POST", "/api/folders", body)).toMatchObject({ status, body: answered });
    expect(readGrafanaState(own.stateFile).folders).toHaveLength(1);
  });

  it("nest, are listed by parent, and are deleted with all that is in them", async () => {
    await addFolder("a", "A");
    await addFolder("inner", "Inner", { parentUid: "a" });
    expect(await addFolder("innermost", "A", { parentUid: "inner" })).toMatchObject({
      parentUid: "inner",
      parents: [{ uid: "a" }, { uid: "inner" }],
    });
    await addFolder("z", "Z");
    await done("POST", "/api/dashboards/db", { ...board("b", "B"), folderUid: "innermost" });
    expect(await done("GET", "/api/folders")).toEqual([expect.objectContaining({ uid: "a" }), expect.objectContaining({ uid: "z" })]);
    expect(await done("GET", "/api/folders?parentUid=a")).toMatchObject([{ uid: "inner", title: "Inner", parentUid: "a" }]);
    expect(await done("GET", "/api/folders?limit=1&page=2")).toMatchObject([{ uid: "z" }]);
    await done("DELETE", "/api/folders/a");
    expect(await call("GET", "/api/dashboards/uid/b")).toMatchObject({ status: 404 });
    expect(await done("GET", "/api/search")).toMatchObject([{ uid: "z" }]);
    expect(await call("DELETE", "/api/folders/a")).toMatchObject({ status: 404, body: { status: "not-found" } });
  });

  it("are updated at their version, or with overwrite", async () => {
    await addFolder("a", "A");
    await addFolder("z", "Z");
    expect(await call("PUT", "/api/folders/a", { title: "B" })).toMatchObject({ status: 412 });
    expect(await done("PUT", "/api/folders/a", { title: "B", version: 1 })).toMatchObject({ title: "B", version: 2 });
    expect(await call("PUT", "/api/folders/a", { overwrite: true })).toMatchObject({ status: 400 });
    expect(await call("PUT", "/api/folders/nope", { title: "X", overwrite: true })).toMatchObject({ status: 404 });
  });

  it("may have equal titles in 12.3, but not in 9.4, where a dashboard at the root counts, too", async () => {
    await addFolder("a", "A");
    await addFolder("z", "a");
    await done("POST", "/api/dashboards/db", { ...board("b", "B"), folderUid: "" });
    own.url = await start({ release: "9.4" });
    for (const title of ["A", "b"]) {
      const message = expect.stringContaining("same name already exists");
      expect(await call("POST", "/api/folders", { title })).toMatchObject({ status: 409, body: { message } });
      expect(await call("PUT", "/api/folders/z", { title, overwrite: true })).toMatchObject({ status: 409, body: { message } });
    }
  });

  it("move with all that is in them, but not into themselves", async () => {
    for (const uid of ["a", "b"]) await addFolder(uid, uid);
    await addFolder("inner", "Inner", { parentUid: "a" });
    const move = (uid: string, parentUid?: string) => call("POST", `/api/folders/${uid}/move`, { parentUid });
    expect(await move("a", "inner")).toMatchObject({ status: 400, body: { messageId: "folder.circular-reference" } });
    expect(await move("a", "a")).toMatchObject({ status: 400 });
    expect(await move("a", "nope")).toMatchObject({ status: 404 });
    expect(await move("a", "b")).toMatchObject({ status: 200, body: { parentUid: "b", version: 3 } });
    expect(await done("GET", "/api/folders/inner")).toMatchObject({ parents: [{ uid: "b" }, { uid: "a" }] });
    expect(await done("GET", "/api/folders")).toMatchObject([{ uid: "b" }]);
  });

  it("let roles in: at the root editors and viewers at first, below it whom their parents let in; and who made them", async () => {
    const permissions = async (uid: string) =>
      (await done("GET", `/api/access-control/folders/${uid}`)).map((entry: Json) => [
        entry.builtInRole ?? entry.userLogin,
        entry.permission,
        entry.isInherited,
      ]);
    const set = (...entries: unknown[]) => call("POST", "/api/access-control/folders/a", { permissions: entries });
    const admin = ["Admin", "Admin", false];
    await addFolder("a", "A");
    await addFolder("inner", "Inner", { parentUid: "a" });
    const usual = [
      ["sa-1-deployment", "Admin", false],
      ["Editor", "Edit", false],
      ["Viewer", "View", false],
    ];
    expect(await permissions("a")).toEqual([...usual, admin]);
    const inherited = usual.map(([who, level]) => [who, level, true]);
    expect(await permissions("inner")).toEqual([["sa-1-deployment", "Admin", false], ...inherited, admin]);
    expect(await set({ userId: 99, permission: "View" })).toMatchObject({ status: 400 });
    expect(await set({ userId: 2 })).toMatchObject({ status: 200 });
    expect(await permissions("a")).toEqual([...usual.slice(1), admin]);
    expect(await set({ builtInRole: "Viewer", permission: "Edit" }, { builtInRole: "Editor", permission: "" })).toMatchObject({
      status: 200,
    });
    expect(await permissions("a")).toEqual([["Viewer", "Edit", false], admin]);
    expect(await set({ builtInRole: "Editor", permission: "View" }, { builtInRole: "Guest", permission: "View" })).toMatchObject({
      status: 400,
    });
    expect(await set({ builtInRole: "Editor", permission: "Everything" })).toMatchObject({ status: 400 });
    expect(await permissions("a")).toEqual([["Viewer", "Edit", false], admin]);
    expect(await set({ builtInRole: "Editor", permission: "View" })).toMatchObject({ status: 200 });
    expect(await permissions("a")).toEqual([["Viewer", "Edit", false], ["Editor", "View", false], admin]);
    expect(await call("GET", "/api/access-control/folders/nope")).toMatchObject({ status: 404 });
  });
});
