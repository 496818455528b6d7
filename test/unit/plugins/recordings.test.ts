/**
 * Compares the stand-in for the Grafana plugin with recordings of the genuine plugin and a genuine Grafana (`test/recorded`): for the recorded
 * program, it sends the same requests, in the same order for each object, and has the same state after them. The scenarios build on each other.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { Values } from "../../sandbox/plugins/values";
import { type Declared, Deployment } from "./deployment";
import { Stage, types } from "./replay";

const stage = new Stage();
let deployment: Deployment;

const { folder: folderType, permission: permissionType, dashboard: dashboardType, dataSource: dataSourceType } = types;

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

const all = (step: string) => Object.fromEntries(program(base).map(({ name }) => [name, step]));

beforeAll(async () => {
  deployment = stage.deployment();
});

describe("one program, step after step", () => {
  it("up", async () => {
    const requests = stage.play("01-up");
    expect(await deployment.up(program(base))).toEqual({ steps: all("create"), errors: {} });
    stage.expectSent(requests);
    expect(new Set(stage.sent.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer token"]));
    stage.expectState(deployment, "preview-refresh-drift");
  });

  it("up --refresh, nothing changed", async () => {
    const requests = stage.play("04-up-refresh-unchanged");
    // A refresh removes empty lists of defaults.
    const isEmpty = (key: string, value: unknown) => key === "__defaults" && Array.isArray(value) && value.length === 0;
    const state = () => JSON.parse(JSON.stringify([...deployment.state]), (key, value) => (isEmpty(key, value) ? undefined : value));
    const before = state();
    expect((await deployment.refresh()).errors).toEqual({});
    expect(state()).toEqual(before);
    expect(await deployment.up(program(base))).toEqual({ steps: all("same"), errors: {} });
    stage.expectSent(requests);
  });

  it("up, changed", async () => {
    const requests = stage.play("06-up-changed");
    const updated = { prom: "update", f: "update", a: "update", b: "update" };
    expect(await deployment.up(program(changed))).toEqual({ steps: { ...all("same"), ...updated }, errors: {} });
    stage.expectSent(requests);
    expect(deployment.plain("prom").outputs).toMatchObject({ url: "http://127.0.0.1:9091", orgId: "1" });
    expect(deployment.plain("a").outputs).toMatchObject({ version: 2, dashboardId: 2 });
    expect(deployment.plain("a").outputs).not.toHaveProperty("overwrite");
  });

  it("up --refresh that restores it", async () => {
    const requests = stage.play("09-up-refresh-restores");
    await deployment.refresh();
    expect(Object.keys(deployment.differences(program(changed)).a?.detailedDiff ?? {})).toEqual(["configJson"]);
    expect(await deployment.up(program(changed))).toEqual({ steps: { ...all("same"), a: "update" }, errors: {} });
    stage.expectSent(requests);
  });

  it("up --refresh after a datasource was deleted by hand", async () => {
    const requests = stage.play("10-refresh-datasource-gone");
    expect((await deployment.refresh()).steps).toEqual({ ...all("read"), loki: "gone" });
    expect(await deployment.up(program(changed))).toEqual({ steps: { ...all("same"), loki: "create" }, errors: {} });
    stage.expectSent(requests);
  });

  it("up with a wrong token: each request four times, then the error", async () => {
    const requests = stage.play("13-wrong-token");
    const right = deployment.plugin;
    deployment.plugin = stage.plugin("wrong");
    const { steps, errors } = await deployment.up(program({ ...base, expr: "sum(x)" }));
    expect(steps).toEqual({ loki: "same", tempo: "same" });
    expect(errors.prom).toBe('[PUT /datasources/uid/{uid}][401] updateDataSourceByUidUnauthorized {"message":"invalid API key"}');
    expect(errors.f).toContain("failed to get folder llm-observability: [GET /folders/{folder_uid}][401] getFolderByUidUnauthorized");
    expect(stage.waits).toEqual([2, 4, 8, 2, 4, 8]);
    stage.expectSent(requests);
    expect(new Set(stage.sent.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer wrong"]));
    deployment.plugin = right;
  });

  it("refresh after the folder was deleted by hand, and its dashboards with it", async () => {
    const requests = stage.play("14-refresh-dashboards-gone");
    // A look, and then the real one.
    const before = new Map(deployment.state);
    const gone = { ...all("read"), f: "gone", fp: "gone", a: "gone", b: "gone" };
    expect((await deployment.refresh()).steps).toEqual(gone);
    for (const [name, kept] of before) deployment.state.set(name, kept);
    expect((await deployment.refresh()).steps).toEqual(gone);
    stage.expectSent(requests);
  });

  it("up --refresh that makes all again", async () => {
    const requests = stage.play("16-folder-deleted-under-us");
    await deployment.refresh();
    expect(await deployment.up(program(base))).toEqual({
      steps: { ...all("create"), prom: "same", loki: "same", tempo: "same" },
      errors: {},
    });
    stage.expectSent(requests);
  });

  it("destroy, with a server error that passes", async () => {
    const requests = stage.play("17-destroy");
    await deployment.destroy();
    stage.expectSent(requests);
    expect(stage.waits).toEqual([2]);
  });
});

it("import by a bare uid", async () => {
  const requests = stage.play("18-import");
  const ids: Record<string, string> = { prom: "llm-metrics", f: "llm-observability", a: "svc-llm-monitoring" };
  const imports = program(base).flatMap((one) => (ids[one.name] ? [{ ...one, import: ids[one.name] ?? "" }] : []));
  // Until the import, the program omits properties that Grafana does not return: a datasource's secrets, a dashboard's message.
  for (const { inputs } of imports) for (const unread of ["httpHeaders", "secureJsonDataEncoded", "message"]) delete inputs[unread];
  // A look, and then the real one.
  for (let round = 0; round < 2; round++) {
    const importing = new Deployment(deployment.plugin);
    expect(await importing.up(imports)).toEqual({ steps: { prom: "import, same", f: "import, same", a: "import, same" }, errors: {} });
    expect([...importing.state.values()].map(({ id }) => id)).toEqual(["1:llm-metrics", "0:llm-observability", "0:svc-llm-monitoring"]);
  }
  stage.expectSent(requests);
});
