/**
 * Telemetry that arrives now is in the panels now: of a real application, configured by the stack's OTLP outputs only, and of the SDK that the spec's
 * names come from, as recorded.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OtlpEnvironment } from "../../src/otlp";
import { type Gateway, startGateway } from "../sandbox/gateway";
import { run } from "../support/run";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";
import { queryInstant } from "../view/reading/client";
import { type Shown, show } from "../view/reading/show";
import { modelB, names, panelsOfB } from "./panels";
import { type RunningServers, startServers } from "./servers";
import { otlpMetrics, otlpTraces, push } from "./telemetry/push";
import { recordedExports } from "./telemetry/recorded";

const instanceId = "345678";
const start = Date.now();

/** Counters are read at full minutes of the clock: the next one has all that was sent until now. */
const nextMinute = () => Math.ceil(Date.now() / 60_000) * 60_000;

let servers: RunningServers;
let gateway: Gateway;
let sandbox: Sandbox;
let stack: TestStack;

beforeAll(async () => {
  servers = await startServers();
  gateway = await startGateway(instanceId, canary.otlpToken, { metrics: otlpMetrics(servers), traces: otlpTraces(servers) });
  sandbox = await Sandbox.start();
  stack = await TestStack.create({ ...sandbox.config(), sdkName: names.sdkName, otlpEndpoint: gateway.url, otlpInstanceId: instanceId });
  await stack.up();
}, 300_000);

afterAll(async () => {
  stack?.remove();
  await Promise.all([sandbox?.stop(), gateway?.stop(), servers?.stop()]);
});

/** The value of one application in a panel. */
function shown(title: string, application: string): Promise<Shown> {
  const panel = panelsOfB.get(title);
  if (!panel) throw new Error(`No panel "${title}"`);
  const view = { from: start - 15 * 60_000, to: nextMinute(), selected: { application: [application], environment: [] } };
  return show(panel, modelB, view, servers);
}

/** Titles of the panels without data of one application. A graph needs more exports than these applications have. */
async function emptyPanels(application: string): Promise<string[]> {
  const titles = [...panelsOfB].filter(([, { type }]) => type !== "timeseries").map(([title]) => title);
  const kinds = await Promise.all(titles.map(async (title) => (await shown(title, application)).kind));
  return titles.filter((_title, index) => kinds[index] === "nothing");
}

/** The last values of a series of one application by a label, without the dashboards' queries. */
async function valuesOf(series: string, application: string, label = "gen_ai_application_name"): Promise<Record<string, number>> {
  const selector = `${series}{gen_ai_application_name="${application}", telemetry_sdk_name="${names.sdkName}"}`;
  const { result } = await queryInstant(servers.prometheus, `sum by (${label}) (${selector})`, Date.now());
  const values = result as { metric: Record<string, string>; value: [number, string] }[];
  return Object.fromEntries(values.map(({ metric, value }) => [metric[label], Number(value[1])]));
}

/** Rows of a table, newest first. Waits until Tempo finds `count` of them. */
async function rowsOf(title: string, application: string, count: number): Promise<Record<string, string>[]> {
  for (let attempt = 0; ; attempt += 1) {
    const found = await shown(title, application);
    if (found.kind === "table" && found.rows.length >= count) {
      return found.rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, { text }]) => [column, text])));
    }
    if (attempt > 40) throw new Error(`"${title}" shows ${JSON.stringify(found)}`);
    await setTimeout(1000);
  }
}

describe("an application with the real OpenTelemetry SDK", () => {
  const application = join(__dirname, "telemetry/application.ts");
  const runApplication = (otlp: object) =>
    run(process.execPath, ["-r", "./src/load.cjs", application, names.sdkName], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...otlp },
    });

  it("with a wrong token is rejected", async () => {
    const { otlp } = (await stack.outputs()) as { otlp: OtlpEnvironment };
    const wrong = { ...otlp, OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Basic%20${Buffer.from(`${instanceId}:other`).toString("base64")}` };
    gateway.answers.length = 0;
    await runApplication(wrong).catch(() => undefined);
    expect(new Set(gateway.answers)).toEqual(new Set(["/otlp/v1/metrics 401", "/otlp/v1/traces 401"]));
    expect((await shown("Total Successful GenAI Requests", "live")).kind).toBe("nothing");
  });

  it("configured by the stack's OTLP outputs is in every panel", async () => {
    const { otlp } = (await stack.outputs()) as { otlp: OtlpEnvironment };
    gateway.answers.length = 0;
    await runApplication(otlp);
    expect(new Set(gateway.answers)).toEqual(new Set(["/otlp/v1/metrics 200", "/otlp/v1/traces 200"]));
    const rows = await rowsOf("GenAI Requests, table", "live", 2);
    expect(rows.map(({ Prompt, Completion, Cost }) => [Prompt, Completion, Cost])).toEqual([
      ["two", "yes", "$0.500000"],
      ["one", "yes", "$0.250000"],
    ]);
    expect(await rowsOf("VectorDB Requests, table", "live", 1)).toMatchObject([{ Operation: "chroma.query", Application: "live" }]);
    expect(await valuesOf("gen_ai_requests_total", "live", "gen_ai_request_model")).toEqual({ "gpt-4o": 2 });
    expect(await valuesOf("db_requests_total", "live", "db_operation")).toEqual({ query: 1 });
    expect(await valuesOf("gen_ai_usage_tokens_total", "live")).toEqual({ live: 28 });
    expect(await valuesOf("gen_ai_usage_cost_USD_sum", "live")).toEqual({ live: 0.75 });
    expect(await emptyPanels("live")).toEqual([]);
  });
});

describe("the recorded SDK", () => {
  beforeAll(async () => {
    const addresses = { metrics: otlpMetrics(servers), traces: otlpTraces(servers) };
    for (const { signal, body } of recordedExports(Date.now())) await push(body, addresses[signal], { "Content-Type": "application/json" });
  });

  it.each<[series: string, label: string, values: Record<string, number>]>([
    ["gen_ai_requests_total", "gen_ai_request_model", { "gpt-4o": 1, "gpt-3.5-turbo": 1, "text-embedding-3-small": 1 }],
    ["gen_ai_requests_total", "gen_ai_system", { openai: 3 }],
    ["gen_ai_requests_total", "gen_ai_type", { chat: 2, embedding: 1 }],
    ["gen_ai_requests_total", "gen_ai_environment", { prod: 3 }],
    ["gen_ai_usage_tokens_total", "gen_ai_application_name", { shop: 33 }],
    ["gen_ai_usage_cost_USD_sum", "gen_ai_application_name", { shop: expect.closeTo(1.101e-4, 10) }],
    ["gen_ai_usage_cost_USD_count", "gen_ai_application_name", { shop: 3 }],
    ["db_requests_total", "db_system", { chroma: 2 }],
    ["db_requests_total", "db_operation", { add: 1, query: 1 }],
  ])("%s has the label %s", async (series, label, values) => {
    expect(await valuesOf(series, "shop", label)).toEqual(values);
  });

  it("is in every panel", async () => {
    await rowsOf("VectorDB Requests, table", "shop", 2);
    expect(await emptyPanels("shop")).toEqual([]);
  });

  it("has its spans in the tables, without the failed call", async () => {
    const rows = await rowsOf("GenAI Requests, table", "shop", 3);
    expect(rows.map(({ Model, Prompt, Completion, Cost }) => [Model, Prompt, Completion, Cost])).toEqual([
      ["text-embedding-3-small", "x", "–", "$0.000000"],
      ["gpt-3.5-turbo", 'user: hello "quoted"\nnewline', "Four.", "$0.000010"],
      ["gpt-4o", "user: 2+2?", "Four.", "$0.000100"],
    ]);
    expect((await rowsOf("VectorDB Requests, table", "shop", 2)).map(({ Operation }) => Operation)).toEqual(["chroma.query", "chroma.add"]);
  });

  it("has its durations in the histogram", async () => {
    const found = await shown("Request Duration Distribution", "shop");
    expect(found.kind === "histogram" && found.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  });
});
