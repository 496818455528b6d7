/** A Grafana that holds pasted dashboards, a folder and datasources under the configured uids: taken over as the README says, step by step. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { run } from "../../src/cli/run";
import { answer, startRawServer } from "../support/raw-server";
import type { Sandbox } from "../support/sandbox";
import { setUp } from "../support/set-up";
import type { TestStack } from "../support/stack";

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

it("is not saved over: Grafana refuses to create it again", async () => {
  const before = await held();
  expect(await stack.failing("up", "--yes", "--skip-preview")).toMatch(/409|412/);
  expect(await held()).toEqual(before);
});

it("is not looked for where Grafana is not", async () => {
  const { grafanaUrl = "" } = sandbox.config();
  const page = await startRawServer([answer(404, "<html>")]);
  onTestFinished(async () => {
    stack.setPlain({ grafanaUrl });
    await page.close();
  });
  stack.setPlain({ grafanaUrl: page.url });
  await expect(follow(0, "--yes")).rejects.toThrow(/returned 404 without JSON for GET \S+\. Check grafanaUrl/);
});

it("is found and reported by panel, and nothing is set without an answer", async () => {
  await expect(follow(0)).rejects.toThrow("There is no terminal to ask at");
  const said = await follow(0, "--yes");
  expect(said).toContain("Pasted by hand");
  expect(said).toContain("panel removed: **`Pasted`**");
  expect(said).toContain("jsonDataEncoded.httpMethod` set to `POST`");
  expect(said).toContain("Secrets cannot be compared, and are written again: prometheus (basicAuthPassword).");
  expect(said).toContain(`Set: imports = ${all}`);
});

it("is taken over unchanged", async () => {
  const before = await held();
  expect(await follow(1)).toContain("6 imported");
  expect(await held()).toEqual(before);
});

it("outlives a stack that is destroyed before it is retainOnDelete", async () => {
  const before = await held();
  const copy = stack.copy({});
  onTestFinished(() => copy.remove());
  await copy.destroy();
  expect(await held()).toEqual(before);
});

it("is changed by the next deployment, without a new object", async () => {
  const before = await held();
  expect(await follow(2)).toContain(`Set: retainOnDelete = ${all}`);
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
  const said = await follow(0, "--yes");
  expect(said).toContain("Nothing changes in llm-monitoring.\nSet: imports = llm-monitoring");
  expect(said).not.toContain("What would change");
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
