/** The documented adoption of dashboards, a folder and datasources that exist in Grafana under the uids of the settings. */
import { beforeAll, expect, it } from "vitest";
import { commandsOf } from "../support/documents";
import { run } from "../support/run";
import { sandbox, setUp, stack } from "../support/set-up";

const folder = { uid: "llm-observability", title: "Pasted by hand" };
const dashboards = ["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"];
const datasources = ["prometheus", "loki", "tempo"];
const all = ["folder", ...datasources, "genai-observability", "genai-observability-otel", "llm-monitoring"].join(",");

/** The four commands of the documentation. */
const steps = commandsOf("adopt", "README.md").trim().split("\n");

/** Runs one of them, with further flags. */
const follow = (step: number, flags = "") =>
  run("bash", ["-euc", `${steps[step]?.replace("--stack dev", "--stack test")} ${flags}`], {
    cwd: stack.folder,
    env: { ...stack.environment, PULUMI_SKIP_CONFIRMATIONS: "true" },
  });

/** Grafana's resources, including ids and version numbers. */
async function contents(): Promise<Record<string, unknown>> {
  const paths = [
    `/api/folders/${folder.uid}`,
    ...datasources.map((type) => `/api/datasources/uid/llm-observability-${type}`),
    ...dashboards.map((uid) => `/api/dashboards/uid/${uid}`),
  ];
  const responses = await Promise.all(paths.map((path) => sandbox.ask(path)));
  return Object.fromEntries(paths.map((path, index) => [path, responses[index]?.body]));
}

setUp();

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

it("names the resources, and sets nothing without a confirmation", async () => {
  const refusal = await follow(0).catch(String);
  for (const text of [`have the uids of stack test: ${all}`, "The confirmation requires a terminal"]) expect(refusal).toContain(text);
  expect(await follow(0, "--yes")).toContain(`Set: imports = ${all}`);
});

it("imports the resources unchanged", async () => {
  const before = await contents();
  expect(await follow(1)).toContain("7 imported");
  expect(await contents()).toEqual(before);
});

it("the next deployment changes the resources as reported, without new ones", async () => {
  const before = await contents();
  expect(await follow(2)).toContain(`Set: retainOnDelete = ${all}`);
  const report = await stack.npm("preview-report", "--stack", "test");
  for (const text of ["Pasted by hand", "panel removed: **`Pasted`**", "httpMethod` set to `POST`"]) expect(report).toContain(text);
  expect(await follow(3)).not.toMatch(/\d (created|deleted|replaced|imported)/);
  const after = await contents();
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
