/** The stand-in for the Grafana plugin beyond the recordings: error messages, state after a failure, detailed diffs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { stillClock } from "./clock";
import { Plugin, urnOf } from "./plugin";
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

  it("comes after two minutes, if the parent folder does not exist", async () => {
    const { plugin, server } = await against({});
    const missing = '[GET /folders/{folder_uid}][404] getFolderByUidNotFound {"message":"nothing here"}';
    await expect(plugin.create(types.folder, "f", { ...inputs, parentFolderUid: "p" })).rejects.toThrow(
      occurred(`failed to find parent folder 'p': ${missing}`),
    );
    expect(server.requests).toHaveLength(16);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(120);
  });

  it("of a delete of permissions comes after their folder was deleted", async () => {
    const { plugin } = await against({});
    const missing = '[GET /access-control/{resource}/{resourceID}][404] getResourcePermissionsNotFound {"message":"nothing here"}';
    await expect(plugin.delete(types.permission, "0:f", { id: "0:f" })).rejects.toThrow(`Failed to update permissions: ${missing}`);
  });
});

describe("an error", () => {
  it("is logged, too", async () => {
    const { plugin } = await against({});
    await plugin.create(types.dashboard, "d", { configJson: "{}" }).catch(() => undefined);
    await plugin.create(types.permission, "p", { folderUid: "f" }).catch(() => undefined);
    const [posted, got] = ['[POST /dashboards/db][404] postDashboardNotFound {"message":"nothing here"}', "Uid"];
    expect(plugin.lines.slice(1)).toEqual([
      `d:   sdk-v2/provider2.go:572: sdk.helper_schema: ${posted}: provider=grafana@${grafana.version}`,
      `p: [ERROR] [GET /folders/{folder_uid}][404] getFolderBy${got}NotFound {"message":"nothing here"}: Failed to get folder`,
    ]);
  });

  const text = "is not supported by the TextConsumer, can be resolved by supporting TextUnmarshaler interface";
  it.each<[string, number, string, string, string]>([
    [
      "with all that is described",
      500,
      '{"message":"<a>","status":"s","error":"e","x":1}',
      "application/json",
      ' {"error":"e","message":"\\u003ca\\u003e","status":"s"}',
    ],
    ["without a message", 500, "{}", "application/json", ' {"message":null}'],
    ["without a body", 403, "", "application/json", ' {"message":null}'],
  ])("%s", async (_name, status, body, type, payload) => {
    const { plugin } = await against({ "POST /api/datasources": [[status, body, type]] });
    const reason = status === 500 ? "InternalServerError" : "Forbidden";
    await expect(plugin.create(types.dataSource, "d", { name: "d", type: "t" })).rejects.toThrow(
      occurred(`[POST /datasources][${status}] addDataSource${reason}${payload}`),
    );
  });

  it.each<[string, number, string, string, string]>([
    ["of a status that is not described", 502, "<html>", "text/html", "[POST /datasources] addDataSource (status 502): {}"],
    ["of a gateway", 500, "<html>", "text/html", `&{ <nil> } (*models.ErrorResponseBody) ${text}`],
    ["that is no JSON", 500, "<html>", "application/json", "invalid character '<' looking for beginning of value"],
  ])("%s", async (_name, status, body, type, message) => {
    const { plugin } = await against({ "POST /api/datasources": [[status, body, type]] });
    await expect(plugin.create(types.dataSource, "d", { name: "d", type: "t" })).rejects.toThrow(occurred(message));
  });

  it("of a look-up names the function", async () => {
    const { plugin } = await against({});
    const token = "grafana:oss/getDataSource:getDataSource";
    await expect(plugin.invoke(token, { name: "n" })).rejects.toThrow(
      `invoking ${token}: ${occurred("[GET /datasources/name/{name}] getDataSourceByName (status 404): {}")}`,
    );
  });

  it("of a read-only datasource in an import counts as missing", async () => {
    const { plugin } = await against({ "GET /api/datasources/uid/d": [[200, '{"orgId":1,"uid":"d","readOnly":true,"jsonData":{}}']] });
    expect(await plugin.read(types.dataSource, "d")).toBeUndefined();
    expect(plugin.lines.at(-1)).toContain("this Grafana data source is read-only. It cannot be imported as a resource.");
  });
});

describe("a detailed diff", () => {
  let plugin: Plugin;
  beforeAll(async () => {
    plugin = await Plugin.start(grafana, { url: "http://127.0.0.1:1", auth: "token" });
  });
  afterAll(() => plugin.stop());

  it("has a path for each HTTP header", async () => {
    const [olds, news] = [
      { "X-A": "1", B: "1", C: "1" },
      { "X-A": "2", C: "1", D: "1" },
    ];
    const { details } = await plugin.diff(types.dataSource, { httpHeaders: olds }, { httpHeaders: news });
    const kinds = Object.fromEntries(Object.entries(details ?? {}).map(([path, { kind }]) => [path, kind]));
    expect(kinds).toEqual({ 'httpHeaders["X-A"]': "update", "httpHeaders.B": "delete", "httpHeaders.D": "add" });
  });

  it("has the path `__meta` where the uid in a dashboard's model changes", async () => {
    const of = (uid: string) => ({ configJson: JSON.stringify({ uid, title: "T" }) });
    expect(await plugin.diff(types.dashboard, of("a"), of("b"))).toEqual({
      op: "replace",
      changed: ["__meta", "configJson"],
      replaces: ["__meta"],
      details: { configJson: { kind: "update", inputDiff: false }, __meta: { kind: "update-replace", inputDiff: false } },
    });
  });
});
