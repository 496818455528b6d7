/**
 * The checks of the OTLP endpoint, and of the service. A status of 200 alone proves nothing: a login page is no OTLP endpoint. New
 * credentials may take effect after seconds: the check of the push is repeated after a refusal, within the limit, and after no other failure.
 */
import { expect, it } from "vitest";
import { answer } from "../../support/raw-server";
import { headerOf } from "../serve";
import { check } from "./run";

/** The finding of a push with these responses, one after the other, and its requests. */
async function push(responses: string[], timeout: number) {
  const targets = { otlp: { endpoint: "/otlp", data: ["traces"] } } as const;
  const options = { targets, secrets: { otlpAuthorization: "Basic canary+/=" }, retry: { timeout, interval: 50 } };
  const respond = ({ path }: { path: string }) => (path.startsWith("/otlp") ? (responses.shift() ?? answer(200)) : answer(404, "{}"));
  const { server, results } = await check(respond, options);
  return { finding: results["OTLP traces"], requests: server.requests.filter(({ path }) => path === "/otlp/v1/traces") };
}

it.each([
  ["nothing, without a content type", answer(200), "ok", "accepts the credentials"],
  ["plain text", answer(202, "accepted", { "Content-Type": "text/plain; charset=utf-8" }), "ok", "accepts the credentials"],
  ["a page", answer(200, "<html>", { "Content-Type": "Text/HTML" }), "failed", "returned 200 with a page, text/html: check otlpEndpoint"],
  ["a redirect", answer(302, "", { Location: "http://127.0.0.1:9/" }), "failed", "returned 302 to an empty export: check otlpEndpoint"],
  ["another failure", answer(500), "failed", "returned 500 to an empty export: check otlpEndpoint"],
])("an OTLP endpoint that returns %s, to one request", async (_what, response, status, detail) => {
  const { finding, requests } = await push([response], 5_000);
  expect(finding).toEqual({ name: "OTLP traces", status, detail });
  expect(requests).toHaveLength(1);
});

it("repeats an empty protobuf message until a new token takes effect", async () => {
  const { finding, requests } = await push([answer(401), answer(403), answer(429), answer(200)], 5_000);
  expect(finding).toMatchObject({ status: "ok" });
  expect(requests).toHaveLength(4);
  expect(requests[0]).toMatchObject({ method: "POST", body: "" });
  expect(headerOf(requests[0], "authorization")).toBe("Basic canary+/=");
});

it.each([
  [401, "refuses the credentials (401): check otlpInstanceId, the token and its scopes"],
  [503, "is busy (503). To check again: npm run doctor -- --stack STACK"],
])("stops at the limit: %d", async (code, detail) => {
  const { finding, requests } = await push(Array(100).fill(answer(code)), 1_000);
  expect(finding).toMatchObject({ status: "failed", detail: expect.stringContaining(detail) });
  expect(requests.length).toBeGreaterThan(1);
  // The interval is 50 ms.
  expect(requests.length).toBeLessThanOrEqual(21);
});

it.each([
  [302, "ok", "responds"],
  [404, "ok", "responds"],
  [500, "failed", "returned 500, an error of the service or of a proxy in front of it: check whether it runs, and serviceUrl"],
])("a service that returns %i", async (code, status, detail) => {
  const { results } = await check(() => answer(code, "", { Location: "http://127.0.0.1:9/" }));
  expect(results.service).toEqual({ name: "service", status, detail });
});
