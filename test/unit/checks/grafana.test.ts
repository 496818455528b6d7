/** The checks that ask Grafana. A status of 200 alone proves nothing: a login page, or another server at the address, is no Grafana. */
import { describe, expect, it } from "vitest";
import type { CheckSecrets, CheckTargets } from "../../../src/checks/targets";
import { answer } from "../../support/raw-server";
import { type Given, json, check as run } from "./run";

const page = answer(200, "<!doctype html><title>Log in</title>", { "Content-Type": "text/html; charset=utf-8" });

const [health, labelValues] = ["/api/datasources/uid/p/health", "/api/datasources/proxy/uid/l/loki/api/v1/label/type/values"];
const search = "/api/datasources/proxy/uid/t/api/search";

/** The responses of a healthy Grafana. */
const grafana: Record<string, string> = {
  "/api/datasources/uid/p": json({ uid: "p", type: "prometheus" }),
  [health]: json({ status: "OK" }),
  "/api/dashboards/uid/d": json({ dashboard: { uid: "d" }, meta: { folderUid: "f" } }),
  "/api/ds/query": json({ results: { A: { frames: [] } } }),
  [labelValues]: json({ data: ["prompt", "response"] }),
  [search]: json({ traces: [{ traceID: "1", spanSets: [{ spans: [{}] }] }] }),
};

/** Checks a datasource, a dashboard, and others. */
async function check(others: Record<string, string>, more: Given<CheckTargets> = {}, secrets: Partial<CheckSecrets> = {}) {
  const targets: Given<CheckTargets> = {
    datasources: [{ type: "prometheus", uid: "p" }],
    dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["a_series"] }],
    ...more,
  };
  const pathOf = (path: string) => path.split("?")[0] ?? "";
  const { server, results } = await run(({ path }) => ({ ...grafana, ...others })[pathOf(path)] ?? answer(404, "{}"), { targets, secrets });
  /** The first request to a path. */
  const requestTo = (path: string) => server.requests.find((request) => pathOf(request.path) === path);
  return { url: server.url, requestTo, results };
}

const refresh = "npx pulumi up --refresh --stack STACK";
const deleted = `. If this stack creates it: ${refresh}`;

it.each([
  ["Plugin not registered", "check in Grafana whether its plugin is installed and runs (Administration > Plugins)"],
  ["Plugin unavailable", "check in Grafana whether its plugin is installed and runs (Administration > Plugins)"],
  [
    "Plugin health check failed",
    "check its address and credentials, and for a server with tenants the header X-Scope-OrgID (datasourceTenant)",
  ],
])("a datasource that does not respond has the cure for Grafana's message: %s", async (message, cure) => {
  const { results } = await check({ [health]: json({ message }, 500) });
  const detail = `prometheus does not respond to Grafana (500: ${message}): ${cure}`;
  expect(results["datasource p"]).toMatchObject({ status: "failed", detail });
});

describe("recording rules in Grafana", () => {
  const states = "/api/prometheus/grafana/api/v1/rules";
  const recording = { folderUid: "f", rules: [{ name: "recorded:a", reads: "a_total" }], filters: [] };
  const group = (folderUid: string, ...rules: object[]) => ({ name: "Recording rules", file: "F", folderUid, rules });
  // As Grafana 12.4 joins the errors of a write.
  const lastError = "remote write failed: failed to write time series\nexpected HTTP 200 status code: actual=404, token=canary-secret";
  const answered = (...groups: object[]) => json({ status: "success", data: { groups } });
  const found = async (response: string, by: "grafana" | "external" = "grafana") => {
    const secrets = { datasourceSecrets: ["canary-secret"] };
    const { results, requestTo } = await check({ [states]: response }, { recording: { ...recording, by } }, secrets);
    return { ...results["recording rules"], path: requestTo(states)?.path };
  };

  it("that fail are a failed check with Grafana's reason, without secrets", async () => {
    const others = group("other", { health: "error", lastError: "of others" });
    const { status, detail, path } = await found(answered(others, group("f", { health: "ok" }, { health: "error", lastError })));
    expect(path).toBe(`${states}?folder_uid=f&rule_group=Recording+rules`);
    const reason = "remote write failed: failed to write time series: expected HTTP 200 status code: actual=404, [redacted]. ";
    expect([status, detail?.split("Grafana writes")[0]]).toEqual(["failed", `rules fail in Grafana (1): ${reason}`]);
  });

  it("are judged by their series if none fails, if the token may not read their states, and if another server evaluates them", async () => {
    const noData = { status: "note", detail: expect.stringMatching(/^no counter arrived/) };
    expect(await found(answered(group("f", { health: "ok" }, { health: "unknown" })))).toMatchObject(noData);
    expect(await found(json({ message: "Access denied" }, 403))).toMatchObject(noData);
    expect(await found(answered(), "external")).toMatchObject({ ...noData, path: undefined });
    expect(await found(json({ message: "down" }, 500))).toMatchObject({ status: "note", detail: "unknown: 500: down" });
  });
});

const [missing, denied] = [json({}, 404), json({ message: "Access denied" }, 403)];
const rules = (...found: object[]) => json({ rules: found });

it.each([
  ["all", rules({}, {}), rules({}), "ok: Grafana has all 3"],
  ["a group was deleted", rules({}, {}), missing, `failed: Grafana does not have GenAIErrors${deleted}`],
  ["all were deleted", missing, missing, `failed: Grafana does not have Recording rules and 1 more${deleted}`],
  ["one of two was deleted", rules({}), rules({}), `failed: Grafana does not have 1 of 2 in Recording rules${deleted}`],
  ["a paused one", rules({}, {}), rules({ isPaused: true }), `note: paused: GenAIErrors. To resume: ${refresh}`],
  ["no permission", denied, denied, "note: unknown: Grafana returned 403: Access denied for Recording rules"],
])("the rules of a stack: %s", async (_what, recording, alert, expected) => {
  const path = "/api/v1/provisioning/folder/f/rule-groups";
  const sizes = { "Recording rules": 2, GenAIErrors: 1 };
  const { results } = await check(
    { [`${path}/Recording%20rules`]: recording, [`${path}/GenAIErrors`]: alert },
    { rules: { folderUid: "f", sizes } },
  );
  const { status, detail } = results["rules in Grafana"] ?? {};
  expect(`${status}: ${detail}`).toBe(expected);
});

const noJson = (url: string) =>
  `Grafana at ${url} returned 200 without JSON. Check grafanaUrl, which must be the address of Grafana, including a path prefix.`;

it("a page is no response of Grafana", async () => {
  const { url, results } = await check(Object.fromEntries(Object.keys(grafana).map((path) => [path, page])));
  for (const name of ["datasource p", 'dashboard "D"']) expect(results[name]).toEqual({ name, status: "failed", detail: noJson(url) });
  expect(results['series of "D"']).toEqual({ name: 'series of "D"', status: "note", detail: `unknown: ${noJson(url)}` });
  for (const response of [page, json(null)]) {
    const { url, results } = await check({ [health]: response });
    expect(results["datasource p"]).toMatchObject({ status: "failed", detail: noJson(url) });
  }
});

// A Grafana without nested folders creates a folder at the top level and reports no error.
it("a dashboard at the top level is in the wrong place", async () => {
  const { results } = await check({ "/api/dashboards/uid/d": json({ meta: {} }) });
  const cure = `If this stack creates it, ${refresh} moves it; if another one does, set folderUid`;
  const detail = `is at the top level, not in f. ${cure}`;
  expect(results['dashboard "D"']).toEqual({ name: 'dashboard "D"', status: "failed", detail });
});

it.each([
  [302, ": check grafanaUrl"],
  [403, ": check grafanaAuth"],
  [404, deleted],
])("a dashboard that Grafana refuses, or does not have, is a failure: %d", async (status, cure) => {
  const { results } = await check({ "/api/dashboards/uid/d": json({}, status) });
  expect(results['dashboard "D"']).toMatchObject({ status: "failed", detail: `Grafana returned ${status} for the uid d${cure}` });
});

it("the query for series covers the last 24 hours", async () => {
  const { requestTo } = await check({});
  const query = JSON.parse(requestTo("/api/ds/query")?.body ?? "");
  const expr = expect.stringMatching(
    /^group by \(__name__, [\w, ]+\) \(last_over_time\(\{__name__=~"gen_ai[^"]*",le=~"\|\\\\\+Inf"\}\[24h\]\)\)$/,
  );
  expect(query).toMatchObject({ queries: [{ datasource: { uid: "p" }, expr, instant: true, range: false }], to: "now" });
});

const parseError = 'bad_data: invalid parameter "query": 1:1: parse error: unexpected end of input';
it.each([
  ["with Prometheus' message", json({ results: { A: { status: 400, error: parseError, frames: [] } } }, 400), parseError],
  ["without a message", json(null, 500), "500"],
])("a query that is refused %s is a note", async (_what, response, reason) => {
  const { results } = await check({ "/api/ds/query": response });
  expect(results['series of "D"']).toEqual({ name: 'series of "D"', status: "note", detail: `unknown: ${reason}` });
});

/** Checks logs and spans. */
const arrivals = (others: Record<string, string>) =>
  check(
    others,
    {
      datasources: [{ type: "loki", uid: "l" } as const, { type: "tempo", uid: "t" } as const],
      dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["a"], sdk: { telemetry: "spec", spans: '{ span.a = "b" }' } }],
      streams: '{job="x"}',
      sdk: { name: "s", naming: "prometheus", counters: [{ series: "a", selector: "a{}" }] },
    },
    { datasourceSecrets: ["canary-7f3a"] },
  );

it("logs and spans are asked for with a query and a time", async () => {
  const { requestTo, results } = await arrivals({});
  const others = await arrivals({ [labelValues]: json({ data: ["prompt", "audit", "canary-7f3a"] }) });
  expect(others.results["log streams"]).toMatchObject({
    status: "note",
    detail: 'no data yet: no log streams {job="x"} with type "response" in the last 24 hours, only "prompt", "audit"',
  });
  const [logs, spans] = [labelValues, search].map((path) => Object.fromEntries(new URLSearchParams(requestTo(path)?.path.split("?")[1])));
  expect(results["log streams"]).toMatchObject({ status: "ok", detail: "prompts and responses arrive" });
  expect(results.spans).toMatchObject({ status: "ok", detail: 'arrive for "D"' });
  expect(logs?.query).toBe('{job="x"}');
  expect(Math.abs(Date.now() - 24 * 3_600_000 - Number(logs?.start) / 1e6)).toBeLessThan(60_000);
  expect(spans).toMatchObject({ q: expect.stringMatching(/^\{ span.a = "b" \} \|/), limit: "100" });
  expect(Number(spans?.end) - Number(spans?.start)).toBe(3600);
});

it.each([
  ["refused", json({ message: "Permission denied" }, 403), "unknown: 403: Permission denied"],
  ["a page", page, expect.stringMatching(/^unknown: .* returned 200 without JSON/)],
])("a request for logs and spans that is %s is a note", async (_what, response, detail) => {
  const { results } = await arrivals({ [labelValues]: response, [search]: response });
  expect(results["log streams"]).toMatchObject({ status: "note", detail });
  expect(results.spans).toMatchObject({ status: "note", detail });
});
