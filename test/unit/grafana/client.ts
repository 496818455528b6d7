/** A stand-in for Grafana of each test's own, with an empty state, and the means to ask it. */
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { createGrafana, type GrafanaOptions } from "../../sandbox/grafana/server";

// biome-ignore lint/suspicious/noExplicitAny: answers are read by tests alone, field by field.
export type Json = any;

/** Where the test's Grafana is, its state, and the folder for more. */
export const own = { url: "", stateFile: "", folder: "" };
let servers: Server[];

/** Before each test of the file. */
export function useGrafana(options: Partial<GrafanaOptions> = {}): void {
  beforeEach(async () => {
    own.folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
    own.stateFile = join(own.folder, "grafana.json");
    servers = [];
    own.url = await start(options);
  });

  afterEach(() => {
    for (const server of servers) server.close();
    rmSync(own.folder, { recursive: true });
  });
}

export async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const basicOption = { user: "admin", password: "canary-password" };
export const start = (options: Partial<GrafanaOptions> = {}) =>
  listen(createGrafana({ token: "canary-token", basic: basicOption, cloudToken: "canary-cloud", stateFile: own.stateFile, ...options }));

export const bearer = { authorization: "Bearer canary-token" };
export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

export async function raw(
  address: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Uint8Array<ArrayBuffer>,
) {
  const response = await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, text, body: (/^[[{"n]/.test(text) ? JSON.parse(text) : undefined) as Json };
}

export function call(method: string, path: string, body?: unknown, headers: Record<string, string> = bearer, address = own.url) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return raw(address, method, path, { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers }, json);
}

export async function done(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = bearer,
  address = own.url,
): Promise<Json> {
  const result = await call(method, path, body, headers, address);
  expect(result).toMatchObject({ status: 200 });
  return result.body;
}

export const datasource = { name: "metrics", type: "prometheus", access: "proxy", uid: "own-metrics", url: "http://127.0.0.1:9090" };
export const board = (uid: string, title: string, more = {}) => ({ dashboard: { uid, title, panels: [], ...more }, folderUid: "a" });
export const addFolder = (uid: string, title: string, more = {}) => done("POST", "/api/folders", { uid, title, ...more });
