/**
 * Queries as a person would write them: a counter by its samples (GenAI Observability), an error rate, a percentile and a ratio (OpenTelemetry), a mean (LLM
 * Monitoring), and two recording rules. Real servers show that their numbers are right: test/truth.
 */
import { expect, it } from "vitest";
import { genaiRecordingRules } from "../../../src/signals/genai";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry-rules";
import { exampleA, exampleB, exampleC, targetsOf } from "../../support/models";

const queriesOf = (model: typeof exampleA, id: number) =>
  targetsOf(model, "prometheus").flatMap(({ panel, target }) => (panel.id === id ? [target.expr] : []));
const queryOf = (model: typeof exampleA, id: number) => queriesOf(model, id)[0];

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

const selected = 'application=~"$application",environment=~"$environment",provider=~"$provider",model=~"$model"';

it("Error Rate: requests with an error.type, by all requests", () => {
  const recorded = `application:gen_ai_requests_count:increase1m{${selected}`;
  expect(queryOf(exampleC, 3)).toBe(
    `(sum(sum_over_time(${recorded},error_type!=""}[$__range]) < Inf) or vector(0)) / (sum(sum_over_time(${recorded}}[$__range]) < Inf) > 0)`,
  );
});

it("p95 Latency: of at least 10 requests, by sources, whose histograms can have different bounds", () => {
  const buckets = (more = "") => `sum_over_time(application:gen_ai_requests_bucket:increase1m{${selected}${more}}[$__range])`;
  expect(queryOf(exampleC, 4)).toBe(
    `max (histogram_quantile(0.95, sum by (le, source) (${buckets()})) >= 0 unless sum by (source) (${buckets(',le="+Inf"')}) < 9.5)`,
  );
});

it("Cost by the chosen label: the ten with the highest cost of the time range, and the others", () => {
  const cost = (window: string) => `sum by ($by) (sum_over_time(application:gen_ai_cost:increase1m{${selected}}${window}) < Inf)`;
  const largest = `topk(10, ${cost("[$__range] @ end()")})`;
  expect(queriesOf(exampleC, 13)).toEqual([`${cost("[$__interval]")} and ${largest}`, `sum(${cost("[$__interval]")} unless ${largest})`]);
});

it("Cost / request, a column: the cost by the requests of models with a cost", () => {
  const increase = (name: string) => `sum by ($by) (sum_over_time(application:gen_ai_${name}:increase1m{${selected}}[$__range]) < Inf)`;
  expect(queriesOf(exampleC, 40).at(-1)).toBe(`${increase("cost")} / (${increase("priced_requests")} > 0) > 0`);
});

it("the rule of tokens of Spring AI, as a person would write it", () => {
  const process = "job, instance, exported_job, exported_instance";
  const other = ".*(agent|memory|plan|retriev|task|tool|workflow).*|framework|vectordb";
  const durations = "gen_ai_client_operation_duration_seconds_count|gen_ai_client_operation_duration_seconds";
  const last = `last_over_time(gen_ai_client_token_usage_total{gen_ai_token_type=~"input|output",gen_ai_operation_name!~"${other}"}[3h])`;
  const { query, labels, comment } =
    openTelemetryRecordingRules("prometheus").find(({ comment }) => comment?.startsWith("Spring AI's tokens")) ?? {};
  expect([comment, labels]).toEqual(["Spring AI's tokens, by OTLP or scraped.", { source: "spring" }]);
  expect(query).toBe(`sum_over_time(sum by (application, environment, provider, model, gen_ai_token_type, gen_ai_response_model) (
  label_replace(label_join(label_replace(label_join(label_replace(label_join(label_replace(label_join(label_replace(
    sum without (application, environment, provider, model, none, resource) (
      60 * irate((${last} < Inf >= 0)[2m:1m])
      or ${last} < Inf >= 0
    )
    * on (${process}) group_left (resource) (
      topk by (${process}) (1, label_join(sum by (${process}, deployment_environment_name, deployment_environment) (count_over_time(target_info[3h])), "resource", ";", "deployment_environment_name", "deployment_environment"))
      or on (${process}) group by (${process}) (last_over_time(gen_ai_client_token_usage_total{}[3h]))
    ) ^ 0
    unless on (${process}, gen_ai_operation_name) last_over_time({__name__=~"${durations}",gen_ai_operation_name!~"${other}"}[3h]),
    "none", "(none)", "", ""),
    "application", ";", "service_name", "exported_job", "job", "none"), "application", "$1", "application", ";*([^;]*).*"),
    "environment", ";", "deployment_environment_name", "deployment_environment", "resource", "none"), "environment", "$1", "environment", ";*([^;]*).*"),
    "provider", ";", "gen_ai_provider_name", "gen_ai_system", "none"), "provider", "$1", "provider", ";*([^;]*).*"),
    "model", ";", "gen_ai_request_model", "gen_ai_response_model", "none"), "model", "$1", "model", ";*([^;]*).*")
)[1m:1m])`);
});

it("Avg Cost / Request: the sum of the samples by their number", () => {
  const samples = 'llmobs_llm_usageCost{job="llmobs",applicationName=~"$Application",environment=~"$Environment"}[$__range]';
  expect(queryOf(exampleA, 4)).toBe(
    `sum(sum_over_time(${samples}) < Inf) / sum(count_over_time(${samples}) and sum_over_time(${samples}) < Inf)`,
  );
});
