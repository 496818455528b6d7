/** Two environments at one Grafana. */
import { expect, it } from "vitest";
import { createStack, stack as first, sandbox, setUp } from "../support/set-up";

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
