/** The stand-in for Grafana, beyond the recordings: credentials, refused requests, and stored secrets. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGrafana } from "../../sandbox/grafana/server";
import { type LoggedRequest, readGrafanaState } from "../../sandbox/grafana/state";
import { addFolder, basic, bearer, board, call, datasource, done, listen, own, raw, start, useGrafana } from "./client";

useGrafana();

describe("credentials", () => {
  it.each<[string, Record<string, string>, number, unknown]>([
    ["a service account's token", bearer, 200, { id: 1, name: "Main Org." }],
    ["a user and a password", basic("admin", "canary-password"), 200, { id: 1 }],
    ["a token as the password of api_key", basic("api_key", "canary-token"), 200, { id: 1 }],
    ["the organisation that there is", { ...bearer, "x-grafana-org-id": "1" }, 200, { id: 1 }],
    ["another token", { authorization: "Bearer nope" }, 401, { message: "Invalid API key" }],
    ["another token as the password of api_key", basic("api_key", "nope"), 401, { message: "Invalid API key" }],
    ["a token without its scheme", { authorization: "canary-token" }, 401, { message: "Unauthorized" }],
    ["none at all", {}, 401, { message: "Unauthorized" }],
    ["a wrong password", basic("admin", "nope"), 401, { message: "Invalid username or password" }],
    ["a wrong user", basic("root", "canary-password"), 401, { message: "Invalid username or password" }],
    ["the cloud's token", { authorization: "Bearer canary-cloud" }, 401, { message: "Invalid API key" }],
    ["another organisation", { ...bearer, "x-grafana-org-id": "2" }, 401, { message: expect.stringContaining("organization") }],
  ])("%s", async (_what, headers, status, body) => {
    expect(await call("GET", "/api/org", undefined, headers)).toMatchObject({ status, body });
  });

  it("are required by every endpoint except /api/health", async () => {
    expect(await call("GET", "/api/health", undefined, {})).toMatchObject({ status: 200, body: { database: "ok" } });
    expect(await call("GET", "/api/folders/x", undefined, {})).toMatchObject({ status: 401, body: { message: "Unauthorized" } });
    expect(await call("GET", "/api/nope", undefined, {})).toMatchObject({ status: 404, body: { message: "Not found" } });
    expect(await call("GET", "/api/nope", undefined, { authorization: "Bearer nope" })).toMatchObject({ status: 401 });
  });

  it("of a user are refused by a stand-in without a user", async () => {
    const address = await listen(createGrafana({ token: "t", stateFile: join(own.folder, "other.json") }));
    expect(await call("GET", "/api/org", undefined, basic("undefined", "undefined"), address)).toMatchObject({ status: 401 });
  });

  it("determine the author of a change", async () => {
    await addFolder("a", "A");
    await done("POST", "/api/dashboards/db", board("b", "B"));
    await done("POST", "/api/dashboards/db", { ...board("b", "B", { version: 1 }), message: "by hand" }, basic("admin", "canary-password"));
    expect((await done("GET", "/api/dashboards/uid/b")).meta).toMatchObject({ createdBy: "deployment", updatedBy: "admin", version: 2 });
    const versions = [
      { version: 2, parentVersion: 1, message: "by hand", createdBy: "admin" },
      { version: 1, parentVersion: 0, message: "Initial save", createdBy: "deployment" },
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
  ])("%s %s refuses an unknown field, and changes nothing", async (method, path, body) => {
    await addFolder("a", "A");
    await done("POST", "/api/datasources", datasource);
    const before = readGrafanaState(own.stateFile);
    const { status, body: answered } = await call(method, path, body);
    const after = readGrafanaState(own.stateFile);
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
    ["GET", "/"],
    ["POST", "/api/health"],
  ])("%s %s is not found", async (method, path) => {
    expect(await call(method, path)).toMatchObject({ status: 404, body: { message: "Not found" } });
  });

  it("requires JSON with the matching content type", async () => {
    expect(await raw(own.url, "POST", "/api/folders", bearer, "{}")).toMatchObject({ status: 400 });
    expect(await raw(own.url, "POST", "/api/folders", { ...bearer, "content-type": "application/json" }, "{")).toMatchObject({
      status: 400,
    });
    expect(await raw(own.url, "POST", "/api/folders", { ...bearer, "content-type": "application/json-patch" }, "{}")).toMatchObject({
      status: 400,
    });
  });

  it("refuses unknown filters", async () => {
    for (const path of ["/api/search?folderIds=1", "/api/folders?parent=a", "/api/v1/tokens?region=eu&expiresAfter=x"]) {
      const headers = path.includes("v1") ? { authorization: "Bearer canary-cloud" } : bearer;
      expect(await call("GET", path, undefined, headers)).toMatchObject({ status: 400 });
    }
  });
});

describe("an alert rule", () => {
  const group = "/api/v1/provisioning/folder/a/rule-groups/Errors%2C%2050%20%25";
  const query = { refId: "A", datasourceUid: "own-metrics", relativeTimeRange: { from: 600 }, model: { refId: "A", expr: "up" } };
  const math = (expression: string) => ({ refId: "B", datasourceUid: "__expr__", model: { refId: "B", type: "math", expression } });
  const put = (changed: object, data: object[] = [query, math("$A > 1 && $A <= 2")]) => {
    const rule = { title: "t", condition: "B", data, noDataState: "OK", execErrState: "Error", for: "5m0s" };
    const sent = { ...rule, orgID: 1, folderUID: "a", ruleGroup: "Errors, 50 %", ...changed };
    return call("PUT", group, { title: "Errors, 50 %", folderUid: "a", interval: 60, rules: [sent] });
  };

  it("is stored with its expression, in a group whose name an address has to encode", async () => {
    expect(await put({})).toMatchObject({ status: 200 });
    expect(await done("GET", group)).toMatchObject({
      title: "Errors, 50 %",
      rules: [{ data: [{}, { model: { expression: "$A > 1 && $A <= 2" } }] }],
    });
  });

  it.each<[string, object, object[]?]>([
    ["an expression that reads an unknown query", {}, [query, math("$C > 1")]],
    ["an expression that reads only itself", {}, [query, math("$B > 1")]],
    ["an expression without a query", {}, [query, math("1 > 0")]],
    ["an expression of an unknown type", {}, [query, { ...math("$A > 1"), model: { refId: "B", type: "maths", expression: "$A > 1" } }]],
    ["a query without a time range", {}, [{ ...query, relativeTimeRange: { from: 0, to: 0 } }, math("$A > 1")]],
    ["another refId in a model", {}, [{ ...query, model: { refId: "B", expr: "up" } }, math("$A > 1")]],
    ["a condition that is no query", { condition: "C" }],
    ["a title of 191 characters", { title: "t".repeat(191) }],
    ["a panel without a dashboard", { annotations: { __panelId__: "4" } }],
    ["a dashboard without a panel", { annotations: { __dashboardUid__: "d" } }],
    ["a panel that is no number", { annotations: { __dashboardUid__: "d", __panelId__: "x" } }],
    ["an unknown contact point", { notification_settings: { receiver: "nope" } }],
  ])("is refused with %s", async (_what, changed, data) => {
    expect(await put(changed, data)).toMatchObject({ status: 400 });
    expect(await call("GET", group)).toMatchObject({ status: 404 });
  });
});

describe("the server", () => {
  it("logs each request, and stores no secrets except those of datasources", async () => {
    const logged: LoggedRequest[] = [];
    own.url = await start({ log: (request) => logged.push(request) });
    const secureJsonData = { basicAuthPassword: "canary-datasource" };
    await done("POST", "/api/datasources", { ...datasource, secureJsonData });
    await call("GET", "/api/org", undefined, basic("admin", "canary-password"));
    await call("GET", "/api/org?auth_token=canary-query&x=1", undefined, { authorization: "Bearer canary-wrong" });
    await call("POST", "/api/datasources", { ...datasource, unknown: "canary-unknown" });
    const cloud = { authorization: "Bearer canary-cloud" };
    const policy = { name: "p", scopes: ["metrics:write"], realms: [{ type: "org", identifier: "1" }] };
    const { id: accessPolicyId } = await done("POST", "/api/v1/accesspolicies?region=eu", policy, cloud);
    const { token } = await done("POST", "/api/v1/tokens?region=eu", { accessPolicyId, name: "t" }, cloud);

    expect(readGrafanaState(own.stateFile).datasources[0]?.secrets).toEqual(secureJsonData);
    expect(logged.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      "POST /api/datasources 200",
      "GET /api/org 200",
      "GET /api/org?auth_token=…&x=1 401",
      "POST /api/datasources 400",
      "POST /api/v1/accesspolicies?region=eu 200",
      "POST /api/v1/tokens?region=eu 200",
    ]);
    const file = readFileSync(own.stateFile, "utf8");
    expect(file.replace("canary-datasource", "")).not.toContain("canary");
    expect(JSON.stringify(logged)).not.toContain("canary");
    expect(file).not.toContain(token);
    expect(statSync(own.stateFile).mode & 0o777).toBe(0o600);
  });
});
