/** A Grafana that fails in the middle of a deployment, on the real engine: the messages, and that the next `up` completes the deployment. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";
import { Front } from "./grafana/front";

let sandbox: Sandbox;
let front: Front;
let stack: TestStack;

beforeAll(async () => {
  sandbox = await Sandbox.start();
  front = await Front.start(sandbox.grafanaUrl);
  stack = await TestStack.create({ ...sandbox.config(), grafanaUrl: front.url });
});

afterAll(async () => {
  stack?.remove();
  await front?.close();
  await sandbox?.stop();
});

/** Changes settings of the folder and a dashboard. */
const change = (mark: string) => stack.set({ folderTitle: `Observability ${mark}`, sdkName: `sdk-${mark}` });

/** Deploys during a fault, and ends it. */
async function deploy(...says: string[]): Promise<void> {
  const text = await stack.failing("up", "--yes", "--skip-preview");
  front.fault = undefined;
  for (const part of says) expect(text).toContain(part);
  // A stack trace means that the program does not handle the error.
  expect(text).not.toMatch(/^\s+at .+:\d+/m);
  expect(text).not.toContain(canary.grafanaAuth);
  expect(text).not.toContain(Buffer.from(canary.grafanaAuth).toString("base64"));
}

/** The next `up` leads to the same contents as without a fault, without duplicates. */
async function expectComplete(mark: string): Promise<void> {
  await stack.up();
  expect(await stack.preview("--refresh")).toEqual([]);
  const { datasources, folders, dashboards } = sandbox.grafana();
  expect(folders).toMatchObject([{ uid: "llm-observability", title: `Observability ${mark}` }]);
  expect(datasources).toHaveLength(3);
  expect(dashboards.map(({ uid }) => uid).sort()).toEqual(["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"]);
  // Whatever the fault of Grafana, the connection is registered once.
  expect(sandbox.registrations).toBe(1);
}

/** Another user creates the dashboard just before the plugin does. */
async function saveBefore(uid: string): Promise<void> {
  front.fault = undefined;
  await sandbox.ask("/api/dashboards/db", "POST", { dashboard: { uid, title: "Theirs" }, folderUid: "llm-observability" });
}

it("a dashboard that another user saves at the same time is reported at the resource, and the next up completes the deployment", async () => {
  await change("412");
  const uid = "genai-observability";
  front.fault = { hits: (method, path) => method === "POST" && path.startsWith("/api/dashboards/db"), before: () => saveBefore(uid) };
  await deploy("412", "The dashboard has been changed by someone else");
  await sandbox.ask(`/api/dashboards/uid/${uid}`, "DELETE");
  await expectComplete("412");
});

it("500 while a resource is saved is reported at the resource, and the next up completes the deployment", async () => {
  await change("500");
  const trouble = { status: 500, body: '{"message":"database is locked"}' };
  front.fault = { hits: (method, path) => method !== "GET" && /^\/api\/(dashboards|folders)/.test(path), trouble };
  await deploy("500", "database is locked");
  await expectComplete("500");
});

// Its other messages: see test/unit/preflight.test.ts.
it("silence during the preflight is reported with its fix, and nothing changes", async () => {
  const before = sandbox.grafana();
  front.fault = { hits: () => true, trouble: "silence" };
  await deploy(
    `Grafana at ${front.url} did not respond within 15 s`,
    "Check grafanaUrl, and the network between this machine and Grafana.",
  );
  expect(sandbox.grafana()).toEqual(before);
});
