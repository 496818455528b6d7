/** The stand-in for Grafana, beyond the recordings: it is stricter than Grafana, in fields, parameters, rules and permissions. */
import { beforeEach, describe, expect, it } from "vitest";
import { readGrafanaState } from "../../sandbox/grafana/state";
import { call, datasource, done, own, useGrafana } from "./client";

useGrafana();

const board = (uid: string) => ({ dashboard: { uid, title: uid, panels: [] }, folderUid: "a" });

beforeEach(async () => {
  await done("POST", "/api/folders", { uid: "a", title: "A" });
  await done("POST", "/api/dashboards/db", board("b"));
  await done("POST", "/api/datasources", datasource);
});

describe("strictness", () => {
  it.each<[string, string, object]>([
    ["POST", "/api/folders", { title: "A", parentUID: "x" }],
    ["PUT", "/api/folders/a", { title: "A", overwrite: true, uid: "x" }],
    ["POST", "/api/access-control/folders/a", { permissions: [{ builtinRole: "Editor" }] }],
    ["POST", "/api/dashboards/db", { ...board("c"), folderUID: "a" }],
    ["POST", "/api/datasources", { ...datasource, secureJsondata: {} }],
    ["PUT", "/api/datasources/uid/own-metrics", { ...datasource, basicAuthPassword: "x" }],
    ["POST", "/api/ds/query", { queries: [{ expr: "up" }], from: "now-5m", to: "now" }],
  ])("%s %s refuses an unknown field, and changes nothing", async (method, path, body) => {
    const before = readGrafanaState(own.stateFile);
    expect(await call(method, path, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^bad request data: .*([Uu]nrecognized|Invalid input)/) },
    });
    expect(readGrafanaState(own.stateFile)).toEqual(before);
  });
});

describe("an alert rule", () => {
  const group = "/api/v1/provisioning/folder/a/rule-groups/Errors";
  const query = { refId: "A", datasourceUid: "own-metrics", relativeTimeRange: { from: 600 }, model: { refId: "A", expr: "up" } };
  const math = (expression: string, type = "math") => ({ refId: "B", datasourceUid: "__expr__", model: { refId: "B", type, expression } });
  const put = (changed: object, data: object[] = [query, math("$A > 1 && $A <= 2")]) => {
    const rule = { title: "t", condition: "B", data, noDataState: "OK", execErrState: "Error", for: "5m0s" };
    return call("PUT", group, {
      ...{ title: "Errors", folderUid: "a", interval: 60 },
      rules: [{ ...rule, orgID: 1, folderUID: "a", ruleGroup: "Errors", ...changed }],
    });
  };

  it.each<[string, object, object[]?]>([
    ["an expression that reads an unknown query", {}, [query, math("$C > 1")]],
    ["an expression without a query", {}, [query, math("1 > 0")]],
    ["an expression of an unknown type", {}, [query, math("$A > 1", "maths")]],
    ["a query without a time range", {}, [{ ...query, relativeTimeRange: { from: 0, to: 0 } }, math("$A > 1")]],
    ["a condition that is no query", { condition: "C" }],
    ["a title of 191 characters", { title: "t".repeat(191) }],
    ["a panel without a dashboard", { annotations: { __panelId__: "4" } }],
  ])("is refused with %s, and stored without", async (_what, changed, data) => {
    expect(await put(changed, data)).toMatchObject({ status: 400 });
    expect(await call("GET", group)).toMatchObject({ status: 404 });
    expect(await put({})).toMatchObject({ status: 200 });
  });
});
