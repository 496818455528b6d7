/**
 * The stand-ins for the Grafana plugin and for Grafana against recordings of the genuine ones (`test/recorded`): from the recorded states, the
 * plugin sends the same requests, Grafana gives the same answers, and the plugin comes to the same states; previews have the same differences. Both
 * refuse what they do not know.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createBackends } from "../../sandbox/backends";
import { createGrafana, routes } from "../../sandbox/grafana/server";
import { clock } from "../../sandbox/plugins/grafana/client";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { Operations } from "../../sandbox/plugins/operations";
import { reveal } from "../../sandbox/plugins/values";
import { listen } from "../../support/listen";
import { answer, type RawRequest, type RawServer, startRawServer } from "../../support/raw-server";
import { temporaryFolder } from "../../support/temporary-folder";

// biome-ignore lint/suspicious/noExplicitAny: recorded values are read field by field.
type Values = Record<string, any>;

/** The credential of a request is cut: "Bearer …". An empty body is null. */
interface Exchange {
  request: { method: string; path: string; headers: Record<string, string>; body: Values | null };
  response: { status: number; contentType: string | null; body: Values | null };
}

/** Secrets are cut. */
const recorded = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, `../../recorded/${name}.json`), "utf8").replaceAll('"[secret]"', "null"));

/** Passes requests on to the stand-in for Grafana and keeps the exchanges. */
let proxy: RawServer;
let url = "";
let exchanges: Exchange[] = [];
let genuine: Exchange[] = [];
/** `user:password`, or a token. */
let credentials = "";
const admin = "admin:hunter2";
const plugin = new Operations(grafana, () => undefined);
/** The states of the resources of the last action. */
let stack: Values = {};
/** Seconds before the plugin's retries. */
let waits: number[] = [];
const servers: Server[] = [];
const states = temporaryFolder(afterAll);
/** Uids that Grafana makes up: those of the recording by ours. */
const uids = new Map<string, string>();
/** Method and path of all compared requests. */
const compared: string[] = [];

beforeAll(async () => {
  proxy = await startRawServer([pass]);
  vi.spyOn(clock, "pause").mockImplementation(async (seconds) => void waits.push(seconds));
});
afterAll(async () => {
  await proxy.close();
  for (const server of servers) server.close();
});

function start(server: Server): Promise<string> {
  servers.push(server);
  return listen(server);
}

const parsed = (text: string) => (text === "" ? null : JSON.parse(text));
async function send(address: string, method: string, headers: Record<string, string>, body: Values | null) {
  const response = await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, contentType: response.headers.get("content-type"), body: parsed(await response.text()) };
}

async function pass({ method, path, headers: all, body: text }: RawRequest): Promise<string> {
  const kept = all.filter(([name]) => /^(authorization|content-type|accept|x-grafana-org-id|x-disable-provenance)$/i.test(name));
  const headers = Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value]));
  const body = parsed(text);
  const response = await send(`${url}${path}`, method, headers, body);
  const cut = Object.entries(headers).map(([name, value]) => [name, name === "authorization" ? value.replace(/ .*/, " …") : value]);
  exchanges.push({ request: { method, path, headers: Object.fromEntries(cut), body }, response });
  const type = response.contentType && { "Content-Type": response.contentType };
  return answer(response.status, response.body ? JSON.stringify(response.body) : "", type || {});
}

const authorization = (of: string) => (of.includes(":") ? `Basic ${Buffer.from(of).toString("base64")}` : `Bearer ${of}`);

/** A change that was not recorded: by hand, or of another run. */
async function change(method: string, path: string, body: Values | null = null): Promise<Values> {
  const headers = { "content-type": "application/json", authorization: authorization(admin) };
  const response = await send(`${url}/api/${path}`, method, headers, body);
  expect(response).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return response.body;
}
/** The next recordings are of a new service account. */
const logInNew = (name: string, role: string) => async () => {
  const { id } = await change("POST", "serviceaccounts", { name, role });
  credentials = (await change("POST", `serviceaccounts/${id}/tokens`, { name })).key;
};

async function create(expected: Values): Promise<void> {
  for (const [name, { urn, inputs: all }] of Object.entries(expected)) {
    const { inputs } = plugin.check(urn, givenOf(all));
    stack[name] = { urn, inputs, ...(await plugin.create(urn, inputs)) };
  }
  expectStack(expected);
}
async function read(from: Values, expected: Values): Promise<void> {
  stack = {};
  for (const [name, { urn, id, outputs, inputs }] of Object.entries(from)) {
    const found = await plugin.read(urn, id, outputs, inputs);
    if (found) stack[name] = { urn, ...found };
  }
  expect(Object.keys(stack).sort()).toEqual(Object.keys(expected).sort());
  expectStack(expected);
}
async function update(expected: Values, from = stack): Promise<void> {
  for (const [name, { urn, id, inputs: all }] of Object.entries(expected)) {
    const { inputs } = plugin.check(urn, givenOf(all));
    stack[name] = { urn, id, inputs, outputs: await plugin.update(urn, id, from[name].outputs, inputs) };
  }
  expectStack(expected);
}
/** The last resource first. */
async function remove(from: Values): Promise<void> {
  for (const { urn, id, outputs } of Object.values(from).reverse()) await plugin.delete(urn, id, outputs);
}
async function fails(action: Promise<void>, error: string, seconds: number[] = []): Promise<void> {
  await expect(action).rejects.toThrow(error);
  expect(waits).toEqual(seconds);
}
/** Requests that are not the plugin's. */
async function resend(): Promise<void> {
  for (const { request, response } of genuine) {
    const { authorization: scheme, ...headers } = request.headers;
    const known = scheme?.startsWith("Basic") ? admin : credentials;
    if (scheme) headers.authorization = authorization(response.body?.messageId === "api-key.invalid" ? "wrong" : known);
    await send(`${proxy.url}${request.path}`, request.method, headers, request.body);
  }
}

/** The values in the program: without what the engine made of defaults. */
function givenOf(value: Values): Values {
  if (Array.isArray(value)) return value.map(givenOf);
  if (typeof value !== "object" || value === null) return value;
  const { __defaults: defaults = [], ...rest } = value;
  return Object.fromEntries(Object.entries(rest).flatMap(([name, inner]) => (defaults.includes(name) ? [] : [[name, givenOf(inner)]])));
}

/** Compares the expected properties, without those that are cut, of another run, of the engine or of the bridge. */
function expectStack(expected: Values): void {
  const isCut = /^(httpHeaders|secureJsonDataEncoded|dashboardId|version|isDefault|__(meta|pulumi|defaults).*)$/;
  const properties = ["id", "inputs", "outputs"];
  const comparable = (of: Values) => {
    const shown = Object.entries(expected).map(([name, one]) =>
      properties.map((key) => [name, key, key in one && reveal(of[name]?.[key])]),
    );
    const text = named(JSON.stringify(shown)).replaceAll(proxy.url, "http://127.0.0.1:3321");
    return JSON.parse(text, (key, value) => (isCut.test(key) || value === null ? undefined : value));
  };
  expect(comparable(stack)).toEqual(comparable(expected));
}

/** The text with recorded uids. A recorded uid and ours are the same from the first time that one stands in the other's place. */
function named(text: string): string {
  const rulesOf = ({ request, response }: Exchange): Values[] => (request.method === "GET" && response.body?.rules) || [];
  const own = exchanges.flatMap(rulesOf);
  for (const [i, { uid }] of genuine.flatMap(rulesOf).entries()) {
    if (own[i] && ![...uids.values()].includes(uid)) uids.set(own[i].uid, uid);
  }
  return [...uids].reduce((all, [ours, uid]) => all.replaceAll(ours, uid), text);
}

/** Fields for Grafana's own page or for traces, which nothing here reads. The stand-in does not have them. */
const ofThePage = new Set([
  ...["hasAcl", "canSave", "canEdit", "canAdmin", "canDelete", "canStar", "canAdd", "annotationsPermissions", "isFolder", "expires"],
  ...["created", "createdBy", "updated", "updatedBy", "provisioned", "provisionedExternalId", "slug", "folderId", "uri", "isStarred"],
  ...["typeLogoUrl", "typeName", "sortMeta", "isDeleted", "roleName", "isServiceAccount", "actions", "userLogin", "userAvatarUrl"],
  ...["userUid", "traceID", "hasPublicDashboard", "publicDashboardAccessToken", "publicDashboardUid", "publicDashboardEnabled"],
]);
/** Values that differ between two Grafanas. */
const differing: Values = { id: /^\d+$/, accessErrorId: /^ACE\d{10}$/, buildstamp: /^\d+$/ };

/** The contact point of a new organization, which 12.4 does not have, goes. */
function settled(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.filter((item) => item?.name !== "email receiver").map(settled);
  const kept = Object.entries(value).filter(([key]) => !ofThePage.has(key));
  const differs = (key: string, item: unknown) => differing[key]?.test(String(item)) || (key === "uid" && "disableResolveMessage" in value);
  return Object.fromEntries(kept.map(([key, item]) => [key, differs(key, item) ? `(${key})` : settled(item)]));
}

function requestOf({ request }: Exchange): Values {
  const { dashboard } = request.body ?? {};
  return dashboard?.id ? { ...request, body: { ...request.body, dashboard: { ...dashboard, id: "(id)" } } } : request;
}

/** 9.4 has other permissions, another text for a wrong token, and no body after it deleted a folder. */
const isOldOnly = (path: string, status: number) => status === 401 || /access-control|forceDeleteRules/.test(path);

function answerOf({ request: { method, path }, response: { status, contentType, body } }: Exchange, isOld: boolean): Values {
  if (isOld && isOldOnly(path, status)) return { method, path, status };
  // The recording has only the build of the page's settings. Grafana repeats the rules of a written group.
  const { rules: _, ...group } = body ?? {};
  const shown = body?.buildInfo ? { buildInfo: body.buildInfo } : method === "PUT" && body?.rules ? group : body;
  return { method, path, status, contentType, body: settled(shown) };
}

/** Compares requests and answers. Which of two objects comes first is left to chance. */
function compare(isOld: boolean): void {
  const objectOf = ({ request: { path, body } }: Exchange) => `${path} ${body?.uid ?? body?.dashboard?.uid ?? ""}`;
  const sorted = (list: Exchange[]) => list.toSorted((one, other) => objectOf(one).localeCompare(objectOf(other)));
  const [ours, theirs] = [sorted(JSON.parse(named(JSON.stringify(exchanges)))), sorted(edited(genuine, ["12.3.0", "12.4.3"]))];
  expect(ours.map(requestOf)).toEqual(theirs.map(requestOf));
  const [own, expected] = [ours, theirs].map((list) => list.map((exchange) => answerOf(exchange, isOld)));
  if (isOld) expect(own).toMatchObject(expected as object);
  else expect(own).toEqual(expected);
  compared.push(...ours.map(({ request: { method, path } }) => `${method} ${path.replace(/\?.*/, "")}`));
}

/** The states of the plugin's resources before the steps of a preview. Those before an update have what a refresh found. */
const stackOf = (preview: string, op = "refresh"): Values => {
  const steps = recorded(`pulumi/${preview}`).steps.filter((step: Values) => step.op === op && step.urn.includes("::grafana:"));
  return Object.fromEntries(steps.map(({ urn, oldState }: Values) => [urn.split("::").at(-1), oldState]));
};
type Edit = [from: string, to: string];
/** Texts by texts. */
const edited = <T>(values: T, ...edits: Edit[]): T =>
  JSON.parse(edits.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(values)));

const uid = "r12-llm-observability";
const base = stackOf("preview-refresh-drift");
for (const values of [base.prom.inputs, base.prom.outputs]) {
  Object.assign(values, { httpHeaders: { "X-Scope-OrgID": "tenant" }, secureJsonDataEncoded: '{"basicAuthPassword":"PASSWORD"}' });
}
const { prom, loki, tempo, f, fp, a, b } = base;
const renamed: Edit[] = [
  ['"LLM Observability"', '"LLM Observability (renamed)"'],
  ['/llm-observability"', '/llm-observability-renamed"'],
];
const changed = edited({ f, a, b, prom }, ...renamed, ["sum(up)", "sum(x)"], [":9090", ":9091"]);
/** Resources of which an import knows only the uid. */
const unknown = edited({ prom, f, a });
for (const one of Object.values(unknown)) Object.assign(one, { id: one.outputs.uid, inputs: {}, outputs: {} });
const permissions = stackOf("v12-24c-preview-refresh-permission");
const widened = { ...permissions, ...stackOf("v12-24c-preview-refresh-permission", "update") };
const rules = stackOf("v12-29b-preview-refresh-rule-group-unchanged");
const others = { f: rules.f, prom: rules.prom };
const ofTenant = { prom: { ...rules.prom, inputs: { ...rules.prom.inputs, httpHeaders: { "X-Scope-OrgID": "tenant" } } } };
const former = edited(ofTenant, ["r12-metrics", "r12-x"]);
const ofUser = edited(others, ['"0:', '"1:'], ['"orgId":"0"', '"orgId":"1"']);
const raised = edited({ r: rules.r }, ["[1]", "[2]"], ["0:r12-llm-observability:", "1:r12-llm-observability:"]);
const otherGroup = edited(rules, [":R12 LLM", ":R12 a/b"]);
const recording = stackOf("v12-29r-preview-refresh-rule-group-record");
const notifying = stackOf("v12-29s-preview-refresh-rule-group-keep-notify");
const misdirected = edited({ r: notifying.r }, ["r12-team-webhook", "r12-nope"], ['"keepFiringFor":"10m",', ""]);
const drifting = stackOf("v12-29g-preview-refresh-rule-group");
const drifted = { ...drifting, ...stackOf("v12-29g-preview-refresh-rule-group", "update") };
const restored = { r: { ...drifting.r, id: "1:r12-llm-observability:R12 LLM" } };
const moved = edited(restored, ["cg52t8bx6hxxcd", "eg52tb3xk581sb"], ["dg52t87h800sgb", "cg52t8bx6hxxcd"]);

const board = (title: string, org: number, message?: string) => {
  const model = { panels: [], schemaVersion: 39, title, uid: "r12-svc-llm-monitoring", ...(message && { version: 0 }) };
  const inputs = { configJson: JSON.stringify(model), folder: "r12-llm-observability", ...(message && { message }) };
  return { a: { urn: a.urn, id: `${org}:${model.uid}`, inputs } };
};
const first = { f: permissions.f, ...board("svc - LLM Monitoring", 0, "Deployed by Pulumi: a/dev") };
const second = board("svc - LLM Monitoring v2", 0, "Deployed by Pulumi: a/dev again");
const kept = (uid: string) => ({ f: { urn: f.urn, id: `0:${uid}`, outputs: { preventDestroyIfNotEmpty: true } } });

type Change = () => Promise<unknown>;
const add = (path: string, body: Values) => () => change("POST", path, body);
const drop = (path: string) => () => change("DELETE", path);
const logIn = (as: string) => async () => {
  credentials = as;
};
const addBoard = (uid: string, folderUid: string) => add("dashboards/db", { dashboard: { uid, title: uid, panels: [] }, folderUid });
const addMetrics = (uid: string, name = uid, port = 9091) =>
  add("datasources", { uid, name, type: "prometheus", url: `http://127.0.0.1:${port}`, access: "proxy" });
const setGroup = (uid: string, recording: string, index: number, part: "request" | "response") => () =>
  change("PUT", `v1/provisioning/folder/${uid}/rule-groups/R12%20LLM`, recorded(`grafana/${recording}`)[index][part].body);
const dropFolder = drop("folders/r12-llm-observability?forceDeleteRules=true");
const dropMetrics = drop("datasources/uid/r12-llm-metrics");
const addBackends = async () => {
  const up = await start(createBackends({ metrics: [], otlp: { user: "1", accepts: () => false } }));
  for (const [type, path] of Object.entries({ prometheus: "prometheus", loki: "no-loki", tempo: "tempo" })) {
    for (const [state, url] of Object.entries({ up: `${up}/${path}`, down: "http://127.0.0.1:9" })) {
      await change("POST", "datasources", { uid: `r12-${type}-${state}`, name: `${type} ${state}`, type, url, access: "proxy" });
    }
  }
};
const takenName = [dropMetrics, addMetrics("r12-by-hand", "r12-metrics")];
const widen = add(`access-control/folders/${uid}`, { permissions: [{ builtInRole: "Viewer", permission: "Edit" }] });
const elsewhere = [drop("dashboards/uid/r12-foreign"), addBoard("r12-elsewhere", "")];
const firstMetrics = [dropFolder, drop("datasources/uid/r12-by-hand"), addMetrics("r12-first")];
const onlyMetrics = [dropMetrics, drop("datasources/uid/r12-first"), addMetrics("r12-llm-metrics", "r12-metrics", 9090)];
const ruleInside = [add("folders", { uid: "r12-pd", title: "R12 PD" }), setGroup("r12-pd", "v12-29-rule-group-create", 5, "request")];
const editor = [logInNew("r12ed", "Editor"), add("folders", { uid: "r12-ed-folder", title: "R12 Ed" })];
const exists = "[POST /folders] createFolder (status 412): {}";
const taken = "name already exists";
const retried = [2, 4, 8];

/** Each is the history of one Grafana. At the end stands what happened before the recording without being recorded. */
const histories: Record<string, [recording: string, action: () => Promise<void>, ...before: Change[]][]> = {
  "12.3": [
    ["v12-31-health-version", resend],
    ["v12-25-provider-org-basic", () => create({ ...ofUser, ...board("svc - LLM Monitoring", 1) }), logIn(admin)],
    ["v12-28-datasource-name-taken", resend, logInNew("r12rec", "Admin"), ...takenName],
    ["v12-28b-datasource-uid-taken", resend],
    ["v12-28c-datasource-rename-into-taken", () => fails(update(ofTenant, former), taken), addMetrics("r12-llm-metrics")],
    ["v12-28d-datasource-list", resend, dropMetrics],
    ["v12-24-folder-permission", () => create(permissions), dropFolder],
    ["v12-24d-folder-permission-up-refresh", () => read(permissions, widened).then(() => update({ p: permissions.p })), widen],
    ["v12-15-create-over-existing-folder", () => fails(create({ f: permissions.f }), exists, retried)],
    ["v12-26-destroy-folder-not-empty-option", () => fails(remove(kept(uid)), "[r12-foreign]"), addBoard("r12-foreign", uid)],
    ["v12-26c-destroy-folder-empty-option-dashboard-elsewhere", () => remove(kept(uid)), ...elsewhere],
    ["v12-23-dashboard-history", () => create(first).then(() => update(second))],
    ["v12-23b-dashboard-message-only", () => update(board("svc - LLM Monitoring v2", 0, "Another message"))],
    ["v12-19c-dashboard-same-uid-version-1", resend, addBoard("r12-another", uid)],
    ["v12-33-refusals", resend],
    ["v12-29-rule-group-create", () => create(rules), ...firstMetrics],
    ["v12-29c-rule-group-update", () => update(raised)],
    ["v12-29e-rule-hand-edit-provisioning-api", resend, setGroup(uid, "v12-29g-rule-group-up-refresh", 6, "request")],
    ["v12-29g-rule-group-up-refresh", () => read(drifting, drifted).then(() => update(restored)), ...onlyMetrics],
    ["v12-29h-refresh-preview-only-rule-deleted", resend],
    ["v12-29h-rule-deleted-by-hand-up-refresh", () => read(drifting, { ...others, r: {} }).then(() => update(moved))],
    ["v12-29n-refresh-preview-only-group-gone", () => read(otherGroup, others)],
    ["v12-29o-rule-group-destroy", () => remove(drifting), setGroup(uid, "v12-29o-rule-group-destroy", 0, "response")],
    ["v12-30-contact-points", resend],
    ["v12-29s-rule-group-keep-notify", () => create(notifying)],
    ["v12-29s1-notify-unknown-contact-point", () => fails(update(misdirected), "receiver r12-nope does not exist")],
    ["v12-29r-rule-group-record", () => create(recording), dropFolder, dropMetrics],
    ["v12-26f-destroy-folder-option-rule-inside", () => fails(remove(kept("r12-pd")), "folder is not empty"), ...ruleInside],
    ["v12-32-datasource-health", resend, addBackends],
    ["v12-24g-folder-permission-editor-token-repair", resend, ...editor],
  ],
  "9.4": [
    ["01-up", () => create({ prom, loki, tempo, f, a, b }), addMetrics("first")],
    ["18-import", () => read(unknown, { prom: { id: prom.id, outputs: prom.outputs }, f: { id: f.id }, a: { id: a.id } })],
    ["04-up-refresh-unchanged", () => read(base, base), add("access-control/folders/llm-observability", { permissions: [{ userId: 2 }] })],
    ["06-up-changed", () => update(changed)],
    ["10-refresh-datasource-gone", () => read({ loki }, {}), drop("datasources/uid/llm-logs")],
    ["13-wrong-token", () => fails(update({ prom }, base), "updateDataSourceByUidUnauthorized", retried), logIn("wrong")],
    ["17-destroy", () => remove(base), logIn("a-token"), addMetrics("llm-logs")],
    ["14-refresh-dashboards-gone", () => read({ f, fp, a, b }, {})],
  ],
};

describe.each(Object.keys(histories))("Grafana %s", (release) => {
  beforeAll(async () => {
    credentials = "a-token";
    const options = { token: credentials, basic: { user: "admin", password: "hunter2" } };
    url = await start(createGrafana({ ...options, stateFile: join(states, `${release}.json`) }));
  });

  it.each(histories[release] ?? [])("%s", async (recording, action, ...before) => {
    for (const each of before) await each();
    plugin.configure({ url: proxy.url, auth: credentials });
    // The stand-in has one organization, and no path for it.
    genuine = recorded(`grafana/${recording}`).filter(({ request }: Exchange) => request.path !== "/api/org");
    [exchanges, waits] = [[], []];
    await action();
    compare(release === "9.4");
  });
});

it("each route of Grafana was recorded, except those of the checks, of contact points, and of the tests", () => {
  const isCompared = ({ method, path }: (typeof routes)[number]) => {
    const pattern = new RegExp(`^${method} ${path.replace(/:\w+/g, "[^/]+").replace("*", ".*")}$`);
    return compared.some((request) => pattern.test(request));
  };
  expect(routes.filter((route) => !isCompared(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...["POST /api/serviceaccounts", "POST /api/serviceaccounts/:id/tokens", "DELETE /api/serviceaccounts/:id/tokens/:tokenId"],
    ...["GET", "POST"].map((method) => `${method} /api/datasources/proxy/uid/:uid/*`),
    ...["POST /api/ds/query", "GET /api/prometheus/grafana/api/v1/rules", "GET /api/v1/provisioning/policies"],
  ]);
});

it.each<[method: string, path: string, body: Values | null, status: number, message: string]>([
  ["POST", "folders", { uid: "t", title: "T", description: "?" }, 400, 'bad request data: ✖ Unrecognized key: "description"'],
  ["GET", "search?sort=alpha", null, 400, "the stand-in does not support the query parameter sort"],
  ["GET", "playlists", null, 404, "Not found: the stand-in does not have GET /api/playlists"],
])("Grafana refuses %s %s %j, which it does not know", async (method, path, body, status, message) => {
  const headers = { authorization: authorization(admin), "content-type": "application/json" };
  expect(await send(`${url}/api/${path}`, method, headers, body)).toMatchObject({ status, body: { message } });
});

const previews = readdirSync(join(__dirname, "../../recorded/pulumi")).map((file) => file.replace(/\.json$/, ""));
// The stand-in does not know nested folders.
it.each(previews.filter((file) => !file.includes("parent-folder")))("the differences of %s", (file) => {
  const { steps = [] } = recorded(`pulumi/${file}`);
  for (const { urn, op, oldState, newState, diffReasons = [] } of steps) {
    // A refresh alone finds a new state, a deployment brings new inputs.
    const [found, given] = file.includes("preview-only") ? [newState, oldState] : [oldState, newState];
    if (!urn.includes("::grafana:") || !found?.outputs || !given?.inputs) continue;
    const { changed } = plugin.diff(urn, found.outputs, given.inputs);
    expect({ urn, op: changed.length > 0 ? "update" : op, changed }).toEqual({ urn, op, changed: diffReasons });
  }
});

it.each<[type: string, given: Values, reason: RegExp]>([
  ["oss/folder:Folder", { title: "Title", uid: "uid", parent: "x" }, /^Invalid or unknown key "parent"/],
  ["oss/folder:Folder", { uid: "uid" }, /^Missing required property 'title'/],
  ["alerting/ruleGroup:RuleGroup", { name: "g", folderUid: "f", intervalSeconds: 60, rules: [] }, /^Attribute rules requires 1 item/],
])("a %s with %j is refused", (type, given, reason) => {
  const { failures } = plugin.check(`urn:pulumi:test::project::grafana:${type}::name`, given);
  expect(failures).toEqual([{ property: expect.any(String), reason: expect.stringMatching(reason) }]);
});
