/** A Grafana that holds pasted dashboards, a folder and datasources under the configured uids: taken over as the README says, step by step. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { run } from "../../src/cli/run";
import type { Sandbox } from "../engine/sandbox";
import { setUp } from "../engine/set-up";
import type { TestStack } from "../engine/stack";

const folder = { uid: "llm-observability", title: "Pasted by hand" };
const dashboards = ["genai-observability", "llmobs-llm-monitoring"];
const datasources = ["prometheus", "loki", "tempo"];
const all = ["folder", ...datasources, "genai-observability", "llm-monitoring"].join(",");

const readme = readFileSync(join(__dirname, "../../README.md"), "utf8");
/** The README's four commands. */
const steps = /<!-- tested: adopt -->\n```sh\n([\s\S]*?)```/.exec(readme)?.[1]?.trim().split("\n") ?? [];

let sandbox: Sandbox;
let stack: TestStack;

/** Follows one of them; a question is answered with `flags`. */
const follow = (step: number, flags = "") =>
  run("bash", ["-euc", `${steps[step]?.replace(/\bdev$|--stack dev|-- dev/, (word) => word.replace("dev", "test"))} ${flags}`], {
    cwd: stack.folder,
    env: { ...stack.environment, PULUMI_SKIP_CONFIRMATIONS: "true" },
  });

/** Everything there is, as Grafana tells it: ids and numbers of versions included. */
async function held(): Promise<Record<string, unknown>> {
  const paths = [
    `/api/folders/${folder.uid}`,
    ...datasources.map((type) => `/api/datasources/uid/llm-observability-${type}`),
    ...dashboards.map((uid) => `/api/dashboards/uid/${uid}`),
  ];
  const answers = await Promise.all(paths.map((path) => sandbox.ask(path)));
  return Object.fromEntries(paths.map((path, place) => [path, answers[place]?.body]));
}

setUp((...both) => ([sandbox, stack] = both));

beforeAll(async () => {
  await sandbox.ask("/api/folders", "POST", folder);
  for (const type of datasources) {
    const uid = `llm-observability-${type}`;
    await sandbox.ask("/api/datasources", "POST", { uid, name: `Old ${type}`, type, access: "proxy", url: "http://old.example.net" });
  }
  for (const uid of dashboards) {
    const panels = [{ id: 1, type: "stat", title: "Pasted", gridPos: { x: 0, y: 0, w: 6, h: 4 } }];
    await sandbox.ask("/api/dashboards/db", "POST", { dashboard: { uid, title: `Pasted ${uid}`, panels }, folderUid: folder.uid });
  }
});

it("is not saved over: the preview names both ways out", async () => {
  const said = await stack.failing("preview");
  for (const uid of dashboards) expect(said).toContain(`Grafana has a dashboard with the uid ${uid} already, "Pasted ${uid}"`);
  expect(said).toMatch(/adopt it +npm run adopt -- test/);
  expect(said).toMatch(/refer to it +npx pulumi config set owns service --stack test/);
  expect(said).toContain("Grafana has the folder llm-observability, the datasource llm-observability-prometheus");
});

it("is found and reported by panel, and nothing is set without an answer", async () => {
  await expect(follow(0)).rejects.toThrow("There is no terminal to ask at");
  const said = await follow(0, "--yes");
  expect(said).toContain("Pasted by hand");
  expect(said).toContain("panel removed: **`Pasted`**");
  expect(said).toContain(`Set: adopting = ${all}`);
});

it("is taken over unchanged", async () => {
  const before = await held();
  expect(await follow(1)).toContain("6 imported");
  expect(await held()).toEqual(before);
});

it("is changed by the next deployment, without a new object", async () => {
  const before = await held();
  expect(await follow(2)).toContain(`Set: adopted = ${all}`);
  expect(await follow(3)).not.toMatch(/\d (created|deleted|replaced|imported)/);
  const after = await held();
  for (const uid of dashboards) {
    const [old, now] = [before, after].map(
      (state) => state[`/api/dashboards/uid/${uid}`] as { dashboard: { id: number; version: number; title: string } },
    );
    expect(now?.dashboard).toMatchObject({ id: old?.dashboard.id, version: (old?.dashboard.version ?? 0) + 1 });
    expect(now?.dashboard.title).not.toContain("Pasted");
  }
  expect(await stack.preview()).toEqual([]);
  expect(await follow(0, "--yes")).toContain("Nothing to adopt");
});

it("mends what was killed between a create and Pulumi's note of it", async () => {
  const urn = (await stack.resources()).find(
    ({ type, outputs }) => type === "grafana:oss/dashboard:Dashboard" && outputs.uid === dashboards[1],
  )?.urn;
  await stack.pulumi("state", "delete", String(urn), "--target-dependents", "--yes");
  expect(await stack.failing("up", "--yes", "--skip-preview")).toContain("412");
  expect(await follow(0, "--yes")).toContain("Set: adopting = llm-monitoring");
  expect(await follow(1)).toContain("1 imported");
  await follow(2);
  await follow(3);
  expect(await stack.preview("--refresh")).toEqual([]);
});

it("outlives the stack", async () => {
  const before = await held();
  await stack.destroy();
  expect(await held()).toEqual(before);
});
