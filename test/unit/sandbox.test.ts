/** The stand-in for the service: as strict as the specification, with the responses of the public server. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
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

beforeEach(async () => {
  stateFile = join(temporaryFolder(), "service.json");
  service = createService({ apiKey: "the-key", stateFile });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});

afterEach(() => void service.close());

async function send(content: unknown = body, { method = "POST", path = "/api/connections", headers = {} } = {}) {
  const response = await fetch(`http://127.0.0.1:${(service.address() as AddressInfo).port}${path}`, {
    method,
    headers: { Authorization: "the-key", "Content-Type": "application/json", ...headers },
    body: JSON.stringify(content),
  });
  return { status: response.status, ...((await response.json()) as { message: string }) };
}

it.each<[string, Parameters<typeof send>, number, string]>([
  ["another path", [body, { path: "/api/connection" }], 404, "Not found"],
  ["another method", [body, { method: "PUT" }], 405, "Method not allowed"],
  ["another content type", [body, { headers: { "Content-Type": "text/plain" } }], 415, "application/json"],
  ["a missing field", [{ ...body, LogsUrl: undefined }], 400, "LogsUrl"],
  ["an empty field", [{ ...body, Platform: "" }], 400, "Platform"],
  ["an unknown field", [{ ...body, Extra: "x" }], 400, "Extra"],
  ["a number for a string", [{ ...body, LogsUsername: 1 }], 400, "LogsUsername"],
  ["a scheme word before the key", [body, { headers: { Authorization: "Bearer the-key" } }], 401, "Unauthorized"],
])("refuses %s", async (_what, request, status, message) => {
  expect(await send(...request)).toEqual({ status, message: expect.stringContaining(message) });
  expect(readServiceState(stateFile).connection).toBeUndefined();
});
