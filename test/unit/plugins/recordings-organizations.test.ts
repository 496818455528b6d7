/** The stand-in for the Grafana plugin against recordings of the genuine one: organizations. */
import { describe, expect, it } from "vitest";
import type { Values } from "../../sandbox/plugins/values";
import type { Declared } from "./deployment";
import { occurred, Stage, types } from "./replay";

const stage = new Stage();

function programOf(more: Values = {}): Declared[] {
  const uid = "r12-llm-observability";
  const configJson = JSON.stringify({ uid: "r12-svc-llm-monitoring", title: "svc - LLM Monitoring", schemaVersion: 39, panels: [] });
  const dataSource = { type: "prometheus", name: "r12-metrics", uid: "r12-llm-metrics", url: "http://127.0.0.1:9090" };
  return [
    { type: types.folder, name: "f", inputs: { title: "R12 LLM Observability", uid, ...more } },
    { type: types.dataSource, name: "prom", inputs: { ...dataSource, ...more } },
    { type: types.dashboard, name: "a", needs: "f", inputs: { configJson, folder: uid, ...more } },
  ];
}

const created = { steps: { f: "create", prom: "create", a: "create" }, errors: {} };

describe("organizations", () => {
  const uids = { f: "r12-llm-observability", prom: "r12-llm-metrics", a: "r12-svc-llm-monitoring" };
  const ids = (org: Record<string, number>) => Object.fromEntries(Object.entries(uids).map(([name, uid]) => [name, `${org[name]}:${uid}`]));

  it.each([
    // The plugin ignores the organization of the provider.
    ["v12-25-provider-org-basic", "admin:admin", { orgId: "2" }, {}, { f: 1, prom: 1, a: 1 }],
    ["v12-25c-provider-org-token-of-another", "token", { orgId: "2" }, {}, { f: 0, prom: 1, a: 0 }],
    ["v12-25b-resource-org-basic", "admin:admin", {}, { orgId: "2" }, { f: 2, prom: 2, a: 2 }],
  ])("%s", async (scenario, auth, provider, resource, orgs) => {
    const requests = stage.play(scenario);
    const deployment = await stage.deployment(auth, provider);
    const program = programOf(resource);
    expect(await deployment.up(program)).toEqual(created);
    stage.expectSent(requests);
    expect(Object.fromEntries([...deployment.state].map(([name, { id }]) => [name, id]))).toEqual(ids(orgs));
    for (const [name, org] of Object.entries(orgs)) expect(deployment.plain(name).outputs.orgId).toBe(String(org));
    expect(await deployment.up(program)).toEqual({ steps: { f: "same", prom: "same", a: "same" }, errors: {} });
  });
});

describe("orgId of a resource, with a token", () => {
  const refusal = occurred("org_id is only supported with basic auth. API keys are already org-scoped");

  it("passes the preview", async () => {
    const deployment = await stage.deployment();
    stage.expectPreview(await deployment.preview(programOf({ orgId: "2" })), "v12-25e-preview-resource-org-token");
  });

  it.each(["1", "2"])("%s fails in the create, without a request", async (orgId) => {
    const program = programOf({ orgId }).map(({ needs: _, ...declared }) => declared);
    expect(await (await stage.deployment()).up(program)).toEqual({ steps: {}, errors: { f: refusal, prom: refusal, a: refusal } });
    expect(stage.sent).toEqual([]);
  });

  it.each(["", "0"])("%j counts as none", async (orgId) => {
    const requests = stage.play("v12-25c-provider-org-token-of-another");
    expect(await (await stage.deployment()).up(programOf({ orgId }))).toEqual(created);
    stage.expectSent(requests);
  });

  it("is sent in the header for folder permissions", async () => {
    const deployment = await stage.deployment();
    const inputs = { folderUid: "f", orgId: "2", permissions: [] };
    const { errors } = await deployment.up([{ type: types.permission, name: "p", inputs }]);
    expect(errors.p).toContain("Failed to get folder: ");
    expect(stage.sent.map(({ path, headers }) => [path, headers["x-grafana-org-id"]])).toEqual([["/api/folders/f", "2"]]);
  });
});
