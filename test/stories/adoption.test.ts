/**
 * Resources of other users in Grafana, under the uids of the settings: they are never overwritten, the documented commands adopt them with their history,
 * and a protected one stays until its owner decides.
 */
import { beforeAll, expect, it } from "vitest";
import { commandsOf } from "../support/documents";
import { sandbox, setUp, stack } from "../support/set-up";

const folder = { uid: "llm-observability", title: "Pasted by hand" };
const dashboards = ["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"];
const datasources = ["prometheus", "loki", "tempo"];
const adopted = [
  "platform-folder  llm-observability",
  ...datasources.map((type) => `platform-${type}  llm-observability-${type}`),
  "platform-genai-observability  genai-observability",
  "platform-genai-observability-otel  genai-observability-otel",
  "service-llm-monitoring  llmobs-llm-monitoring",
];

/** Runs one of the four commands of the documentation. */
const follow = (step: number) => stack.follow(commandsOf("adopt").trim().split("\n")[step] ?? "");

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

it("a preview names them with the command that adopts them; Grafana refuses to overwrite them, and the cure is said before", async () => {
  const before = await contents();
  const preview = await stack.failing("preview");
  for (const text of ["datasource llm-observability-loki", "folder llm-observability", "npm run adopt -- --stack test"])
    expect(preview).toContain(text);
  expect(preview.match(/^ {4}error: /gm)).toEqual(["    error: "]);
  const update = await stack.failing("up", "--yes", "--skip-preview");
  expect(update).toMatch(/409|412/);
  expect(update).toMatch(/"GenAI Observability" \(genai-observability\)[\s\S]*Grafana refuses .*: npm run adopt -- --stack test/);
  expect(await contents()).toEqual(before);
  expect(sandbox.registrations).toBe(0);
});

it("adopt names them and writes the file that Pulumi imports, unchanged and under their components", async () => {
  const before = await contents();
  const output = await follow(0);
  for (const line of adopted) expect(output).toContain(`  ${line}\n`);
  await follow(1);
  expect(await follow(2)).toMatch(/= [789] imported/);
  expect(await contents()).toEqual(before);
});

it("the next deployment changes them as reported, without new ones", async () => {
  const before = await contents();
  const report = await stack.npm("preview-report", "--stack", "test");
  for (const text of ["Pasted by hand", "panel removed: **`Pasted`**", "httpMethod` set to `POST`"]) expect(report).toContain(text);
  expect(await follow(3)).not.toMatch(/\d (deleted|replaced|imported)/);
  const after = await contents();
  for (const uid of dashboards) {
    const [old, now] = [before, after].map(
      (state) => state[`/api/dashboards/uid/${uid}`] as { dashboard: { id: number; version: number; title: string } },
    );
    expect(now?.dashboard).toMatchObject({ id: old?.dashboard.id, version: (old?.dashboard.version ?? 0) + 1 });
    expect(now?.dashboard.title).not.toContain("Pasted");
  }
  expect(sandbox.registrations).toBe(1);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
});

it("destroy deletes nothing that is protected; what it leaves in Grafana, the same stack adopts again", async () => {
  const before = await sandbox.contents();
  expect(await stack.failing("destroy", "--yes", "--skip-preview")).toContain("protected");
  expect(await sandbox.contents()).toEqual(before);
  await stack.pulumi("state", "unprotect", "--all", "--yes");
  const { urn = "" } = (await stack.resources()).find(({ urn }) => urn.endsWith("::platform-genai-observability")) ?? {};
  await stack.pulumi("state", "protect", urn, "--yes");
  await stack.pulumi("destroy", "--exclude-protected", "--yes", "--skip-preview");
  expect(await sandbox.contents()).toMatchObject({ dashboards: ["llm-observability/genai-observability"], rules: [] });
  await stack.pulumi("stack", "rm", "--yes", "--force", "--preserve-config");
  await stack.pulumi("stack", "init", "--no-select");

  const problem = await stack.failing("preview");
  expect(problem).toContain("such as this one before a destroy that left them in Grafana, adopt them:");
  const [command = ""] = /npm run adopt -- --stack test --from \S+\/test@\w+/.exec(problem) ?? [];
  await stack.follow(command);
  await follow(2);
  expect(await stack.up()).toContain("update platform-genai-observability");
});
