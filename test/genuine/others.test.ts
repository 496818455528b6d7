/** What others have in Grafana: it is never saved over, it can be taken over, and it outlives the stack. */
import { beforeAll, expect, it } from "vitest";
import type { TestStack } from "../support/stack";
import { npm, type Run, setUp } from "./run";

let run: Run;
let stack: TestStack;
setUp(async (started) => {
  run = started;
  stack = await run.stack(run.config());
});

/** All dashboards and datasources, as Grafana tells them. */
async function held(): Promise<unknown[]> {
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

it("is refused by Grafana, and stays as it was", async () => {
  const before = await held();
  expect(await stack.failing("up", "--yes", "--skip-preview")).toMatch(/409|412/);
  expect(await held()).toEqual(before);
  expect(run.sandbox.registrations).toBe(0);
});

it("is taken over unchanged, then changed", async () => {
  const before = await held();
  expect(await npm(stack, "adopt", "test", "--yes")).toMatch(/imports = folder,prometheus.*genai-observability/);
  await stack.up();
  expect(await held()).toEqual(before);
  expect(await npm(stack, "adopt", "test", "--yes")).toContain("Set: retainOnDelete = folder,");
  const operations = await stack.up();
  expect(operations).toEqual(expect.arrayContaining(["update genai-observability", "update prometheus"]));
  expect(operations.filter((operation) => /^(replace|delete)/.test(operation))).toEqual([]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
});

it("a title of ours in our folder is not saved over", async () => {
  const second = await run.stack({ ...run.config(), genaiDashboardUid: `genai2-${run.org.run}` }, "second");
  expect(await second.failing("preview")).toContain('has another dashboard with the title "GenAI Observability"');
});

it("a stack with our uids is stopped in its preview, with the name of this one", async () => {
  const third = await run.stack(run.config(), "third");
  const said = await third.failing("preview");
  expect(said).toContain(`/test manages the dashboard "GenAI Observability"`);
  expect(said.match(/^ {4}error: /gm)).toHaveLength(1);
});

it("a datasource with our name under another uid is named", async () => {
  const fourth = await run.stack({ ...run.config(), lokiUid: `loki4-${run.org.run}`, folderUid: `folder4-${run.org.run}` }, "fourth");
  expect(await fourth.failing("preview")).toContain(`The datasource loki-${run.org.run} has the name "LLM Observability loki"`);
});

it("a renamed stack takes its dashboards over by name", async () => {
  await stack.rename("renamed");
  const former = /Stack (\S+\/test) manages/.exec(await stack.failing("preview"))?.[1] ?? "";
  await npm(stack, "adopt", "renamed", "--from", former, "--yes");
  expect(await stack.up()).toEqual(["update genai-observability", "update service-llm-monitoring"]);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
});

it("outlives the stack, and what the stack created does not", async () => {
  await stack.destroy();
  const { folderUid, genaiDashboardUid, prometheusUid } = run.config();
  expect(await run.org.contents()).toEqual([folderUid, genaiDashboardUid, prometheusUid].sort());
});
