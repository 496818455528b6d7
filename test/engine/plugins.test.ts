/** The stand-in plugins under the real engine, which finds them on PATH: a small program with a small Grafana. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { answer, type RawRequest, type RawServer, startRawServer } from "../support/raw-server";
import { isSecretInState, TestStack } from "../support/stack";

const program = `
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";

const { GRAFANA, TOKEN = "", TITLE = "Title", TRIGGER = "1" } = process.env;
const provider = new grafana.Provider("grafana", { url: GRAFANA, auth: pulumi.secret(TOKEN) });
const { url } = new grafana.oss.DataSource(
  "metrics",
  { type: "prometheus", name: "metrics", uid: "metrics", url: "http://m", secureJsonDataEncoded: '{"basicAuthPassword":"canary-password"}' },
  { provider },
);
const folder = new grafana.oss.Folder("folder", { title: "Folder", uid: "folder" }, { provider });
const dashboard = new grafana.oss.Dashboard(
  "dashboard",
  { folder: folder.uid, configJson: url.apply(() => JSON.stringify({ uid: "dashboard", title: TITLE, panels: [{ id: 1, title: "Panel" }] })) },
  { provider },
);
const checks = new local.Command("checks", {
  create: 'echo "$URL" >> ran; echo "checked $URL"',
  delete: "echo deleted >> ran",
  environment: { URL: dashboard.url, TOKEN: pulumi.secret(TOKEN) },
  triggers: [TRIGGER],
});
export const checked = checks.stdout;
`;

/** Objects by path. */
const objects = new Map<string, Record<string, unknown>>();

/** The part of Grafana that this program uses. */
function grafana({ method, path, headers, body }: RawRequest): string {
  if (!headers.some(([name, value]) => name === "Authorization" && value === "Bearer canary-token")) {
    return answer(401, '{"message":"invalid API key"}');
  }
  const given = body ? JSON.parse(body) : {};
  const kept = (key: string, object: Record<string, unknown>) => objects.set(key, object).get(key);
  const reply = () => {
    if (path === "/api/folders") return kept(`/api/folders/${given.uid}`, { ...given, url: `/dashboards/f/${given.uid}` });
    if (path === "/api/dashboards/db") {
      const { uid } = given.dashboard;
      kept(`/api/dashboards/uid/${uid}`, {
        dashboard: { id: 1, version: 1, ...given.dashboard },
        meta: { url: `/d/${uid}`, folderUid: given.folderUid },
      });
      return { uid };
    }
    if (path === "/api/datasources") {
      const { secureJsonData: _, ...shown } = given;
      return { datasource: kept(`/api/datasources/uid/${given.uid}`, { orgId: 1, user: "", database: "", basicAuth: false, ...shown }) };
    }
    const found = objects.get(path.replace(/\?.*/, ""));
    if (method === "DELETE") objects.delete(path.replace(/\?.*/, ""));
    return found;
  };
  const object = reply();
  return object ? answer(200, JSON.stringify(object)) : answer(404, '{"message":"not found"}');
}

let server: RawServer;
let stack: TestStack;

const ran = () => readFileSync(join(stack.folder, "ran"), "utf8").trim().split("\n");
const writes = () => server.requests.slice(seen).filter(({ method }) => method !== "GET");
let seen = 0;

beforeAll(async () => {
  server = await startRawServer([grafana]);
  stack = new TestStack();
  rmSync(join(stack.folder, "index.ts"));
  writeFileSync(join(stack.folder, "index.ts"), program);
  const bin = resolve(__dirname, "../sandbox/plugins/bin");
  Object.assign(stack.environment, {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    GRAFANA_RETRIES: "0",
    GRAFANA: server.url,
    TOKEN: "canary-token",
  });
  await stack.pulumi("stack", "init", "--no-select");
});

afterAll(async () => {
  stack?.remove();
  await server?.close();
});

beforeEach(() => {
  seen = server.requests.length;
});

const all = ["create checks", "create dashboard", "create folder", "create grafana", "create metrics"];

it("preview sends no request and runs no command", async () => {
  expect(await stack.preview()).toEqual(all);
  expect(server.requests).toEqual([]);
});

it("up creates the resources and names each stand-in", async () => {
  const text = await stack.pulumi("up", "--yes", "--skip-preview");
  const lines = text.split("\n").filter((line) => line.startsWith("    Sandbox: "));
  expect(lines).toEqual([expect.stringContaining("of the Grafana plugin 2.40.0"), expect.stringContaining("of the command plugin 1.2.1")]);
  expect([...objects.keys()].sort()).toEqual(["/api/dashboards/uid/dashboard", "/api/datasources/uid/metrics", "/api/folders/folder"]);
  expect(ran()).toEqual([`${server.url}/d/dashboard`]);
  expect(await stack.outputs()).toEqual({ checked: `checked ${server.url}/d/dashboard` });
});

it("stores secrets as secrets, and a dashboard's model in plain text", async () => {
  const resources = new Map((await stack.resources()).map((resource) => [resource.urn.split("::").at(-1), resource]));
  expect(isSecretInState(resources.get("grafana")?.inputs.auth)).toBe(true);
  expect(isSecretInState(resources.get("metrics")?.outputs.secureJsonDataEncoded)).toBe(true);
  expect(isSecretInState(resources.get("checks")?.outputs.environment)).toBe(true);
  expect(resources.get("dashboard")?.outputs.configJson).toContain('"title":"Panel"');
  expect(stack.stored()).not.toContain("canary");
});

it("up again changes nothing, also after a refresh", async () => {
  expect(await stack.up()).toEqual([]);
  expect(await stack.up("--refresh")).toEqual([]);
  expect(writes()).toEqual([]);
  expect(ran()).toHaveLength(1);
});

it("up with a wrong token fails with the response of the server", async () => {
  Object.assign(stack.environment, { TOKEN: "wrong", TITLE: "Other" });
  expect(await stack.failing("up", "--yes", "--skip-preview")).toContain(
    '[POST /dashboards/db][401] postDashboardUnauthorized {"message":"invalid API key"}',
  );
  Object.assign(stack.environment, { TOKEN: "canary-token", TITLE: "Title" });
});

it("up with a new trigger replaces the command: create, then delete", async () => {
  Object.assign(stack.environment, { TRIGGER: "2" });
  // Like Terraform: the state has the title that could not be saved, so it is written again.
  expect(await stack.up()).toEqual(["replace checks", "update dashboard", "update grafana"]);
  expect(ran().slice(1)).toEqual([`${server.url}/d/dashboard`, "deleted"]);
});

it("destroy deletes all", async () => {
  await stack.destroy();
  expect([...objects.keys()]).toEqual([]);
  expect(ran().at(-1)).toBe("deleted");
});
