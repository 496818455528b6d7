/** The stand-in for Grafana and the one for what is behind it, beyond what the recordings show: what they refuse, and what they ask. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BackendsOptions, createBackends } from "../../sandbox/backends";
import { scopesOfToken } from "../../sandbox/grafana/cloud";
import { createGrafana, type GrafanaOptions } from "../../sandbox/grafana/server";
import { type LoggedRequest, readGrafanaState } from "../../sandbox/grafana/state";
import { answer, closedPort, startRawServer } from "../raw-server";

// biome-ignore lint/suspicious/noExplicitAny: answers are read by tests alone, field by field.
type Json = any;

let folder: string;
let stateFile: string;
let url: string;
let servers: Server[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
  stateFile = join(folder, "grafana.json");
  servers = [];
  url = await start();
});

afterEach(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const basicOption = { user: "admin", password: "canary-password" };
const start = (options: Partial<GrafanaOptions> = {}) =>
  listen(createGrafana({ token: "canary-token", basic: basicOption, cloudToken: "canary-cloud", stateFile, ...options }));

const bearer = { authorization: "Bearer canary-token" };
const basic = (user: string, password: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` });

async function raw(
  address: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Uint8Array<ArrayBuffer>,
) {
  const response = await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, text, body: (/^[[{"n]/.test(text) ? JSON.parse(text) : undefined) as Json };
}

function call(method: string, path: string, body?: unknown, headers: Record<string, string> = bearer, address = url) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return raw(address, method, path, { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers }, json);
}

async function done(method: string, path: string, body?: unknown, headers: Record<string, string> = bearer, address = url): Promise<Json> {
  const result = await call(method, path, body, headers, address);
  expect(result).toMatchObject({ status: 200 });
  return result.body;
}

const datasource = { name: "metrics", type: "prometheus", access: "proxy", uid: "own-metrics", url: "http://127.0.0.1:9090" };
const board = (uid: string, title: string, more = {}) => ({ dashboard: { uid, title, panels: [], ...more }, folderUid: "a" });
const addFolder = (uid: string, title: string, more = {}) => done("POST", "/api/folders", { uid, title, ...more });

describe("credentials", () => {
  it.each<[string, Record<string, string>, number, unknown]>([
    ["a service account's token", bearer, 200, { id: 1, name: "Main Org." }],
    ["a user and a password", basic("admin", "canary-password"), 200, { id: 1 }],
    ["a token as the password of api_key", basic("api_key", "canary-token"), 200, { id: 1 }],
    ["the organisation that there is", { ...bearer, "x-grafana-org-id": "1" }, 200, { id: 1 }],
    ["another token", { authorization: "Bearer nope" }, 401, { message: "invalid API key" }],
    ["another token as the password of api_key", basic("api_key", "nope"), 401, { message: "invalid API key" }],
    ["a token without its scheme", { authorization: "canary-token" }, 401, { message: "Unauthorized" }],
    ["none at all", {}, 401, { message: "Unauthorized" }],
    ["a wrong password", basic("admin", "nope"), 401, { message: "Invalid username or password" }],
    ["a wrong user", basic("root", "canary-password"), 401, { message: "Invalid username or password" }],
    ["the cloud's token", { authorization: "Bearer canary-cloud" }, 401, { message: "invalid API key" }],
    ["another organisation", { ...bearer, "x-grafana-org-id": "2" }, 401, { message: expect.stringContaining("organization") }],
  ])("%s", async (_what, headers, status, body) => {
    expect(await call("GET", "/api/org", undefined, headers)).toMatchObject({ status, body });
  });

  it("are needed wherever there is something to see, except for Grafana's own health", async () => {
    expect(await call("GET", "/api/health", undefined, {})).toMatchObject({ status: 200, body: { database: "ok" } });
    expect(await call("GET", "/api/folders/x", undefined, {})).toMatchObject({ status: 401, body: { message: "Unauthorized" } });
    expect(await call("GET", "/api/nope", undefined, {})).toMatchObject({ status: 404, body: { message: "Not found" } });
    expect(await call("GET", "/api/nope", undefined, { authorization: "Bearer nope" })).toMatchObject({ status: 401 });
  });

  it("without basic ones set, no password is right", async () => {
    const address = await listen(createGrafana({ token: "t", stateFile: join(folder, "other.json") }));
    expect(await call("GET", "/api/org", undefined, basic("undefined", "undefined"), address)).toMatchObject({ status: 401 });
  });

  it("say who changed something", async () => {
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("b", "B"));
    await done("POST", "/api/dashboards/db", { ...board("b", "B", { version: 1 }), message: "by hand" }, basic("admin", "canary-password"));
    expect((await done("GET", "/api/dashboards/uid/b")).meta).toMatchObject({ createdBy: "Anonymous", updatedBy: "admin", version: 2 });
    const versions = [
      { version: 2, parentVersion: 1, message: "by hand", createdBy: "admin" },
      { version: 1, parentVersion: 0, message: "", createdBy: "Anonymous" },
    ];
    expect(await done("GET", "/api/dashboards/uid/b/versions")).toMatchObject({ versions });
  });
});

describe("strictness", () => {
  it.each<[string, string, unknown]>([
    ["POST", "/api/folders", { title: "A", parentUID: "x" }],
    ["PUT", "/api/folders/a", { title: "A", overwrite: true, uid: "x" }],
    ["POST", "/api/access-control/folders/a", { permissions: [{ builtinRole: "Editor" }] }],
    ["POST", "/api/dashboards/db", { ...board("b", "B"), folderUID: "a" }],
    ["POST", "/api/datasources", { ...datasource, secureJsondata: {} }],
    ["PUT", "/api/datasources/uid/own-metrics", { ...datasource, basicAuthPassword: "x" }],
    ["POST", "/api/ds/query", { queries: [], until: "now" }],
  ])("%s %s refuses a field that it does not know, and changes nothing", async (method, path, body) => {
    await addFolder("a", "A");
    await done("POST", "/api/datasources", datasource);
    const before = readGrafanaState(stateFile);
    const { status, body: answered } = await call(method, path, body);
    const after = readGrafanaState(stateFile);
    expect({ status, answered }).toMatchObject({
      status: 400,
      answered: { message: expect.stringMatching(/^bad request data: .*nrecognized/) },
    });
    expect(after).toEqual(before);
  });

  it.each([
    ["PATCH", "/api/folders"],
    ["DELETE", "/api/datasources"],
    ["PUT", "/api/dashboards/db"],
    ["POST", "/api/search"],
    ["GET", "/api/ds/query"],
    ["GET", "/api/frontend/settings"],
    ["GET", "/"],
    ["POST", "/api/health"],
  ])("%s %s is not found", async (method, path) => {
    expect(await call(method, path)).toMatchObject({ status: 404, body: { message: "Not found" } });
  });

  it("wants JSON that says that it is some", async () => {
    expect(await raw(url, "POST", "/api/folders", bearer, "{}")).toMatchObject({ status: 400 });
    expect(await raw(url, "POST", "/api/folders", { ...bearer, "content-type": "application/json" }, "{")).toMatchObject({ status: 400 });
    expect(await raw(url, "POST", "/api/folders", { ...bearer, "content-type": "application/json-patch" }, "{}")).toMatchObject({
      status: 400,
    });
  });

  it("refuses filters that it would not apply", async () => {
    for (const path of ["/api/search?folderIds=1", "/api/folders?parent=a", "/api/v1/tokens?region=eu&expiresAfter=x"]) {
      const headers = path.includes("v1") ? { authorization: "Bearer canary-cloud" } : bearer;
      expect(await call("GET", path, undefined, headers)).toMatchObject({ status: 400 });
    }
  });
});

describe("folders", () => {
  it.each<[string, unknown, number, unknown]>([
    ["a taken title", { uid: "other", title: "a" }, 409, { message: expect.stringContaining("same name already exists") }],
    ["a taken uid", { uid: "a", title: "Other" }, 412, { status: "version-mismatch" }],
    ["a dashboard's uid", { uid: "b", title: "Other" }, 400, { message: "Dashboard cannot be changed to a folder" }],
    ["a uid of 41 characters", { uid: "x".repeat(41), title: "Other" }, 400, { message: "uid too long, max 40 characters" }],
    ["a uid with a space", { uid: "x y", title: "Other" }, 400, { message: "uid contains illegal characters" }],
    ["an empty title", { uid: "other", title: " " }, 400, { message: "folder title cannot be empty" }],
    ["an unknown parent", { uid: "other", title: "Other", parentUid: "nope" }, 404, { message: "folder not found" }],
  ])("cannot be made with %s", async (_what, body, status, answered) => {
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("b", "B"));
    expect(await call("POST", "/api/folders", body)).toMatchObject({ status, body: answered });
    expect(readGrafanaState(stateFile).folders).toHaveLength(1);
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

  it("are updated at their version, or with overwrite, to a title that is free", async () => {
    await addFolder("a", "A");
    await addFolder("z", "Z");
    expect(await call("PUT", "/api/folders/a", { title: "B" })).toMatchObject({ status: 412, body: { status: "version-mismatch" } });
    expect(await done("PUT", "/api/folders/a", { title: "B", version: 1 })).toMatchObject({ title: "B", version: 2 });
    expect(await call("PUT", "/api/folders/a", { title: "Z", overwrite: true })).toMatchObject({ status: 409 });
    expect(await call("PUT", "/api/folders/a", { overwrite: true })).toMatchObject({ status: 400 });
    expect(await call("PUT", "/api/folders/nope", { title: "X", overwrite: true })).toMatchObject({ status: 404 });
  });

  it("let roles in: at the root editors and viewers at first, below it whom their parents let in", async () => {
    const permissions = async (uid: string) =>
      (await done("GET", `/api/access-control/folders/${uid}`)).map((entry: Json) => [
        entry.builtInRole,
        entry.permission,
        entry.isInherited,
      ]);
    const set = (...entries: unknown[]) => call("POST", "/api/access-control/folders/a", { permissions: entries });
    const admin = ["Admin", "Admin", false];
    await addFolder("a", "A");
    await addFolder("inner", "Inner", { parentUid: "a" });
    expect(await permissions("a")).toEqual([["Editor", "Edit", false], ["Viewer", "View", false], admin]);
    expect(await permissions("inner")).toEqual([["Editor", "Edit", true], ["Viewer", "View", true], admin]);
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

describe("dashboards", () => {
  beforeEach(async () => {
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("one", "One"));
    await done("POST", "/api/dashboards/db", board("two", "Two"));
  });

  it.each<[string, unknown, number, unknown]>([
    ["a taken uid, version 0", board("one", "Other", { version: 0 }), 412, { status: "version-mismatch" }],
    ["a taken uid, a later version", board("one", "Other", { version: 2 }), 412, { status: "version-mismatch" }],
    ["a taken title", board("other", "two"), 412, { status: "name-exists" }],
    ["a uid of 41 characters", board("x".repeat(41), "Other"), 400, { message: "uid too long, max 40 characters" }],
    ["an empty title", board("other", ""), 400, { status: "empty-name" }],
    ["an unknown folder", { ...board("other", "Other"), folderUid: "nope" }, 400, { message: "Folder not found" }],
    ["a folder's title", board("other", "A"), 400, { status: "name-match" }],
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
    const { dashboards } = readGrafanaState(stateFile);
    expect(await call("POST", "/api/dashboards/db", body)).toMatchObject({ status, body: answered });
    expect(readGrafanaState(stateFile).dashboards).toEqual(dashboards);
  });

  it("are overwritten without a word by a create that happens to know their version", async () => {
    expect(await done("POST", "/api/dashboards/db", board("one", "Mine", { version: 1 }))).toMatchObject({
      uid: "one",
      version: 2,
      slug: "mine",
    });
  });

  it("are overwritten by an update of another one to their title, which stays as it was", async () => {
    const saved = await done("POST", "/api/dashboards/db", { ...board("one", "Two", { id: 2, mine: true }), overwrite: true });
    expect(saved).toMatchObject({ id: 3, uid: "two", version: 2 });
    expect((await done("GET", "/api/dashboards/uid/two")).dashboard).toMatchObject({ id: 3, title: "Two", mine: true, version: 2 });
    expect((await done("GET", "/api/dashboards/uid/one")).dashboard).toMatchObject({ id: 2, title: "One", version: 1 });
  });

  it("may have the title of one in another folder, and move there", async () => {
    await addFolder("z", "Z");
    await done("POST", "/api/dashboards/db", { ...board("other", "One"), folderUid: "z" });
    expect(await call("POST", "/api/dashboards/db", { ...board("one", "One", { version: 1 }), folderUid: "z" })).toMatchObject({
      status: 412,
    });
    await done("POST", "/api/dashboards/db", { ...board("two", "Two", { version: 1 }), folderUid: "" });
    expect((await done("GET", "/api/dashboards/uid/two")).meta).toMatchObject({
      folderId: 0,
      folderUid: "",
      folderTitle: "General",
      folderUrl: "",
    });
    expect(await call("POST", "/api/folders", { title: "Two" })).toMatchObject({ status: 409 });
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

describe("datasources", () => {
  beforeEach(() => done("POST", "/api/datasources", datasource));

  it.each<[string, unknown, number, unknown]>([
    ["a taken name", { ...datasource, uid: "other" }, 409, { message: "data source with the same name already exists" }],
    ["a taken uid", { ...datasource, name: "other" }, 409, { message: "data source with the same uid already exists" }],
    ["no type", { ...datasource, name: "other", type: undefined }, 400, { message: expect.stringContaining("type") }],
    [
      "no http address",
      { ...datasource, name: "other", uid: "other", url: "localhost" },
      400,
      { message: "Validation error, invalid URL" },
    ],
    ["a uid of 41 characters", { ...datasource, name: "other", uid: "x".repeat(41) }, 400, { messageId: "datasource.uidInvalid" }],
  ])("are not made with %s", async (_what, body, status, answered) => {
    expect(await call("POST", "/api/datasources", body)).toMatchObject({ status, body: answered });
    expect(readGrafanaState(stateFile).datasources).toHaveLength(1);
  });

  it("are found by uid and by name, listed by name, and deleted", async () => {
    await done("POST", "/api/datasources", { name: "Logs", type: "loki", access: "proxy", isDefault: true });
    const { uid } = await done("GET", "/api/datasources/name/Logs");
    expect(await done("GET", `/api/datasources/uid/${uid}`)).toMatchObject({
      name: "Logs",
      jsonData: {},
      secureJsonFields: {},
      isDefault: true,
    });
    const list = await done("GET", "/api/datasources");
    expect(list).toMatchObject([
      { name: "Logs", typeName: "loki" },
      { name: "metrics", isDefault: false },
    ]);
    expect(list[0]).not.toHaveProperty("secureJsonFields");
    await done("PUT", "/api/datasources/uid/own-metrics", { ...datasource, isDefault: true });
    expect(await done("GET", `/api/datasources/uid/${uid}`)).toMatchObject({ isDefault: false });
    expect(await done("DELETE", `/api/datasources/uid/${uid}`)).toEqual({ id: 2, message: "Data source deleted" });
    expect(await call("GET", "/api/datasources/name/Logs")).toMatchObject({ status: 404, body: { message: "Data source not found" } });
  });

  it("are replaced by an update, except for secrets that it does not name", async () => {
    const path = "/api/datasources/uid/own-metrics";
    await done("PUT", path, {
      ...datasource,
      basicAuth: true,
      basicAuthUser: "u",
      secureJsonData: { basicAuthPassword: "p", tlsCACert: "c" },
    });
    await done("PUT", path, { ...datasource, uid: "renamed", secureJsonData: { tlsCACert: "" } });
    expect(await call("GET", path)).toMatchObject({ status: 404 });
    const shown = await done("GET", "/api/datasources/uid/renamed");
    expect(shown).toMatchObject({ basicAuth: false, basicAuthUser: "", secureJsonFields: { basicAuthPassword: true } });
    expect(shown.secureJsonFields).not.toHaveProperty("tlsCACert");
    expect(JSON.stringify(shown)).not.toContain('"p"');
  });

  it("are updated at their version, to a name that is free", async () => {
    const path = "/api/datasources/uid/own-metrics";
    await done("POST", "/api/datasources", { ...datasource, name: "other", uid: "other" });
    expect(await call("PUT", path, { ...datasource, name: "other" })).toMatchObject({ status: 409 });
    expect((await done("PUT", path, { ...datasource, version: 1 })).datasource.version).toBe(2);
    expect(await call("PUT", path, { ...datasource, version: 1 })).toMatchObject({ status: 409 });
    expect((await done("PUT", path, { ...datasource, version: 2 })).datasource.version).toBe(3);
    expect(await call("PUT", "/api/datasources/uid/nope", datasource)).toMatchObject({ status: 404 });
  });
});

describe("what is behind a datasource", () => {
  const metrics = ["gen_ai_requests_total", "gen_ai_requests_total", "db_requests_total", "up"];
  const otlp: BackendsOptions["otlp"] = { user: "1", accepts: (password) => password === "canary-push" };
  const count = (regex: string, window = "[24h]") => `count by (__name__) (last_over_time({__name__=~"${regex}"}${window}))`;

  const add = async (more: object, address = url) => done("POST", "/api/datasources", { ...datasource, ...more }, bearer, address);
  const ask = (expr: string, more = {}, address = url) => {
    const query = { refId: "A", datasource: { type: "prometheus", uid: "own-metrics" }, expr, instant: true, range: false, ...more };
    return call("POST", "/api/ds/query", { queries: [query], from: "now-5m", to: "now" }, bearer, address);
  };
  const health = (uid: string, address = url) => call("GET", `/api/datasources/uid/${uid}/health`, undefined, bearer, address);

  it("answers a query as data frames, one for each series", async () => {
    const backends = await listen(createBackends({ metrics, otlp }));
    await add({ url: `${backends}/prometheus/` });
    const { status, body } = await ask(count("gen_ai_.*|db_.*"));
    const frame = (name: string, value: number) => ({
      schema: {
        refId: "A",
        meta: expect.objectContaining({ type: "numeric-multi", typeVersion: [0, 1], custom: { resultType: "vector" } }),
        fields: [
          { name: "Time", type: "time", typeInfo: { frame: "time.Time" }, config: { interval: 15_000 } },
          { name, type: "number", typeInfo: { frame: "float64" }, labels: { __name__: name }, config: { displayNameFromDS: name } },
        ],
      },
      data: { values: [[expect.any(Number)], [value]] },
    });
    const frames = [frame("gen_ai_requests_total", 2), frame("db_requests_total", 1)];
    expect({ status, body }).toEqual({ status: 200, body: { results: { A: { status: 200, frames } } } });
    expect(body.results.A.frames[0].schema.meta.executedQueryString).toBe(`Expr: ${count("gen_ai_.*|db_.*")}\nStep: 15s`);
    expect(Math.abs(Date.now() - body.results.A.frames[0].data.values[0][0])).toBeLessThan(5_000);
  });

  it("is named differently by 9.4, and has a frame without fields where there is no series", async () => {
    const backends = await listen(createBackends({ metrics, otlp }));
    const older = await start({ version: "9.4", stateFile: join(folder, "older.json") });
    await add({ url: `${backends}/prometheus` }, older);
    const { body } = await ask("vector(1)", { legendFormat: "the {{job}}" }, older);
    const fields = [{ name: "Time" }, { name: "Value", labels: {}, config: { displayNameFromDS: "the " } }];
    expect(body.results.A.frames).toMatchObject([{ schema: { name: "the ", fields }, data: { values: [[expect.any(Number)], [1]] } }]);
    const empty = (await ask(count("nope"), {}, older)).body.results.A;
    expect(empty).toMatchObject({ status: 200, frames: [{ schema: { refId: "A", fields: [] }, data: { values: [] } }] });
    expect((await ask("1+1", { refId: "B" }, older)).body.results.B.frames).toMatchObject([
      { data: { values: [[expect.any(Number)], [2]] } },
    ]);
  });

  it("is asked with the datasource's credentials and headers, by its method, at the asked time", async () => {
    const reply = (value: string) =>
      answer(
        200,
        JSON.stringify({ status: "success", data: { resultType: "vector", result: [{ metric: { job: "j" }, value: [1, value] }] } }),
      );
    const server = await startRawServer([reply("NaN"), reply("+Inf"), reply("1.5")]);
    const jsonData = { httpHeaderName1: "X-Scope-OrgID", httpHeaderName2: "X-Other" };
    const secrets = { basicAuthPassword: "canary-secret", httpHeaderValue1: "tenant", httpHeaderValue2: "two" };
    await add({ url: `${server.url}/sub`, basicAuth: true, basicAuthUser: "u", jsonData, secureJsonData: secrets });
    const query = { refId: "A", datasource: { uid: "own-metrics" }, expr: "a + b", instant: true };
    const { results } = await done("POST", "/api/ds/query", { queries: [query, { ...query, refId: "B" }], to: "1700000000000" });
    expect(results.A.frames[0].data).toEqual({ values: [[1000], [null]], entities: [null, { NaN: [0] }] });
    expect(results.B.frames[0].data).toEqual({ values: [[1000], [null]], entities: [null, { Inf: [0] }] });
    expect(results.A.frames[0].schema.fields[1].config.displayNameFromDS).toBe('{job="j"}');

    await done("PUT", "/api/datasources/uid/own-metrics", { ...datasource, url: server.url, jsonData: { httpMethod: "GET" } });
    expect((await done("POST", "/api/ds/query", { queries: [query], to: "1700000000000" })).results.A.frames[0].data.values[1]).toEqual([
      1.5,
    ]);
    const [post, , get] = server.requests;
    expect(post).toMatchObject({ method: "POST", path: "/sub/api/v1/query", body: "query=a+%2B+b&time=1700000000" });
    const headers = { Authorization: basic("u", "canary-secret").authorization, "X-Scope-OrgID": "tenant", "X-Other": "two" };
    expect(Object.fromEntries(post?.headers ?? [])).toMatchObject(headers);
    expect(get).toMatchObject({ method: "GET", path: "/api/v1/query?query=a+%2B+b&time=1700000000", body: "" });
    expect(Object.fromEntries(get?.headers ?? [])).not.toHaveProperty("Authorization");
    await server.close();
  });

  it("cannot be asked everything", async () => {
    const backends = await listen(createBackends({ metrics, otlp }));
    await add({ url: `${backends}/prometheus` });
    await add({ name: "logs", uid: "logs", type: "loki" });
    expect(await call("POST", "/api/ds/query", { queries: [] })).toMatchObject({ status: 400, body: { message: "No queries found" } });
    expect(await ask("up", { datasource: { uid: "nope" } })).toMatchObject({ status: 404, body: { message: "Data source not found" } });
    expect(await ask("up", { datasource: { uid: "logs" } })).toMatchObject({ status: 400, body: { results: { A: { status: 400 } } } });
    expect(await ask("up", { instant: false, range: true })).toMatchObject({ status: 400 });
    const error = expect.stringContaining("bad_data: invalid parameter");
    expect(await ask("up")).toMatchObject({ status: 400, body: { results: { A: { status: 400, error, errorSource: "downstream" } } } });
    const times = { queries: [{ datasource: { uid: "own-metrics" }, expr: "1+1", instant: true }], to: "later" };
    expect(await call("POST", "/api/ds/query", times)).toMatchObject({ status: 400, body: { message: "bad time range" } });
  });

  it("may be down, and the two versions of Grafana say so differently", async () => {
    const port = await closedPort();
    const older = await start({ version: "9.4", stateFile: join(folder, "older.json") });
    for (const address of [url, older]) await add({ url: `http://127.0.0.1:${port}` }, address);
    const error = `Post "http://127.0.0.1:${port}/api/v1/query": dial tcp 127.0.0.1:${port}: connect: connection refused`;
    expect(await ask("1+1")).toMatchObject({ status: 400, body: { results: { A: { status: 502, error, frames: [] } } } });
    const message = "An error occurred within the plugin";
    expect(await ask("1+1", {}, older)).toMatchObject({ status: 500, body: { message, messageId: "plugin.downstreamError" } });
    expect((await call("GET", "/api/datasources/proxy/uid/own-metrics/api/v1/query")).status).toBe(502);
  });

  it.each([
    [
      "prometheus",
      "Successfully queried the Prometheus API.",
      /^404 Not Found - There was/,
      /^Post ".*connection refused - There was an error/,
    ],
    ["loki", "Data source successfully connected.", /^Unable to connect with Loki/, /^Unable to connect with Loki/],
    ["tempo", "Data source is working", /^Tempo echo endpoint returned status 404$/, /^Get ".*api\/echo": dial tcp .* connection refused$/],
  ])("tells a newer Grafana the health of its %s", async (type, good, bad, down) => {
    const backends = await listen(createBackends({ metrics, otlp }));
    await add({ name: "good", uid: "good", type, url: `${backends}/${type}` });
    await add({ name: "bad", uid: "bad", type, url: `${backends}/nope` });
    await add({ name: "down", uid: "down", type, url: `http://127.0.0.1:${await closedPort()}` });
    expect(await health("good")).toMatchObject({ status: 200, body: { status: "OK", message: good } });
    expect(await health("bad")).toMatchObject({ status: 400, body: { status: "ERROR", message: expect.stringMatching(bad) } });
    expect(await health("down")).toMatchObject({ status: 400, body: { status: "ERROR", message: expect.stringMatching(down) } });
  });

  it("has no health for an older Grafana, nor for a kind that it does not know; without the datasource it is an error", async () => {
    const older = await start({ version: "9.4", stateFile: join(folder, "older.json") });
    const backends = await listen(createBackends({ metrics, otlp }));
    await add({ url: `${backends}/prometheus` }, older);
    await add({ type: "influxdb" });
    expect(await health("own-metrics", older)).toMatchObject({ status: 404, body: { message: "Not found" } });
    expect(await health("own-metrics")).toMatchObject({ status: 404, body: { message: "Not found" } });
    for (const address of [url, older]) {
      expect(await health("nope", address)).toMatchObject({ status: 500, body: { message: "Unable to load datasource metadata" } });
    }
  });

  it("is reached through the proxy, with the datasource's credentials in the place of Grafana's", async () => {
    const backends = await listen(createBackends({ metrics, otlp, query: { user: "u", password: "canary-secret" } }));
    const withAuth = { basicAuth: true, basicAuthUser: "u", secureJsonData: { basicAuthPassword: "canary-secret" } };
    await add({ url: `${backends}/prometheus`, ...withAuth });
    const path = "/api/datasources/proxy/uid/own-metrics/api/v1/query";
    const good = { status: "success", data: { resultType: "scalar", result: [5, "2"] } };
    expect(await done("GET", `${path}?query=1%2B1&time=5`)).toEqual(good);
    const form = { ...bearer, "content-type": "application/x-www-form-urlencoded" };
    expect(await raw(url, "POST", path, form, "query=1%2B1&time=5")).toMatchObject({ status: 200, body: good });
    expect(await call("DELETE", path)).toMatchObject({ status: 403 });
    expect(await call("GET", path.replace("own-", ""))).toMatchObject({ status: 404, body: { message: "Unable to find datasource" } });
    await done("PUT", "/api/datasources/uid/own-metrics", { ...datasource, url: `${backends}/prometheus` });
    expect(await raw(url, "GET", path, bearer)).toMatchObject({ status: 401, text: "Unauthorized\n" });
    expect(await health("own-metrics")).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^401 Unauthorized - /) } });
    expect(await ask("1+1")).toMatchObject({
      status: 400,
      body: { results: { A: { status: 401, error: expect.stringContaining("ReadObject") } } },
    });
  });

  it("is not found through the proxy of 9.4 if its uid has a dash", async () => {
    const older = await start({ version: "9.4", stateFile: join(folder, "older.json") });
    const server = await startRawServer([answer(200, "{}")]);
    await add({ url: server.url }, older);
    await add({ url: server.url, name: "plain", uid: "plain" }, older);
    for (const uid of ["own-metrics", "plain"])
      await done("GET", `/api/datasources/proxy/uid/${uid}/api/v1/labels?a=1`, undefined, bearer, older);
    expect(server.requests.map(({ path }) => path)).toEqual(["/-metrics/api/v1/labels?a=1", "/api/v1/labels?a=1"]);
    await server.close();
  });

  it("may be told by a file, and answers what Prometheus would", async () => {
    const file = join(folder, "metrics.json");
    const backends = await listen(createBackends({ metrics: { file }, otlp }));
    const query = async (text: string) =>
      raw(backends, "GET", `/prometheus/api/v1/query?${new URLSearchParams({ query: text, time: "7" })}`, {});
    const result = (...names: string[]) => names.map((name) => ({ metric: { __name__: name }, value: [7, "1"] }));
    writeFileSync(file, JSON.stringify(["a_b", "a.b"]));
    expect((await query(count("a\\\\.b"))).body.data).toEqual({ resultType: "vector", result: result("a.b") });
    expect((await query(count("a.+"))).body.data.result).toEqual(result("a_b", "a.b"));
    writeFileSync(file, JSON.stringify(["a_b"]));
    expect((await query(count("a.b|c"))).body.data.result).toEqual(result("a_b"));
    expect((await query(count("a"))).body.data.result).toEqual([]);
    expect((await query("vector(1)")).body.data).toEqual({ resultType: "vector", result: [{ metric: {}, value: [7, "1"] }] });
    const windowless = 'count by (__name__) ({__name__=~"a.+"})';
    for (const bad of [
      "",
      "up",
      count(".*"),
      count("(a)?"),
      count("("),
      `${count("a")} or up`,
      count("a", ""),
      count("a", "[1h]"),
      windowless,
    ]) {
      expect(await query(bad)).toMatchObject({ status: 400, body: { status: "error", errorType: "bad_data" } });
    }
    for (const path of ["/prometheus/api/v1/query_range", "/loki/nope", "/tempo", "/"]) {
      expect(await raw(backends, "GET", path, {})).toMatchObject({ status: 404 });
    }
    expect(await raw(backends, "DELETE", "/loki/loki/api/v1/labels", {})).toMatchObject({ status: 404 });
  });

  it("takes pushes in either form from whom it knows", async () => {
    const backends = await listen(
      createBackends({ metrics, otlp: { ...otlp, accepts: (text, signal) => text === "canary-push" && signal === "traces" } }),
    );
    const known = basic("1", "canary-push");
    const push = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>, path = "/otlp/v1/traces", method = "POST") =>
      raw(backends, method, path, headers, body);
    const protobuf = { ...known, "content-type": "application/x-protobuf" };
    const json = { ...known, "content-type": "application/json" };
    const bytes = Uint8Array.of(0x0a, 2, 0x12, 0);
    expect(await push(protobuf, "")).toMatchObject({ status: 200, text: "" });
    expect(await push(protobuf, bytes)).toMatchObject({ status: 200, text: "" });
    expect(await push({ ...protobuf, "content-encoding": "gzip" }, new Uint8Array(gzipSync(bytes)))).toMatchObject({ status: 200 });
    expect(await push(protobuf, bytes.slice(0, 3))).toMatchObject({ status: 400 });
    expect(await push(protobuf, "{}")).toMatchObject({ status: 400 });
    expect(await push(json, '{"resourceSpans":[]}')).toMatchObject({ status: 200, text: "{}" });
    expect(await push(json, '{"resourceMetrics":[]}')).toMatchObject({ status: 400 });
    expect(await push(json, "{")).toMatchObject({ status: 400 });
    expect(await push({ ...known, "content-type": "text/plain" }, "x")).toMatchObject({ status: 415 });
    expect(await push({ "content-type": "application/json" }, "{}")).toMatchObject({ status: 401 });
    expect(await push({ ...json, ...basic("2", "canary-push") }, "{}")).toMatchObject({ status: 401 });
    expect(await push({ ...json, ...basic("1", "nope") }, "{}")).toMatchObject({ status: 401 });
    expect(await push({ ...json, authorization: known.authorization.replace("Basic ", "") }, "{}")).toMatchObject({ status: 401 });
    expect(await push(json, "{}", "/otlp/v1/metrics")).toMatchObject({ status: 401 });
    expect(await push(json, "{}", "/otlp/v1/traces", "PUT")).toMatchObject({ status: 405 });
    expect(await push(json, "{}", "/otlp/v1/logs")).toMatchObject({ status: 404 });
  });
});

describe("the cloud's access policies", () => {
  const cloud = { authorization: "Bearer canary-cloud" };
  const realms = [{ type: "stack", identifier: "12", labelPolicies: [] }];
  const policy = { name: "push", displayName: "Push", scopes: ["metrics:write", "traces:write"], realms, conditions: {} };
  const policies = "/api/v1/accesspolicies";

  it("are made, read, changed and deleted in their region", async () => {
    const made = await done("POST", `${policies}?region=eu`, policy, cloud);
    expect(made).toMatchObject({ ...policy, orgId: "1", status: "active" });
    expect(await done("GET", `${policies}/${made.id}?region=eu`, undefined, cloud)).toEqual(made);
    expect(await call("GET", `${policies}/${made.id}?region=us`, undefined, cloud)).toMatchObject({ status: 404 });
    expect(await call("POST", `${policies}?region=eu`, policy, cloud)).toMatchObject({ status: 409 });
    const { name: _, ...fields } = policy;
    expect(await done("POST", `${policies}/${made.id}?region=eu`, { ...fields, scopes: ["metrics:write"] }, cloud)).toMatchObject({
      name: "push",
      scopes: ["metrics:write"],
    });
    expect((await done("GET", `${policies}?region=eu&name=push`, undefined, cloud)).items).toMatchObject([{ id: made.id }]);
    expect((await done("GET", `${policies}?region=us`, undefined, cloud)).items).toEqual([]);
    expect(await call("DELETE", `${policies}/${made.id}?region=eu`, undefined, cloud)).toEqual({ status: 204, text: "", body: undefined });
    expect(await call("DELETE", `${policies}/${made.id}?region=eu`, undefined, cloud)).toMatchObject({ status: 404 });
  });

  it("give tokens whose secret is told once and that work until they or their policy are gone", async () => {
    const { id: accessPolicyId } = await done("POST", `${policies}?region=eu`, policy, cloud);
    const make = (name: string, more = {}) => done("POST", "/api/v1/tokens?region=eu", { accessPolicyId, name, ...more }, cloud);
    const { token, ...made } = await make("one");
    expect(token).toMatch(/^glc_[\w+/]+=*$/);
    expect(made).toMatchObject({ accessPolicyId, displayName: "one", expiresAt: null });
    expect(await done("GET", `/api/v1/tokens/${made.id}?region=eu`, undefined, cloud)).toEqual(made);
    expect((await done("GET", `/api/v1/tokens?region=eu&accessPolicyId=${accessPolicyId}`, undefined, cloud)).items).toEqual([made]);
    expect(await call("POST", "/api/v1/tokens?region=eu", { accessPolicyId, name: "one" }, cloud)).toMatchObject({ status: 409 });
    expect(scopesOfToken(stateFile, token)).toEqual(["metrics:write", "traces:write"]);
    expect(scopesOfToken(stateFile, "glc_other")).toBeUndefined();
    expect(scopesOfToken(stateFile, (await make("old", { expiresAt: "2020-01-01T00:00:00Z" })).token)).toBeUndefined();
    expect(await call("DELETE", `/api/v1/tokens/${made.id}?region=eu`, undefined, cloud)).toMatchObject({ status: 204 });
    expect(scopesOfToken(stateFile, token)).toBeUndefined();
    const last = await make("last");
    expect(await call("DELETE", `${policies}/${accessPolicyId}?region=eu`, undefined, cloud)).toMatchObject({ status: 204 });
    expect(scopesOfToken(stateFile, last.token)).toBeUndefined();
    expect(await call("GET", `/api/v1/tokens/${last.id}?region=eu`, undefined, cloud)).toMatchObject({ status: 404 });
  });

  it.each<[string, string, unknown]>([
    ["no region", policies, policy],
    ["capitals in its name", `${policies}?region=eu`, { ...policy, name: "Push" }],
    ["no scope", `${policies}?region=eu`, { ...policy, scopes: [] }],
    ["something that is no scope", `${policies}?region=eu`, { ...policy, scopes: ["metrics"] }],
    ["no realm", `${policies}?region=eu`, { ...policy, realms: [] }],
    ["an unknown field", `${policies}?region=eu`, { ...policy, region: "eu" }],
    ["an unknown policy", "/api/v1/tokens?region=eu", { name: "t", accessPolicyId: "nope" }],
    ["an unknown field", "/api/v1/tokens?region=eu", { name: "t", accessPolicyId: "nope", scopes: [] }],
  ])("are refused with %s", async (_what, path, body) => {
    expect(await call("POST", path, body, cloud)).toMatchObject({ status: 400 });
  });

  it("are the cloud's alone", async () => {
    const refused = { status: 401, body: { code: "InvalidCredentials" } };
    for (const headers of [bearer, {}, basic("admin", "canary-password")]) {
      expect(await call("GET", `${policies}?region=eu`, undefined, headers)).toMatchObject(refused);
    }
    const own = await listen(createGrafana({ token: "canary-token", stateFile: join(folder, "own.json") }));
    expect(await call("GET", `${policies}?region=eu`, undefined, bearer, own)).toMatchObject({
      status: 404,
      body: { message: "Not found" },
    });
  });
});

describe("the server", () => {
  it("can be under a sub-path, which is in every address that it gives", async () => {
    url = await start({ basePath: "/grafana" });
    expect(await call("GET", "/api/org")).toMatchObject({ status: 404 });
    expect(await call("GET", "/grafanax/api/org")).toMatchObject({ status: 404 });
    expect(await done("GET", "/grafana/api/health", undefined, {})).toMatchObject({ database: "ok" });
    expect(await done("POST", "/grafana/api/folders", { uid: "a", title: "A" })).toMatchObject({ url: "/grafana/dashboards/f/a/a" });
    expect(await done("POST", "/grafana/api/dashboards/db", board("b", "B"))).toMatchObject({ url: "/grafana/d/b/b" });
    const { meta } = await done("GET", "/grafana/api/dashboards/uid/b");
    expect(meta).toMatchObject({ url: "/grafana/d/b/b", folderUrl: "/grafana/dashboards/f/a/a" });
    expect(await done("GET", "/grafana/api/search?type=dash-db")).toMatchObject([{ url: "/grafana/d/b/b" }]);
  });

  it("builds on earlier runs, and gives no id away twice", async () => {
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("b", "B"));
    await done("DELETE", "/api/dashboards/uid/b");
    url = await start();
    expect(await done("GET", "/api/folders/a")).toMatchObject({ title: "A" });
    expect(await done("POST", "/api/dashboards/db", board("c", "C"))).toMatchObject({ id: 3 });
  });

  it("logs each request, and keeps no secret but those that it asks datasources with", async () => {
    const logged: LoggedRequest[] = [];
    url = await start({ log: (request) => logged.push(request) });
    const secureJsonData = { basicAuthPassword: "canary-datasource" };
    await done("POST", "/api/datasources", { ...datasource, secureJsonData });
    await call("GET", "/api/org", undefined, basic("admin", "canary-password"));
    await call("GET", "/api/org?auth_token=canary-query&x=1", undefined, { authorization: "Bearer canary-wrong" });
    await call("POST", "/api/datasources", { ...datasource, unknown: "canary-unknown" });
    const cloud = { authorization: "Bearer canary-cloud" };
    const policy = { name: "p", scopes: ["metrics:write"], realms: [{ type: "org", identifier: "1" }] };
    const { id: accessPolicyId } = await done("POST", "/api/v1/accesspolicies?region=eu", policy, cloud);
    const { token } = await done("POST", "/api/v1/tokens?region=eu", { accessPolicyId, name: "t" }, cloud);

    expect(readGrafanaState(stateFile).datasources[0]?.secrets).toEqual(secureJsonData);
    expect(logged.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      "POST /api/datasources 200",
      "GET /api/org 200",
      "GET /api/org?auth_token=…&x=1 401",
      "POST /api/datasources 400",
      "POST /api/v1/accesspolicies?region=eu 200",
      "POST /api/v1/tokens?region=eu 200",
    ]);
    const file = readFileSync(stateFile, "utf8");
    expect(file.replace("canary-datasource", "")).not.toContain("canary");
    expect(JSON.stringify(logged)).not.toContain("canary");
    expect(file).not.toContain(token);
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  });
});
