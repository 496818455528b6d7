/** `npm run demo`: the links that it prints show the page, whose data goes on; Ctrl-C stops everything. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

const root = resolve(__dirname, "../..");
const grafana = "http://127.0.0.1:14481";

let demo: ChildProcess;
let output = "";
let temporary: string;

beforeAll(async () => {
  temporary = mkdtempSync(join(tmpdir(), "llm-observability-demo-"));
  demo = spawn(process.execPath, ["-r", "./src/load.cjs", "test/sandbox/demo/main.ts"], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary },
  });
  for (const stream of [demo.stdout, demo.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  // The first run builds the page.
  await vi.waitFor(() => expect([demo.exitCode, output]).toEqual([null, expect.stringContaining("Ctrl-C stops everything.")]), {
    timeout: 290_000,
    interval: 200,
  });
}, 300_000);

afterAll(() => {
  demo.kill("SIGKILL");
  rmSync(temporary, { recursive: true, force: true });
});

/** The links of the last section, by name. */
const links = () =>
  new Map(
    [...output.slice(output.lastIndexOf("The dashboards are open at")).matchAll(/^ {2}(\S.*?) {2,}(http\S+)$/gm)].map(([, name, url]) => [
      name,
      url,
    ]),
  );

const total = async () => {
  const query = 'sum(count_over_time(llmobs_llm_requestDuration{job="llmobs"}[24h]))';
  const response = await fetch(
    `${grafana}/api/datasources/proxy/uid/llm-observability-prometheus/api/v1/query?${new URLSearchParams({ query })}`,
  );
  const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
  return Number(data.result[0]?.value[1]);
};

it("deploys, and its checks find all series", () => {
  expect(output).toMatch(/series of "llmobs - LLM Monitoring" +ok/);
  expect(output).toMatch(/series of "GenAI Observability" +ok/);
  expect(output).toContain("10 ok, 0 failed, 0 notes");
});

it("prints links that open without a login", async () => {
  expect([...links().keys()]).toEqual(["LLM Monitoring", "GenAI Observability", "folder"]);
  for (const url of links().values()) {
    const response = await fetch(String(url));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/html/)]);
  }
});

it("has a day of telemetry, which goes on", async () => {
  const [, printed = ""] = /([\d,]+) requests of the last day/.exec(output) ?? [];
  const first = await total();
  expect(Math.abs(first - Number(printed.replaceAll(",", "")))).toBeLessThan(60);
  await vi.waitFor(async () => expect(await total()).toBeGreaterThan(first), { timeout: 120_000, interval: 2000 });
}, 130_000);

it("refuses a second demo", async () => {
  const second = spawn(process.execPath, ["-r", "./src/load.cjs", "test/sandbox/demo/main.ts"], { cwd: root });
  let said = "";
  second.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(second, "exit")) as [number];
  expect([code, said]).toEqual([1, expect.stringContaining('Another "npm run demo" uses')]);
  expect(await total()).toBeGreaterThan(0);
});

it("stops everything on Ctrl-C, and leaves no data", async () => {
  demo.kill("SIGINT");
  const [code] = (await once(demo, "exit")) as [number];
  expect(code).toBe(0);
  await vi.waitFor(() => expect(fetch(grafana)).rejects.toThrow(), { timeout: 10_000 });
  await vi.waitFor(() => expect(readdirSync(temporary).filter((name) => name.startsWith("llm-observability"))).toEqual([]), {
    timeout: 10_000,
  });
  expect(existsSync(join(root, ".demo"))).toBe(false);
});
