/** The gateway of the demo and of the tests with real servers: paths, credentials, forwarded requests. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGateway } from "../sandbox/gateway";
import { answer, closedPort, startRawServer } from "../support/raw-server";

let gateway: Server;
let behind: Awaited<ReturnType<typeof startRawServer>>;
let log: string[];

beforeEach(async () => {
  behind = await startRawServer([
    ({ path }) => answer(path.startsWith("/api/missing") ? 404 : 200, '{"from":"server"}', { "Content-Type": "application/json" }),
  ]);
  log = [];
  gateway = createGateway(
    [
      { path: "/prometheus", url: behind.url, credentials: { user: "u", password: "p:ä" } },
      { path: "/loki", url: `${behind.url}/sub` },
      { path: "/otlp/v1/traces", url: `${behind.url}/v1/traces`, method: "POST" },
      { path: "/down", url: `http://127.0.0.1:${await closedPort()}` },
    ],
    (line) => log.push(line),
  ).listen(0, "127.0.0.1");
  await once(gateway, "listening");
});

afterEach(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await behind.close();
});

const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}${path}`, init);
const credentials = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString("base64")}` });

it("forwards method, path, query and body, without the credentials", async () => {
  const headers = { ...credentials("u:p:ä"), "Content-Type": "application/x-www-form-urlencoded" };
  const response = await ask("/prometheus/api/v1/query?time=1", { method: "POST", headers, body: "query=up" });
  expect([response.status, response.headers.get("content-type"), await response.json()]).toEqual([
    200,
    "application/json",
    { from: "server" },
  ]);
  expect((await ask("/loki/api/missing")).status).toBe(200);
  expect((await ask("/otlp/v1/traces", { method: "POST", headers: { "Content-Type": "application/x-protobuf" }, body: "x" })).status).toBe(
    200,
  );
  expect(behind.requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
    "POST /api/v1/query?time=1 query=up",
    "GET /sub/api/missing ",
    "POST /v1/traces x",
  ]);
  for (const { headers } of behind.requests) expect(JSON.stringify([...headers])).not.toMatch(/authorization/i);
  expect(log).toEqual(["/prometheus/api/v1/query?time=1 200", "/loki/api/missing 200", "/otlp/v1/traces 200"]);
});

it("passes on the status of the server", async () => {
  expect((await ask("/prometheus/api/missing", { headers: credentials("u:p:ä") })).status).toBe(404);
});

it.each([{}, credentials("u:p"), credentials("other:p:ä"), { Authorization: "Bearer u:p:ä" }])(
  "refuses the credentials %j",
  async (headers) => {
    expect((await ask("/prometheus/api/v1/query", { headers: headers as Record<string, string> })).status).toBe(401);
    expect(behind.requests).toEqual([]);
  },
);

it.each([
  ["GET", "/"],
  ["GET", "/prometheus2/api"],
  ["GET", "/otlp/v1/traces"],
  ["POST", "/otlp/v1/metrics"],
])("has nothing at %s %s", async (method, path) => {
  expect((await ask(path, { method })).status).toBe(404);
  expect(behind.requests).toEqual([]);
});

it("says which server does not respond", async () => {
  const response = await ask("/down/x");
  expect([response.status, await response.text()]).toEqual([
    502,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ did not respond: .*ECONNREFUSED/),
  ]);
});
