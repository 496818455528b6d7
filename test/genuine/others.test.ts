/** Resources of other users in Grafana: they are never overwritten, can be adopted, and stay after `destroy`. */
import { beforeAll, expect, it } from "vitest";
import type { TestStack } from "../support/stack";
import { type Run, setUp } from "./run";

let run: Run;
let stack: TestStack;
setUp(async (started) => {
  run = started;
  stack = await run.stack(run.config());
});

/** The existing resources, including ids and version numbers. */
async function contents(): Promise<unknown[]> {
  const { prometheusUid, genaiDashboardUid } = run.config();
  return Promise.all([`/api/datasources/uid/${prometheusUid}`, `/api/dashboards/uid/${genaiDashboardUid}`].map((path) => run.org.do(path)));
}

beforeAll(async () => {
  const { folderUid, folderTitle: title, genaiDashboardUid, prometheusUid } = run.config();
  await run.org.do("/api/folders", { uid: folderUid, title: `${title}, pasted` });
  const url = "http://127.0.0.1:9";
  await run.org.do("/api/datasources", { uid: prometheusUid, name: "Pasted", type: "prometheus", access: "proxy", url });
  const dashboard = { uid: genaiDashboardUid, title: "Pasted", panels: [], schemaVersion: 39 };
  await run.org.do("/api/dashboards/db", { dashboard, folderUid });
});

it("Grafana refuses to overwrite them", async () => {
  const before = await contents();
  expect(await stack.failing("up", "--yes", "--skip-preview")).toMatch(/409|412/);
  expect(await contents()).toEqual(before);
  expect(run.sandbox.registrations).toBe(0);
});

it("they are imported unchanged, then changed", async () => {
  const before = await contents();
  expect(await stack.npm("adopt", "--stack", "test", "--yes")).toMatch(/imports = folder,prometheus.*genai-observability/);
  await stack.up();
  expect(await contents()).toEqual(before);
  expect(await stack.npm("adopt", "--stack", "test", "--yes")).toContain("Set: retainOnDelete = folder,");
  const operations = await stack.up();
  expect(operations).toEqual(expect.arrayContaining(["update genai-observability", "update prometheus"]));
  expect(operations.filter((operation) => /^(replace|delete)/.test(operation))).toEqual([]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
});

it("a dashboard with the same title in the same folder is not overwritten", async () => {
  const second = await run.stack({ ...run.config(), genaiDashboardUid: `genai2-${run.org.run}` }, "second");
  expect(await second.failing("preview")).toContain('contains another dashboard with the title "GenAI Observability"');
});

it("the preview of another stack with the same uids fails with the name of this stack", async () => {
  const third = await run.stack(run.config(), "third");
  const problem = await third.failing("preview");
  expect(problem).toMatch(/\/test@\w+ manages the dashboard "GenAI Observability"/);
  expect(problem.match(/^ {4}error: /gm)).toHaveLength(1);
});

it("a renamed stack adopts its dashboards with its former name", async () => {
  await stack.rename("renamed");
  const former = /Stack (\S+\/test@\w+) manages/.exec(await stack.failing("preview"))?.[1] ?? "";
  await stack.npm("adopt", "--stack", "renamed", "--from", former, "--yes");
  expect(await stack.up()).toEqual(["update genai-observability", "update genai-observability-otel", "update service-llm-monitoring"]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
});

it("destroy keeps imported resources and deletes the others", async () => {
  await stack.destroy();
  const { folderUid, genaiDashboardUid, prometheusUid } = run.config();
  expect(await run.org.contents()).toEqual([folderUid, genaiDashboardUid, prometheusUid].sort());
});
