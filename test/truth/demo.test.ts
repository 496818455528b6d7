/** `npm run demo`: the links that it prints open the dashboards, with the expected values, whose data goes on; Ctrl-C stops everything. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ahead, gateways, interval } from "../sandbox/demo/telemetry";
import { temporaryFolder } from "../support/temporary-folder";
import { type Browser, errorsOf, openRows, type Page, startChromium } from "../view/browser";
import type { Panel } from "../view/reading/show";
import { compare, isNothing } from "./compare";
import { recordedLedger } from "./history";
import { Ledger, type Window } from "./ledger";
import { type Dashboard, rulesOf, sdkDashboards, serviceDashboard } from "./panels";
import { samplesOf } from "./samples";
import { freePorts } from "./server-process";
import { shownOf } from "./shown";
import { truths } from "./truths";
import type { Expected, PanelTruth } from "./truths/expected";
import { gatewayPanels } from "./truths/opentelemetry";
import { companyWorld } from "./world/company";
import { hour, type World } from "./world/world";

const { spec, otel } = sdkDashboards("prometheus", gateways);

const root = resolve(__dirname, "../..");
let grafana: string;
/** The real servers, through the datasources of the demo's Grafana. */
let servers: Record<"prometheus" | "loki" | "tempo", string>;
let demo: ChildProcess;
let output = "";
const temporary = temporaryFolder(afterAll);
let env: NodeJS.ProcessEnv;
const command = ["-r", "tsx/cjs", "test/sandbox/demo/main.ts"];

beforeAll(async () => {
  const ports = await freePorts(3);
  env = { ...process.env, TMPDIR: temporary, DEMO_PORTS: ports.join() };
  grafana = `http://127.0.0.1:${ports[1]}`;
  const behind = (type: string) => `${grafana}/api/datasources/proxy/uid/llm-observability-${type}`;
  servers = { prometheus: behind("prometheus"), loki: behind("loki"), tempo: behind("tempo") };
  demo = spawn(process.execPath, command, { cwd: root, env });
  for (const stream of [demo.stdout, demo.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  // The first run builds the page.
  await vi.waitUntil(() => demo.exitCode !== null || output.includes("Ctrl-C stops everything."), { timeout: 290_000, interval: 200 });
  expect([demo.exitCode, output]).toEqual([null, expect.stringContaining("Ctrl-C stops everything.")]);
}, 300_000);

afterAll(() => void demo.kill("SIGKILL"));

/** The links of the last section, by name. */
const links = () =>
  new Map(
    [...output.slice(output.lastIndexOf("The dashboards are open at")).matchAll(/^ {2}(\S.*?) {2,}(http\S+)$/gm)].map(([, name, url]) => [
      name,
      url,
    ]),
  );

function timesOf(): Record<"now" | "recorded", number> {
  const folder = readdirSync(temporary).find((name) => name.startsWith("llm-observability-demo-")) ?? "";
  return JSON.parse(readFileSync(join(temporary, folder, "telemetry.json"), "utf8"));
}

const valueNow = async (query: string) => Number((await samplesOf(servers.prometheus, query, Date.now()))[0]?.value);
const requestsOfDay = () => valueNow('sum(count_over_time(llmobs_llm_requestDuration{job="llmobs"}[24h]))');

it("deploys, and its checks find all series", () => {
  expect(output).toMatch(/series of "llmobs - LLM Monitoring" +ok/);
  expect(output).toMatch(/series of "GenAI Observability" +ok/);
  expect(output).toMatch(/series of "GenAI Observability \(OpenTelemetry\)" +ok/);
  // Between the history and the rules, two minutes can be missing: of ten, the check accepts one.
  expect(output).toMatch(/recording rules +(ok|note +8 samples of \S+ in 10 minutes)/);
  expect(output).toMatch(/19 ok, 0 failed, 0 notes|18 ok, 0 failed, 1 note \(recording rules\)/);
  expect(output).toMatch(/counters +ok/);
  expect(output).toMatch(/[1-9]\d* % of the traffic sends nothing\. By application: the row "Gateways"/);
  expect([...links().keys()]).toEqual(["LLM Monitoring", "GenAI Observability", "GenAI Observability (OpenTelemetry)", "folder"]);
});

it("has a day of telemetry", async () => {
  const [, printed = ""] = /([\d,]+) requests of the last day/.exec(output) ?? [];
  expect(Math.abs((await requestsOfDay()) - Number(printed.replaceAll(",", "")))).toBeLessThan(60);
});

const truthOf = ({ name }: Dashboard, title: string) => truths[name][title] ?? gatewayPanels[title];

/** The default of the local stack, for the table of slow requests. */
const slow = { slow: ["30s"] };

describe("in a browser", () => {
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let world: World;
  /** It ends with what promtool has recorded, and begins with it also in the first step of a graph. */
  let window: Window;

  beforeAll(async () => {
    const { now, recorded } = timesOf();
    world = companyWorld(now, ahead, gateways.names[0]);
    const to = Math.floor(recorded / 1000) * 1000;
    window = { from: to - 22 * hour, to };
    browser = await startChromium();
    page = await (await browser.newContext({ viewport: { width: 1600, height: 3000 }, locale: "en-US", timezoneId: "UTC" })).newPage();
    errors = errorsOf(page);
  }, 60_000);

  afterAll(() => browser?.close());

  /** The expected values at this moment: a trace of the window may go on after it, and Tempo has its spans as they end. */
  async function ledgerOf(dashboard: Dashboard): Promise<Ledger> {
    const pushed = { ...world, calls: world.calls.filter(({ end }) => end < Date.now() - 3 * interval) };
    if (dashboard === otel) return recordedLedger(pushed, servers.prometheus, rulesOf(otel), window.to);
    return new Ledger(dashboard === serviceDashboard ? world : pushed);
  }

  /** With all rows. */
  const open = async (dashboard: string) => {
    await page.goto(`${links().get(dashboard)}?from=${window.from}&to=${window.to}`);
    await openRows(page);
  };
  const ready = async () => void (await page.waitForSelector('html[data-state="ready"]', { timeout: 30_000 }));

  /** Text without spaces: the parts of a number and the cells of a row are elements of their own. */
  const compact = (text: string) => text.replace(/\s+/g, "");
  const textOfPanel = async ({ id }: Panel) => compact(await page.locator(`[data-panel-id="${id}"]`).innerText());

  it.each([serviceDashboard, spec.samples, otel])("$name draws every panel; its servers have the expected values", async (dashboard) => {
    // At night, a day can have no failed call of a tool.
    let ledger = await ledgerOf(dashboard);
    const isEmpty = (title: string) => isNothing(truthOf(dashboard, title)?.(ledger, window, slow) as Expected, window);
    const empty = new Set<string | null | undefined>([...dashboard.panels].flatMap(([title, { id }]) => (isEmpty(title) ? [`${id}`] : [])));
    // Telemetry arrives all the time: a panel that found none in one moment finds it in the next.
    await vi.waitFor(
      async () => {
        await open(dashboard.name);
        const drawn = await page.locator("[data-panel-id]").all();
        expect(drawn.length).toBeGreaterThanOrEqual(dashboard.panels.size);
        const states = await Promise.all(
          drawn.map(async (panel) => [
            await panel.getAttribute("data-panel-id"),
            await panel.getAttribute("data-panel-state"),
            await panel.innerText(),
          ]),
        );
        expect(states.filter(([id, state]) => state !== "done" && !(state === "empty" && empty.has(id)))).toEqual([]);
      },
      { timeout: 60_000, interval: 5_000 },
    );
    ledger = await ledgerOf(dashboard);
    for (const [title, panel] of dashboard.panels) {
      const truth = truthOf(dashboard, title);
      if (!truth) expect.fail(`No expected values for this panel: ${title}`);
      const check = async () =>
        compare(truth(ledger, window, slow), await shownOf({ dashboard, panel }, window, slow, servers), panel, window);
      // Tempo finds a span some seconds after it has stored it.
      await vi.waitFor(check, { timeout: 30_000, interval: 2_000 });
    }
    const charts = [...dashboard.panels.values()].filter(({ type }) => type === "timeseries" || type === "histogram");
    for (const { id } of charts) expect(await page.locator(`[data-panel-id="${id}"] canvas`).count()).toBe(1);
    expect(errors).toEqual([]);
  });

  it("leads from a model to its failed requests, and to the trace of one", async () => {
    const model = "claude-sonnet-4";
    await open(otel.name);
    const table = page.locator(`[data-panel-id="${otel.panels.get("By $by")?.id}"]`);
    await table.getByRole("link", { name: model, exact: true }).click();
    await page.waitForURL(new RegExp(`var-model=${model}(&|$)`));
    await openRows(page);
    const truth = truths[otel.name]["Failed Requests"] as PanelTruth;
    const { rows } = truth(await ledgerOf(otel), window, { model: [model] }) as Extract<Expected, { kind: "rows" }>;
    const failed = page.locator(`[data-panel-id="${otel.panels.get("Failed Requests")?.id}"]`);
    await failed.getByRole("link").first().click();
    await page.waitForURL(/\/explore\?/);
    const trace = JSON.parse(new URL(page.url()).searchParams.get("panes") ?? "").trace.queries[0].query;
    const call = world.calls.find(({ start }) => start === rows[0]?.Time);
    // Tempo's identifiers have no leading zeros.
    expect(trace).toBe(call?.traceId.replace(/^0+/, ""));
    // The sandbox has no Explore: the browser reports the missing page.
    await page.goto("about:blank");
    errors.length = 0;
  });

  it("picks an application", async () => {
    await open("LLM Monitoring");
    await page.getByLabel("Application", { exact: true }).click();
    await page.getByText("doc-search", { exact: true }).last().click();
    await page.keyboard.press("Escape");
    await page.waitForURL(/var-Application=doc-search/);
    await ready();
    const applications = await textOfPanel(serviceDashboard.panels.get("Usage cost by Application") as Panel);
    expect([applications.includes("doc-search"), applications.includes("sales-copilot")]).toEqual([true, false]);
    expect(errors).toEqual([]);
  });

  it("shows after a refresh what has arrived", async () => {
    await page.goto(String(links().get("LLM Monitoring")));
    await ready();
    const prompts = () => textOfPanel(serviceDashboard.panels.get("Prompts") as Panel);
    const began = Date.now();
    const ledger = await ledgerOf(serviceDashboard);
    const refresh = async () => {
      const button = page.getByRole("button", { name: /refresh/i });
      await button.first().click();
      await ready();
      const [newest] = ledger.newestLines("prompt", { from: began, to: Date.now() - interval }, {}, 1);
      if (!newest) expect.fail("No call has ended since then");
      const shown = await prompts();
      // Texts repeat. Minutes and seconds are those of any time zone.
      expect(shown).toContain(new Date(newest.call.end).toISOString().slice(13, 23));
      expect(shown).toContain(compact(newest.text));
    };
    await vi.waitFor(refresh, { timeout: 120_000, interval: 6000 });
    expect(errors).toEqual([]);
  }, 240_000);
});

it("goes on recording after the history", async () => {
  const { recorded } = timesOf();
  const costs = () => valueNow("max(timestamp(application:gen_ai_cost:increase1m))");
  await vi.waitFor(async () => expect(await costs()).toBeGreaterThan(recorded / 1000), { timeout: 120_000, interval: 1000 });
}, 130_000);

it("a second demo says that a port is in use", async () => {
  const second = spawn(process.execPath, command, { cwd: root, env });
  let said = "";
  second.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(second, "exit")) as [number];
  expect([code, said]).toEqual([1, expect.stringContaining("is in use by another program")]);
  expect(await requestsOfDay()).toBeGreaterThan(0);
});

it("stops everything on Ctrl-C, and leaves no data", async () => {
  demo.kill("SIGINT");
  const [code] = (await once(demo, "exit")) as [number];
  expect(code).toBe(0);
  await vi.waitFor(() => expect(fetch(grafana)).rejects.toThrow(), { timeout: 10_000 });
  await vi.waitFor(() => expect(readdirSync(temporary).filter((name) => name.startsWith("llm-observability"))).toEqual([]), {
    timeout: 10_000,
  });
});
