/**
 * Compares the stand-in for the Grafana plugin with recordings of the genuine plugin and a genuine Grafana (`test/recorded`): for the recorded
 * program, it sends the same requests, in the same order for each object, and has the same state after them. The scenarios build on each other.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { Deployment } from "./deployment";
import { edited, programOf, Stage } from "./replay";

const stage = new Stage();
let deployment: Deployment;

const secrets = { httpHeaders: { "X-Scope-OrgID": "tenant" }, secureJsonDataEncoded: JSON.stringify({ basicAuthPassword: "PASSWORD" }) };
const base = programOf("preview-refresh-drift").map((declared) =>
  declared.name === "prom" ? { ...declared, inputs: { ...declared.inputs, ...secrets } } : declared,
);
const renamed = { '"LLM Observability"': '"LLM Observability (renamed)"' };
const changed = edited(base, { ...renamed, "http://127.0.0.1:9090": "http://127.0.0.1:9091", "sum(up)": "sum(x)" });

const all = (step: string) => Object.fromEntries(base.map(({ name }) => [name, step]));

beforeAll(async () => {
  deployment = stage.deployment();
});

describe("one program, step after step", () => {
  it("up", async () => {
    const requests = stage.play("01-up");
    expect(await deployment.up(base)).toEqual({ steps: all("create"), errors: {} });
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
    expect(await deployment.up(base)).toEqual({ steps: all("same"), errors: {} });
    stage.expectSent(requests);
  });

  it("up, changed", async () => {
    const requests = stage.play("06-up-changed");
    const updated = { prom: "update", f: "update", a: "update", b: "update" };
    expect(await deployment.up(changed)).toEqual({ steps: { ...all("same"), ...updated }, errors: {} });
    stage.expectSent(requests);
    expect(deployment.plain("prom").outputs).toMatchObject({ url: "http://127.0.0.1:9091", orgId: "1" });
    expect(deployment.plain("a").outputs).toMatchObject({ version: 2, dashboardId: 2 });
    expect(deployment.plain("a").outputs).not.toHaveProperty("overwrite");
  });

  it("up --refresh that restores it", async () => {
    const requests = stage.play("09-up-refresh-restores");
    await deployment.refresh();
    expect(Object.keys(deployment.differences(changed).a?.detailedDiff ?? {})).toEqual(["configJson"]);
    expect(await deployment.up(changed)).toEqual({ steps: { ...all("same"), a: "update" }, errors: {} });
    stage.expectSent(requests);
  });

  it("up --refresh after a datasource was deleted by hand", async () => {
    const requests = stage.play("10-refresh-datasource-gone");
    expect((await deployment.refresh()).steps).toEqual({ ...all("read"), loki: "gone" });
    expect(await deployment.up(changed)).toEqual({ steps: { ...all("same"), loki: "create" }, errors: {} });
    stage.expectSent(requests);
  });

  it("up with a wrong token: each request four times, then the error", async () => {
    const requests = stage.play("13-wrong-token");
    const right = deployment.plugin;
    deployment.plugin = stage.plugin("wrong");
    const { steps, errors } = await deployment.up(edited(base, { "sum(up)": "sum(x)" }));
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
    expect(await deployment.up(base)).toEqual({
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
  const imports = edited(base, {}).flatMap((one) => (ids[one.name] ? [{ ...one, import: ids[one.name] ?? "" }] : []));
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
