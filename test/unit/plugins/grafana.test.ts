/** The stand-in for the Grafana plugin, beyond the recordings: settings, checks, differences, previews, secrets, retries. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { secret, unknown, type Values } from "../../sandbox/plugins/values";
import { selfSigned } from "../../support/certificate";
import { answer, closedPort, type RawRequest, type RawServer, type RawServerOptions, startRawServer } from "../../support/raw-server";
import { stillClock } from "./clock";
import { Plugin } from "./plugin";

const waits = stillClock();

const folder = "grafana:oss/folder:Folder";
const permission = "grafana:oss/folderPermission:FolderPermission";
const dashboard = "grafana:oss/dashboard:Dashboard";
const dataSource = "grafana:oss/dataSource:DataSource";
const ruleGroup = "grafana:alerting/ruleGroup:RuleGroup";
const policy = "grafana:cloud/accessPolicy:AccessPolicy";
const policyToken = "grafana:cloud/accessPolicyToken:AccessPolicyToken";

const query = { refId: "A", datasourceUid: "metrics", relativeTimeRange: { from: 600, to: 0 }, model: '{"expr":"up"}' };
const rule = { name: "rule", condition: "A", datas: [query] };

/** A complete set of inputs for each kind. */
const inputs: Record<string, Values> = {
  [folder]: { title: "Title", uid: "uid", preventDestroyIfNotEmpty: false },
  [permission]: { folderUid: "uid", permissions: [{ role: "Viewer", permission: "View" }] },
  [dashboard]: { configJson: '{"uid":"d","title":"T"}', folder: "uid", message: "by test" },
  [dataSource]: { name: "metrics", type: "prometheus", uid: "uid", url: "http://m", isDefault: false, jsonDataEncoded: '{"a":1,"b":2}' },
  [ruleGroup]: { name: "group", folderUid: "uid", intervalSeconds: 60, rules: [rule] },
  [policy]: { region: "eu", name: "push", scopes: ["a:b", "c:d"], realms: [{ type: "stack", identifier: "1" }] },
  [policyToken]: { region: "eu", name: "push", accessPolicyId: "p1" },
};

const both = [
  { role: "Viewer", permission: "View" },
  { role: "Editor", permission: "Edit" },
];

/** Answers by method and path. */
type Answers = Record<string, { status: number; body: unknown }>;

const ok = (body: unknown) => ({ status: 200, body });

async function serve(answers: Answers, options: RawServerOptions = {}): Promise<RawServer> {
  const reply = ({ method, path }: RawRequest) => {
    const { status, body } = answers[`${method} ${path}`] ?? { status: 404, body: { message: `no ${path}` } };
    return answer(status, JSON.stringify(body));
  };
  const server = await startRawServer([reply], options);
  onTestFinished(() => server.close());
  return server;
}

async function start(config: Values): Promise<Plugin> {
  const plugin = await Plugin.start(grafana, config);
  onTestFinished(() => plugin.stop());
  return plugin;
}

const header = (request: RawRequest | undefined, name: string) => request?.headers.find(([given]) => given.toLowerCase() === name)?.[1];
const bodies = (server: RawServer) => server.requests.map(({ body }) => (body ? JSON.parse(body) : null));

/** Its address refuses connections. */
let plugin: Plugin;

beforeAll(async () => {
  plugin = await Plugin.start(grafana, { url: "http://127.0.0.1:1", auth: "token", cloudAccessPolicyToken: "cloud" });
});
afterAll(() => plugin.stop());
afterEach(() => vi.unstubAllEnvs());

describe("the protocol of the engine", () => {
  it("declares its version and its support of secrets", async () => {
    expect(await plugin.info()).toEqual({ version: grafana.version, acceptsSecrets: true, schema: 12 });
  });

  it("logs once that it is a stand-in", () => {
    expect(plugin.lines).toEqual([`: Sandbox: a stand-in takes the place of the Grafana plugin ${grafana.version}`]);
  });

  it("refuses unknown resources and functions by name", async () => {
    await expect(plugin.check("grafana:oss/team:Team", "t", {})).rejects.toThrow("has no resource grafana:oss/team:Team");
    await expect(plugin.invoke("grafana:oss/getTeam:getTeam", {})).rejects.toThrow("has no function grafana:oss/getTeam:getTeam");
  });
});

describe("settings of the provider", () => {
  it("keep secrets, unknown values, and the values that the engine adds", async () => {
    const news = { url: unknown, auth: secret("token"), retries: "0", version: "2.40.0", __internal: { pluginDownloadURL: "x" } };
    expect(await plugin.checkConfig(news)).toEqual({ inputs: news, failures: [] });
  });

  it.each([
    [{ urll: "http://x" }, /^urll: Invalid or unknown key "urll"; known are url, auth, /],
    [{ url: "grafana.example.com" }, /^url: expected a url with schema of: "http,https"/],
    [{ storeDashboardSha256: "true" }, /^storeDashboardSha256: /],
  ])("%j is refused", async (news, reason) => {
    expect((await plugin.checkConfig(news)).failures).toEqual([expect.stringMatching(reason)]);
  });

  it("new values are an update, equal ones are not", async () => {
    const olds = { url: "http://x", auth: secret("a"), version: "2.40.0" };
    expect(await plugin.diffConfig(olds, olds)).toMatchObject({ op: "same" });
    expect(await plugin.diffConfig(olds, { ...olds, auth: secret("b") })).toMatchObject({ op: "update", changed: ["auth"], replaces: [] });
  });

  const token = { Authorization: "Bearer token" };
  it.each<[string, Values, Record<string, string>]>([
    ["a token", { auth: " token " }, token],
    ["a token and organization 1", { auth: "token", orgId: "1" }, token],
    ["a user", { auth: "admin:pass:word" }, { Authorization: "Basic YWRtaW46cGFzczp3b3Jk", "X-Grafana-Org-Id": "1" }],
    // The plugin ignores the organization of the provider.
    ["a user and an organization", { auth: "a:b", orgId: "7" }, { Authorization: "Basic YTpi", "X-Grafana-Org-Id": "1" }],
    ["a token and an organization", { auth: "token", orgId: "7" }, token],
    ["nobody", { auth: "anonymous" }, {}],
    ["digits alone", { auth: "12345678" }, { Authorization: "Bearer 12345678" }],
    ["headers", { auth: "token", httpHeaders: '{"X-Own":"1"}' }, { ...token, "X-Own": "1" }],
  ])("requests of %s", async (_name, config, headers) => {
    const server = await serve({ "GET /api/folders/f": ok({ uid: "f", title: "F", url: "/dashboards/f/f/f" }) });
    const { id } = (await (await start({ url: server.url, ...config })).read(folder, "f")) ?? {};
    const [request] = server.requests;
    const named = Object.fromEntries((request?.headers ?? []).filter(([name]) => /^(auth|x-)/i.test(name)));
    expect(named).toEqual(headers);
    expect(id).toBe(`${headers["X-Grafana-Org-Id"] ?? 0}:f`);
  });

  it("come from environment variables if the program sets none", async () => {
    const server = await serve({ "GET /api/folders/f": ok({ uid: "f", title: "F", url: "/f" }) });
    vi.stubEnv("GRAFANA_URL", server.url);
    vi.stubEnv("GRAFANA_AUTH", "from-environment");
    await (await start({})).read(folder, "f");
    expect(header(server.requests[0], "authorization")).toBe("Bearer from-environment");
  });

  it.each(["", "/"])("accept a sub-path that ends with %j", async (end) => {
    const server = await serve({ "GET /sub/grafana/api/folders/f": ok({ uid: "f", title: "F", url: "/sub/grafana/dashboards/f/f/f" }) });
    const started = await start({ url: `${server.url}/sub/grafana${end}`, auth: "token" });
    expect((await started.read(folder, "f"))?.outputs.url).toBe(`${server.url}/sub/grafana/dashboards/f/f/f`);
  });

  it("a resource without them fails with the name of the setting", async () => {
    const bare = await start({});
    await expect(bare.create(folder, "f", { title: "T" })).rejects.toThrow("Set the auth and url provider attributes");
    await expect(bare.create(policy, "p", inputs[policy] ?? {})).rejects.toThrow("Set the cloud_access_policy_token provider attribute");
  });

  it("accept a CA certificate as text or as a file", async () => {
    const directory = mkdtempSync(join(tmpdir(), "certificate-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const { key, cert } = selfSigned();
    const certFile = join(directory, "cert.pem");
    writeFileSync(certFile, cert);
    const server = await serve({ "GET /api/folders/f": ok({ uid: "f", title: "F", url: "/f" }) }, { tls: { key, cert } });
    vi.stubEnv("GRAFANA_RETRIES", "0");
    for (const more of [{ caCert: cert }, { caCert: certFile }, { insecureSkipVerify: "true" }]) {
      expect((await (await start({ url: server.url, auth: "token", ...more })).read(folder, "f"))?.id).toBe("0:f");
    }
    await expect((await start({ url: server.url, auth: "token" })).read(folder, "f")).rejects.toThrow("self-signed certificate");
  });
});

describe("retries", () => {
  const failing =
    (status: number, config: Values = {}) =>
    async () => {
      const server = await serve({ "GET /api/folders/f": { status, body: { message: "no" } } });
      await (await start({ url: server.url, auth: "token", ...config })).read(folder, "f").catch(() => undefined);
      return server.requests.length;
    };

  it.each([
    [429, 4],
    [500, 4],
    [503, 4],
    [401, 4],
    [412, 4],
    [400, 1],
    [403, 1],
    [404, 1],
    [409, 1],
  ])("status %i: %i requests", async (status, count) => {
    expect(await failing(status)()).toBe(count);
    expect(waits).toEqual([2, 4, 8].slice(0, count - 1));
  });

  it("an unreachable server is retried, and the error contains its address", async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    await expect((await start({ url, auth: "token" })).read(folder, "f")).rejects.toThrow(
      `GET "${url}/api/folders/f": connect ECONNREFUSED`,
    );
    expect(waits).toEqual([2, 4, 8]);
  });

  it("0 in the program counts as unset, in an environment variable as 0", async () => {
    expect(await failing(500, { retries: "0" })()).toBe(4);
    vi.stubEnv("GRAFANA_RETRIES", "0");
    expect(await failing(500, { retries: "0" })()).toBe(1);
    expect(await failing(500, { retries: "1" })()).toBe(2);
  });

  it("the pause and the statuses are settings", async () => {
    expect(await failing(409, { retryWait: "5", retryStatusCodes: '["409"]' })()).toBe(4);
    expect(waits).toEqual([5, 5, 5]);
  });
});

describe("check", () => {
  it.each(Object.entries(inputs))("of %s refuses an unknown property by its name", async (type, values) => {
    const { failures } = await plugin.check(type, "name", { ...values, unexpected: 1 });
    expect(failures).toEqual([expect.stringMatching(/^unexpected: Invalid or unknown key "unexpected"; known are /)]);
  });

  it.each(Object.entries(inputs))("of %s keeps secrets and unknown values", async (type, values) => {
    for (const [name, value] of Object.entries(values)) {
      for (const given of [unknown, secret(value), secret(unknown)]) {
        const { inputs: checked, failures } = await plugin.check(type, "name", { ...values, [name]: given });
        expect(failures).toEqual([]);
        expect(checked).toMatchObject({ ...values, [name]: given });
      }
    }
  });

  it.each<[string, Values, RegExp]>([
    [folder, { title: undefined }, /^title: Missing required property 'title'/],
    [folder, { uid: "a/b" }, /^uid: folder UIDs can only be alphanumeric/],
    [permission, { permissions: [{ role: "Viewer", permission: "Look" }] }, /^permissions: expected permission to be one of/],
    [permission, { permissions: [{ roll: "Viewer", permission: "View" }] }, /^permissions: Invalid or unknown key "roll"/],
    [dashboard, { configJson: "{" }, /^configJson: contains an invalid JSON/],
    [dashboard, { configJson: secret("[]") }, /^configJson: contains an invalid JSON/],
    [dataSource, { jsonDataEncoded: "{" }, /^jsonDataEncoded: contains an invalid JSON/],
    [dataSource, { jsonDataEncoded: '{"httpHeaderName1":"a"}' }, /^jsonDataEncoded: httpHeaderName\{num\} is a reserved key/],
    [dataSource, { secureJsonDataEncoded: '{"httpHeaderValue1":"a"}' }, /^secureJsonDataEncoded: httpHeaderValue\{num\} is a reserved/],
    [dataSource, { type: undefined }, /^type: Missing required property 'type'/],
    [policy, { scopes: ["metrics"] }, /^scopes: invalid scope: metrics/],
  ])("of %s refuses %j", async (type, change, reason) => {
    const { failures } = await plugin.check(type, "name", { ...inputs[type], ...change });
    expect(failures).toEqual([expect.stringMatching(reason)]);
  });

  it("generates a name if the program sets none, and keeps it", async () => {
    const { name: _, ...nameless } = inputs[dataSource] ?? {};
    const first = await plugin.check(dataSource, "metrics", nameless);
    expect(first.inputs.name).toMatch(/^metrics-[0-9a-f]{7}$/);
    expect(first.inputs.__defaults).toContain("name");
    expect((await plugin.check(dataSource, "metrics", nameless, first.inputs)).inputs.name).toBe(first.inputs.name);
  });
});

describe("a new value of", () => {
  const other: Values = { scopes: ["a:b"], realms: [{ type: "org", identifier: "1" }], permissions: [], isDefault: true };
  it.each<[string, string, string]>([
    [folder, "title", "update"],
    [folder, "uid", "replace"],
    [folder, "parentFolderUid", "update"],
    [folder, "preventDestroyIfNotEmpty", "update"],
    [folder, "orgId", "replace"],
    [permission, "folderUid", "replace"],
    [permission, "permissions", "update"],
    [dashboard, "folder", "update"],
    [dashboard, "message", "update"],
    [dashboard, "overwrite", "update"],
    [dataSource, "name", "update"],
    [dataSource, "type", "update"],
    [dataSource, "uid", "replace, delete first"],
    [dataSource, "url", "update"],
    [dataSource, "httpHeaders", "update"],
    [dataSource, "isDefault", "update"],
    [dataSource, "orgId", "replace, delete first"],
    [ruleGroup, "name", "replace"],
    [ruleGroup, "folderUid", "replace, delete first"],
    [ruleGroup, "intervalSeconds", "update"],
    [ruleGroup, "disableProvenance", "update"],
    [ruleGroup, "orgId", "replace, delete first"],
    [policy, "region", "replace, delete first"],
    [policy, "name", "replace"],
    [policy, "displayName", "update"],
    [policy, "scopes", "update"],
    [policy, "realms", "update"],
    [policyToken, "accessPolicyId", "replace, delete first"],
    [policyToken, "name", "replace"],
    [policyToken, "expiresAt", "replace, delete first"],
    [policyToken, "displayName", "update"],
  ])("%s, %s: %s", async (type, name, op) => {
    const kind = `${inputs[type]?.[name] === undefined ? "add" : "update"}${op === "update" ? "" : "-replace"}`;
    const changed = { changed: [name], replaces: op === "update" ? [] : [name] };
    // A resource of Terraform's plugin framework has no detailed diff.
    const details = type === permission ? {} : { details: { [name]: { kind, inputDiff: false } } };
    expect(await plugin.diff(type, inputs[type] ?? {}, { ...inputs[type], [name]: other[name] ?? "other" })).toEqual({
      op,
      ...changed,
      ...details,
    });
    expect(await plugin.diff(type, inputs[type] ?? {}, { ...inputs[type], [name]: unknown })).toEqual({ op, ...changed, ...details });
  });

  it.each<[string, string, Values, Values]>([
    ["an order of scopes", policy, {}, { scopes: ["c:d", "a:b"] }],
    ["an order of permissions", permission, { permissions: both }, { permissions: [...both].reverse() }],
    ["teams and users that are none", permission, {}, { permissions: [{ role: "Viewer", permission: "View", teamId: "0", userId: "0" }] }],
    ["spaces and an order of JSON", dataSource, {}, { jsonDataEncoded: '{ "b": 2, "a": 1 }' }],
    ["what is empty", dataSource, { username: "", jsonDataEncoded: "{}" }, { username: undefined, jsonDataEncoded: undefined }],
    ["a default datasource that is to be none", dataSource, { isDefault: true }, { isDefault: false }],
    ["what the server chose", folder, { orgId: "0", uid: "chosen" }, { orgId: undefined, uid: undefined }],
    ["what is always written", policy, { displayName: "push" }, { displayName: undefined }],
    ["a folder with its organization", dashboard, {}, { folder: "0:uid" }],
    ["a secret of the same value", dataSource, { url: secret("http://m") }, { url: "http://m" }],
  ])("nothing but %s: none", async (_name, type, olds, news) => {
    expect((await plugin.diff(type, { ...inputs[type], ...olds }, { ...inputs[type], ...news })).op).toBe("same");
  });

  it("a property in ignoreChanges: none", async () => {
    const news = { title: "other", uid: "other" };
    expect(await plugin.diff(folder, inputs[folder] ?? {}, news, ["uid"])).toMatchObject({ op: "update", changed: ["title"] });
    expect((await plugin.diff(folder, inputs[folder] ?? {}, news, ["uid", "title"])).op).toBe("same");
  });

  const model = {
    uid: "d",
    title: "T",
    panels: [{ id: 1, title: "P", panels: [{ id: 2 }], libraryPanel: { uid: "l", name: "L", version: 1 } }],
  };
  const [panel] = model.panels;
  it.each<[string, string, Values]>([
    ["id", "same", { ...model, id: 7 }],
    ["version", "same", { ...model, version: 7 }],
    ["a panel's id", "same", { ...model, panels: [{ ...panel, id: 7 }] }],
    ["a library panel's version", "same", { ...model, panels: [{ ...panel, libraryPanel: { uid: "l", name: "L", version: 7 } }] }],
    ["the id of a panel in a row", "update", { ...model, panels: [{ ...panel, panels: [{ id: 7 }] }] }],
    ["title", "update", { ...model, title: "U" }],
    ["uid", "replace", { ...model, uid: "e" }],
    ["no uid", "replace", { title: "T", panels: model.panels }],
  ])("%s in a dashboard's model: %s", async (_name, op, changed) => {
    const [olds, news] = [model, changed].map((one) => ({ ...inputs[dashboard], configJson: JSON.stringify(one) }));
    expect((await plugin.diff(dashboard, olds ?? {}, news ?? {})).op).toBe(op);
  });
});

describe("a preview", () => {
  it.each(Object.entries(inputs))("of %s sends no request, and returns the inputs", async (type, values) => {
    const known = Object.keys(values);
    const { id, outputs } = await plugin.create(type, "name", values, true);
    expect(id).toBe("");
    expect(outputs).toMatchObject(values);
    const later = Object.keys(outputs).filter((name) => !known.includes(name));
    expect(later.length).toBeGreaterThan(0);
    // A secret property is marked as secret even without a value.
    const isMark = (name: string) => type === dataSource && ["httpHeaders", "secureJsonDataEncoded"].includes(name);
    for (const name of later) expect(outputs[name]).toEqual(isMark(name) ? secret(null) : name === "token" ? secret(unknown) : unknown);

    const updated = await plugin.update(type, "id", { ...values, url: "http://old", name: "old" }, { ...values, name: unknown }, true);
    expect(updated).toMatchObject({ ...values, name: unknown });
  });
});

describe("secrets", () => {
  const login = { basicAuthUser: "user", user: "" };
  const shown = { orgId: 1, uid: "uid", name: "metrics", type: "prometheus", access: "proxy", url: "http://m", ...login, jsonData: {} };
  const answers = {
    "POST /api/datasources": ok({ datasource: shown }),
    "GET /api/datasources/uid/uid": ok(shown),
    "PUT /api/datasources/uid/uid": ok({}),
  };

  it("are sent as plain text and returned as secrets: secret inputs, and properties that are always secret", async () => {
    const server = await serve(answers);
    const started = await start({ url: server.url, auth: secret("token") });
    const given = { ...inputs[dataSource], basicAuthUsername: secret("user"), secureJsonDataEncoded: '{"basicAuthPassword":"p"}' };
    const { outputs } = await started.create(dataSource, "m", { ...given, httpHeaders: { "X-B": secret("2"), "X-A": "1" } });
    expect(bodies(server)[0]).toMatchObject({
      basicAuthUser: "user",
      secureJsonData: { basicAuthPassword: "p", httpHeaderValue1: "1", httpHeaderValue2: "2" },
      jsonData: { httpHeaderName1: "X-A", httpHeaderName2: "X-B" },
    });
    expect(header(server.requests[0], "authorization")).toBe("Bearer token");
    expect(outputs).toMatchObject({ secureJsonDataEncoded: secret(given.secureJsonDataEncoded), httpHeaders: secret({}), uid: "uid" });
    const updated = await started.update(dataSource, "1:uid", outputs, { ...given, uid: "uid", url: secret("http://n") });
    expect(updated).toMatchObject({ url: secret("http://n"), basicAuthUsername: secret("user"), orgId: "1" });
    const read = await started.read(dataSource, "1:uid", updated, given);
    expect(read?.outputs).toMatchObject({ url: secret("http://m"), secureJsonDataEncoded: secret(given.secureJsonDataEncoded) });
    expect(read?.inputs).toEqual(given);
  });

  it("do not include a dashboard's model", async () => {
    const { outputs } = await plugin.create(dashboard, "d", inputs[dashboard] ?? {}, true);
    expect(outputs.configJson).toBe(inputs[dashboard]?.configJson);
  });
});
