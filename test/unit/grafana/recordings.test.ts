/**
 * The stand-in for Grafana against what a genuine one answered: every recorded request is sent again, in its order, and the answer compared
 * whole. The scenarios are one history of one Grafana. What happened between two of them was done by hand or by a run that was not recorded;
 * `before` does it again, with reasons.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGrafana } from "../../sandbox/grafana/server";

interface Exchange {
  request: { method: string; path: string; headers: Record<string, string>; body: unknown };
  response: { status: number; contentType: string; body: unknown };
}
type Json = Record<string, unknown>;

const recordings = join(__dirname, "../../recorded/grafana");
const read = (scenario: string) => JSON.parse(readFileSync(join(recordings, `${scenario}.json`), "utf8")) as Exchange[];
const token = "a-service-account-token";
const bearer = { authorization: `Bearer ${token}` };
const admin = { authorization: `Basic ${Buffer.from("admin:hunter2").toString("base64")}` };

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
  const options = { token, basic: { user: "admin", password: "hunter2" }, version: "9.4" } as const;
  server = createGrafana({ ...options, stateFile: join(folder, "grafana.json") });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === null || body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // The recorder wrote an empty body as null.
  const answer = { contentType: response.headers.get("content-type"), body: (text ? JSON.parse(text) : null) as unknown };
  return { status: response.status, ...answer };
}

/** Does by hand, or as an unrecorded run did, what leads to the next scenario. */
async function change(method: string, path: string, body?: unknown, headers: Record<string, string> = bearer) {
  const { status, body: answer } = await send(method, path, headers, body);
  expect({ status, answer }).toMatchObject({ status: 200 });
  return answer as Json;
}

/** What another run of the same program creates, as recorded: datasources, folder, dashboards. */
async function create(scenario: string, ...types: string[]) {
  const posts = read(scenario).filter(({ request }) => request.method === "POST" && !request.path.includes("access-control"));
  const datasources = types.map((type) => posts.find(({ request }) => (request.body as Json).type === type));
  for (const post of [...datasources, ...posts.filter(({ request }) => request.path !== "/api/datasources")]) {
    await change("POST", post?.request.path ?? "", post?.request.body);
  }
}

const folderPath = "/api/folders/llm-observability?forceDeleteRules=true";
const before: Record<string, () => Promise<unknown>> = {
  // Somebody edited a dashboard in the browser: version 3, updated by admin.
  "08-refresh-preview-only": async () => {
    const shown = await change("GET", "/api/dashboards/uid/svc-llm-monitoring");
    const dashboard = shown.dashboard as Json & { panels: [Json, Json] };
    Object.assign(dashboard.panels[1], { title: "Edited", datasource: { type: "prometheus", uid: "x" } });
    await change("POST", "/api/dashboards/db", { dashboard, folderUid: "llm-observability" }, admin);
  },
  // Somebody deleted a datasource.
  "10-refresh-datasource-gone": () => change("DELETE", "/api/datasources/uid/llm-logs"),
  // The update that 13 could not do with its wrong token was done with the right one; then somebody deleted the folder.
  "14-refresh-dashboards-gone": async () => {
    const { request } = read("13-wrong-token").find((exchange) => exchange.request.method === "PUT") as Exchange;
    await change("PUT", request.path, request.body);
    await change("DELETE", folderPath);
  },
  // A run made what 14 had found missing, so that there is something to create over.
  "15-create-over-existing": () => create("16-folder-deleted-under-us"),
  // Somebody deleted the folder again.
  "16-folder-deleted-under-us": () => change("DELETE", folderPath),
  // 17 took everything down; a run made everything again. Its ids say in which order.
  "18-import": () => create("01-up", "loki", "prometheus", "tempo"),
};

/** The credential that the recorder cut out. */
const credential = (scenario: string) => (/^13b?-/.test(scenario) ? { authorization: "Bearer a-wrong-token" } : bearer);

/**
 * Genuine answers that cannot come again. The first DELETE of the folder met the deletion of three datasources at the same moment, and
 * Grafana's SQLite was locked: the same request 2 s later, with nothing changed, is answered 200. It is not sent, or that one would find
 * nothing left to delete.
 */
const timing = ({ request, response }: Exchange) => request.path === folderPath && response.status === 500;

/** Dates become one word, and what Grafana keeps as a set gets an order. Ids stay, except those of permissions, which count other rows too. */
function settled(value: unknown): unknown {
  if (typeof value === "string") return /^2\d{3}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? "(date)" : value;
  if (value === null || typeof value !== "object") return value;
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, settled(item)]));
  if (!value.length || !value.every(isPermission)) return value.map(settled);
  return value
    .map(({ id, actions, ...permission }) => ({ ...permission, idIsZero: id === 0, actions: [...actions].sort() }))
    .sort((a, b) => a.roleName.localeCompare(b.roleName));
}

function isPermission(value: unknown): value is { id: number; roleName: string; actions: string[] } {
  return typeof value === "object" && value !== null && "actions" in value;
}

describe("the stand-in answers what the genuine Grafana answered", () => {
  const scenarios = readdirSync(recordings).map((file) => file.replace(/\.json$/, ""));

  it.each(scenarios.sort())("%s", async (scenario) => {
    await before[scenario]?.();
    for (const { request, response } of read(scenario).filter((exchange) => !timing(exchange))) {
      const { method, path, headers } = request;
      const answer = await send(method, path, { ...headers, ...credential(scenario) }, request.body);
      expect({ method, path, ...(settled(answer) as Json) }).toEqual({ method, path, ...(settled(response) as Json) });
    }
  });

  it("has seen all of them", () => {
    expect(scenarios).toHaveLength(19);
    expect(scenarios).toEqual(expect.arrayContaining(Object.keys(before)));
    expect(scenarios.flatMap(read).filter(timing)).toHaveLength(1);
  });
});
