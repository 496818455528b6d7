/** Two environments at one Grafana, and a service whose connection another stack may replace. */
import { expect, it } from "vitest";
import { answer } from "../support/raw-server";
import { createStack, stack as first, sandbox, setUp } from "../support/set-up";
import { canary, type TestStack } from "../support/stack";

setUp();

/** The config of a stack that refers to the datasources of another one. */
const withoutDatasources = () =>
  Object.fromEntries(Object.entries(sandbox.config()).filter(([key]) => !/^(prometheus|loki|tempo)/.test(key)));

const connection = ["create checks", "create grafana", "create platform", "create service", "create service-connection"];

it("the second of two environments at one Grafana cannot be deployed before the first one", async () => {
  const second = await createStack({ ...withoutDatasources(), service: "llmobs_dev", managedResources: "service-dashboard" });
  expect(await second.failing("preview")).toMatch(/datasources that Grafana does not have|has no folder with the uid llm-observability/);
  await first.up();
  const operations = await second.up();
  expect(operations).toEqual([...connection, "create service-llm-monitoring"]);
  const paths = [
    "/api/folders/llm-observability",
    "/api/dashboards/uid/genai-observability",
    "/api/dashboards/uid/genai-observability-otel",
    "/api/datasources/uid/llm-observability-loki",
  ];
  for (const path of paths) expect((await sandbox.ask(path)).status).toBe(200);
  expect((await second.outputs()).links).toMatchObject({
    genaiObservability: `${sandbox.grafanaUrl}/d/genai-observability`,
    genaiObservabilityOtel: `${sandbox.grafanaUrl}/d/genai-observability-otel`,
  });
  await second.destroy();
  for (const path of paths) expect((await sandbox.ask(path)).status).toBe(200);
  expect(await first.preview("--refresh")).toEqual([]);
});

it("verifyConnection registers again only on purpose after another stack replaced the connection, and does not store its key", async () => {
  let posts = 0;
  let registered: Record<string, unknown> = {};
  sandbox.service.follow([
    ({ method, path, body }) => {
      if (path === "/api/connections" && method === "POST") {
        posts += 1;
        registered = JSON.parse(body);
      }
      return answer(200, JSON.stringify({ status: 200, connections: registered }));
    },
  ]);
  // The stack of the first test manages the resources in Grafana.
  const config = { managedResources: "none", verifyConnection: "on", telemetry: "spec", otlpData: "traces" };
  const stack = await createStack({ ...withoutDatasources(), ...config });
  expect(await stack.up()).toEqual(connection);
  expect(posts).toBe(1);
  registered.ApiKey = "canary-of-another-stack";
  await stack.refresh();
  expect(await registeredConnection(stack)).toBe("other");
  expect(stack.stored()).not.toContain("canary-of-another-stack");
  expect(stack.stored()).not.toContain(canary.platformApiKey);
  const message = await stack.failing("up", "--yes", "--skip-preview");
  expect(message).toContain("another stack, or a person, may have registered it");
  expect(message).toMatch(/connection +failed +the service has another connection/);
  const [, trigger = ""] = /npx pulumi config set registrationTrigger (\S+) --stack test\. To leave it/.exec(message) ?? [];
  expect(posts).toBe(1);
  await stack.set({ registrationTrigger: trigger });
  expect((await stack.up()).filter((operation) => operation.includes("connection"))).toEqual(["update service-connection"]);
  expect(posts).toBe(2);
  expect(await stack.up("--refresh")).toEqual([]);
  expect(await registeredConnection(stack)).toBe("current");
});

/** The connection at the service as the last refresh found it. */
async function registeredConnection(stack: TestStack): Promise<unknown> {
  return (await stack.resources()).find(({ type }) => type.endsWith(":Connection"))?.outputs.registeredConnection;
}
