/**
 * A Grafana that fails in the middle of a deployment, on the real engine: the messages, and that the next `up` completes the deployment. The messages
 * of the preflight are in `test/unit/preflight.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";
import { Front, type Trouble } from "./grafana/front";

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

const json = (status: number, message: string) => ({ status, body: JSON.stringify({ message }) });

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

describe("a fault while a resource is saved", () => {
  it("412 for a concurrent save in the first deployment is reported at the resource, and the next up completes it", async () => {
    await change("first");
    const uid = "genai-observability";
    let isFirst = true;
    front.fault = {
      hits: (method, path) => isFirst && method === "POST" && path.startsWith("/api/dashboards/db"),
      before: async () => {
        isFirst = false;
        await sandbox.ask("/api/dashboards/db", "POST", { dashboard: { uid, title: "Theirs" }, folderUid: "llm-observability" });
      },
    };
    await deploy("412", "The dashboard has been changed by someone else");
    await sandbox.ask(`/api/dashboards/uid/${uid}`, "DELETE");
    await expectComplete("first");
  });

  it("500 in a later deployment is reported at the resource, and the next up completes it", async () => {
    await change("second");
    const hits = (method: string, path: string) => method !== "GET" && /^\/api\/(dashboards|folders)/.test(path);
    front.fault = { hits, trouble: json(500, "database is locked") };
    await deploy("500", "database is locked");
    await expectComplete("second");
  });
});

describe("a fault during the preflight", () => {
  const network = "Check grafanaUrl, and the network between this machine and Grafana.";
  it.each<[what: string, trouble: Trouble, ...says: string[]]>([
    ["silence", "silence", "did not respond within 15 s", network],
    [
      "401",
      json(401, "Invalid API key"),
      "returned 401: Invalid API key for GET /api/",
      "Check grafanaAuth and the permissions of its token.",
    ],
  ])("%s is reported with its fix, and nothing changes", async (_what, trouble, ...says) => {
    const before = sandbox.grafana();
    front.fault = { hits: () => true, trouble };
    await deploy(`Grafana at ${front.url} `, ...says);
    expect(sandbox.grafana()).toEqual(before);
  });
});
