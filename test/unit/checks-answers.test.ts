/**
 * What the answers say. Not all that answers 200 is what was asked for: a login page, or another server at the address, is no Grafana and no
 * OTLP endpoint.
 */
import { expect, it, onTestFinished } from "vitest";
import { relatedNames } from "../../src/checks/arrival";
import { runChecks } from "../../src/checks/checks";
import type { CheckTargets } from "../../src/checks/input";
import type { CheckResult } from "../../src/checks/report";
import { answer, type RawRequest, type RawServer, startRawServer } from "../support/raw-server";

const page = answer(200, "<!doctype html><title>Log in</title>", { "Content-Type": "text/html; charset=utf-8" });
const json = (body: unknown, status = 200) => answer(status, JSON.stringify(body), { "Content-Type": "application/json" });

/** A Grafana with all that is asked for. */
const grafana: Record<string, string> = {
  "/api/datasources/uid/p": json({ uid: "p", type: "prometheus" }),
  "/api/datasources/uid/p/health": json({ status: "OK" }),
  "/api/dashboards/uid/d": json({ dashboard: { uid: "d" }, meta: { folderUid: "f" } }),
  "/api/ds/query": json({ results: { A: { frames: [] } } }),
};

interface Checked {
  url: string;
  requests: readonly RawRequest[];
  results: Record<string, CheckResult>;
}

/** The checks of a Grafana with one datasource, of which some answers are others, and of an OTLP endpoint. */
async function check(
  others: Record<string, string>,
  push = answer(200),
  type: CheckTargets["datasources"][number]["type"] = "prometheus",
): Promise<Checked> {
  const play = ({ path }: RawRequest) => (path.startsWith("/otlp") ? push : (others[path] ?? grafana[path] ?? answer(404, "{}")));
  const server = await serve(play);
  const targets: CheckTargets = {
    grafana: { url: server.url },
    datasources: [{ type, uid: "p" }],
    dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["a_series"] }],
    otlp: { endpoint: `${server.url}/otlp`, data: ["traces"] },
    verifyConnection: false,
    serviceUrl: server.url,
    onFailure: "fail",
  };
  const secrets = { grafanaAuth: "canary", otlpAuthorization: "Basic canary", datasourceFingerprint: "" };
  const results = await runChecks(targets, secrets, { total: 0, pause: 1 });
  return { url: server.url, requests: server.requests, results: Object.fromEntries(results.map((result) => [result.what, result])) };
}

async function serve(step: Parameters<typeof startRawServer>[0][number]): Promise<RawServer> {
  const server = await startRawServer([step]);
  onTestFinished(() => server.close());
  return server;
}

const failed = (what: string, detail: string) => ({ what, verdict: "failed", detail });
const noJson = (url: string) =>
  `${url} answered 200 without JSON: check grafanaUrl, which must be the address of Grafana, including a path prefix`;

it("finds nothing wrong with a Grafana", async () => {
  const { results } = await check({});
  expect(Object.values(results).map(({ verdict }) => verdict)).toEqual(["ok", "ok", "ok", "ok", "note"]);
});

it("finds no Grafana where every answer is a page", async () => {
  const { url, results } = await check(Object.fromEntries(Object.keys(grafana).map((path) => [path, page])));
  expect(results["datasource p"]).toEqual(failed("datasource p", noJson(url)));
  expect(results['dashboard "D"']).toEqual(failed('dashboard "D"', noJson(url)));
  expect(results['series of "D"']).toEqual({ what: 'series of "D"', verdict: "note", detail: `not known: ${noJson(url)}` });
});

it.each(["a page", "null"])("finds no health in %s", async (what) => {
  const { url, results } = await check({ "/api/datasources/uid/p/health": what === "null" ? json(null) : page });
  expect(results["datasource p"]).toEqual(failed("datasource p", noJson(url)));
});

it("finds no answer of a datasource in a page, where Grafana knows no health", async () => {
  const { url, results } = await check({ "/api/datasources/uid/p/health": json({}, 404), "/api/ds/query": page });
  expect(results["datasource p"]).toEqual(failed("datasource p", noJson(url)));
});

it("tells with Grafana's own words that a datasource does not answer it", async () => {
  const { results } = await check({ "/api/datasources/uid/p/health": json({ status: "ERROR", message: "connection refused" }, 400) });
  const detail = "prometheus does not answer Grafana (400: connection refused): check its address and credentials";
  expect(results["datasource p"]).toEqual(failed("datasource p", detail));
});

it.each(["loki", "tempo"] as const)("does not know the health of %s, where Grafana does not", async (type) => {
  const { results, requests } = await check({ "/api/datasources/uid/p/health": json({ message: "Not found" }, 404) }, answer(200), type);
  const detail = `exists; this Grafana cannot ask ${type} for its health`;
  expect(results["datasource p"]).toEqual({ what: "datasource p", verdict: "note", detail });
  expect(requests.filter(({ body }) => body.includes("vector(1)"))).toEqual([]);
});

it.each([
  ["answers", json({ results: { A: { frames: [] } } }), "ok", "prometheus answers"],
  [
    "does not",
    json({ results: { A: { status: 502, error: "connection refused", frames: [] } } }, 400),
    "failed",
    "prometheus does not answer Grafana (connection refused): check its address and credentials",
  ],
  [
    "does not, which an older one says with 200",
    json({ results: { A: { error: "connection refused" } } }),
    "failed",
    "prometheus does not answer Grafana (connection refused): check its address and credentials",
  ],
])("asks a Prometheus, of which Grafana knows no health, and it %s", async (_what, response, verdict, detail) => {
  const others = { "/api/datasources/uid/p/health": json({ message: "Not found" }, 404), "/api/ds/query": response };
  const { results, requests } = await check(others);
  expect(results["datasource p"]).toEqual({ what: "datasource p", verdict, detail });
  expect(requests.filter(({ body }) => body.includes('"expr":"vector(1)"'))).toHaveLength(1);
});

it.each([
  ["elsewhere", "in the folder elsewhere"],
  ["", "in the folder at the top"],
  [undefined, "in the folder at the top"],
])("finds a dashboard that is in the folder %j", async (folderUid, place) => {
  const { results } = await check({ "/api/dashboards/uid/d": json({ dashboard: { uid: "d" }, meta: { folderUid } }) });
  expect(results['dashboard "D"']).toEqual(failed('dashboard "D"', `is ${place}, not in f: pulumi up --refresh`));
});

it("asks what arrived in the last 24 hours, however long ago the last sample is", async () => {
  const { requests } = await check({});
  const [asked] = requests.filter(({ path }) => path === "/api/ds/query").map(({ body }) => JSON.parse(body));
  const expr = `count by (__name__) (last_over_time({__name__=~"${relatedNames}"}[24h]))`;
  expect(asked).toMatchObject({ queries: [{ datasource: { uid: "p" }, expr, instant: true, range: false }], to: "now" });
});

it("tells of a query that Prometheus refused, with its own words", async () => {
  const error = 'bad_data: invalid parameter "query": 1:1: parse error: unexpected end of input';
  const { results } = await check({ "/api/ds/query": json({ results: { A: { status: 400, error, frames: [] } } }, 400) });
  expect(results['series of "D"']).toEqual({ what: 'series of "D"', verdict: "note", detail: `not known: ${error}` });
});

it("tells of a query that failed, whatever the answer holds", async () => {
  const { results } = await check({ "/api/ds/query": json(null, 500) });
  expect(results['series of "D"']?.detail).toBe("not known: 500");
});

it.each([200, 202])("finds no OTLP endpoint where a page comes with %i", async (status) => {
  const { results } = await check({}, answer(status, "<html>", { "Content-Type": "Text/HTML" }));
  expect(results["OTLP traces"]).toEqual(failed("OTLP traces", `answered ${status} with a page, text/html: check otlpEndpoint`));
});

it.each([
  ["nothing, of no type", answer(200)],
  ["nothing, by 204", answer(204)],
  ["protobuf", answer(200, "", { "Content-Type": "application/x-protobuf" })],
  ["JSON", answer(200, "{}", { "Content-Type": "application/json" })],
  ["plain text", answer(202, "accepted", { "Content-Type": "text/plain; charset=utf-8" })],
])("finds an OTLP endpoint that answers with %s", async (_what, push) => {
  expect((await check({}, push)).results["OTLP traces"]).toMatchObject({ verdict: "ok", detail: "accepts the credentials" });
});

// What a redirection leads to may answer, too, and is not what was asked for.
it.each([302, 307])("goes nowhere that a redirection by %i leads", async (status) => {
  const elsewhere = await serve(answer(200, "{}", { "Content-Type": "application/json" }));
  const away = answer(status, "", { Location: `${elsewhere.url}/` });
  const { results } = await check({ "/": away, "/api/dashboards/uid/d": away }, away);
  expect(results["OTLP traces"]).toEqual(failed("OTLP traces", `answered ${status} to an empty export: check otlpEndpoint`));
  expect(results.service).toEqual({ what: "service", verdict: "ok", detail: `answers (${status})` });
  expect(results['dashboard "D"']).toEqual(failed('dashboard "D"', `Grafana answered ${status} for the uid d`));
  expect(elsewhere.connections).toBe(0);
});

it.each([500, 502, 503, 504])("takes no %i for an answer of the service", async (status) => {
  const { results } = await check({ "/": answer(status) });
  expect(results.service).toEqual(
    failed("service", `answered ${status}, an error of the service or of a proxy in front of it: check whether it runs, and serviceUrl`),
  );
});

it.each([200, 204, 401, 403, 404, 405])("takes %i for an answer of the service", async (status) => {
  const { results } = await check({ "/": answer(status) });
  expect(results.service).toEqual({ what: "service", verdict: "ok", detail: `answers (${status})` });
});
