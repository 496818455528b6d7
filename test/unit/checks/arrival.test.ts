/** What the checks with one query say: numbers, counters, gateways. That the queries find what they should is in test/truth. */
import { expect, it } from "vitest";
import type { CheckTargets } from "../../../src/checks/targets";
import type { Gateways } from "../../../src/signals/opentelemetry-rules";
import { check, type Given, json } from "./run";

type Series = { labels: Record<string, string>; value?: number };

/** The result of a check, where `find` has the result of each query. */
async function result(name: string, sdk: Given<CheckTargets["sdk"]>, find: (expr: string) => readonly Series[]) {
  const { results } = await check(
    ({ path, body }) => {
      if (path !== "/api/ds/query") return json({});
      const found = find(JSON.parse(body).queries[0].expr);
      const frames = found.map(({ labels, value }) => ({ schema: { fields: [{ labels }] }, data: { values: [[value]] } }));
      return json({ results: { A: { frames } } });
    },
    {
      targets: {
        dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["llmobs_llm_usageCost"] }],
        sdk: { name: "openlit", naming: "prometheus", counters: [], ...sdk },
      },
      secrets: { datasourceSecrets: ["canary-7f3a"] },
    },
  );
  const { status, detail } = results[name] ?? {};
  return { status, detail };
}

const numbers = (...labels: Record<string, string>[]) => result("numbers", {}, () => labels.map((each) => ({ labels: each })));

it("all are numbers", async () => {
  expect(await numbers()).toEqual({ status: "ok", detail: "the last value of each series is a number" });
});

it("who sends NaN or infinity, by the label that its telemetry has, without secrets", async () => {
  const found = await numbers(
    { series: "gen_ai_client_token_usage_sum", job: "collector", exported_job: "gateway" },
    { series: "gen_ai_client_token_usage_sum", job: "canary-7f3a" },
    { series: "llmobs_llm_usageCost", job: "llmobs", applicationName: "shop" },
    { series: "gen_ai_usage_cost_USD_sum", job: "b" },
    // Of another product: no panel reads it.
    { series: "vllm_llm_load", job: "b" },
  );
  expect(found).toMatchObject({
    status: "note",
    detail: expect.stringMatching(
      /^values are NaN or infinite: gen_ai_client_token_usage_sum of an application, gen_ai_client_token_usage_sum of gateway, gen_ai_usage_cost_USD_sum of b and 1 more\. Panels,/,
    ),
  });
});

it("a counter with many resets is shared by several processes, or they restart", async () => {
  const counters = [{ series: "requests_total", selector: "requests_total{}" }];
  const resets = (...found: Series[]) =>
    result("counters", { counters }, (expr) => (expr.includes("resets(requests_total{}") ? found : []));
  expect(await resets()).toEqual({ status: "ok", detail: "no series is shared by several processes" });
  const of = (value: number, series: string, job: string) => ({ labels: { series, job }, value });
  const others = [of(20.7, "other_total", "other"), of(30, "requests_total", "canary-7f3a")];
  expect(await resets(...others, of(21, "duration_count", "shop"), of(59.6, "requests_total", "shop"))).toEqual({
    status: "note",
    detail:
      "more than 20 resets in an hour of requests_total, duration_count by shop (60), an application (30), shop (21): either several processes write the " +
      "same series, and panels show too much or too little, or they restart that often. Set a different service.instance.id for each process, for example " +
      "in OTEL_RESOURCE_ATTRIBUTES: SDKs for Node.js send none.",
  });
});

it("a budget whose application has no recorded series is named, not that of a key or of the service alone; else one that no rule records", async () => {
  const find = (expr: string) => {
    const isOfRequests = ["application:gen_ai_requests_count:increase1m", "alerts:gen_ai_cost:increase1m"].every((name) =>
      expr.includes(name),
    );
    const names = isOfRequests ? ["web", "shop-key"] : expr.includes("application:gen_ai_budget:usd_per_day") ? ["web", "typo"] : [];
    return names.map((application) => ({ labels: { application } }));
  };
  const detail =
    'alertBudgets: nothing of typo was recorded in the last 24 hours. Check whether it is an application of "GenAI Observability (OpenTelemetry)"';
  expect(await result("budgets", { budgets: ["web", "shop-key", "typo"] }, find)).toEqual({ status: "note", detail });
  const unwatched =
    "alertBudgets: no rule records the budget of shop-key, so no alert watches it. New rules take two minutes. If another stack or ";
  expect(await result("budgets", { budgets: ["web", "shop-key"] }, find)).toEqual({
    status: "note",
    detail: `${unwatched}server evaluates the rules, set alertBudgets there`,
  });
  const none = await result("budgets", { budgets: ["web"] }, find);
  expect(none).toEqual({ status: "ok", detail: "the budget of each application is recorded" });
});

it.each([
  [384, { status: "ok", detail: "at most 384 series of one counter are read directly" }],
  [
    385,
    { status: "note", detail: expect.stringMatching(/^up to 385 series of one counter .* config set genaiReads rules --stack STACK$/) },
  ],
])("%d series of a counter: from 385 on, a Prometheus refuses panels, and they are recorded", async (value, expected) => {
  expect(await result("live series", { readsSamples: true }, () => [{ labels: {}, value }])).toEqual(expected);
});

const seen = "in the last 24 hours, the gateways saw 10,000 requests, SDKs 8,700";
const sends = '13 % of the traffic sends nothing. By application: the row "Gateways"';
const names = "new rules take two minutes. If it stays so, check whether their metrics arrive, and gateways has the names of applications";

it.each<[what: string, requests: number, uncounted: number, Gateways["countedBy"], status: string, detail: string]>([
  ["what SDKs lack, if they count", 8_700, 10_000, "sdks", "ok", `${seen}: ${sends}`],
  ["what SDKs lack, if gateways count", 10_000.2, 8_700, "gateways", "ok", `${seen}: ${sends}`],
  ["nothing", 10, 10, "sdks", "ok", "in the last 24 hours, the gateways saw 10 requests, SDKs 10"],
  ["a wrong name", 10, 0, "sdks", "note", `no requests of litellm or aigw in the last 24 hours: ${names}`],
])("gateways: %s", async (_what, requests, uncounted, countedBy, status, detail) => {
  const gateways = { names: ["litellm", "aigw"], countedBy };
  const find = (expr: string) => {
    if (expr.includes("gen_ai_uncounted_requests")) return [{ labels: {}, value: uncounted }];
    return expr.includes("gen_ai_requests_count:") ? [{ labels: {}, value: requests }] : [];
  };
  expect(await result("gateways", { gateways }, find)).toEqual({ status, detail });
});
