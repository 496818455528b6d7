/** The stand-ins for Grafana and for the servers behind its datasources: forwarded credentials, refused queries, pushes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type BackendsOptions, createBackends } from "../../sandbox/backends";
import { answer, closedPort, startRawServer } from "../../support/raw-server";
import { basic, bearer, call, datasource, done, listen, own, raw, useGrafana } from "./client";

useGrafana();

describe("the server behind a datasource", () => {
  const metrics = ["gen_ai_requests_total", "gen_ai_requests_total", "db_requests_total", "up"];
  /** Without the cache of datasources. */
  const fresh = { ...bearer, "x-grafana-nocache": "true" };
  const otlp: BackendsOptions["otlp"] = { user: "1", accepts: (password) => password === "canary-push" };
  const names = (regex: string, window = "[24h]") => `group by (__name__) (last_over_time({__name__=~"${regex}"}${window}))`;

  const add = async (more: object, address = own.url) => done("POST", "/api/datasources", { ...datasource, ...more }, bearer, address);
  const ask = (expr: string, more = {}, address = own.url) => {
    const query = { refId: "A", datasource: { type: "prometheus", uid: "own-metrics" }, expr, instant: true, range: false, ...more };
    return call("POST", "/api/ds/query", { queries: [query], from: "now-5m", to: "now" }, bearer, address);
  };
  const health = (uid: string, address = own.url) => call("GET", `/api/datasources/uid/${uid}/health`, undefined, bearer, address);

  it("receives the datasource's credentials and headers, by its method, with the requested time", async () => {
    const reply = (value: string) =>
      answer(
        200,
        JSON.stringify({ status: "success", data: { resultType: "vector", result: [{ metric: { job: "j" }, value: [1, value] }] } }),
      );
    const server = await startRawServer([reply("NaN"), reply("+Inf"), reply("1.5")]);
    const jsonData = { httpHeaderName1: "X-Scope-OrgID", httpHeaderName2: "X-Other" };
    const secrets = { basicAuthPassword: "canary-secret", httpHeaderValue1: "tenant", httpHeaderValue2: "two" };
    await add({ url: `${server.url}/sub`, basicAuth: true, basicAuthUser: "u", jsonData, secureJsonData: secrets });
    const query = { refId: "A", datasource: { uid: "own-metrics" }, expr: "a + b", instant: true };
    const { results } = await done("POST", "/api/ds/query", { queries: [query, { ...query, refId: "B" }], to: "1700000000000" });
    expect(results.A.frames[0].data).toEqual({ values: [[1000], [null]], entities: [null, { NaN: [0] }] });
    expect(results.B.frames[0].data).toEqual({ values: [[1000], [null]], entities: [null, { Inf: [0] }] });
    expect(results.A.frames[0].schema.fields[1].config.displayNameFromDS).toBe('{job="j"}');

    await done("PUT", "/api/datasources/uid/own-metrics", { ...datasource, url: server.url, jsonData: { httpMethod: "GET" } });
    const { A } = (await done("POST", "/api/ds/query", { queries: [query], to: "1700000000000" }, fresh)).results;
    expect(A.frames[0].data.values[1]).toEqual([1.5]);
    const [post, , get] = server.requests;
    expect(post).toMatchObject({ method: "POST", path: "/sub/api/v1/query", body: "query=a+%2B+b&time=1700000000" });
    const headers = { Authorization: basic("u", "canary-secret").authorization, "X-Scope-OrgID": "tenant", "X-Other": "two" };
    expect(Object.fromEntries(post?.headers ?? [])).toMatchObject(headers);
    expect(get).toMatchObject({ method: "GET", path: "/api/v1/query?query=a+%2B+b&time=1700000000", body: "" });
    expect(Object.fromEntries(get?.headers ?? [])).not.toHaveProperty("Authorization");
    await server.close();
  });

  it("receives instant queries only", async () => {
    const backends = await listen(createBackends({ metrics, otlp }));
    await add({ url: `${backends}/prometheus` });
    await add({ name: "logs", uid: "logs", type: "loki" });
    expect(await call("POST", "/api/ds/query", { queries: [] })).toMatchObject({ status: 400, body: { message: "No queries found" } });
    expect(await ask("up", { datasource: { uid: "nope" } })).toMatchObject({ status: 404, body: { message: "Data source not found" } });
    expect(await ask("up", { datasource: { uid: "logs" } })).toMatchObject({ status: 400, body: { results: { A: { status: 400 } } } });
    expect(await ask("up", { instant: false, range: true })).toMatchObject({ status: 400 });
    const error = expect.stringContaining("bad_data: invalid parameter");
    expect(await ask("up")).toMatchObject({ status: 400, body: { results: { A: { status: 400, error, errorSource: "downstream" } } } });
    const times = { queries: [{ datasource: { uid: "own-metrics" }, expr: "1+1", instant: true }], to: "later" };
    expect(await call("POST", "/api/ds/query", times)).toMatchObject({ status: 400, body: { message: "bad time range" } });
  });

  it.each([
    [
      "prometheus",
      "Successfully queried the Prometheus API.",
      /^404 Not Found - There was/,
      /^Post ".*connection refused - There was an error/,
    ],
    ["loki", "Data source successfully connected.", /^Unable to connect with Loki/, /^Unable to connect with Loki/],
    ["tempo", "Data source is working", /^Tempo echo endpoint returned status 404$/, /^Get ".*api\/echo": dial tcp .* connection refused$/],
  ])("has the health of %s in Grafana 12.3", async (type, good, bad, down) => {
    const backends = await listen(createBackends({ metrics, otlp }));
    await add({ name: "good", uid: "good", type, url: `${backends}/${type}` });
    await add({ name: "bad", uid: "bad", type, url: `${backends}/nope` });
    await add({ name: "down", uid: "down", type, url: `http://127.0.0.1:${await closedPort()}` });
    expect(await health("good")).toMatchObject({ status: 200, body: { status: "OK", message: good } });
    expect(await health("bad")).toMatchObject({ status: 400, body: { status: "ERROR", message: expect.stringMatching(bad) } });
    expect(await health("down")).toMatchObject({ status: 400, body: { status: "ERROR", message: expect.stringMatching(down) } });
  });

  it("is reachable through the proxy, with the datasource's credentials instead of Grafana's", async () => {
    const backends = await listen(createBackends({ metrics, otlp, query: { user: "u", password: "canary-secret" } }));
    const withAuth = { basicAuth: true, basicAuthUser: "u", secureJsonData: { basicAuthPassword: "canary-secret" } };
    await add({ url: `${backends}/prometheus`, ...withAuth });
    const path = "/api/datasources/proxy/uid/own-metrics/api/v1/query";
    const good = { status: "success", data: { resultType: "scalar", result: [5, "2"] } };
    expect(await done("GET", `${path}?query=1%2B1&time=5`)).toEqual(good);
    const form = { ...bearer, "content-type": "application/x-www-form-urlencoded" };
    expect(await raw(own.url, "POST", path, form, "query=1%2B1&time=5")).toMatchObject({ status: 200, body: good });
    expect(await call("DELETE", path)).toMatchObject({ status: 403 });
    expect(await call("GET", path.replace("own-", ""))).toMatchObject({ status: 404, body: { message: "Unable to find datasource" } });
    await done("PUT", "/api/datasources/uid/own-metrics", { ...datasource, url: `${backends}/prometheus` });
    expect(await raw(own.url, "GET", path, fresh)).toMatchObject({ status: 401, text: "Unauthorized\n" });
    expect(await health("own-metrics")).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^401 Unauthorized - /) } });
    expect(await ask("1+1")).toMatchObject({
      status: 400,
      body: { results: { A: { status: 401, error: expect.stringContaining("ReadObject") } } },
    });
  });

  it("reads its series from a file, and answers like Prometheus", async () => {
    const file = join(own.folder, "metrics.json");
    const backends = await listen(createBackends({ metrics: { file }, otlp }));
    const query = async (text: string) =>
      raw(backends, "GET", `/prometheus/api/v1/query?${new URLSearchParams({ query: text, time: "7" })}`, {});
    const result = (...names: string[]) => names.map((name) => ({ metric: { __name__: name }, value: [7, "1"] }));
    writeFileSync(file, JSON.stringify(["a_b", "a.b"]));
    expect((await query(names("a\\\\.b"))).body.data).toEqual({ resultType: "vector", result: result("a.b") });
    expect((await query(names("a.+"))).body.data.result).toEqual(result("a_b", "a.b"));
    writeFileSync(file, JSON.stringify(["a_b"]));
    expect((await query(names("a.b|c"))).body.data.result).toEqual(result("a_b"));
    expect((await query(names("a"))).body.data.result).toEqual([]);
    expect((await query(names("a_b", "[10m]"))).body.data.result).toEqual(result("a_b"));
    expect((await query("max(count_over_time(a_b[10m]))")).body.data.result).toEqual([{ metric: {}, value: [7, "10"] }]);
    expect((await query("max(count_over_time(a[10m]))")).body.data.result).toEqual([]);
    const resets = (selector: string) => `label_replace(max by (job) (resets(${selector}[1h])), "series", "a_b", "", "")`;
    const most = `topk(3, (${resets('a_b{telemetry_sdk_name="x"}')} or ${resets("a_b{}")}) > 20)`;
    expect((await query(most)).body.data.result).toEqual([]);
    const of = (job: string, more = {}) => ({ __name__: "a_b", job, instance: "1", ...more });
    writeFileSync(
      file,
      JSON.stringify([of("x"), of("x", { env: "prod" }), of("y"), { ...of("x"), __name__: "target_info", env: "dev" }, "up"]),
    );
    const senders = await query('group by (__name__, job, "env") (last_over_time({__name__=~"a_b|a\\\\.b"}[24h]))');
    expect(senders.body.data.result.map(({ metric }: { metric: object }) => metric)).toEqual([
      { __name__: "a_b", job: "x" },
      { __name__: "a_b", job: "x", env: "prod" },
      { __name__: "a_b", job: "y" },
    ]);
    const resources = async (jobs: string) =>
      (await query(`group by (job, env) (last_over_time(target_info{job=~"${jobs}"}[24h]))`)).body.data.result;
    expect(await resources("x|y")).toEqual([{ metric: { job: "x", env: "dev" }, value: [7, "1"] }]);
    expect(await resources("y")).toEqual([]);
    expect((await query("vector(1)")).body.data).toEqual({ resultType: "vector", result: [{ metric: {}, value: [7, "1"] }] });
    const windowless = 'group by (__name__) ({__name__=~"a.+"})';
    for (const bad of [
      "",
      "up",
      names(".*"),
      names("(a)?"),
      names("("),
      `${names("a")} or up`,
      names("a", ""),
      names("a", "[1h]"),
      windowless,
      'group by () (last_over_time({__name__=~"a"}[24h]))',
      'group by (job) (last_over_time(target_info{job=~"x"}))',
      `topk(3, ${resets("a_b{}")} > 20)`,
    ]) {
      expect(await query(bad)).toMatchObject({ status: 400, body: { status: "error", errorType: "bad_data" } });
    }
    for (const path of ["/prometheus/api/v1/query_range", "/loki/nope", "/tempo", "/"]) {
      expect(await raw(backends, "GET", path, {})).toMatchObject({ status: 404 });
    }
    expect(await raw(backends, "DELETE", "/loki/loki/api/v1/labels", {})).toMatchObject({ status: 404 });
  });

  it("accepts pushes in both formats with the right credentials", async () => {
    const backends = await listen(
      createBackends({ metrics, otlp: { ...otlp, accepts: (text, signal) => text === "canary-push" && signal === "traces" } }),
    );
    const known = basic("1", "canary-push");
    const push = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>, path = "/otlp/v1/traces", method = "POST") =>
      raw(backends, method, path, headers, body);
    const protobuf = { ...known, "content-type": "application/x-protobuf" };
    const json = { ...known, "content-type": "application/json" };
    const bytes = Uint8Array.of(0x0a, 2, 0x12, 0);
    expect(await push(protobuf, "")).toMatchObject({ status: 200, text: "" });
    expect(await push(protobuf, bytes)).toMatchObject({ status: 200, text: "" });
    expect(await push({ ...protobuf, "content-encoding": "gzip" }, new Uint8Array(gzipSync(bytes)))).toMatchObject({ status: 200 });
    expect(await push(protobuf, bytes.slice(0, 3))).toMatchObject({ status: 400 });
    expect(await push(protobuf, "{}")).toMatchObject({ status: 400 });
    expect(await push(json, '{"resourceSpans":[]}')).toMatchObject({ status: 200, text: "{}" });
    expect(await push(json, '{"resourceMetrics":[]}')).toMatchObject({ status: 400 });
    expect(await push(json, "{")).toMatchObject({ status: 400 });
    expect(await push({ ...known, "content-type": "text/plain" }, "x")).toMatchObject({ status: 415 });
    expect(await push({ "content-type": "application/json" }, "{}")).toMatchObject({ status: 401 });
    expect(await push({ ...json, ...basic("2", "canary-push") }, "{}")).toMatchObject({ status: 401 });
    expect(await push({ ...json, ...basic("1", "nope") }, "{}")).toMatchObject({ status: 401 });
    expect(await push({ ...json, authorization: known.authorization.replace("Basic ", "") }, "{}")).toMatchObject({ status: 401 });
    expect(await push(json, "{}", "/otlp/v1/metrics")).toMatchObject({ status: 401 });
    expect(await push(json, "{}", "/otlp/v1/traces", "PUT")).toMatchObject({ status: 405 });
    expect(await push(json, "{}", "/otlp/v1/logs")).toMatchObject({ status: 404 });
  });
});
