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
export function useGrafana(options: () => Partial<GrafanaOptions> = () => ({})): void {
  beforeEach(async () => {
    own.folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
    own.stateFile = join(own.folder, "grafana.json");
    servers = [];
    own.url = await listen(createGrafana({ token: "canary-token", stateFile: own.stateFile, ...options() }));
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

export const bearer = (token = "canary-token") => ({ authorization: `Bearer ${token}` });

export async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = bearer()) {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${own.url}${path}`, { method, headers: { "content-type": "application/json", ...headers }, ...content });
  const text = await response.text();
  return { status: response.status, body: (/^[[{"n]/.test(text) ? JSON.parse(text) : undefined) as Json };
}

export async function done(method: string, path: string, body?: unknown): Promise<Json> {
  const result = await call(method, path, body);
  expect(result).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
  return result.body;
}

export const datasource = { name: "metrics", type: "prometheus", access: "proxy", uid: "own-metrics", url: "http://127.0.0.1:9090" };
