/**
 * Telemetry that arrives now is in the panels now: of a real application, configured by the stack's OTLP outputs only, and of the SDK that the spec's
 * names come from, as recorded.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/cli/run";
import type { OtlpEnvironment } from "../../src/otlp";
import { type Gateway, startGateway } from "../sandbox/gateway";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";
import { type Shown, show } from "../view/reading/show";
import { spec } from "./panels";
import { type RunningServers, startServers } from "./servers";
import { json, otlpMetrics, otlpTraces, push } from "./telemetry/push";
import { recordedExports } from "./telemetry/recorded";
import { sdkName } from "./telemetry/spec-sdk";

const { model, panels } = spec.direct;
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
  stack = await TestStack.create({ ...sandbox.config(), sdkName, otlpEndpoint: gateway.url, otlpInstanceId: instanceId });
  await stack.up();
}, 300_000);

afterAll(async () => {
  stack?.remove();
  await Promise.all([sandbox?.stop(), gateway?.stop(), servers?.stop()]);
});

/** The value of one application in a panel. */
function shown(title: string, application: string): Promise<Shown> {
  const panel = panels.get(title);
  if (!panel) throw new Error(`No panel "${title}"`);
  const view = { from: start - 15 * 60_000, to: nextMinute(), selected: { application: [application], environment: [] } };
  return show(panel, model, view, servers);
}

/** Titles of the panels without data of one application. A graph needs more exports than these applications have. */
async function emptyPanels(application: string): Promise<string[]> {
  const titles = [...panels].filter(([, { type }]) => type !== "timeseries").map(([title]) => title);
  const kinds = await Promise.all(titles.map(async (title) => (await shown(title, application)).kind));
  return titles.filter((_title, index) => kinds[index] === "nothing");
}

/** The parts of a panel of one application, by name. A single number has the name of its query. */
async function valuesIn(title: string, application: string): Promise<Record<string, number>> {
  const found = await shown(title, application);
  return found.kind === "values" ? Object.fromEntries(found.values.map(({ name, value }) => [name, value])) : {};
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
    run(process.execPath, ["-r", "./src/load.cjs", application, sdkName], {
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
    expect(await valuesIn("Top GenAI Models by Usage", "live")).toEqual({ "gpt-4o": 2 });
    expect(await valuesIn("DB Requests by Operation", "live")).toEqual({ query: 1 });
    expect(await valuesIn("Total Usage Tokens", "live")).toEqual({ Tokens: 28 });
    expect(await valuesIn("Total Usage Cost", "live")).toEqual({ Cost: 0.75 });
    expect(await emptyPanels("live")).toEqual([]);
  });
});

it("the recorded SDK is in every panel, with its calls", async () => {
  const addresses = { metrics: otlpMetrics(servers), traces: otlpTraces(servers) };
  for (const { signal, body } of recordedExports(Date.now())) await push(body, addresses[signal], json);
  // Without the failed call.
  const rows = await rowsOf("GenAI Requests, table", "shop", 3);
  expect(rows.map(({ Model, Prompt, Completion, Cost }) => [Model, Prompt, Completion, Cost])).toEqual([
    ["text-embedding-3-small", "x", "–", "$0.000000"],
    ["gpt-3.5-turbo", 'user: hello "quoted"\nnewline', "Four.", "$0.000010"],
    ["gpt-4o", "user: 2+2?", "Four.", "$0.000100"],
  ]);
  expect((await rowsOf("VectorDB Requests, table", "shop", 2)).map(({ Operation }) => Operation)).toEqual(["chroma.query", "chroma.add"]);
  expect(await valuesIn("GenAI Requests by Type", "shop")).toEqual({ chat: 2, embedding: 1 });
  expect(await valuesIn("GenAI Requests by Environment", "shop")).toEqual({ prod: 3 });
  expect(await valuesIn("VectorDB Usage by System", "shop")).toEqual({ chroma: 2 });
  expect(await valuesIn("Total Usage Tokens", "shop")).toEqual({ Tokens: 33 });
  expect(await valuesIn("Total Usage Cost", "shop")).toEqual({ Cost: expect.closeTo(1.101e-4, 10) });
  expect(await emptyPanels("shop")).toEqual([]);
});
