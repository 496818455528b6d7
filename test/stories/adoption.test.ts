/**
 * Resources of other users in Grafana, under the uids of the settings: they are never overwritten, the documented commands adopt them with their history,
 * and they stay after `destroy`.
 */
import { beforeAll, expect, it } from "vitest";
import { commandsOf } from "../support/documents";
import { run } from "../support/run";
import { createStack, sandbox, setUp, stack } from "../support/set-up";

const folder = { uid: "llm-observability", title: "Pasted by hand" };
const dashboards = ["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"];
const datasources = ["prometheus", "loki", "tempo"];
const all = ["folder", ...datasources, "genai-observability", "genai-observability-otel", "llm-monitoring"].join(",");

/** Runs one of the four commands of the documentation, with further flags. */
function follow(step: number, flags = ""): Promise<string> {
  const command = commandsOf("adopt").trim().split("\n")[step]?.replace("--stack dev", "--stack test");
  const env = { ...stack.environment, PULUMI_SKIP_CONFIRMATIONS: "true" };
  return run("bash", ["-euc", `${command} ${flags}`], { cwd: stack.folder, env });
}

/** Grafana's resources, including ids and version numbers. */
async function contents(): Promise<Record<string, unknown>> {
  const paths = [
    `/api/folders/${folder.uid}`,
    ...datasources.map((type) => `/api/datasources/uid/llm-observability-${type}`),
    ...dashboards.map((uid) => `/api/dashboards/uid/${uid}`),
  ];
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await sandbox.do(path)])));
}

setUp();

beforeAll(async () => {
  await sandbox.do("/api/folders", "POST", folder);
  for (const type of datasources) {
    const uid = `llm-observability-${type}`;
    await sandbox.do("/api/datasources", "POST", { uid, name: `Old ${type}`, type, access: "proxy", url: "http://old.example.net" });
  }
  for (const uid of dashboards) {
    const panels = [{ id: 1, type: "stat", title: "Pasted", gridPos: { x: 0, y: 0, w: 6, h: 4 } }];
    await sandbox.do("/api/dashboards/db", "POST", { dashboard: { uid, title: `Pasted ${uid}`, panels }, folderUid: folder.uid });
  }
});

it("Grafana refuses to overwrite them, and nothing is registered", async () => {
  const before = await contents();
  expect(await stack.failing("up", "--yes", "--skip-preview")).toMatch(/409|412/);
  expect(await contents()).toEqual(before);
  expect(sandbox.registrations).toBe(0);
});

it("adopt names them, sets nothing without a confirmation, and the next up imports them unchanged", async () => {
  const refusal = await follow(0).catch(String);
  for (const text of [`have the uids of stack test: ${all}`, "The confirmation requires a terminal"]) expect(refusal).toContain(text);
  expect(await follow(0, "--yes")).toContain(`Set: imports = ${all}`);
  const before = await contents();
  expect(await follow(1)).toContain("7 imported");
  expect(await contents()).toEqual(before);
});

it("the next deployment changes them as reported, without new ones", async () => {
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
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  expect(await follow(0, "--yes")).toContain("Nothing to adopt");
});

it("another stack does not take their uids or titles: its preview names the owner, or the dashboard", async () => {
  const second = await createStack({ ...sandbox.config(), genaiDashboardUid: "genai-2" }, "second");
  expect(await second.failing("preview")).toContain('contains another dashboard with the title "GenAI Observability"');
  await second.set({ genaiDashboardUid: "genai-observability" });
  const problem = await second.failing("preview");
  expect(problem).toMatch(/\/test@\w+ manages the dashboard "GenAI Observability"/);
  expect(problem.match(/^ {4}error: /gm)).toHaveLength(1);
});

it("a renamed stack adopts its dashboards with its former name; destroy keeps what was imported", async () => {
  await stack.rename("renamed");
  const former = /Stack (\S+\/test@\w+) manages/.exec(await stack.failing("preview"))?.[1] ?? "";
  await stack.npm("adopt", "--stack", "renamed", "--from", former, "--yes");
  expect(await stack.up()).toEqual(["update genai-observability", "update genai-observability-otel", "update service-llm-monitoring"]);
  const before = await sandbox.contents();
  await stack.destroy();
  expect(await sandbox.contents()).toEqual(before);
});
