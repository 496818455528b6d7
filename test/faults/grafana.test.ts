/** Faults of Grafana on the real engine: the messages, and that the next `up` completes the deployment. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";
import { Front } from "./grafana/front";
import { type GrafanaFault, grafanaFaults } from "./grafana-faults";

let sandbox: Sandbox;
let front: Front;
let stack: TestStack;
const messages = new Map<string, string>();

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

/** Starts the fault and returns a function that ends it. */
async function begin({ fault }: GrafanaFault): Promise<() => Promise<unknown>> {
  front.hit = [];
  const end = async () => {
    front.fault = undefined;
  };
  if (fault === "connection refused") {
    await front.close();
    return () => front.open();
  }
  if (fault !== "concurrent save") {
    front.fault = fault;
    return end;
  }
  const uid = "genai-observability";
  const hits = (method: string, path: string) => method === "POST" && path.startsWith("/api/dashboards/db") && front.hit.length === 0;
  const before = () => sandbox.ask("/api/dashboards/db", "POST", { dashboard: { uid, title: "Theirs" }, folderUid: "llm-observability" });
  front.fault = { hits, trouble: "end", before };
  return async () => {
    await end();
    await sandbox.ask(`/api/dashboards/uid/${uid}`, "DELETE");
  };
}

/** Changes settings of the folder and a dashboard. */
async function change(mark: string): Promise<void> {
  await stack.set({ folderTitle: `Observability ${mark}`, sdkName: `sdk-${mark}` });
}

/** Deploys during the fault. */
async function deploy(row: GrafanaFault): Promise<void> {
  const end = await begin(row);
  const text = await stack.failing("up", "--yes", "--skip-preview").finally(end);
  for (const part of row.says) expect(text).toContain(part);
  // A stack trace means that the program does not handle the error.
  expect(text).not.toMatch(/^\s+at .+:\d+/m);
  expect(text).not.toContain(canary.grafanaAuth);
  expect(text).not.toContain(Buffer.from(canary.grafanaAuth).toString("base64"));
  messages.set(row.what, text);
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

describe("a fault while a resource is saved", () => {
  const [concurrentSave, ...refusals] = grafanaFaults.filter(({ reportedBy }) => reportedBy === "plugin");

  it("412 in the first deployment is reported at the resource, and the next up completes it", async () => {
    await change("first");
    await deploy(concurrentSave as GrafanaFault);
    await expectComplete("first");
    await change("second");
  });

  it.each(refusals)("$what is reported at the resource", (row) => deploy(row));

  it("the next up completes the deployment", () => expectComplete("second"));
});

describe("a fault during the preflight", () => {
  beforeAll(() => change("third"));

  it.each(grafanaFaults.filter(({ reportedBy }) => reportedBy === "preflight"))(
    "$what is reported with its fix, and nothing changes",
    async (row) => {
      const before = sandbox.grafana();
      await deploy(row);
      expect(messages.get(row.what)).toContain(`Grafana at ${front.url} `);
      expect(sandbox.grafana()).toEqual(before);
    },
  );

  it("the next up completes the deployment", () => expectComplete("third"));
});
