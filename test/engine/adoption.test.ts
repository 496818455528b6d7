/** A Grafana that holds pasted dashboards, a folder and datasources under the configured uids: taken over without a change, then changed. */
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../src/cli/run";
import { Sandbox } from "./sandbox";
import { TestStack } from "./stack";

let sandbox: Sandbox;
let stack: TestStack;

const folder = { uid: "llm-observability", title: "Pasted by hand" };
const dashboards = ["genai-observability", "llmobs-llm-monitoring"];
const datasources = ["prometheus", "loki", "tempo"];
const all = ["folder", ...datasources, "genai-observability", "llm-monitoring"].join(",");

const adopt = (...flags: string[]) =>
  run(process.execPath, ["-r", "ts-node/register", resolve(__dirname, "../../src/cli/adopt.ts"), "test", ...flags], {
    cwd: stack.folder,
    env: stack.environment,
  });

/** Everything there is, as Grafana tells it: numbers of versions and ids included. */
async function held(): Promise<Record<string, unknown>> {
  const paths = [
    `/api/folders/${folder.uid}`,
    ...datasources.map((type) => `/api/datasources/uid/llm-observability-${type}`),
    ...dashboards.map((uid) => `/api/dashboards/uid/${uid}`),
  ];
  const answers = await Promise.all(paths.map((path) => sandbox.ask(path)));
  return Object.fromEntries(paths.map((path, place) => [path, answers[place]?.body]));
}

beforeAll(async () => {
  sandbox = await Sandbox.start();
  await sandbox.ask("/api/folders", "POST", folder);
  for (const type of datasources) {
    const uid = `llm-observability-${type}`;
    await sandbox.ask("/api/datasources", "POST", { uid, name: `Old ${type}`, type, access: "proxy", url: "http://old.example.net" });
  }
  for (const uid of dashboards) {
    const panels = [{ id: 1, type: "stat", title: "Pasted", gridPos: { x: 0, y: 0, w: 6, h: 4 } }];
    await sandbox.ask("/api/dashboards/db", "POST", { dashboard: { uid, title: `Pasted ${uid}`, panels }, folderUid: folder.uid });
  }
  stack = await TestStack.create(sandbox.config());
});

afterAll(async () => {
  stack?.remove();
  await sandbox?.stop();
});

it("is not saved over: the preview names both ways out", async () => {
  const said = await stack.failing("preview");
  for (const uid of dashboards) expect(said).toContain(`Grafana has a dashboard with the uid ${uid} already, "Pasted ${uid}"`);
  expect(said).toMatch(/adopt it +npm run adopt -- \w+/);
  expect(said).toMatch(/refer to it +npx pulumi config set owns service/);
  expect(said).toContain("Grafana has the folder llm-observability, the datasource llm-observability-prometheus");
});

it("is found and reported by panel, and nothing is set without an answer", async () => {
  await expect(adopt()).rejects.toThrow("There is no terminal to ask at");
  const said = await adopt("--yes");
  expect(said).toContain("Pasted by hand");
  expect(said).toContain("panel removed: **`Pasted`**");
  expect(said).toContain(`Set: adopting = ${all}`);
});

it("is taken over unchanged", async () => {
  const before = await held();
  expect((await stack.up()).filter((operation) => operation.startsWith("import"))).toHaveLength(6);
  expect(await held()).toEqual(before);
});

it("is changed by the next deployment, without a new object", async () => {
  const before = await held();
  expect(await adopt("--yes")).toContain(`Set: adopted = ${all}`);
  const operations = await stack.up();
  expect(operations.filter((operation) => /create|delete|replace|import/.test(operation))).toEqual([]);
  const after = await held();
  for (const uid of dashboards) {
    const [old, now] = [before, after].map(
      (state) => state[`/api/dashboards/uid/${uid}`] as { dashboard: { id: number; version: number; title: string } },
    );
    expect(now?.dashboard.id).toBe(old?.dashboard.id);
    expect(now?.dashboard.version).toBe((old?.dashboard.version ?? 0) + 1);
    expect(now?.dashboard.title).not.toContain("Pasted");
  }
  expect(await stack.preview()).toEqual([]);
  expect(await adopt("--yes")).toContain("Nothing to adopt");
});

it("outlives the stack", async () => {
  const before = await held();
  await stack.destroy();
  expect(await held()).toEqual(before);
});
