/** The stand-in for Grafana, beyond what the recordings show: dashboards, and what finds them. */
import { beforeEach, describe, expect, it } from "vitest";
import { readGrafanaState } from "../../sandbox/grafana/state";
import { addFolder, board, call, done, type Json, own, start, useGrafana } from "./client";

useGrafana();

describe("dashboards", () => {
  beforeEach(async () => {
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("one", "One"));
    await done("POST", "/api/dashboards/db", board("two", "Two"));
  });

  it.each<[string, unknown, number, unknown]>([
    ["a taken uid, version 0", board("one", "Other", { version: 0 }), 412, { status: "version-mismatch" }],
    ["a taken uid, a later version", board("one", "Other", { version: 2 }), 412, { status: "version-mismatch" }],
    ["a uid of 41 characters", board("x".repeat(41), "Other"), 400, { message: "uid too long, max 40 characters" }],
    ["an empty title", board("other", ""), 400, { status: "empty-name" }],
    ["an unknown folder", { ...board("other", "Other"), folderUid: "nope" }, 400, { message: "folder not found" }],
    ["a folder's uid", board("a", "Other"), 400, { message: "Dashboard cannot be changed to a folder" }],
    ["an unknown id", board("one", "One", { id: 99 }), 404, { status: "not-found" }],
    [
      "the id of one and the uid of another",
      board("two", "Other", { id: 2 }),
      400,
      { message: "A dashboard with the same uid already exists" },
    ],
    ["the kind of a folder", { ...board("other", "Other"), isFolder: true }, 400, {}],
  ])("are not saved with %s", async (_what, body, status, answered) => {
    const { dashboards } = readGrafanaState(own.stateFile);
    expect(await call("POST", "/api/dashboards/db", body)).toMatchObject({ status, body: answered });
    expect(readGrafanaState(own.stateFile).dashboards).toEqual(dashboards);
  });

  it("are overwritten without a word by a create that happens to know their version", async () => {
    expect(await done("POST", "/api/dashboards/db", board("one", "Mine", { version: 1 }))).toMatchObject({
      uid: "one",
      version: 2,
      slug: "mine",
    });
  });

  it("move to another folder", async () => {
    await done("POST", "/api/dashboards/db", { ...board("two", "Two", { version: 1 }), folderUid: "" });
    expect((await done("GET", "/api/dashboards/uid/two")).meta).toMatchObject({
      folderId: 0,
      folderUid: "",
      folderTitle: "General",
      folderUrl: "",
    });
  });

  it("may have any title in 12.3: of another one, and of a folder", async () => {
    for (const title of ["One", "A"]) await done("POST", "/api/dashboards/db", { ...board("two", title), overwrite: true });
    expect((await done("GET", "/api/dashboards/uid/one")).dashboard).toMatchObject({ title: "One", version: 1 });
  });

  describe("in 9.4", () => {
    beforeEach(async () => {
      own.url = await start({ release: "9.4" });
    });

    it("are not created with the title of another one in the folder, or of a folder", async () => {
      const saved = (title: string) => call("POST", "/api/dashboards/db", board("other", title));
      expect(await saved("two")).toMatchObject({ status: 412, body: { status: "name-exists" } });
      expect(await saved("A")).toMatchObject({ status: 400, body: { status: "name-match" } });
    });

    it("are overwritten by an update of another one to their title, which stays as it was", async () => {
      const saved = await done("POST", "/api/dashboards/db", { ...board("one", "Two", { id: 2, mine: true }), overwrite: true });
      expect(saved).toMatchObject({ id: 3, uid: "two", version: 2 });
      expect((await done("GET", "/api/dashboards/uid/two")).dashboard).toMatchObject({ id: 3, title: "Two", mine: true, version: 2 });
      expect((await done("GET", "/api/dashboards/uid/one")).dashboard).toMatchObject({ id: 2, title: "One", version: 1 });
    });

    it("may have the title of one in another folder, but not move there", async () => {
      await addFolder("z", "Z");
      await done("POST", "/api/dashboards/db", { ...board("other", "One"), folderUid: "z" });
      const moved = { ...board("one", "One", { version: 1 }), folderUid: "z" };
      expect(await call("POST", "/api/dashboards/db", moved)).toMatchObject({ status: 412 });
    });
  });

  it("get a new uid with their id, and one of Grafana's if they have none", async () => {
    await done("POST", "/api/dashboards/db", { ...board("renamed", "One", { id: 2 }), overwrite: true });
    expect(await call("GET", "/api/dashboards/uid/one")).toMatchObject({ status: 404 });
    expect((await done("GET", "/api/dashboards/uid/renamed")).dashboard).toMatchObject({ id: 2, version: 2 });
    const { uid } = await done("POST", "/api/dashboards/db", { dashboard: { title: "Nameless" }, folderId: 1 });
    expect((await done("GET", `/api/dashboards/uid/${uid}`)).meta).toMatchObject({ folderUid: "a", slug: "nameless" });
  });

  it("keep whatever is in their model, but not another's id or version", async () => {
    const model = { uid: "rich", title: "Rich", tags: ["b", "a"], templating: { list: [{ name: "x" }] }, id: null, version: 7 };
    await done("POST", "/api/dashboards/db", { dashboard: model, folderUid: "a" });
    expect((await done("GET", "/api/dashboards/uid/rich")).dashboard).toEqual({ ...model, id: 4, version: 1 });
  });
});

describe("search", () => {
  beforeEach(async () => {
    await addFolder("a", "Folder");
    await addFolder("z", "Zoo");
    await done("POST", "/api/dashboards/db", board("one", "Alpha", { tags: ["x"] }));
    await done("POST", "/api/dashboards/db", board("two", "Beta", { tags: ["x", "y"] }));
    await done("POST", "/api/dashboards/db", { dashboard: { uid: "three", title: "Gamma" } });
  });

  it.each([
    ["", ["a", "z", "one", "two", "three"]],
    ["type=dash-folder", ["a", "z"]],
    ["type=dash-db&sort=alpha-desc", ["three", "two", "one"]],
    ["sort=alpha-asc", ["one", "two", "a", "three", "z"]],
    ["query=ET", ["two"]],
    ["tag=x&tag=y", ["two"]],
    ["folderUIDs=a", ["one", "two"]],
    ["folderUIDs=a&folderUIDs=general&type=dash-db", ["one", "two", "three"]],
    ["dashboardUIDs=one&dashboardUIDs=a", ["one"]],
    ["limit=2&page=2&sort=alpha-asc", ["a", "three"]],
    ["page=2&sort=alpha-asc&type=dash-folder", []],
  ])("?%s", async (query, uids) => {
    expect((await done("GET", `/api/search?${query}`)).map(({ uid }: Json) => uid)).toEqual(uids);
  });

  it("shows where a hit is, and refuses pages that are too long", async () => {
    const inFolder = { folderId: 1, folderUid: "a", folderTitle: "Folder", folderUrl: "/dashboards/f/a/folder" };
    const hit = { id: 3, uri: "db/alpha", url: "/d/one/alpha", type: "dash-db", tags: ["x"], ...inFolder };
    expect(await done("GET", "/api/search?query=alpha")).toMatchObject([hit]);
    expect(await call("GET", "/api/search?limit=5001")).toMatchObject({ status: 422 });
  });
});
