/** The stand-in for the service: as strict as the specification, with the responses of the public server. */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createService, readServiceState } from "../sandbox/service";
import { temporaryFolder } from "../support/temporary-folder";

const body = {
  Platform: "grafana",
  MetricsUrl: "https://metrics.example.com/write",
  MetricsUsername: "123456",
  LogsUrl: "https://logs.example.com/push",
  LogsUsername: "234567",
  ApiKey: "canary-platform",
};

let stateFile: string;
let service: Server;

const start = async () => {
  service = createService({ apiKey: "the-key", stateFile });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
};

beforeEach(async () => {
  stateFile = join(temporaryFolder(), "service.json");
  await start();
});

afterEach(() => void service.close());

interface Options {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  content?: string;
}

async function send({ method = "POST", path = "/api/connections", headers = {}, content = JSON.stringify(body) }: Options = {}) {
  const response = await fetch(`http://127.0.0.1:${(service.address() as AddressInfo).port}${path}`, {
    method,
    headers: { Authorization: "the-key", "Content-Type": "application/json", ...headers },
    ...(method === "GET" ? {} : { body: content }),
  });
  return { status: response.status, ...((await response.json()) as { message: string }) };
}

describe("the stand-in for the service", () => {
  it("registers a connection, replaces it by the next one, and keeps it across restarts", async () => {
    expect(await send()).toEqual({ status: 200, message: "Connection created successfully" });
    await send({ content: JSON.stringify({ ...body, Platform: "datadog" }) });
    service.close();
    await start();
    await send({ method: "GET" });
    const { connection, requests } = readServiceState(stateFile);
    expect(connection).toMatchObject({ ...body, Platform: "datadog", ApiKey: expect.stringMatching(/^\(secret, fingerprint \w{8}\)$/) });
    expect(requests.map(({ status }) => status)).toEqual([200, 200, 405]);
  });

  it.each<[string, Options, number, string]>([
    ["another path", { path: "/api/connection" }, 404, "Not found"],
    ["another method", { method: "PUT" }, 405, "Method not allowed"],
    ["another content type", { headers: { "Content-Type": "text/plain" } }, 415, "application/json"],
    ["no JSON", { content: "{" }, 400, "Invalid request body"],
    ["a missing field", { content: JSON.stringify({ ...body, LogsUrl: undefined }) }, 400, "LogsUrl"],
    ["an empty field", { content: JSON.stringify({ ...body, Platform: "" }) }, 400, "Platform"],
    ["an unknown field", { content: JSON.stringify({ ...body, Extra: "x" }) }, 400, "Extra"],
    ["a field in other spelling", { content: JSON.stringify({ ...body, ApiKey: undefined, apiKey: "x" }) }, 400, "ApiKey"],
    ["a number for a string", { content: JSON.stringify({ ...body, LogsUsername: 1 }) }, 400, "LogsUsername"],
    ["a wrong key", { headers: { Authorization: "wrong" } }, 401, "Unauthorized: Please check your API Key and try again"],
    ["a scheme word before the key", { headers: { Authorization: "Bearer the-key" } }, 401, "Unauthorized"],
  ])("refuses %s", async (_what, options, status, message) => {
    expect(await send(options)).toEqual({ status, message: expect.stringContaining(message) });
    expect(readServiceState(stateFile).connection).toBeUndefined();
  });

  it("stores no keys", async () => {
    await send();
    await send({ headers: { Authorization: "canary-service" } });
    expect(readFileSync(stateFile, "utf8")).not.toMatch(/canary|the-key/);
  });
});
