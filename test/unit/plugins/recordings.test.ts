/**
 * The stand-in for the Grafana plugin against what the genuine one said to a genuine Grafana (`test/recorded`): for the recorded program it
 * makes the same requests, in the same order for each object, and has the same state after them. The scenarios follow one another.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock } from "../../sandbox/plugins/grafana/client";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import type { Values } from "../../sandbox/plugins/values";
import { answer, type RawRequest, type RawServer, startRawServer } from "../raw-server";
import { type Declared, Deployment, type Kept } from "./deployment";
import { Plugin } from "./plugin";

/** The seconds that the client would have waited before a request was repeated. */
const waits: number[] = [];
beforeAll(() => void vi.spyOn(clock, "pause").mockImplementation(async (seconds) => void waits.push(seconds)));
afterAll(() => void vi.restoreAllMocks());

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Values | null;
}

interface Exchange {
  request: Request;
  response: { status: number; body: unknown };
}

const recorded = join(__dirname, "../../recorded");
const read = (file: string) => JSON.parse(readFileSync(join(recorded, file), "utf8"));

let server: RawServer;
/** What was recorded, without what was already answered. */
let left: Exchange[] = [];
let sent: Request[] = [];
let deployment: Deployment;
const plugins: Plugin[] = [];

async function pluginWith(auth: string, more: Values = {}): Promise<Plugin> {
  const plugin = await Plugin.start(grafana, { url: server.url, auth, ...more });
  plugins.push(plugin);
  return plugin;
}

/** The object that a request concerns: its path, and the uid of one that is to be written. */
function objectOf({ path, body }: Request): string {
  const uid = body?.uid ?? (body?.dashboard as Values | undefined)?.uid;
  return uid === undefined ? path : `${path} ${uid}`;
}

function toRequest({ method, path, headers, body }: RawRequest): Request {
  const compared = ["authorization", "content-type", "accept", "x-grafana-org-id"];
  const named = headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]).filter(([name]) => compared.includes(name));
  return { method, path, headers: Object.fromEntries(named), body: body === "" ? null : JSON.parse(body) };
}

/** The next recorded answer to such a request. */
function replay(raw: RawRequest): string {
  const request = toRequest(raw);
  sent.push(request);
  const index = left.findIndex((one) => one.request.method === request.method && objectOf(one.request) === objectOf(request));
  const [exchange] = index < 0 ? [] : left.splice(index, 1);
  if (!exchange) return answer(404, `{"message":"not recorded: ${request.method} ${objectOf(request)}"}`);
  const { status, body } = exchange.response;
  return answer(status, body === null ? "" : JSON.stringify(body));
}

/** The requests of each object in their order; which of two objects came first is left to chance. Credentials are cut. */
function byObject(requests: readonly Request[]): Record<string, Request[]> {
  const objects: Record<string, Request[]> = {};
  for (const request of requests) {
    const { authorization = "", ...headers } = request.headers;
    const cut = { ...request, headers: { ...headers, authorization: authorization.replace(/ .*/, " …") } };
    objects[objectOf(request)] = [...(objects[objectOf(request)] ?? []), cut];
  }
  return objects;
}

function play(scenario: string): Request[] {
  left = read(`grafana/${scenario}.json`);
  return left.map(({ request }) => request);
}

function expectSameRequests(requests: Request[]): void {
  expect(byObject(sent)).toEqual(byObject(requests));
}

const folderType = "grafana:oss/folder:Folder";
const permissionType = "grafana:oss/folderPermission:FolderPermission";
const dashboardType = "grafana:oss/dashboard:Dashboard";
const dataSourceType = "grafana:oss/dataSource:DataSource";

/** The model of the recorded program, its keys in that program's order. */
function model(uid: string, title: string, expr: string): string {
  const gridPos = (y: number, w: number, h: number) => ({ x: 0, y, w, h });
  const row = { id: 1, type: "row", title: "Row title", collapsed: false, panels: [], gridPos: gridPos(0, 24, 1) };
  const stat = {
    id: 2,
    type: "stat",
    title: "Total Requests",
    gridPos: gridPos(1, 6, 4),
    datasource: { type: "prometheus", uid: "llm-metrics" },
    targets: [{ refId: "A", expr }],
    fieldConfig: { defaults: { unit: "short" }, overrides: [] },
    options: {},
  };
  const head = { uid, title, schemaVersion: 39, version: 1, editable: true, tags: ["svc"], time: { from: "now-24h", to: "now" } };
  const rest = { refresh: "", timezone: "", links: [], annotations: { list: [] }, templating: { list: [] } };
  return JSON.stringify({ ...head, ...rest, panels: [row, stat] });
}

const base = { folderTitle: "LLM Observability", metricsUrl: "http://127.0.0.1:9090", expr: "sum(up)" };
const changed = { folderTitle: "LLM Observability (renamed)", metricsUrl: "http://127.0.0.1:9091", expr: "sum(x)" };

function program({ folderTitle, metricsUrl, expr }: typeof base): Declared[] {
  const uid = "llm-observability";
  const derivedFields = [{ name: "trace", matcherRegex: "trace_id=(\\w+)", datasourceUid: "llm-traces", url: "${__value.raw}" }];
  const links = { tracesToLogsV2: { datasourceUid: "llm-logs" }, serviceMap: { datasourceUid: "llm-metrics" } };
  const dataSource = (name: string, inputs: Values): Declared => ({
    type: dataSourceType,
    name,
    inputs: { ...inputs, jsonDataEncoded: JSON.stringify(inputs.jsonDataEncoded) },
  });
  const dashboard = (name: string, inputs: Values): Declared => ({
    type: dashboardType,
    name,
    needs: "f",
    inputs: { ...inputs, folder: uid },
  });
  return [
    dataSource("prom", {
      name: "metrics",
      type: "prometheus",
      uid: "llm-metrics",
      url: metricsUrl,
      basicAuthEnabled: true,
      basicAuthUsername: "12345",
      jsonDataEncoded: { httpMethod: "POST", timeInterval: "15s" },
      secureJsonDataEncoded: JSON.stringify({ basicAuthPassword: "PASSWORD" }),
      httpHeaders: { "X-Scope-OrgID": "tenant" },
    }),
    dataSource("loki", { name: "logs", type: "loki", uid: "llm-logs", url: "http://127.0.0.1:3100", jsonDataEncoded: { derivedFields } }),
    dataSource("tempo", { name: "traces", type: "tempo", uid: "llm-traces", url: "http://127.0.0.1:3200", jsonDataEncoded: links }),
    { type: folderType, name: "f", inputs: { title: folderTitle, uid } },
    {
      type: permissionType,
      name: "fp",
      needs: "f",
      inputs: {
        folderUid: uid,
        permissions: [
          { role: "Viewer", permission: "View" },
          { role: "Editor", permission: "Edit" },
        ],
      },
    },
    dashboard("a", { configJson: model("svc-llm-monitoring", "svc - LLM Monitoring", expr), message: "by pulumi" }),
    dashboard("b", { configJson: model("genai-observability", "GenAI Observability", expr) }),
  ];
}

const dashboardAlone = (title: string, uid: string): Declared => ({
  type: dashboardType,
  name: "alone",
  inputs: { configJson: JSON.stringify({ uid, title, schemaVersion: 39, panels: [] }), folder: "llm-observability" },
});

const all = (step: string) => Object.fromEntries(program(base).map(({ name }) => [name, step]));

beforeAll(async () => {
  server = await startRawServer([replay]);
  deployment = new Deployment(await pluginWith("token"));
});

afterAll(async () => {
  for (const plugin of plugins) plugin.stop();
  await server.close();
});

beforeEach(() => {
  sent = [];
  waits.length = 0;
});

describe("one program, step after step", () => {
  it("up", async () => {
    const requests = play("01-up");
    expect(await deployment.up(program(base))).toEqual({ steps: all("create"), errors: {} });
    expectSameRequests(requests);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer token"]));
  });

  it("has the inputs and the state of the genuine plugin", () => {
    const { steps } = read("pulumi/preview-refresh-drift.json") as {
      steps: { op: string; urn: string; oldState: { id: string; inputs: Values; outputs: Values } }[];
    };
    const resources = steps.filter(({ op, urn }) => op === "refresh" && urn.includes("::grafana:"));
    expect(resources).toHaveLength(7);
    for (const { urn, oldState } of resources) {
      const name = urn.split("::").at(-1) ?? "";
      const own = deployment.plain(name);
      // The SDK marks what has no value as a secret, too; the bridge keeps notes of its own; the recording is of a later run.
      const hidden = ["httpHeaders", "secureJsonDataEncoded"];
      const ours = (values: Values) => comparable(values, [...hidden, "dashboardId", "version", "__defaults"]);
      expect(deployment.state.get(name)?.id).toBe(oldState.id);
      expect(ours(own.inputs)).toEqual(ours(oldState.inputs));
      expect(ours(own.outputs)).toEqual(ours(oldState.outputs));
      if (name !== "fp") expect(own.inputs.__defaults).toEqual(oldState.inputs.__defaults);
    }
  });

  it("up --refresh, nothing changed", async () => {
    const requests = play("04-up-refresh-unchanged");
    const before = structuredClone([...deployment.state]);
    expect((await deployment.refresh()).errors).toEqual({});
    expect([...deployment.state]).toEqual(before);
    expect(await deployment.up(program(base))).toEqual({ steps: all("same"), errors: {} });
    expectSameRequests(requests);
  });

  it("up, changed", async () => {
    const requests = play("06-up-changed");
    const updated = { prom: "update", f: "update", a: "update", b: "update" };
    expect(await deployment.up(program(changed))).toEqual({ steps: { ...all("same"), ...updated }, errors: {} });
    expectSameRequests(requests);
    expect(deployment.plain("prom").outputs).toMatchObject({ url: "http://127.0.0.1:9091", orgId: "1" });
    expect(deployment.plain("a").outputs).toMatchObject({ version: 2, dashboardId: 2 });
    expect(deployment.plain("a").outputs).not.toHaveProperty("overwrite");
  });

  it("refresh of a dashboard that was edited by hand", async () => {
    const requests = play("08-refresh-preview-only");
    const before = new Map(deployment.state);
    await deployment.refresh();
    expectSameRequests(requests);
    expect(deployment.plain("a").outputs.configJson).not.toEqual((before.get("a") as Kept).outputs.configJson);
    // It was no more than a look.
    for (const [name, kept] of before) deployment.state.set(name, kept);
  });

  it("up --refresh that restores it", async () => {
    const requests = play("09-up-refresh-restores");
    await deployment.refresh();
    expect(await deployment.up(program(changed))).toEqual({ steps: { ...all("same"), a: "update" }, errors: {} });
    expectSameRequests(requests);
  });

  it("up --refresh after a datasource was deleted by hand", async () => {
    const requests = play("10-refresh-datasource-gone");
    expect((await deployment.refresh()).steps).toEqual({ ...all("read"), loki: "gone" });
    expect(await deployment.up(program(changed))).toEqual({ steps: { ...all("same"), loki: "create" }, errors: {} });
    expectSameRequests(requests);
  });

  it("look-up of a datasource, and of one that is missing", async () => {
    const found = play("11-lookup-found");
    const token = "grafana:oss/getDataSource:getDataSource";
    expect((await deployment.plugin.invoke(token, { uid: "llm-metrics" })).result).toMatchObject({
      id: "1:llm-metrics",
      name: "metrics",
      type: "prometheus",
      jsonDataEncoded: '{"httpMethod":"POST","timeInterval":"15s"}',
    });
    const missing = play("12-lookup-missing");
    await expect(deployment.plugin.invoke(token, { uid: "nope" })).rejects.toThrow(
      '[GET /datasources/uid/{uid}][404] getDataSourceByUidNotFound {"message":"Data source not found"}',
    );
    expectSameRequests([...found, ...missing]);
  });

  it("up with a wrong token: each request four times, then the error", async () => {
    const requests = play("13-wrong-token");
    const right = deployment.plugin;
    deployment.plugin = await pluginWith("wrong");
    const { steps, errors } = await deployment.up(program({ ...base, expr: "sum(x)" }));
    expect(steps).toEqual({ loki: "same", tempo: "same" });
    expect(errors.prom).toMatch(
      /^\[PUT \/datasources\/uid\/\{uid\}\]\[401\] updateDataSourceByUidUnauthorized \{"message":"invalid API key"/,
    );
    expect(errors.f).toContain("failed to get folder llm-observability: [GET /folders/{folder_uid}][401] getFolderByUidUnauthorized");
    expect(waits).toEqual([2, 4, 8, 2, 4, 8]);
    expectSameRequests(requests);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer wrong"]));
    deployment.plugin = right;
  });

  it("refresh with a wrong token", async () => {
    // The recorded engine stopped the others when the first had failed: what they had sent by then is what is compared.
    const requests = byObject(play("13b-refresh-wrong-token"));
    left = left.flatMap((exchange) => [exchange, exchange, exchange, exchange]);
    expect(Object.keys((await deployment.refresh()).errors)).toHaveLength(7);
    const own = byObject(sent);
    expect(Object.keys(own).sort()).toEqual(Object.keys(requests).sort());
    for (const [object, list] of Object.entries(requests)) expect(own[object]?.slice(0, list.length)).toEqual(list);
    expect(sent).toHaveLength(7 * 4);
  });

  it("refresh after the folder was deleted by hand, and its dashboards with it", async () => {
    const requests = play("14-refresh-dashboards-gone");
    // A look, and then the real one.
    const before = new Map(deployment.state);
    const gone = { ...all("read"), f: "gone", fp: "gone", a: "gone", b: "gone" };
    expect((await deployment.refresh()).steps).toEqual(gone);
    for (const [name, kept] of before) deployment.state.set(name, kept);
    expect((await deployment.refresh()).steps).toEqual(gone);
    expectSameRequests(requests);
  });

  it("up --refresh that makes all again", async () => {
    const requests = play("16-folder-deleted-under-us");
    await deployment.refresh();
    expect(await deployment.up(program(base))).toEqual({
      steps: { ...all("create"), prom: "same", loki: "same", tempo: "same" },
      errors: {},
    });
    expectSameRequests(requests);
  });

  it("destroy, with a server error that passes", async () => {
    const requests = play("17-destroy");
    await deployment.destroy();
    expectSameRequests(requests);
    expect(waits).toEqual([2]);
  });
});

describe("programs of their own", () => {
  it("up over what exists", async () => {
    const requests = play("15-create-over-existing");
    const { steps, errors } = await new Deployment(deployment.plugin).up(program(base));
    expect(steps).toEqual({});
    const conflict =
      '[POST /datasources][409] addDataSourceConflict {"message":"data source with the same name already exists","traceID":""}';
    expect(errors).toEqual({
      prom: conflict,
      loki: conflict,
      tempo: conflict,
      f: "failed to create folder: [POST /folders] createFolder (status 412): {}",
    });
    expect(waits).toEqual([2, 4, 8]);
    expectSameRequests(requests);
  });

  it("import by a bare uid", async () => {
    const requests = play("18-import");
    const ids: Record<string, string> = { prom: "llm-metrics", f: "llm-observability", a: "svc-llm-monitoring" };
    const imports = program(base).flatMap((one) => (ids[one.name] ? [{ ...one, import: ids[one.name] ?? "" }] : []));
    // What cannot be read the program leaves out until the resource is imported: a datasource's secrets, a dashboard's message.
    for (const { inputs } of imports) for (const unread of ["httpHeaders", "secureJsonDataEncoded", "message"]) delete inputs[unread];
    // A look, and then the real one.
    for (let round = 0; round < 2; round++) {
      const importing = new Deployment(deployment.plugin);
      expect(await importing.up(imports)).toEqual({ steps: { prom: "import, same", f: "import, same", a: "import, same" }, errors: {} });
      expect([...importing.state.values()].map(({ id }) => id)).toEqual(["1:llm-metrics", "0:llm-observability", "0:svc-llm-monitoring"]);
    }
    expectSameRequests(requests);
  });

  it.each([
    ["19-dashboard-same-uid", "Other", "svc-llm-monitoring", "The dashboard has been changed by someone else"],
    ["20-dashboard-same-title", "GenAI Observability", "another", "A dashboard with the same name in the folder already exists"],
  ])("%s", async (scenario, title, uid, reason) => {
    const requests = play(scenario);
    const { errors } = await new Deployment(deployment.plugin).up([dashboardAlone(title, uid)]);
    expect(errors.alone).toContain(`[POST /dashboards/db][412] postDashboardPreconditionFailed {"message":"${reason}"`);
    expectSameRequests(requests);
  });

  it("a title that clashes is saved over the other dashboard, and the state follows", async () => {
    const own = new Deployment(deployment.plugin);
    const fresh = play("21-dashboard-fresh");
    expect((await own.up([dashboardAlone("Fresh", "another")])).steps).toEqual({ alone: "create" });
    const clash = play("22-update-title-clash-overwrites-other");
    expect((await own.up([dashboardAlone("GenAI Observability", "another")])).steps).toEqual({ alone: "update" });
    expectSameRequests([...fresh, ...clash]);
    expect(own.state.get("alone")).toMatchObject({ id: "0:genai-observability", outputs: { uid: "genai-observability", dashboardId: 12 } });
  });
});

/** Values in the words of the recording. */
function comparable(values: Values, without: readonly string[]): Values {
  const kept = Object.entries(values).filter(
    ([name, value]) => !without.includes(name) && !/^__(meta|pulumi)/.test(name) && value !== null,
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(kept)).replaceAll(server.url, "http://127.0.0.1:3321"));
}
