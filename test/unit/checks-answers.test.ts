/** What answers 200 is not what was asked for: a login page, or another server at the address, is no Grafana and no OTLP endpoint. */
import { expect, it, onTestFinished } from "vitest";
import { runChecks } from "../../src/checks/checks";
import type { CheckResult } from "../../src/checks/report";
import type { CheckTargets } from "../../src/checks/targets";
import { answer, type RawRequest, startRawServer } from "./raw-server";

const page = answer(200, "<!doctype html><title>Log in</title>", { "Content-Type": "text/html; charset=utf-8" });
const json = (body: unknown, status = 200) => answer(status, JSON.stringify(body), { "Content-Type": "application/json" });

/** A Grafana with all that is asked for. */
const grafana: Record<string, string> = {
  "/api/datasources/uid/p": json({ uid: "p", type: "prometheus" }),
  "/api/datasources/uid/p/health": json({ status: "OK" }),
  "/api/dashboards/uid/d": json({ dashboard: { uid: "d" }, meta: { folderUid: "f" } }),
  "/api/ds/query": json({ results: { A: { frames: [] } } }),
};

/** The checks of a Grafana, of which some answers are others, and of an OTLP endpoint. */
async function check(others: Record<string, string>, push = answer(200)): Promise<{ url: string; results: Record<string, CheckResult> }> {
  const play = ({ path }: RawRequest) => (path.startsWith("/otlp") ? push : (others[path] ?? grafana[path] ?? answer(404, "{}")));
  const server = await startRawServer([play]);
  onTestFinished(() => server.close());
  const targets: CheckTargets = {
    grafana: { url: server.url },
    datasources: [{ type: "prometheus", uid: "p" }],
    dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["a_series"] }],
    otlp: { endpoint: `${server.url}/otlp`, data: ["traces"] },
    readBack: false,
    serviceUrl: server.url,
    onFailure: "fail",
  };
  const secrets = { grafanaAuth: "canary", otlpAuthorization: "Basic canary", datasourceFingerprint: "" };
  const results = await runChecks(targets, secrets, { total: 0, pause: 1 });
  return { url: server.url, results: Object.fromEntries(results.map((result) => [result.what, result])) };
}

const failed = (what: string, detail: string) => ({ what, verdict: "failed", detail });
const noJson = (url: string) =>
  `${url} answered 200 without JSON: check grafanaUrl, which must be the address of Grafana, a path prefix included`;

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
