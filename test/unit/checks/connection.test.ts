/** The check of the connection at the service, with the setting verifyConnection. */
import { expect, it } from "vitest";
import { answer } from "../../support/raw-server";
import { body, check } from "./run";

const registered = Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));

async function checkConnection(response: string, verifyConnection = true) {
  const { list, results } = await check(({ path }) => (path === "/api/connections" ? response : answer(404, "{}")), {
    targets: { verifyConnection },
    secrets: { connection: { serviceApiKey: "canary-service", body } },
  });
  expect(JSON.stringify(list)).not.toContain("canary");
  return results.connection;
}

const connections = (found: object) => answer(200, JSON.stringify({ status: 200, connections: found }));

it.each([
  ["this stack's", connections(registered), "ok", "the service has this stack's connection"],
  ["another key", connections({ ...registered, apikey: "canary-other" }), "failed", "npx pulumi config set registrationTrigger 2"],
  ["none", answer(404, JSON.stringify({ status: 404 })), "failed", "the service has no connection: pulumi up --refresh"],
  ["no such endpoint", answer(404, "not found"), "note", "the service does not report its connection"],
])("with %s", async (_what, response, status, detail) => {
  expect(await checkConnection(response)).toEqual({ name: "connection", status, detail: expect.stringContaining(detail) });
});

it("is skipped without the setting", async () => {
  expect(await checkConnection(connections(registered), false)).toBeUndefined();
});
