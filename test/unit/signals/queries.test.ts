/**
 * Four queries as a person would write them: a counter by its samples (GenAI Observability), an error rate and a percentile (OpenTelemetry), a mean (LLM
 * Monitoring), and a recording rule. Real servers show that their numbers are right: test/truth.
 */
import { expect, it } from "vitest";
import { genaiRecordingRules } from "../../../src/signals/genai";
import { exampleA, exampleB, exampleC, recordedC, targetsOf } from "../../support/models";

const queryOf = (model: typeof exampleA, id: number) => targetsOf(model, "prometheus").find(({ panel }) => panel.id === id)?.target.expr;

it("Total Successful GenAI Requests: the increases of all full minutes", () => {
  const series =
    'gen_ai_requests_total{telemetry_sdk_name="llmsdk",gen_ai_application_name=~"$application",gen_ai_environment=~"$environment"}';
  expect(queryOf(exampleB, 2)).toBe(
    `sum_over_time(sum(\n  60 * irate((last_over_time(${series}[3h]) < Inf)[2m:1m])\n  or last_over_time(${series}[1m]) < Inf\n)[$__range:1m])`,
  );
});

it("its recording rule: the increase of one minute", () => {
  const series = 'gen_ai_requests_total{telemetry_sdk_name="openlit"}';
  const labels = "telemetry_sdk_name, gen_ai_application_name, gen_ai_environment, gen_ai_request_model, gen_ai_system, gen_ai_type";
  expect(genaiRecordingRules("openlit", "prometheus")[0]).toMatchObject({
    name: "application:gen_ai_requests:increase1m",
    query: `sum_over_time(sum by (${labels}) (\n  60 * irate((last_over_time(${series}[3h]) < Inf)[2m:1m])\n  or last_over_time(${series}[1m]) < Inf\n)[1m:1m])`,
  });
});

const requests = (more = "") =>
  'gen_ai_client_operation_duration_seconds_count{job=~"$application",deployment_environment=~"$environment",gen_ai_request_model=~"$model",' +
  `${more}gen_ai_operation_name!~".*_(agent|tool|workflow)|retrieval"}`;

it("Error Rate: requests with an error.type, by all requests", () => {
  const sum = (series: string) =>
    `sum_over_time(sum(\n  60 * irate((last_over_time(${series}[3h]) < Inf)[2m:1m])\n  or last_over_time(${series}[1m]) < Inf\n)[$__range:1m])`;
  expect(queryOf(exampleC, 3)).toBe(`(${sum(requests('error_type!="",'))} or vector(0)) / (${sum(requests())} > 0)`);
  const recorded =
    'application:gen_ai_requests_count:increase1m{application=~"$application",environment=~"$environment",provider=~"$provider",model=~"$model"';
  expect(queryOf(recordedC, 3)).toBe(
    `(sum(sum_over_time(${recorded},error_type!=""}[$__range]) < Inf) or vector(0)) / (sum(sum_over_time(${recorded}}[$__range]) < Inf) > 0)`,
  );
});

it("p95 Latency: the 95th percentile of the slowest application", () => {
  const buckets = requests().replace("_count{", "_bucket{");
  const last = `last_over_time(${buckets}[$__range])`;
  expect(queryOf(exampleC, 4)).toBe(
    `topk(1, histogram_quantile(0.95, sum by (le, job) (\n  ${last} - last_over_time(${buckets}[3h] offset $__range) >= 0 unless resets(${buckets}[$__range]) > 0\n` +
      `  or ${last}\n)) >= 0)`,
  );
  expect(queryOf(recordedC, 4)?.match(/histogram_quantile\([^,]*/g)).toEqual(["histogram_quantile(0.95", "histogram_quantile(0.95"]);
});

it("Avg Cost / Request: the sum of the samples by their number", () => {
  const samples = 'llmobs_llm_usageCost{job="llmobs",applicationName=~"$Application",environment=~"$Environment"}[$__range]';
  expect(queryOf(exampleA, 4)).toBe(
    `sum(sum_over_time(${samples}) < Inf) / sum(count_over_time(${samples}) and sum_over_time(${samples}) < Inf)`,
  );
});
