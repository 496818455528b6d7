/** Requests to Grafana: credentials, organization, CA, a Grafana that does not respond, and the limits: of the size of a response, and of the time. */
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { GrafanaUnreachable, messageOf, readGrafana, requestGrafana, secretsOf, UnexpectedResponse } from "../../src/network/grafana";
import { selfSigned } from "../support/certificate";
import { listen } from "../support/listen";
import { answer } from "../support/raw-server";
import { check } from "./checks/run";
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

const askGrafana = (url: string) => requestGrafana({ url, auth: "t" }, "/x").catch((error: Error) => error.message.replace(url, "URL"));

/** A server whose response is JSON with trailing spaces, `length` characters in total. It stops if the client does. */
async function serveBlanks(length: number) {
  const served = { url: "", characters: 0 };
  function* parts() {
    for (let part = "{}"; part; part = " ".repeat(Math.min(100_000, length - served.characters))) {
      served.characters += part.length;
      yield part;
    }
  }
  const server = createServer((_request, response) => void pipeline(parts(), response).catch(() => undefined));
  served.url = await listen(server);
  onTestFinished(() => void server.close().closeAllConnections());
  return served;
}

it("Grafana's response is read up to the limit, and not beyond it", async () => {
  const limit = 20_000_000;
  const refused = "Grafana at URL returned more than 20 MB for /x";
  expect(await askGrafana((await serveBlanks(limit)).url)).toEqual({ status: 200, body: {} });
  expect(await askGrafana((await serveBlanks(limit + 1)).url)).toEqual(refused);
  const server = await serveBlanks(limit + 200_000_000);
  expect(await askGrafana(server.url)).toEqual(refused);
  // The sockets' buffers hold some megabytes.
  expect(server.characters).toBeLessThan(limit + 50_000_000);
});

it("a server that does not respond fails each check within 15 s", { timeout: 10_000 }, async () => {
  const { timeout } = AbortSignal;
  // Divides all time limits by 100.
  const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => timeout.call(AbortSignal, time / 100));
  onTestFinished(() => limits.mockRestore());
  const targets = { datasources: [{ type: "loki", uid: "l" } as const], otlp: { endpoint: "/otlp", data: ["traces"] as const } };
  const { server, list } = await check("silent", { targets });
  const { host, origin: url } = new URL(server.url);
  expect(list).toEqual([
    { name: "datasource l", status: "failed", detail: `Grafana at ${url} did not respond within 15 s` },
    { name: "OTLP traces", status: "failed", detail: `${host} does not respond: check otlpEndpoint` },
    { name: "service", status: "failed", detail: `${host} does not respond: check serviceUrl` },
  ]);
  expect(new Set(limits.mock.calls.flat())).toEqual(new Set([15_000]));
});
