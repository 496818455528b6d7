/** The check that asks the service which connection is in place, where that is wanted. */
import { expect, it } from "vitest";
import { runChecks } from "../../src/checks/checks";
import type { CheckTargets } from "../../src/checks/input";
import { answer, startRawServer } from "../support/raw-server";

const body = {
  Platform: "grafana",
  MetricsUrl: "https://metrics.example.com",
  MetricsUsername: "1",
  LogsUrl: "https://logs.example.com",
  LogsUsername: "2",
  ApiKey: "canary-key",
};
const inPlace = Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));

async function verdict(response: string, verifyConnection = true) {
  const server = await startRawServer([({ path }) => (path === "/api/connections" ? response : answer(404, "{}"))]);
  const targets: CheckTargets = {
    grafana: { url: server.url },
    datasources: [],
    dashboards: [],
    otlp: { endpoint: server.url, data: [] },
    verifyConnection,
    serviceUrl: server.url,
    onFailure: "fail",
  };
  const connection = { serviceApiKey: "canary-service", body };
  const results = await runChecks(
    targets,
    { grafanaAuth: "t", otlpAuthorization: "", datasourceFingerprint: "", connection },
    { total: 0, pause: 1 },
  );
  await server.close();
  expect(JSON.stringify(results)).not.toContain("canary");
  return results.find(({ what }) => what === "connection");
}

const connections = (found: object) => answer(200, JSON.stringify({ status: 200, connections: found }));

it.each([
  ["ours", connections(inPlace), "ok", "this stack's is in place"],
  ["another key", connections({ ...inPlace, apikey: "canary-other" }), "failed", "somebody else's is in place: pulumi up --refresh"],
  ["none", answer(404, JSON.stringify({ status: 404 })), "failed", "the service has none: pulumi up --refresh"],
  ["no such endpoint", answer(404, "not found"), "note", "does not tell which one is in place"],
])("with %s", async (_what, response, result, detail) => {
  expect(await verdict(response)).toEqual({ what: "connection", verdict: result, detail: expect.stringContaining(detail) });
});

it("is not asked unless it is wanted", async () => {
  expect(await verdict(connections(inPlace), false)).toBeUndefined();
});
