/** The stand-in for Grafana, beyond what the recordings show: groups of alert rules. */
import { beforeEach, describe, expect, it } from "vitest";
import { addFolder, basic, call, done, type Json, own, start, useGrafana } from "./client";

useGrafana();

const groupPath = "/api/v1/provisioning/folder/a/rule-groups/g";
const rulePath = "/api/v1/provisioning/alert-rules";
const query = { refId: "A", datasourceUid: "metrics", relativeTimeRange: { from: 600 }, model: { expr: "up", refId: "A" } };
const place = { folderUID: "a", ruleGroup: "g", orgID: 1 };
const rule = (title: string, more = {}) => {
  return { title, condition: "A", data: [query], noDataState: "OK", execErrState: "Error", for: "5m0s", ...place, ...more };
};
const group = (...rules: object[]) => ({ title: "g", folderUid: "a", interval: 60, rules });
const put = (...rules: object[]) => call("PUT", groupPath, group(...rules));
const titles = async () => (await done("GET", rulePath)).map(({ title }: Json) => title);

describe.each(["9.4", "12.3"] as const)("groups of rules in %s", (release) => {
  beforeEach(async () => {
    own.url = await start({ release });
    await addFolder("a", "A");
  });

  it("are replaced as a whole, or not at all", async () => {
    expect(await put(rule("One"), rule("Two"))).toMatchObject({ status: 200 });
    const before = await done("GET", rulePath);
    expect((await put(rule("Three"), rule("Three"))).status).toBeGreaterThanOrEqual(400);
    expect((await put(rule("Three"), rule("Four", { condition: "B" }))).status).toBe(400);
    expect((await put(rule("Three"), rule("Four", { execErrState: "Never" }))).status).toBeGreaterThanOrEqual(400);
    expect(await done("GET", rulePath)).toEqual(before);
    expect(await put(rule("Three"))).toMatchObject({ status: 200 });
    expect(await titles()).toEqual(["Three"]);
  });

  it("share their titles with the other groups of the folder", async () => {
    await put(rule("One"));
    const answer = await call("PUT", "/api/v1/provisioning/folder/a/rule-groups/h", group(rule("One")));
    expect(answer).toMatchObject({ status: release === "9.4" ? 500 : 409, body: { message: expect.stringContaining("should be unique") } });
    expect(await call("PUT", "/api/v1/provisioning/folder/b/rule-groups/g", group(rule("One")))).toMatchObject({ status: 200 });
  });

  it("go with their folder only by force", async () => {
    await put(rule("One"));
    const message =
      release === "9.4" ? "folder cannot be deleted: folder contains alert rules" : "Folder cannot be deleted: folder is not empty";
    expect(await call("DELETE", "/api/folders/a")).toMatchObject({ status: 400, body: { message } });
    expect(await titles()).toEqual(["One"]);
    expect(await call("DELETE", "/api/folders/a?forceDeleteRules=true")).toMatchObject({ status: 200 });
    expect(await titles()).toEqual([]);
  });

  it.each([
    ["0s", "0s"],
    ["90m0s", "1h30m"],
    ["36h0m5s", "1d12h5s"],
  ])("write %s as %s", async (sent, shown) => {
    await put(rule("One", { for: sent }));
    expect(await done("GET", groupPath)).toMatchObject({ interval: 60, rules: [{ for: shown }] });
  });

  it.each<[string, object]>([
    ["an unknown field", group(rule("One", { isPause: true }))],
    ["an interval that is none of the scheduler's", { ...group(rule("One")), interval: 61 }],
    ["a duration of days", group(rule("One", { for: "1d" }))],
    ["no query", group(rule("One", { data: [] }))],
  ])("are not taken with %s", async (_what, body) => {
    expect(await call("PUT", groupPath, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^bad request data/) },
    });
  });

  it("are for an Admin to provision in 9.4, in 12.3 for an Editor of a folder that there is", async () => {
    const admin = basic("admin", "canary-password");
    const { id } = (await call("POST", "/api/serviceaccounts", { name: "editor", role: "Editor" }, admin)).body;
    const { key } = await done("POST", `/api/serviceaccounts/${id}/tokens`, { name: "editor" }, admin);
    const editor = { authorization: `Bearer ${key}` };
    const status = release === "9.4" ? 403 : 200;
    expect(await call("PUT", groupPath, group(rule("One")), editor)).toMatchObject({ status });
    expect(await call("GET", rulePath, undefined, editor)).toMatchObject({ status });
    const elsewhere = "/api/v1/provisioning/folder/nope/rule-groups/g";
    expect(await call("PUT", elsewhere, group(rule("One")), editor)).toMatchObject({ status: 403 });
    await addFolder("viewed", "Viewed");
    await done("POST", "/api/access-control/folders/viewed", { permissions: [{ builtInRole: "Editor", permission: "View" }] });
    expect(await call("PUT", "/api/v1/provisioning/folder/viewed/rule-groups/g", group(rule("One")), editor)).toMatchObject({
      status: 403,
    });
  });

  it("tell of a rule that is not there when it is asked for, not when it is deleted", async () => {
    expect(await call("GET", `${rulePath}/nope`)).toMatchObject({ status: 404 });
    expect(await call("PUT", `${rulePath}/nope`, rule("One"))).toMatchObject({ status: 404 });
    expect(await call("DELETE", `${rulePath}/nope`)).toMatchObject({ status: 204 });
  });
});
