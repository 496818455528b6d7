/** New credentials may take seconds to work: a refusal of the push is asked again, within the limit, and other failures are not. */
import { expect, it } from "vitest";
import { runChecks } from "../../src/checks/checks";
import type { CheckTargets } from "../../src/checks/input";
import { answer, startRawServer } from "../support/raw-server";

const secrets = { grafanaAuth: "t", otlpAuthorization: "Basic canary", datasourceFingerprint: "" };

async function pushVerdict(script: string[], total: number) {
  const server = await startRawServer([
    (request) => (request.path.startsWith("/otlp") ? (script.shift() ?? answer(200)) : answer(404, "{}")),
  ]);
  const targets: CheckTargets = {
    grafana: { url: server.url },
    datasources: [],
    dashboards: [],
    otlp: { endpoint: `${server.url}/otlp`, data: ["traces"] },
    verifyConnection: false,
    serviceUrl: server.url,
    onFailure: "fail",
  };
  const results = await runChecks(targets, secrets, { total, pause: 50 });
  await server.close();
  return {
    push: results.find(({ what }) => what === "OTLP traces"),
    asked: server.requests.filter(({ path }) => path === "/otlp/v1/traces"),
  };
}

it("waits until a new token works, with an empty protobuf message", async () => {
  const { push, asked } = await pushVerdict([answer(401), answer(403), answer(200)], 5_000);
  expect(push).toEqual({ what: "OTLP traces", verdict: "ok", detail: "accepts the credentials" });
  expect(asked).toHaveLength(3);
  expect(asked[0]).toMatchObject({ method: "POST", body: "" });
  expect(new Map(asked[0]?.headers.map(([name, value]) => [name.toLowerCase(), value])).get("authorization")).toBe("Basic canary");
});

it("gives up at the limit", async () => {
  const { push, asked } = await pushVerdict(Array(100).fill(answer(401)), 1_000);
  expect(push).toMatchObject({ verdict: "failed", detail: expect.stringContaining("refuses the credentials (401)") });
  expect(asked.length).toBeGreaterThan(1);
  // A pause of 50 ms between two questions.
  expect(asked.length).toBeLessThanOrEqual(21);
});

it("does not wait for anything else", async () => {
  const { push, asked } = await pushVerdict([answer(500)], 5_000);
  expect(push).toMatchObject({ verdict: "failed", detail: "answered 500 to an empty export: check otlpEndpoint" });
  expect(asked).toHaveLength(1);
});
