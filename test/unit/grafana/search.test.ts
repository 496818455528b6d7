/** The stand-in for Grafana, beyond the recordings: the filters of its search. */
import { beforeEach, describe, expect, it } from "vitest";
import { addFolder, board, call, done, type Json, useGrafana } from "./client";

useGrafana();

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

  it("returns the folder of a hit, and refuses long pages", async () => {
    const inFolder = { folderId: 1, folderUid: "a", folderTitle: "Folder", folderUrl: "/dashboards/f/a/folder" };
    const hit = { id: 3, uri: "db/alpha", url: "/d/one/alpha", type: "dash-db", tags: ["x"], ...inFolder };
    expect(await done("GET", "/api/search?query=alpha")).toMatchObject([hit]);
    expect(await call("GET", "/api/search?limit=5001")).toMatchObject({ status: 422 });
  });
});
