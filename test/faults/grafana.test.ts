/** Faults of Grafana, on the real engine: what a person reads, and that the next `up` gets to where it would have got without them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectTable } from "../support/readme";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";
import { wholeFailure } from "./fail";
import { Front } from "./grafana/front";
import { type GrafanaFault, grafanaFaults } from "./grafana-faults";
import { grafanaTable } from "./table";

let sandbox: Sandbox;
let front: Front;
let stack: TestStack;
const said = new Map<string, string>();

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

/** Starts the fault; returns how it ends. */
async function begin({ fault }: GrafanaFault): Promise<() => Promise<unknown>> {
  front.hit = [];
  const end = async () => {
    front.fault = undefined;
  };
  if (fault === "nobody listens") {
    await front.close();
    return () => front.open();
  }
  if (fault !== "somebody is faster") {
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

/** Has something to save in each of them: folder and both dashboards. */
async function change(mark: string): Promise<void> {
  await stack.set({ folderTitle: `Observability ${mark}`, sdkName: `sdk-${mark}`, documentationUrl: `https://docs.example.com/${mark}` });
}

/** Deploys while the fault lasts. */
async function deploy(row: GrafanaFault): Promise<void> {
  const end = await begin(row);
  const text = await wholeFailure(stack, "up", "--yes", "--skip-preview").finally(end);
  for (const part of row.says) expect(text).toContain(part);
  // A trace of our own code says that nobody thought of it.
  expect(text).not.toMatch(/^\s+at .+:\d+/m);
  expect(text).not.toContain(canary.grafanaAuth);
  expect(text).not.toContain(Buffer.from(canary.grafanaAuth).toString("base64"));
  said.set(row.what, text);
}

/** The next `up` leads to what would be there without any fault, and to nothing twice. */
async function expectMended(mark: string): Promise<void> {
  await stack.up();
  expect(await stack.preview("--refresh")).toEqual([]);
  const { datasources, folders, dashboards } = sandbox.grafana();
  expect(folders).toMatchObject([{ uid: "llm-observability", title: `Observability ${mark}` }]);
  expect(datasources).toHaveLength(3);
  expect(dashboards.map(({ uid }) => uid).sort()).toEqual(["genai-observability", "llmobs-llm-monitoring"]);
  // Whatever became of Grafana: the connection is registered once, and is not registered again.
  expect(sandbox.registrations).toBe(1);
}

describe("trouble when something is saved", () => {
  const rows = grafanaFaults.filter(({ voice }) => voice === "the plugin's");
  it.each(rows)("$what is told of at the resource, and the next up mends it", async (row) => {
    await change(row.what.slice(0, 3));
    await deploy(row);
    await expectMended(row.what.slice(0, 3));
  });
});

describe("trouble when the program asks, before it saves anything", () => {
  const rows = grafanaFaults.filter(({ voice }) => voice === "ours");
  beforeAll(() => change("asked"));

  it.each(rows)("$what is told of in our words, with what to do, and changes nothing", async (row) => {
    const before = sandbox.grafana();
    await deploy(row);
    expect(said.get(row.what)).toContain(`Grafana at ${front.url} `);
    const after = sandbox.grafana();
    expect(after).toEqual(before);
  });

  it("and the next up mends it", () => expectMended("asked"));
});

it("is the README's table", async () => {
  const table = grafanaTable(grafanaFaults, (what) => said.get(what) ?? "");
  await expectTable("grafana-faults", table, "test:faults");
});
