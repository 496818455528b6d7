/** The stand-ins for Grafana and for the servers behind its datasources: forwarded credentials, refused queries, pushes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createBackends } from "../../sandbox/backends";
import { answer, startRawServer } from "../../support/raw-server";
import { call, datasource, done, listen, own, useGrafana } from "./client";

useGrafana();

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
it("the server behind a datasource receives the datasource's credentials and headers instead of Grafana's", async () => {
  const result = [{ metric: { job: "j" }, value: [1, "1.5"] }];
  const server = await startRawServer([answer(200, JSON.stringify({ status: "success", data: { resultType: "vector", result } }))]);
  const auth = { basicAuth: true, basicAuthUser: "u", jsonData: { httpHeaderName1: "X-Scope-OrgID" } };
  const secureJsonData = { basicAuthPassword: "canary-secret", httpHeaderValue1: "tenant" };
  await done("POST", "/api/datasources", { ...datasource, url: `${server.url}/sub`, ...auth, secureJsonData });
  const query = { refId: "A", datasource: { type: "prometheus", uid: "own-metrics" }, expr: "a + b", instant: true, range: false };
  const queries = [{ ...query, intervalMs: 60_000, maxDataPoints: 1 }];
  const { A } = (await done("POST", "/api/ds/query", { queries, from: "now-5m", to: "now" })).results;
  expect(A.frames[0]).toMatchObject({ data: { values: [[1000], [1.5]] }, schema: { fields: [{}, { labels: { job: "j" } }] } });
  await done("GET", "/api/datasources/proxy/uid/own-metrics/api/v1/query?query=x");
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /sub/api/v1/query",
    "GET /sub/api/v1/query?query=x",
  ]);
  for (const { headers } of server.requests) {
    expect(Object.fromEntries(headers)).toMatchObject({ Authorization: basic("u", "canary-secret"), "X-Scope-OrgID": "tenant" });
  }
  expect(await call("DELETE", "/api/datasources/proxy/uid/own-metrics/api/v1/query")).toMatchObject({ status: 403 });
  await server.close();
});

it("answers the queries of the checks like Prometheus, and refuses all others", async () => {
  const file = join(own.folder, "metrics.json");
  const backends = await listen(createBackends({ metrics: { file }, otlp: { user: "1", accepts: () => false } }));
  const query = async (text: string) => {
    const response = await fetch(`${backends}/prometheus/api/v1/query?${new URLSearchParams({ query: text, time: "7" })}`);
    return (await response.json()) as { data: { result: { metric: object }[] } };
  };
  const metrics = async (text: string) => (await query(text)).data.result.map(({ metric }) => metric);
  const of = (job: string, more = {}) => ({ __name__: "a_b", job, ...more });
  writeFileSync(file, JSON.stringify([of("x"), of("x", { env: "prod" }), { ...of("y"), __name__: "target_info", env: "dev" }, "up"]));
  expect(await metrics('group by (__name__) (last_over_time({__name__=~"a.+|none"}[24h]))')).toEqual([{ __name__: "a_b" }]);
  expect(await metrics('group by (__name__, job, "env") (last_over_time({__name__=~"a_b|a\\\\.b"}[24h]))')).toEqual([
    { __name__: "a_b", job: "x" },
    { __name__: "a_b", job: "x", env: "prod" },
  ]);
  expect(await metrics('group by (env) (last_over_time(target_info{job=~"x|y"}[24h]))')).toEqual([{ env: "dev" }]);
  const windowless = 'group by (__name__) ({__name__=~"a.+"})';
  for (const bad of ["", "up", windowless, 'group by (__name__) (last_over_time({__name__=~".*"}[24h]))']) {
    expect(await query(bad)).toMatchObject({ status: "error", errorType: "bad_data" });
  }
});
