/**
 * The checks of what arrives, on real Prometheus, Loki and Tempo behind the stand-in for Grafana. Recorded exports of SDKs arrive step by step. The words for
 * each situation are those of the unit tests.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { datasourceTypes } from "../../src/settings/keys";
import { openTelemetryRecordingRules } from "../../src/signals/opentelemetry-rules";
import { TestGrafana } from "./grafana";
import findings from "./recordings/findings.json";
import { samplesOf } from "./samples";
import { servers, useServers } from "./set-up";
import { allTraces, json, otlpMetrics, push, pushSeries } from "./telemetry/push";
import { metricsPath, pushRecorded, recording, retimed, specRecording, tracesPath } from "./telemetry/recorded";
import { untilFound } from "./telemetry/traces";
import { hour, minute } from "./world/world";

/** What the checks say. Without `spans`, they arrive for the dashboard of today's telemetry. */
type Finding = { series: string; spans?: string };

const now = Date.now() - minute;
const contrib = "opentelemetry-instrumentation-openai-v2-2.4b0";

let grafana: TestGrafana;
const check: TestGrafana["check"] = (changed) => grafana.check(changed);

useServers(120_000, async () => {
  grafana = await TestGrafana.start(datasourceTypes.map((type) => ({ uid: type, type, url: servers[type] })));
});

afterAll(() => grafana?.stop());

/** Pushes a recording with another name of the application. */
async function send(name: string, application: string, signals = [metricsPath, tracesPath], changed = (text: string) => text) {
  const sent = retimed(recording(name), now).filter(({ path }) => signals.includes(path));
  await pushRecorded(JSON.parse(changed(JSON.stringify(sent)).replaceAll('"shop"', JSON.stringify(application))), servers);
}

/** Waits until Tempo finds a span. */
const untilSpan = (query: string) => untilFound(servers, { query, from: now - 60 * minute, to: now + 2 * minute }, 1);

const [ofSpec, ofOtel] = ['series of "GenAI Observability"', 'series of "GenAI Observability (OpenTelemetry)"'];
const onlyOtelSpans = 'ok: arrive for "GenAI Observability (OpenTelemetry)", not for "GenAI Observability" in the last hour';

it("nothing has arrived", async () => {
  expect(await check({ contents: "hide" })).toEqual({
    'series of "llmobs - LLM Monitoring"': "note: no data yet: no llmobs_llm_requestDuration and 4 more in the last 24 hours",
    [ofSpec]: "note: no data yet: no gen_ai_requests_total and 6 more in the last 24 hours",
    [ofOtel]: "note: no data yet: no gen_ai_client_operation_duration_seconds_count and 2 more in the last 24 hours",
    numbers: "ok: the last value of each series is a number",
    counters: "ok: no series is shared by several processes",
    "recording rules": expect.stringMatching(
      /^note: rules are not evaluated: no model:gen_ai_price:usd_per_million_tokens in the last 10 minutes\. New rules /,
    ),
    "live series": "ok: at most 0 series of one counter are read directly",
    spans: 'note: no data yet: no spans for "GenAI Observability" or "GenAI Observability (OpenTelemetry)" in the last hour',
  });
  expect((await check())["log streams"]).toMatch(/^note: no data yet: no log streams/);
});

it("delta temporality is refused, and spans arrive", async () => {
  const delta = retimed(recording(contrib), now).find(({ path }) => path === metricsPath);
  const body = JSON.stringify(delta?.body).replace(/("aggregationTemporality": ?)("[^"]*"|2)/g, "$11");
  expect(body).toContain('"aggregationTemporality":1');
  await expect(push(body, otlpMetrics(servers), json)).rejects.toThrow("invalid temporality");
  await send(contrib, "delta", [tracesPath]);
  await untilSpan("{ span.gen_ai.operation.name = `chat` }");
  const found = await check();
  expect(found[ofOtel]).toMatch(
    /^note: no data yet: .*\. Spans of delta arrive, but no metrics: either .*TEMPORALITY_PREFERENCE=cumulative/,
  );
  expect(found.spans).toBe(onlyOtelSpans);
});

it("the conventions alone: the environment is found in the resource, and the dashboard of the spec stays empty", async () => {
  await send(contrib, "web");
  await send("openlit-python-1.45.0", "shop");
  const found = await check();
  // OpenLIT still sends costs by the name of 2024: of two chats, one that failed, and embeddings.
  expect(found["live series"]).toBe("ok: at most 4 series of one counter are read directly");
  // The spans of the first step are still there.
  expect(found[ofOtel]).toMatch(/^note: arrive \(OpenTelemetry's conventions up to 1\.41\)\. Spans of delta arrive, but no metrics/);
  expect(found[ofSpec]).toMatch(/^note: no data\. Other names arrive: .* "GenAI Observability \(OpenTelemetry\)" reads them/);
  // Its spans have the name of the SDK, but not the attributes by which the panels filter.
  expect(found.spans).toBe(onlyOtelSpans);
});

it("an application whose metrics have no unit is named, with the cure, after which it is fine", async () => {
  await send(contrib, "gateway", [metricsPath], (text) => text.replaceAll('"unit":"s"', '"unit":""'));
  const found = async (settings?: Record<string, string>) => (await check(settings))[ofOtel];
  const [recorded] = openTelemetryRecordingRules("prometheus");
  const requests = async () => {
    const query = `sum(sum_over_time((${recorded?.query})[1h:1m])) by (application) > 0`;
    const samples = await samplesOf(servers.prometheus, query, now + minute);
    return samples.find(({ metric }) => metric.application === "gateway")?.value ?? 0;
  };
  expect(await requests()).toBe(0);
  expect(await found()).toMatch(
    /The names of gateway are stored without suffixes, .* either its metrics have no unit.*: let it push by OTLP\./,
  );
  expect(await found()).not.toContain("metricNaming");
  expect(await found({ metricNaming: "no-suffixes" })).toMatch(
    /The names of gateway .*\. Then read the others: .* metricNaming prometheus/,
  );
  await send(contrib, "gateway", [metricsPath]);
  expect(await found()).not.toContain("The names of");
  // Of ten calls, this SDK does not record that of the Responses API.
  expect(await requests()).toBe(9);
});

it("both generations", async () => {
  await send(specRecording, "old");
  await untilSpan("{ span.gen_ai.application_name = `old` && status = ok }");
  const found = await check();
  expect(found[ofSpec]).toBe("ok: arrive (OpenLIT's names of 2024)");
  expect(found["live series"]).toMatch(/^ok: at most [1-9]\d* series of one counter are read directly$/);
  const both = 'ok: arrive for "GenAI Observability" and "GenAI Observability (OpenTelemetry)"';
  expect(found.spans).toBe(both);
  // As if the search had not found them: of many, it finds some.
  const notFound = (text: string) => text.replace(/"status":\{[^}]*\}/g, '"status":{}').replace(/((?:trace|[sS]pan)Id":")../g, "$1ff");
  await send(specRecording, "older", [tracesPath], notFound);
  await untilSpan("{ span.gen_ai.application_name = `older` }");
  expect((await check()).spans).toBe(both);
  expect((await check({ sdkName: "other" }))[ofSpec]).toMatch(/^note: no data\. No series has telemetry_sdk_name "other"/);
  expect((await check({ metricNaming: "no-suffixes" }))[ofSpec]).toMatch(/npx pulumi config set --stack STACK metricNaming prometheus$/);
});

it("an application with the SDK of 2024 whose requests all failed: its table leaves them out, and they are no others", async () => {
  const sent = retimed(recording(specRecording), now).filter(({ path }) => path === tracesPath);
  const renamed = JSON.stringify(sent)
    .replaceAll('"shop"', '"broken"')
    .replaceAll(/"traceId":"../g, '"traceId":"ff');
  const failing = renamed.replaceAll("STATUS_CODE_OK", "STATUS_CODE_ERROR");
  await pushRecorded(JSON.parse(failing), servers);
  await untilSpan("{ span.gen_ai.application_name = `broken` && status = error }");
  expect((await check()).spans).toBe('ok: arrive for "GenAI Observability" and "GenAI Observability (OpenTelemetry)"');
});

it("a collector that is scraped without honor_labels: its applications are known", async () => {
  const labels = { job: "otel-collector", instance: "collector:8889", exported_job: "search", deployment_environment: "prod" };
  const name = { __name__: "gen_ai_client_operation_duration_seconds_count" };
  await pushSeries(servers.prometheus, [{ labels: { ...name, ...labels }, samples: [[now, 1]] }]);
  expect((await check())[ofOtel]).toMatch(/^note: arrive .* No tokens from search: /);
});

it("values that are no numbers are told, with who sends them", async () => {
  expect((await check()).numbers).toBe("ok: the last value of each series is a number");
  const series = (name: string, job: string, value: number) => ({
    labels: { __name__: name, job },
    samples: [[now, value]] as [number, number][],
  });
  await pushSeries(servers.prometheus, [
    series("gen_ai_client_token_usage_sum", "gateway", Number.NaN),
    series("gen_ai_client_token_usage_count", "gateway", 3),
    series("llmobs_llm_usageCost", "llmobs", Number.POSITIVE_INFINITY),
  ]);
  const found = await check();
  expect(found.numbers).toMatch(
    /^note: values are NaN or infinite: gen_ai_client_token_usage_sum of gateway, llmobs_llm_usageCost of llmobs\. /,
  );
  // Without the labels of an application and an environment.
  expect(found['series of "llmobs - LLM Monitoring"']).toContain("Panels do not show llmobs_llm_usageCost: panels select the job llmobs, ");
});

describe("a recorded SDK alone", () => {
  // At a time of its own, more than a day after the one before, which is now for the checks.
  const alone = Object.entries<Finding>(findings).map(([name, expected], index) => ({ name, expected, at: now - (index + 2) * 25 * hour }));

  beforeAll(async () => {
    const searches: (() => Promise<void>)[] = [];
    for (const { name, at } of alone) {
      const [file = "", only = ""] = name.split(", only ");
      const traces = await pushRecorded(
        retimed(recording(file), at).filter(({ path }) => path.endsWith(only)),
        servers,
      );
      searches.push(() => untilFound(servers, allTraces(at - 30 * minute, at), traces));
    }
    await Promise.all(searches.map((search) => search()));
  }, 120_000);

  afterEach(() => void vi.useRealTimers());

  it.each(alone)("$name", async ({ expected, at }) => {
    vi.useFakeTimers({ now: at + 2 * minute, toFake: ["Date"] });
    const found = await check();
    expect({ series: found[ofOtel], spans: found.spans }).toEqual({ spans: onlyOtelSpans, ...expected });
  });
});
