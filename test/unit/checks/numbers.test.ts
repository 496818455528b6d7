/** What the checks say about values that are no numbers. That the query finds them is in test/truth. */
import { expect, it } from "vitest";
import { check, json } from "./run";

const numbers = async (...found: Record<string, string>[]) => {
  const frames = found.map((labels) => ({ schema: { fields: [{ labels }] } }));
  const { results } = await check(({ path }) => json(path === "/api/ds/query" ? { results: { A: { frames } } } : {}), {
    targets: { dashboards: [{ title: "D", uid: "d", folderUid: "f", series: [] }] },
    secrets: { datasourceSecrets: ["canary-7f3a"] },
  });
  return results.numbers;
};

it("all are numbers", async () =>
  expect(await numbers()).toEqual({ name: "numbers", status: "ok", detail: "all values of the last 24 hours are numbers" }));

it("who sends NaN or infinity, by the label that its telemetry has, without secrets", async () => {
  const found = await numbers(
    { series: "gen_ai_client_token_usage_sum", job: "collector", exported_job: "gateway" },
    { series: "gen_ai_client_token_usage_sum", job: "canary-7f3a" },
    { series: "llmobs_llm_usageCost", job: "llmobs", applicationName: "shop" },
    { series: "x_llm_a", job: "b" },
  );
  expect(found).toMatchObject({
    status: "note",
    detail: expect.stringMatching(
      /^values are NaN or infinite: gen_ai_client_token_usage_sum of an application, gen_ai_client_token_usage_sum of gateway, llmobs_llm_usageCost of shop and 1 more\. Panels,/,
    ),
  });
});
