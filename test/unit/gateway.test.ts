/** The gateway of the demo and of the tests with real servers: paths, credentials, forwarded requests. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGateway } from "../sandbox/gateway";
import { answer, closedPort, startRawServer } from "../support/raw-server";

let gateway: Server;
let behind: Awaited<ReturnType<typeof startRawServer>>;

beforeEach(async () => {
  behind = await startRawServer([answer(404, '{"from":"server"}', { "Content-Type": "application/json" })]);
  gateway = createGateway([
    { path: "/prometheus", url: `${behind.url}/sub`, credentials: { user: "u", password: "p:ä" } },
    { path: "/otlp/v1/traces", url: behind.url, method: "POST" },
    { path: "/down", url: `http://127.0.0.1:${await closedPort()}` },
  ]).listen(0, "127.0.0.1");
  await once(gateway, "listening");
});

afterEach(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await behind.close();
});

const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}${path}`, init);
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

it("forwards method, path, query and body, without the credentials, and passes on the response", async () => {
  const headers = { Authorization: basic("u:p:ä"), "Content-Type": "application/x-www-form-urlencoded" };
  const response = await ask("/prometheus/api/v1/query?time=1", { method: "POST", headers, body: "query=up" });
  expect([response.status, response.headers.get("content-type"), await response.json()]).toEqual([
    404,
    "application/json",
    { from: "server" },
  ]);
  const [request] = behind.requests;
  expect(request).toMatchObject({ method: "POST", path: "/sub/api/v1/query?time=1", body: "query=up" });
  expect(JSON.stringify([...(request?.headers ?? [])])).not.toMatch(/authorization/i);
});

it.each([
  ["POST", "/prometheus/api", 401, { Authorization: basic("u:p") }],
  ["POST", "/prometheus/api", 401, { Authorization: "Bearer u:p:ä" }],
  ["GET", "/prometheus2/api", 404, {}],
  ["GET", "/otlp/v1/traces", 404, {}],
  ["POST", "/otlp/v1/metrics", 404, {}],
  ["GET", "/down/x", 502, {}],
])("answers %s %s with %i itself", async (method, path, status, headers) => {
  expect((await ask(path, { method, headers: headers as Record<string, string> })).status).toBe(status);
  expect(behind.requests).toEqual([]);
});
