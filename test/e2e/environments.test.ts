/** Two environments at one Grafana, and a service whose connection somebody else may replace. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, type RawServer, startRawServer } from "../support/raw-server";
import { Sandbox } from "../support/sandbox";
import { canary, TestStack } from "../support/stack";

let sandbox: Sandbox;
const stacks: TestStack[] = [];

async function create(config: Record<string, string>): Promise<TestStack> {
  const stack = await TestStack.create(config);
  stacks.push(stack);
  return stack;
}

beforeAll(async () => {
  sandbox = await Sandbox.start();
});

afterAll(async () => {
  for (const stack of stacks) stack.remove();
  await sandbox?.stop();
});

/** Of a stack that refers to what another one has. */
const withoutDatasources = () =>
  Object.fromEntries(Object.entries(sandbox.config()).filter(([key]) => !/^(prometheus|loki|tempo)/.test(key)));

/** What is created where nothing at Grafana is. */
const connection = ["create checks", "create platform", "create platform-grafana", "create service", "create service-connection"];

describe("two environments at one Grafana", () => {
  it("the second cannot come before the first, and both can", async () => {
    const second = await create({ ...withoutDatasources(), service: "llmobs_dev", managedResources: "service-dashboard" });
    expect(await second.failing("preview")).toMatch(/lacks a datasource|has no folder with the uid llm-observability/);
    const first = await create(sandbox.config());
    await first.up();
    const operations = await second.up();
    expect(operations).toEqual([...connection, "create service-llm-monitoring"]);
    const paths = [
      "/api/folders/llm-observability",
      "/api/dashboards/uid/genai-observability",
      "/api/datasources/uid/llm-observability-loki",
    ];
    for (const path of paths) expect((await sandbox.ask(path)).status).toBe(200);
    expect(await first.preview()).toEqual([]);
    expect(await second.preview()).toEqual([]);
    expect((await second.outputs()).links).toMatchObject({ genaiObservability: `${sandbox.grafanaUrl}/d/genai-observability` });
    await second.destroy();
    for (const path of paths) expect((await sandbox.ask(path)).status).toBe(200);
    expect(await first.preview("--refresh")).toEqual([]);
  });
});

describe("the connection, read back", () => {
  let service: RawServer;
  let held: Record<string, unknown> | undefined;

  beforeAll(async () => {
    service = await startRawServer([
      ({ method, path, body }) => {
        if (path !== "/api/connections") return answer(200, "ok");
        if (method === "POST") {
          const { Platform, MetricsUrl, LogsUrl, ApiKey, MetricsUsername, LogsUsername } = JSON.parse(body);
          held = {
            platform: Platform,
            metricsUrl: MetricsUrl,
            logsUrl: LogsUrl,
            apiKey: ApiKey,
            metricsUsername: MetricsUsername,
            logsUsername: LogsUsername,
          };
          return answer(200, "registered");
        }
        return held ? answer(200, JSON.stringify({ status: 200, connections: held })) : answer(404, JSON.stringify({ status: 404 }));
      },
    ]);
  });

  afterAll(() => service?.close());

  const posts = () => service.requests.filter(({ method, path }) => method === "POST" && path === "/api/connections").length;

  it("is registered again where somebody else's is in place, and the key in the answer goes nowhere", async () => {
    // Another stack, of the first test, has everything at Grafana that this one needs.
    const config = { ...withoutDatasources(), managedResources: "none", serviceUrl: service.url, verifyConnection: "on", checks: "warn" };
    const stack = await create(config);
    expect(await stack.up()).toEqual(connection);
    expect(posts()).toBe(1);
    expect(await inPlace(stack)).toBe("current");
    held = { ...held, apiKey: "canary-of-somebody-else", metricsUrl: "https://elsewhere.example.com" };
    expect(await inPlace(stack)).toBe("other");
    expect(stack.stored()).not.toContain("canary-of-somebody-else");
    expect(stack.stored()).not.toContain(canary.platformApiKey);
    expect((await stack.up()).filter((operation) => operation.includes("connection"))).toEqual(["update service-connection"]);
    expect(posts()).toBe(2);
    expect(await inPlace(stack)).toBe("current");
    expect(await stack.preview()).toEqual([]);
  });
});

/** What a refresh finds. */
async function inPlace(stack: TestStack): Promise<unknown> {
  await stack.refresh();
  return (await stack.resources()).find(({ type }) => type.endsWith(":Connection"))?.outputs.registeredConnection;
}
