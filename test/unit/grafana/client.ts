/** A stand-in for Grafana of each test's own, with an empty state, and the means to ask it. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { createGrafana } from "../../sandbox/grafana/server";
import { temporaryFolder } from "../../support/temporary-folder";

// biome-ignore lint/suspicious/noExplicitAny: answers are read by tests alone, field by field.
type Json = any;

/** Where the test's Grafana is, and its state. */
export const own = { url: "", stateFile: "" };

/** Before each test of the file. */
export function useGrafana(): void {
  let server: Server;
  beforeEach(async () => {
    own.stateFile = join(temporaryFolder(), "grafana.json");
    server = createGrafana({ token: "canary-token", stateFile: own.stateFile });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => void server.close());
}

export async function call(method: string, path: string, body?: unknown) {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "content-type": "application/json", authorization: "Bearer canary-token" };
  const response = await fetch(`${own.url}${path}`, { method, headers, ...content });
  const text = await response.text();
  return { status: response.status, body: (/^[[{"n]/.test(text) ? JSON.parse(text) : undefined) as Json };
}

export async function done(method: string, path: string, body?: unknown): Promise<Json> {
  const result = await call(method, path, body);
  expect(result).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
  return result.body;
}

export const datasource = { name: "metrics", type: "prometheus", access: "proxy", uid: "own-metrics", url: "http://127.0.0.1:9090" };
