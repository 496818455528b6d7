/** Requests to Grafana: credentials, organization, CA, and a Grafana that does not respond. */
import { expect, it } from "vitest";
import { GrafanaUnreachable, messageOf, readGrafana, requestGrafana, secretsOf, UnexpectedResponse } from "../../src/network/grafana";
import { selfSigned } from "../support/certificate";
import { answer } from "../support/raw-server";
import { headerOf, serve } from "./serve";

it.each([
  // Grafana refuses a token with the id of another organization.
  ["a token and no organization", "a-token", "Bearer a-token", undefined],
  ["user, password and the organization", "user:päss", `Basic ${Buffer.from("user:päss").toString("base64")}`, "1"],
])("sends %s, and the path prefix", async (_what, auth, header, organization) => {
  const server = await serve([answer(200, '{"a":1}')]);
  expect(await requestGrafana({ url: `${server.url}/grafana`, auth }, "/api/x?y=1")).toEqual({ status: 200, body: { a: 1 } });
  expect(server.requests[0]).toMatchObject({ method: "GET", path: "/grafana/api/x?y=1", body: "" });
  // Grafana caches a datasource for 5 s: a check right after an update would ask the server of before.
  const names = ["authorization", "x-grafana-org-id", "x-grafana-nocache", "content-type"];
  expect(names.map((name) => headerOf(server.requests[0], name))).toEqual([header, organization, "true", undefined]);
});

it("sends a body with POST", async () => {
  const server = await serve([answer(400, '{"message":"no"}')]);
  const refused = await requestGrafana({ url: server.url, auth: "t" }, "/api/ds/query", { queries: [] });
  expect(messageOf(refused, { auth: "t" })).toBe("400: no");
  expect(server.requests[0]).toMatchObject({ method: "POST", body: '{"queries":[]}' });
  expect(headerOf(server.requests[0], "content-type")).toBe("application/json");
});

it.each([null, "message", 7, [], { messages: "no" }])("shows the status alone if the response is %j", (body) => {
  expect(messageOf({ status: 500, body }, { auth: "t" })).toBe("500");
});

it("a password is a secret of its own", () => {
  expect(secretsOf({ auth: "user:pass:word", secrets: ["another"] })).toEqual(["user:pass:word", "pass:word", "another"]);
  expect(secretsOf({ auth: "a-token" })).toEqual(["a-token", "a-token"]);
});

it("does not follow a redirect", async () => {
  const elsewhere = await serve([answer(200, '{"a":1}')]);
  const { url } = await serve([answer(307, "", { Location: `${elsewhere.url}/api/org` })]);
  expect(await requestGrafana({ url, auth: "t" }, "/api/org")).toEqual({ status: 307, body: "" });
  expect(elsewhere.connections).toBe(0);
});

it.each([
  ["a page", 200, "<html>", "200 without JSON", "Check grafanaUrl, which must be the address of Grafana, including a path prefix."],
  ["nothing, with an accepted status", 404, "null", "404 without JSON for GET /api/org", "Check grafanaUrl, which must be"],
  [
    "wrong credentials",
    401,
    '{"message":"Unauthorized"}',
    "401: Unauthorized for GET /api/org",
    "Check grafanaAuth and the permissions of its token.",
  ],
  ["a limit", 429, "{}", "429 for GET /api/org", "Grafana limits requests. Wait, then run `npm run adopt` again."],
])("shows a fix for %s", async (_what, status, body, said, advice) => {
  const { url } = await serve([answer(status, body)]);
  const request = readGrafana({ url, auth: "t" }, "/api/org", [404], "npm run adopt");
  await expect(request).rejects.toThrow(UnexpectedResponse);
  await expect(request).rejects.toThrow(`Grafana at ${url} returned ${said}. ${advice}`);
});

it.each(["canary-token", "user:canary-password"])("shows Grafana's message in one line, without %s", (auth) => {
  const message = `no \x1b(\u202e${Buffer.from(auth).toString("base64")}) ${"long ".repeat(100)}\n\u2028more`;
  const said = messageOf({ status: 401, body: { message } }, { auth });
  expect(messageOf({ status: 401, body: { message: `no: ${auth}` } }, { auth })).toBe("401: no: [redacted]");
  expect(said).toMatch(/^401: no \[redacted\] (long )+…$/);
  expect(said.length).toBeLessThan(220);
  expect(said).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

it("trusts a CA only if it is set", async () => {
  const tls = selfSigned();
  const server = await serve([answer(200, "{}")], { tls });
  const ask = (caCert?: string) => requestGrafana({ url: server.url, auth: "t", caCert }, "/api/org");
  await expect(ask()).rejects.toThrow(/cannot be reached \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  expect(await ask(tls.cert)).toMatchObject({ status: 200 });
});

it("reports that a Grafana cannot be reached, without the token", async () => {
  const { url } = await serve(["close"]);
  const request = requestGrafana({ url, auth: "canary" }, "/api/org");
  await expect(request).rejects.toThrow(GrafanaUnreachable);
  await expect(request).rejects.toThrow(`Grafana at ${url} cannot be reached (ECONNRESET)`);
});
