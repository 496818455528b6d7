/**
 * The interpretation of responses. A status of 200 alone proves nothing: a login page, or another server at the address, is no Grafana and no OTLP
 * endpoint.
 */
import { expect, it } from "vitest";
import { relatedNames } from "../../../src/checks/facts";
import type { CheckTargets } from "../../../src/checks/input";
import { answer } from "../../support/raw-server";
import { check as run, serve } from "./run";

const page = answer(200, "<!doctype html><title>Log in</title>", { "Content-Type": "text/html; charset=utf-8" });
const json = (body: unknown, status = 200) => answer(status, JSON.stringify(body), { "Content-Type": "application/json" });

/** The responses of a healthy Grafana. */
const grafana: Record<string, string> = {
  "/api/datasources/uid/p": json({ uid: "p", type: "prometheus" }),
  "/api/datasources/uid/p/health": json({ status: "OK" }),
  "/api/dashboards/uid/d": json({ dashboard: { uid: "d" }, meta: { folderUid: "f" } }),
  "/api/ds/query": json({ results: { A: { frames: [] } } }),
};

/** The checks of one datasource, one dashboard and an OTLP endpoint. */
async function check(others: Record<string, string>, push = answer(200), type: CheckTargets["datasources"][number]["type"] = "prometheus") {
  const { server, results } = await run(
    ({ path }) => (path.startsWith("/otlp") ? push : (others[path] ?? grafana[path] ?? answer(404, "{}"))),
    {
      targets: {
        datasources: [{ type, uid: "p" }],
        dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["a_series"] }],
        otlp: { endpoint: "/otlp", data: ["traces"] },
      },
    },
  );
  return { url: server.url, requests: server.requests, results };
}

const failed = (name: string, detail: string) => ({ name, status: "failed", detail });
const noJson = (url: string) =>
  `${url} returned 200 without JSON: check grafanaUrl, which must be the address of Grafana, including a path prefix`;

it("all is well at a healthy Grafana", async () => {
  const { results } = await check({});
  expect(Object.values(results).map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok", "note"]);
});

it("a page is no response of Grafana", async () => {
  const { url, results } = await check(Object.fromEntries(Object.keys(grafana).map((path) => [path, page])));
  expect(results["datasource p"]).toEqual(failed("datasource p", noJson(url)));
  expect(results['dashboard "D"']).toEqual(failed('dashboard "D"', noJson(url)));
  expect(results['series of "D"']).toEqual({ name: 'series of "D"', status: "note", detail: `unknown: ${noJson(url)}` });
});

it.each(["a page", "null"])("%s is no health of a datasource", async (body) => {
  const { url, results } = await check({ "/api/datasources/uid/p/health": body === "null" ? json(null) : page });
  expect(results["datasource p"]).toEqual(failed("datasource p", noJson(url)));
});

it("the message of an unhealthy datasource is Grafana's", async () => {
  const { results } = await check({ "/api/datasources/uid/p/health": json({ status: "ERROR", message: "connection refused" }, 400) });
  const detail = "prometheus does not respond to Grafana (400: connection refused): check its address and credentials";
  expect(results["datasource p"]).toEqual(failed("datasource p", detail));
});

it.each([
  ["elsewhere", "in the folder elsewhere"],
  ["", "at the top level"],
  [undefined, "at the top level"],
])("a dashboard in the folder %j is in the wrong place", async (folderUid, location) => {
  const { results } = await check({ "/api/dashboards/uid/d": json({ dashboard: { uid: "d" }, meta: { folderUid } }) });
  expect(results['dashboard "D"']).toEqual(failed('dashboard "D"', `is ${location}, not in f: pulumi up --refresh moves it`));
});

it("the query for series covers the last 24 hours", async () => {
  const { requests } = await check({});
  const [query] = requests.filter(({ path }) => path === "/api/ds/query").map(({ body }) => JSON.parse(body));
  const expr = `group by (__name__) (last_over_time({__name__=~"${relatedNames}"}[24h]))`;
  expect(query).toMatchObject({ queries: [{ datasource: { uid: "p" }, expr, instant: true, range: false }], to: "now" });
});

it("the message of a refused query is Prometheus'", async () => {
  const error = 'bad_data: invalid parameter "query": 1:1: parse error: unexpected end of input';
  const { results } = await check({ "/api/ds/query": json({ results: { A: { status: 400, error, frames: [] } } }, 400) });
  expect(results['series of "D"']).toEqual({
    name: 'series of "D"',
    status: "note",
    detail: "unknown: bad_data: invalid parameter query: … parse error: unexpected end of input",
  });
});

it("a query may fail without a message", async () => {
  const { results } = await check({ "/api/ds/query": json(null, 500) });
  expect(results['series of "D"']?.detail).toBe("unknown: 500");
});

it.each([200, 202])("a page with %i is no response of an OTLP endpoint", async (status) => {
  const { results } = await check({}, answer(status, "<html>", { "Content-Type": "Text/HTML" }));
  expect(results["OTLP traces"]).toEqual(failed("OTLP traces", `returned ${status} with a page, text/html: check otlpEndpoint`));
});

it.each([
  ["nothing, without a content type", answer(200)],
  ["204", answer(204)],
  ["protobuf", answer(200, "", { "Content-Type": "application/x-protobuf" })],
  ["JSON", answer(200, "{}", { "Content-Type": "application/json" })],
  ["plain text", answer(202, "accepted", { "Content-Type": "text/plain; charset=utf-8" })],
])("an OTLP endpoint may return %s", async (_what, push) => {
  expect((await check({}, push)).results["OTLP traces"]).toMatchObject({ status: "ok", detail: "accepts the credentials" });
});

it.each([302, 307])("redirects with %i are not followed", async (status) => {
  const elsewhere = await serve(answer(200, "{}", { "Content-Type": "application/json" }));
  const away = answer(status, "", { Location: `${elsewhere.url}/` });
  const { results } = await check({ "/": away, "/api/dashboards/uid/d": away }, away);
  expect(results["OTLP traces"]).toEqual(failed("OTLP traces", `returned ${status} to an empty export: check otlpEndpoint`));
  expect(results.service).toEqual({ name: "service", status: "ok", detail: `responds (${status})` });
  expect(results['dashboard "D"']).toEqual(failed('dashboard "D"', `Grafana returned ${status} for the uid d`));
  expect(elsewhere.connections).toBe(0);
});

it.each([500, 502, 503, 504])("%i is an error of the service", async (status) => {
  const { results } = await check({ "/": answer(status) });
  expect(results.service).toEqual(
    failed("service", `returned ${status}, an error of the service or of a proxy in front of it: check whether it runs, and serviceUrl`),
  );
});

it.each([200, 204, 401, 403, 404, 405])("%i is a response of the service", async (status) => {
  const { results } = await check({ "/": answer(status) });
  expect(results.service).toEqual({ name: "service", status: "ok", detail: `responds (${status})` });
});

/** The checks of logs and spans. */
const arrivals = async (responses: Record<string, string>) => {
  const targets: Partial<CheckTargets> = {
    datasources: [
      { type: "loki", uid: "l" },
      { type: "tempo", uid: "t" },
    ],
    dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["a"], sdk: { telemetry: "spec", spans: '{ span.a = "b" }' } }],
    streams: '{job="x"}',
    sdk: { name: "s", naming: "prometheus", counters: [{ series: "a", selector: "a{}" }] },
  };
  const { server, results } = await run(({ path }) => responses[path.split("?")[0] ?? ""] ?? answer(404, "{}"), { targets });
  return { requests: server.requests.map(({ path }) => path), results };
};
const labelValues = "/api/datasources/proxy/uid/l/loki/api/v1/label/type/values";
const search = "/api/datasources/proxy/uid/t/api/search";

it("logs and spans are asked for with a query and a time", async () => {
  const traces = { traces: [{ traceID: "1" }] };
  const { requests, results } = await arrivals({ [labelValues]: json({ data: ["prompt", "response"] }), [search]: json(traces) });
  expect(results["log streams"]).toMatchObject({ status: "ok", detail: "prompts and responses arrive" });
  expect(results.spans).toMatchObject({ status: "ok", detail: 'arrive for "D"' });
  const queries = Object.fromEntries(
    requests.map((path) => path.split("?")).map(([path = "", query]) => [path, new URLSearchParams(query)]),
  );
  expect(queries[labelValues]?.get("query")).toBe('{job="x"}');
  const nanoseconds = Number(queries[labelValues]?.get("start"));
  expect(Math.abs(Date.now() - 24 * 3_600_000 - nanoseconds / 1e6)).toBeLessThan(60_000);
  expect(Object.fromEntries(queries[search] ?? [])).toMatchObject({ q: '{ span.a = "b" }', limit: "1" });
  expect(Number(queries[search]?.get("end")) - Number(queries[search]?.get("start"))).toBe(3600);
});

it.each([
  ["refused", json({ message: "Permission denied" }, 403), "unknown: 403: Permission denied"],
  ["a page", page, expect.stringMatching(/^unknown: .* returned 200 without JSON/)],
])("a request for logs and spans that is %s is a note", async (_what, response, detail) => {
  const { results } = await arrivals({ [labelValues]: response, [search]: response });
  expect(results["log streams"]).toMatchObject({ status: "note", detail });
  expect(results.spans).toMatchObject({ status: "note", detail });
});
