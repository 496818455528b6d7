/**
 * What is pushed now shows now: by a real application that nothing but the stack's OTLP outputs configures, and by the SDK that the spec's names
 * come from, as recorded.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/cli/run";
import type { OtlpEnvironment } from "../../src/otlp";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";
import { type Shown, show, textOf } from "./grafana/show";
import { modelB, names, panelsOfB } from "./panels";
import { type RunningServers, startServers } from "./servers";
import { type Gateway, startGateway } from "./telemetry/gateway";
import { otlpMetrics, otlpTraces, push } from "./telemetry/push";
import { recordedExports } from "./telemetry/recorded";

const instanceId = "345678";
const begin = Date.now();

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

/** What the panel shows of one application. */
function shown(title: string, application: string): Promise<Shown> {
  const panel = panelsOfB.get(title);
  if (!panel) throw new Error(`There is no panel "${title}"`);
  const view = { from: begin - 15 * 60_000, to: Date.now(), picked: { application: [application], environment: [] } };
  return show(panel, modelB, view, servers);
}

/** Values by their names; a stat's without. */
async function valuesOf(title: string, application: string): Promise<Record<string, string>> {
  const found = await shown(title, application);
  if (found.kind !== "values") throw new Error(`"${title}" shows ${JSON.stringify(found)}`);
  const single = panelsOfB.get(title)?.type === "stat";
  return Object.fromEntries(found.values.map(({ name, text }) => [single ? "" : name, text]));
}

/** Rows of a table, newest first, once Tempo finds as many. */
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

const cost = (value: number) => textOf(panelsOfB.get("Total Usage Cost") as never, value);

describe("an application with the real OpenTelemetry SDK", () => {
  const application = join(__dirname, "telemetry/application.ts");
  const start = (otlp: object) =>
    run(process.execPath, ["-r", "./src/load.cjs", application, names.sdkName], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...otlp },
    });

  it("with another token is not let in", async () => {
    const { otlp } = (await stack.outputs()) as { otlp: OtlpEnvironment };
    const wrong = { ...otlp, OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Basic%20${Buffer.from(`${instanceId}:other`).toString("base64")}` };
    gateway.answers.length = 0;
    await start(wrong).catch(() => undefined);
    expect(new Set(gateway.answers)).toEqual(new Set(["/otlp/v1/metrics 401", "/otlp/v1/traces 401"]));
    expect((await shown("Total Successful GenAI Requests", "live")).kind).toBe("nothing");
  });

  it("that the stack's OTLP outputs configure shows in the panels", async () => {
    const { otlp } = (await stack.outputs()) as { otlp: OtlpEnvironment };
    gateway.answers.length = 0;
    await start(otlp);
    expect(new Set(gateway.answers)).toEqual(new Set(["/otlp/v1/metrics 200", "/otlp/v1/traces 200"]));
    const rows = await rowsOf("GenAI Requests, table", "live", 2);
    expect(rows.map(({ Prompt, Completion, Cost }) => [Prompt, Completion, Cost])).toEqual([
      ["two", "yes", "$0.500"],
      ["one", "yes", "$0.250"],
    ]);
    expect(await rowsOf("VectorDB Requests, table", "live", 1)).toMatchObject([{ Name: "chroma.query", Application: "live" }]);
    expect(await valuesOf("Total Successful GenAI Requests", "live")).toEqual({ "": "2" });
    expect(await valuesOf("Total Successful VectorDB Requests", "live")).toEqual({ "": "1" });
    expect(await valuesOf("Total Usage Tokens", "live")).toEqual({ "": "28" });
    expect(await valuesOf("Total Usage Cost", "live")).toEqual({ "": "$0.750" });
    expect(await valuesOf("Avg Usage Cost", "live")).toEqual({ "": "$0.375" });
    expect(await valuesOf("Top GenAI Models by Usage", "live")).toEqual({ "gpt-4o": "2" });
    expect(await valuesOf("DB Requests by Operation", "live")).toEqual({ query: "1" });
  });
});

describe("the recorded SDK", () => {
  beforeAll(async () => {
    const addresses = { metrics: otlpMetrics(servers), traces: otlpTraces(servers) };
    for (const { signal, body } of recordedExports(Date.now())) await push(body, addresses[signal], { "Content-Type": "application/json" });
  });

  it.each<[string, Record<string, string>]>([
    ["Total Successful GenAI Requests", { "": "3" }],
    ["Total Successful VectorDB Requests", { "": "2" }],
    ["Total Usage Tokens", { "": "33" }],
    ["Total Usage Cost", { "": cost(1.101e-4) }],
    ["Avg Usage Cost", { "": cost(3.67e-5) }],
    ["Top GenAI Models by Usage", { "gpt-4o": "1", "gpt-3.5-turbo": "1", "text-embedding-3-small": "1" }],
    ["GenAI Requests by Platform", { openai: "3" }],
    ["GenAI Requests by Type", { chat: "2", embedding: "1" }],
    ["GenAI Requests by Environment", { prod: "3" }],
    ["GenAI Requests by Application", { shop: "3" }],
    ["VectorDB Usage by System", { chroma: "2" }],
    ["DB Requests by Operation", { add: "1", query: "1" }],
  ])("%s", async (title, values) => {
    expect(await valuesOf(title, "shop")).toEqual(values);
  });

  it("has its spans in the tables, the failed call not among them", async () => {
    const rows = await rowsOf("GenAI Requests, table", "shop", 3);
    expect(rows.map(({ Name, Prompt, Completion, Cost }) => [Name, Prompt, Completion, Cost])).toEqual([
      ["openai.embeddings", "x", "–", cost(1e-7)],
      ["openai.chat.completions", 'user: hello "quoted"\nnewline', "Four.", cost(1e-5)],
      ["openai.chat.completions", "user: 2+2?", "Four.", cost(1e-4)],
    ]);
    expect((await rowsOf("VectorDB Requests, table", "shop", 2)).map(({ Name }) => Name)).toEqual(["chroma.query", "chroma.add"]);
  });

  it("has its durations in the histogram", async () => {
    const found = await shown("Request Duration Distribution", "shop");
    expect(found.kind === "histogram" && found.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  });
});
