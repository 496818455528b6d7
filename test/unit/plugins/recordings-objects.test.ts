/** The stand-in for the Grafana plugin against recordings of the genuine one: conflicts of dashboards and datasources, and organizations. */
import { expect, it } from "vitest";
import type { Values } from "../../sandbox/plugins/values";
import type { Declared } from "./deployment";
import { Stage, types } from "./replay";

const stage = new Stage();

const folder: Declared = { type: types.folder, name: "f", inputs: { title: "R12 LLM Observability", uid: "r12-llm-observability" } };

const dashboard = (name: string, title: string, uid: string, more: Values = {}, model: Values = {}): Declared => ({
  type: types.dashboard,
  name,
  inputs: {
    configJson: JSON.stringify({ uid, title, schemaVersion: 39, panels: [], ...model }),
    folder: "r12-llm-observability",
    ...more,
  },
});

const dataSource = (name: string, uid: string, more: Values = {}): Declared => ({
  type: types.dataSource,
  name: "prom",
  inputs: { type: "prometheus", name, uid, url: "http://127.0.0.1:9090", ...more },
});
const tenant = { httpHeaders: { "X-Scope-OrgID": "tenant" } };

const changed = '{"message":"The dashboard has been changed by someone else","status":"version-mismatch"}';
const taken = (what: string) =>
  `[POST /datasources][409] addDataSourceConflict {"message":"data source with the same ${what} already exists"}`;

it.each<[scenario: string, declared: Declared, reason: string, waits: number[]]>([
  ["v12-15-create-over-existing-folder", folder, "failed to create folder: [POST /folders] createFolder (status 412): {}", [2, 4, 8]],
  [
    "v12-19b-dashboard-same-uid-version-0",
    dashboard("a", "Other", "r12-another", {}, { version: 0 }),
    `[POST /dashboards/db][412] postDashboardPreconditionFailed ${changed}`,
    [2, 4, 8],
  ],
  ["v12-28-datasource-name-taken", dataSource("r12-metrics", "r12-llm-metrics", tenant), taken("name"), []],
  ["v12-28b-datasource-uid-taken", dataSource("r12-x", "r12-by-hand", tenant), taken("uid"), []],
])("%s fails", async (scenario, declared, reason, waits) => {
  const requests = stage.play(scenario);
  const { errors } = await stage.deployment().up([declared]);
  expect(errors).toEqual({ [declared.name]: reason });
  expect(stage.waits).toEqual(waits);
  stage.expectSent(requests);
});

it("a dashboard's history: a changed model is sent with its version, an unchanged one without", async () => {
  const deployment = stage.deployment();
  const program = (title: string, message: string) => [
    folder,
    dashboard("a", title, "r12-svc-llm-monitoring", { message }, { version: 0 }),
  ];
  const requests = [stage.play("v12-23-dashboard-history")];
  expect((await deployment.up(program("svc - LLM Monitoring", "Deployed by Pulumi: a/dev"))).errors).toEqual({});
  expect((await deployment.up(program("svc - LLM Monitoring v2", "Deployed by Pulumi: a/dev again"))).steps.a).toBe("update");
  requests.push(stage.play("v12-23b-dashboard-message-only"));
  expect((await deployment.up(program("svc - LLM Monitoring v2", "Another message"))).steps.a).toBe("update");
  stage.expectSent(...requests);
  expect(deployment.plain("a").outputs).toMatchObject({ version: 3, message: "Another message" });
});

it("a datasource with the name of another one has the name in the state, and the next deployment updates it again", async () => {
  const [uid, deployment] = ["r12-llm-metrics", stage.deployment()];
  const outputs = { ...dataSource("r12-x", uid, tenant).inputs, id: `1:${uid}`, orgId: "1" };
  deployment.state.set("prom", { type: types.dataSource, id: `1:${uid}`, inputs: outputs, outputs });
  const refusal =
    '[409] updateDataSourceByUidConflict {"message":"Failed to update datasource: data source with the same name already exists"}';
  for (const _deployment of ["first", "next"]) {
    stage.sent = [];
    const requests = stage.play("v12-28c-datasource-rename-into-taken");
    const { errors } = await deployment.up([dataSource("r12-metrics", uid, tenant)]);
    expect(errors.prom).toBe(`[PUT /datasources/uid/{uid}]${refusal}`);
    stage.expectSent(requests);
    expect(deployment.plain("prom").outputs).toMatchObject({ id: `1:${uid}`, name: "r12-metrics" });
  }
});

it.each([
  ["v12-25-provider-org-basic", "admin:admin", { f: 1, prom: 1, a: 1 }],
  ["v12-25c-provider-org-token-of-another", "token", { f: 0, prom: 1, a: 0 }],
])("%s: the organization of a user is 1, that of a token is its own", async (scenario, auth, orgs) => {
  const program = [folder, dataSource("r12-metrics", "r12-llm-metrics"), dashboard("a", "svc - LLM Monitoring", "r12-svc-llm-monitoring")];
  const requests = stage.play(scenario);
  const deployment = stage.deployment(auth);
  expect((await deployment.up(program)).errors).toEqual({});
  stage.expectSent(requests);
  for (const [name, org] of Object.entries(orgs)) expect(deployment.plain(name).outputs.orgId).toBe(String(org));
});
