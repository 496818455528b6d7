/** The stand-in for the Grafana plugin against recordings of the genuine one: conflicts of dashboards and datasources. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Values } from "../../sandbox/plugins/values";
import type { Declared, Deployment } from "./deployment";
import { occurred, Stage, types } from "./replay";

const stage = new Stage();

const dashboard = (name: string, title: string, uid: string, more: Values = {}, model: Values = {}): Declared => ({
  type: types.dashboard,
  name,
  inputs: {
    configJson: JSON.stringify({ uid, title, schemaVersion: 39, panels: [], ...model }),
    folder: "r12-llm-observability",
    ...more,
  },
});

describe("a dashboard's history", () => {
  const program = (title: string, message: string): Declared[] => [
    { type: types.folder, name: "f", inputs: { title: "R12 LLM Observability", uid: "r12-llm-observability" } },
    dashboard("a", title, "r12-svc-llm-monitoring", { message }, { version: 0 }),
  ];

  it("a changed model is sent with its version, an unchanged one without", async () => {
    const deployment = await stage.deployment();
    const requests = [stage.play("v12-23-dashboard-history")];
    expect((await deployment.up(program("svc - LLM Monitoring", "Deployed by Pulumi: a/dev"))).errors).toEqual({});
    expect((await deployment.up(program("svc - LLM Monitoring v2", "Deployed by Pulumi: a/dev again"))).steps.a).toBe("update");
    requests.push(stage.play("v12-23b-dashboard-message-only"));
    expect((await deployment.up(program("svc - LLM Monitoring v2", "Another message"))).steps.a).toBe("update");
    stage.expectSent(...requests);
    expect(deployment.plain("a").outputs).toMatchObject({ version: 3, message: "Another message" });
  });
});

describe("a conflict", () => {
  const folder: Declared = { type: types.folder, name: "f", inputs: { title: "R12 LLM Observability", uid: "r12-llm-observability" } };

  it("a folder with a taken uid fails after 14 s", async () => {
    const requests = stage.play("v12-15-create-over-existing-folder");
    const { errors } = await (await stage.deployment()).up([folder]);
    expect(errors).toEqual({ f: occurred("failed to create folder: [POST /folders] createFolder (status 412): {}") });
    expect(stage.waits).toEqual([2, 4, 8]);
    stage.expectSent(requests);
  });

  it.each([
    ["v12-19-dashboard-same-uid", {}],
    ["v12-19b-dashboard-same-uid-version-0", { version: 0 }],
  ])("%s fails after 14 s", async (scenario, model) => {
    const requests = stage.play(scenario);
    const { errors } = await (await stage.deployment()).up([dashboard("a", "Other", "r12-another", {}, model)]);
    const answer = '{"message":"The dashboard has been changed by someone else","status":"version-mismatch"}';
    expect(errors).toEqual({ a: occurred(`[POST /dashboards/db][412] postDashboardPreconditionFailed ${answer}`) });
    expect(stage.waits).toEqual([2, 4, 8]);
    stage.expectSent(requests);
  });

  it("a dashboard with a taken uid overwrites the other one if the versions are equal", async () => {
    const requests = stage.play("v12-19c-dashboard-same-uid-version-1");
    const { steps } = await (await stage.deployment()).up([dashboard("a", "Other", "r12-another", {}, { version: 1 })]);
    expect(steps).toEqual({ a: "create" });
    stage.expectSent(requests);
  });

  it("two dashboards can have one title", async () => {
    const requests = stage.play("v12-20-dashboard-same-title");
    const title = "GenAI Observability";
    const program = [folder, dashboard("b", title, "r12-genai-observability"), dashboard("a", title, "r12-another")];
    expect((await (await stage.deployment()).up(program)).errors).toEqual({});
    stage.expectSent(requests);
  });

  it("a dashboard with the title of another one keeps its uid", async () => {
    const deployment = await stage.deployment();
    const program = (title: string) => [
      folder,
      dashboard("b", "GenAI Observability", "r12-genai-observability"),
      dashboard("a", title, "r12-another"),
    ];
    const requests = [stage.play("v12-21-dashboards-created")];
    expect((await deployment.up(program("Other"))).errors).toEqual({});
    requests.push(stage.play("v12-22-update-title-clash"));
    expect((await deployment.up(program("GenAI Observability"))).steps).toEqual({ f: "same", b: "same", a: "update" });
    stage.expectSent(...requests);
    expect(deployment.plain("a").outputs).toMatchObject({ id: "0:r12-another", uid: "r12-another" });
  });
});

describe("a datasource", () => {
  const named = (name: string, uid: string): Declared => ({
    type: types.dataSource,
    name: "prom",
    inputs: { type: "prometheus", name, uid, url: "http://127.0.0.1:9090", httpHeaders: { "X-Scope-OrgID": "tenant" } },
  });
  const other = "r12-x";

  it.each([
    ["v12-28-datasource-name-taken", named("r12-metrics", "r12-llm-metrics"), "name"],
    ["v12-28b-datasource-uid-taken", named(other, "r12-by-hand"), "uid"],
  ])("%s fails at once", async (scenario, declared, what) => {
    const requests = stage.play(scenario);
    const { errors } = await (await stage.deployment()).up([declared]);
    const answer = `{"message":"data source with the same ${what} already exists"}`;
    expect(errors).toEqual({ prom: occurred(`[POST /datasources][409] addDataSourceConflict ${answer}`) });
    expect(stage.waits).toEqual([]);
    stage.expectSent(requests);
  });

  describe("with the name of another one", () => {
    const uid = "r12-llm-metrics";
    let deployment: Deployment;
    let error: string | undefined;
    let requests: ReturnType<typeof stage.play>;
    beforeAll(async () => {
      deployment = await stage.deployment();
      const outputs = { ...named(other, uid).inputs, id: `1:${uid}`, orgId: "1" };
      deployment.state.set("prom", { type: types.dataSource, id: `1:${uid}`, inputs: outputs, outputs });
    });

    it("fails at once", async () => {
      requests = stage.play("v12-28c-datasource-rename-into-taken");
      error = (await deployment.up([named("r12-metrics", uid)])).errors.prom;
      const refusal =
        '[409] updateDataSourceByUidConflict {"message":"Failed to update datasource: data source with the same name already exists"}';
      expect(error).toMatch(/^updating urn:\S+: /);
      expect(error).toContain(`: ${occurred(`[PUT /datasources/uid/{uid}]${refusal}`)}`);
      expect(stage.waits).toEqual([]);
      stage.expectSent(requests);
    });

    it("has the name in the state, and the next deployment updates it again", async () => {
      expect(deployment.plain("prom").outputs).toMatchObject({ id: `1:${uid}`, name: "r12-metrics" });
      stage.play("v12-28c-datasource-rename-into-taken", { again: true });
      expect((await deployment.up([named("r12-metrics", uid)])).errors.prom).toBe(error);
      stage.expectSent(requests);
    });
  });
});
