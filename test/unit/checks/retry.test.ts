/** New credentials may take effect after seconds: the check of the push is repeated after a refusal, within the limit, and after no other failure. */
import { expect, it } from "vitest";
import { answer } from "../../support/raw-server";
import { check } from "./run";

async function checkPush(responses: string[], timeout: number) {
  const { server, results } = await check(
    ({ path }) => (path.startsWith("/otlp") ? (responses.shift() ?? answer(200)) : answer(404, "{}")),
    { targets: { otlp: { endpoint: "/otlp", data: ["traces"] } }, retry: { timeout, interval: 50 } },
  );
  return { push: results["OTLP traces"], requests: server.requests.filter(({ path }) => path === "/otlp/v1/traces") };
}

it("repeats an empty protobuf message until a new token takes effect", async () => {
  const { push, requests } = await checkPush([answer(401), answer(403), answer(200)], 5_000);
  expect(push).toEqual({ name: "OTLP traces", status: "ok", detail: "accepts the credentials" });
  expect(requests).toHaveLength(3);
  expect(requests[0]).toMatchObject({ method: "POST", body: "" });
  expect(new Map(requests[0]?.headers.map(([name, value]) => [name.toLowerCase(), value])).get("authorization")).toBe("Basic canary");
});

it("stops at the limit", async () => {
  const { push, requests } = await checkPush(Array(100).fill(answer(401)), 1_000);
  expect(push).toMatchObject({ status: "failed", detail: expect.stringContaining("refuses the credentials (401)") });
  expect(requests.length).toBeGreaterThan(1);
  // The interval is 50 ms.
  expect(requests.length).toBeLessThanOrEqual(21);
});

it("does not repeat another failure", async () => {
  const { push, requests } = await checkPush([answer(500)], 5_000);
  expect(push).toMatchObject({ status: "failed", detail: "returned 500 to an empty export: check otlpEndpoint" });
  expect(requests).toHaveLength(1);
});
