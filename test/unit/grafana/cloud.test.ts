/** The stand-in for Grafana's cloud: access policies and their tokens. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scopesOfToken } from "../../sandbox/grafana/cloud";
import { createGrafana } from "../../sandbox/grafana/server";
import { basic, bearer, call, done, listen, own, useGrafana } from "./client";

useGrafana();

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
    expect(scopesOfToken(own.stateFile, token)).toEqual(["metrics:write", "traces:write"]);
    expect(scopesOfToken(own.stateFile, "glc_other")).toBeUndefined();
    expect(scopesOfToken(own.stateFile, (await make("old", { expiresAt: "2020-01-01T00:00:00Z" })).token)).toBeUndefined();
    expect(await call("DELETE", `/api/v1/tokens/${made.id}?region=eu`, undefined, cloud)).toMatchObject({ status: 204 });
    expect(scopesOfToken(own.stateFile, token)).toBeUndefined();
    const last = await make("last");
    expect(await call("DELETE", `${policies}/${accessPolicyId}?region=eu`, undefined, cloud)).toMatchObject({ status: 204 });
    expect(scopesOfToken(own.stateFile, last.token)).toBeUndefined();
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
    const without = await listen(createGrafana({ token: "canary-token", stateFile: join(own.folder, "own.json") }));
    expect(await call("GET", `${policies}?region=eu`, undefined, bearer, without)).toMatchObject({
      status: 404,
      body: { message: "Not found" },
    });
  });
});
