/**
 * The preflight: one response of Grafana differs from those to a healthy deployment, and the message names the problem and its fix. What it says of resources of
 * others and of other stacks, and of a token that is not known yet, is in test/stories: adoption, ownership and services.
 */
import * as pulumi from "@pulumi/pulumi";
import { Provider } from "@pulumiverse/grafana";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type DashboardDefinition, defineDashboards, llmMonitoringDashboard } from "../../src/dashboards/definitions";
import type { ManagedResources } from "../../src/platform/dashboard";
import { managedBy, managerOf, markedFor } from "../../src/platform/ownership";
import { type PreflightArgs, preflight } from "../../src/platform/preflight";
import { answer, type RawServer } from "../support/raw-server";
import { complete, settingsOf } from "./config";
import { serve } from "./serve";

let warnings: string[] = [];
let dryRun = false;
/** The id of the stack's provider. */
let id = "";

const mocks = { newResource: ({ inputs }: pulumi.runtime.MockResourceArgs) => ({ id, state: inputs }), call: () => ({}) };
beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "dev"));

beforeEach(() => {
  [warnings, dryRun] = [[], false];
  vi.spyOn(pulumi.log, "warn").mockImplementation(async (message) => void warnings.push(message));
  vi.spyOn(pulumi.runtime, "isDryRun").mockImplementation(() => dryRun);
});

afterEach(() => void vi.restoreAllMocks());

/** A dashboard for the telemetry of SDKs. */
const dashboard = (part: "genai" | "otel", values: Record<string, string> = {}) =>
  defineDashboards(settingsOf({ ...complete, ...values }))[part] as DashboardDefinition;

const genai = { ...dashboard("genai"), uid: "genai" };
const model = (description?: string) => ({
  dashboard: { title: genai.title, ...(description !== undefined && { description }) },
  meta: {},
});

type Responses = Record<string, { status: number; body: unknown } | undefined>;

/** The responses of a Grafana that has no resource of the stack yet. */
const healthy: Responses = {
  "/api/health": { status: 200, body: { database: "ok", version: "12.3.0" } },
  "/api/datasources": { status: 200, body: [] },
  "/api/search": { status: 200, body: [] },
};

/** The same response to each request. */
const everywhere = (status: number, message: string): Responses =>
  Object.fromEntries(Object.keys({ ...healthy, ...at() }).map((path) => [path, { status, body: { message } }]));

/** A Grafana with some responses instead of the healthy ones. */
function grafana(responses: Responses = {}): Promise<RawServer> {
  const all = { ...healthy, ...responses };
  const found = (path: string) => all[path] ?? all[path.split("?")[0] ?? ""] ?? { status: 404, body: { message: "Not found" } };
  return serve([({ path }) => answer(found(path).status, JSON.stringify(found(path).body))]);
}

type Differences = Partial<Omit<PreflightArgs, "grafana">> & { managedResources?: ManagedResources };

const created = (uid: string) => ({ uid, url: "https://example.com" });

/** The problem of a stack whose provider has this id. */
async function problemOf(responses: Responses | RawServer, { managedResources, ...args }: Differences = {}, providerId = "1") {
  const { url } = "url" in responses ? (responses as RawServer) : await grafana(responses);
  id = providerId;
  const datasources = { prometheus: created("declared"), loki: created("logs"), tempo: created("traces") };
  const access = { url, auth: pulumi.secret("token"), managedResources };
  const usual = { grafana: access, datasources, folder: { uid: "folder", title: "LLM" }, definitions: [genai] };
  try {
    await preflight(new Provider("grafana"), { ...usual, ...args });
    return "no problem";
  } catch (error) {
    // Pulumi shows only this one without a stack trace.
    expect(error).toBeInstanceOf(pulumi.RunError);
    return (error as Error).message;
  }
}

it("a healthy Grafana passes, and receives only read requests, each once", async () => {
  const server = await grafana();
  expect(await problemOf(server)).toBe("no problem");
  expect(warnings).toEqual([]);
  const paths = ["dashboards/uid/genai", "datasources", "folders/folder", "health", "search"];
  expect(server.requests.map(({ method, path }) => `${method} ${path.split("?")[0]}`).sort()).toEqual(
    paths.map((path) => `GET /api/${path}`),
  );
});

it("problems are warnings for commands that must run whatever Grafana has", async () => {
  vi.stubEnv("LLM_OBSERVABILITY_PREFLIGHT", "warn");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await problemOf(release("10.3.12"))).toBe("no problem");
  expect(warnings).toEqual(["Grafana 10.3.12 is too old: the oldest supported release is 10.4."]);
});

const at = (description?: string) => ({ "/api/dashboards/uid/genai": { status: 200, body: model(description) } });
const service = { ...llmMonitoringDashboard("svc"), uid: "service" };

it("the ownership mark is read after it was written, keeps any description, and replaces another stack's mark", () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}\/[A-Za-z0-9_.-]{1,20}$/);
  const text = fc.string({ unit: "grapheme" }).filter((each) => !each.includes("Managed by Pulumi ("));
  fc.assert(
    fc.property(fc.option(text, { nil: undefined }), name, name, (description, first, second) => {
      const once = markedFor({ title: "t", description }, first);
      const mark = `Managed by Pulumi (${first}): changes made here are overwritten.`;
      expect(once.description).toBe(description ? `${description}\n\n${mark}` : mark);
      expect(managerOf(once)).toBe(first);
      expect(markedFor(once, second)).toEqual(markedFor({ title: "t", description }, second));
    }),
  );
  for (const description of [undefined, 7, "", "Managed by Pulumi (a b): changes made here are overwritten."])
    expect(managerOf({ description })).toBeUndefined();
});

const clash = (description?: string, other: object = {}) => ({
  "/api/search": { status: 200, body: [{ uid: "other", title: "GenAI Observability", folderUid: "folder", ...other }] },
  "/api/dashboards/uid/other": { status: 200, body: model(description) },
});
const taken = 'Folder folder contains another dashboard with the title "GenAI Observability" (uid other).';

const listed = (...found: object[]) => ({ "/api/datasources": { status: 200, body: found } });
const denied = { "/api/datasources": { status: 403, body: { message: "Access denied" } } };
const missing = (found: string, uid: string) =>
  `prometheusUid: no datasource has the uid declared\nExisting datasources:\n${found}\nIf another stack creates them, deploy it first. To refer to ` +
  `others:\n  npx pulumi config set prometheusUid ${uid} --stack dev\nTo let`;
const all = { prometheus: created("p"), loki: created("logs"), tempo: created("traces") };
const existing: Differences = { datasources: { ...all, prometheus: { uid: "declared" } } };

const folder = (body: object = {}, status = 200) => ({ "/api/folders/folder": { status, body: { uid: "folder", ...body } } });
const referred: Differences = { managedResources: "service-dashboard" };
const nested: Differences = { folder: { uid: "x", title: "LLM", parentUid: "folder" } };
const noFolder = "Uid: Grafana has no folder with the uid folder, or grafanaAuth may not read it. This stack does not create it";
const synced = "folderUid: Git Sync manages the folder folder, and Grafana accepts no dashboards and alert rules of others in it.";

/** A Grafana of a release that has another folder with the title. */
const titled = (version: string, other: object = {}) => ({
  ...{ ...release(version), ...folder() },
  "/api/search?type=dash-folder&limit=5000&query=LLM": { status: 200, body: [{ uid: "theirs", title: "LLM", ...other }] },
});

const release = (version?: string) => ({ "/api/health": { status: 200, body: { version } } });

/** The settings of the page of a Grafana that can record, with some instead. */
const page = (version: string, recordingRulesEnabled?: boolean, datasources: object = {}) => ({
  "/api/frontend/settings": { status: 200, body: { buildInfo: { version }, unifiedAlerting: { recordingRulesEnabled }, datasources } },
});
const records: Differences = { recordsInGrafana: true, definitions: [dashboard("otel")] };
const both = [dashboard("otel"), dashboard("genai", { genaiReads: "rules" })];
/** A stack that refers to a Prometheus datasource, and what Grafana says of the datasource. */
const recordsThere: Differences = { ...records, ...existing };
const typed = (jsonData: object, version = "12.4.3") => ({
  ...page(version, true, { Metrics: { uid: "declared", jsonData } }),
  ...listed({ uid: "declared", type: "prometheus", name: "Metrics" }),
});
const sameTitle =
  'folderTitle: Grafana 11.2.9 has another folder with the title "LLM" (uid theirs) in the same place, and accepts a second one only from ' +
  "11.3 on. Rename that folder, or set another title: npx pulumi config set folderTitle TITLE --stack dev";
const waysOut = [
  "Or let Prometheus or Mimir record: load the files that the first command writes (src/settings/README.md#recording-rules).",
  "  npm run rules -- --stack dev",
  "  npx pulumi config set recordingRules external --stack dev",
  'Or leave "GenAI Observability (OpenTelemetry)" out.',
  "  npx pulumi config set telemetry spec --stack dev",
];

it.each<[what: string, Responses, args?: Differences]>([
  ["a dashboard of this stack, in a mark without an id", at(managedBy("project/dev")), {}],
  ["a dashboard of this stack", at(managedBy("project/dev@1")), {}],
  ["a dashboard of this stack, which was renamed", at(managedBy("project/former@1"))],
  ["a datasource of this stack", listed({ uid: "logs", type: "loki", name: "Logs", jsonData: { managedByPulumi: "project/dev@1" } })],
  // Some releases return 403 for a missing dashboard, which must not stop a first deployment.
  ["a missing dashboard, with a token without the role Admin", { "/api/dashboards/uid/genai": { status: 403, body: {} } }],
  ["a dashboard of this stack with the title, which gets a new uid", clash(managedBy("project/dev@1"))],
  // Grafana before 10.0.2 compared the slugs of titles; later releases compare the titles.
  ["a dashboard with the title in another case", clash("", { title: "genai OBSERVABILITY" })],
  ["the dashboard itself with the title", clash("", { uid: "genai" })],
  ["a datasource that the stack refers to", listed({ uid: "declared", type: "prometheus", name: "P" }), existing],
  ["datasources that may not be listed, if the stack creates its own", denied],
  ["a folder that the stack refers to", folder(), referred],
  ["a folder above its own", folder(), nested],
  ["another folder with the title, from Grafana 11.3 on", titled("11.3.0")],
  ["another folder with the title elsewhere", titled("11.2.9", { folderUid: "elsewhere" })],
  ["the folder itself with the title", titled("11.2.9", { uid: "folder" })],
  ["another folder with the title, if the stack does not create one", titled("11.2.9"), referred],
  ["a folder that another tool manages", folder({ managedBy: "terraform" })],
  ["a folder that Git Sync manages, if the stack puts nothing into it", folder({ managedBy: "repo" }), { managedResources: "none" }],
  ...["10.4.0", "12.3.0-security-01", undefined, "main"].map((version): [string, Responses] => [`release ${version}`, release(version)]),
  ["a release that records series", page("12.1.0", true), records],
  ["a release that does not say whether it records", page("13.9.0"), records],
  ["a release that is hidden", page("", true), records],
  ["rules that another stack creates", { ...page("11.0.0"), ...folder() }, { ...records, ...referred }],
  ["a Prometheus that says so", typed({ prometheusType: "Prometheus", directUrl: "http://p:9090" }), recordsThere],
  ["a Mimir that says so", typed({ prometheusType: "Mimir", directUrl: "http://m/prometheus" }), recordsThere],
  ["Grafana Cloud's", typed({ directUrl: "https://prometheus-prod-01.grafana.net/api/prom" }), recordsThere],
])("no problem: %s", async (_what, responses, args) => {
  expect(await problemOf(responses, args)).toBe("no problem");
  expect(warnings).toEqual([]);
});

it.each<[what: string, Responses, args: Differences, problem: string]>([
  ["another dashboard with the title", clash(), {}, taken],
  ["a dashboard of another stack with the title", clash(managedBy("project/prod")), {}, taken],
  ["a missing datasource", listed({ uid: "b", type: "loki", name: "Logs" }), existing, missing("  b  loki  Logs", "UID")],
  ["a datasource of another type", listed({ uid: "declared", type: "loki", name: "L" }), existing, "has the type loki, not prometheus"],
  ["the same, beside one", listed({ uid: "m", type: "prometheus", name: "M" }), existing, missing("  m  prometheus  M", "m")],
  ["datasources that may not be listed", denied, existing, "Check grafanaAuth and the permissions of its token."],
  ["a missing folder above", {}, nested, `folderParent${noFolder}`],
  ["a missing folder", folder({}, 404), referred, `folder${noFolder}`],
  ["a folder that may not be read", folder({}, 403), referred, `folder${noFolder}`],
  ["a folder of Git Sync", folder({ managedBy: "repo" }), {}, synced],
  ["another folder with the title, before Grafana 11.3", titled("11.2.9"), {}, sameTitle],
  ["a release that is none", release("9.5.0\u001b[2J\nrun this"), {}, "Grafana 9.5.0⟨U+001B⟩[2J⏎run this is too old"],
  ["the same in the folder above", titled("10.4.0", { folderUid: "folder" }), nested, sameTitle.replace("11.2.9", "10.4.0")],
])("a problem: %s", async (_what, responses, args, problem) => {
  expect(await problemOf(responses, args)).toContain(problem);
});

it.each(["9.4.0-pre", "10.3.12"])("release %s, older than the oldest supported one, is refused, also by a preview", async (version) => {
  for (dryRun of [false, true])
    expect(await problemOf({ ...release(version), ...page(version) }, records)).toBe(
      `Grafana ${version} is too old: the oldest supported release is 10.4.`,
    );
});

describe("a Grafana that cannot record is one problem, with the ways out", () => {
  const title = 'Grafana cannot evaluate the recording rules of "GenAI Observability (OpenTelemetry)":';

  it.each<[obstacle: string, Responses, args: Differences, cure: string]>([
    ["Its release is 12.0.2, which has none that write to a datasource.", page("12.0.2"), records, "update it to 12.1 or later"],
    [
      "Its recording rules are switched off.",
      page("12.4.3", false),
      records,
      "set enabled = true in [recording_rules] of its configuration, and restart it",
    ],
    [
      "The datasource Metrics (uid declared) does not say its Prometheus type: Grafana takes it for a Mimir, and writes to /api/v1/push, which a Prometheus " +
        "does not have.",
      typed({ httpMethod: "POST", directUrl: "http://prometheus:9090" }),
      recordsThere,
      "set the Prometheus type of this datasource (Connections > Data sources)",
    ],
  ])("%s", async (obstacle, responses, args, cure) => {
    const lines = [title, `  ${obstacle}`, `Let Grafana record: ${cure}.`, ...waysOut];
    for (dryRun of [false, true]) expect(await problemOf(responses, args)).toBe(lines.join("\n"));
  });

  it("with all that is to change, and for the dashboard of the spec that it may read samples", async () => {
    const off = { ...typed({}), ...page("12.4.3", false, { Metrics: { uid: "declared", jsonData: {} } }) };
    const found = await problemOf(off, { ...records, definitions: both, ...existing });
    expect(found).toContain("configuration, and restart it; set the Prometheus type of this datasource");
    expect(found).toMatch(/^Grafana cannot .* of "GenAI Observability \(OpenTelemetry\)" and "GenAI Observability":\n/);
    expect(found.split("\n").slice(-3)).toEqual([
      'Or leave "GenAI Observability (OpenTelemetry)" out, and let "GenAI Observability" read samples.',
      "  npx pulumi config set telemetry spec --stack dev",
      "  npx pulumi config set genaiReads samples --stack dev",
    ]);
  });
});

it.each<[what: string, version: string, args: Differences, isSaid: boolean, jsonData?: object]>([
  ["a bearer token", "12.3.9", { datasources: { ...all, prometheus: { ...all.prometheus, auth: { password: "token" } } } }, true],
  ["a tenant", "12.1.0", { datasources: { ...all, tenant: "tenant-1" } }, true],
  ["a header of an existing one", "12.2.0", existing, true, { httpHeaderName1: "Authorization" }],
  ["basic auth", "12.3.9", { datasources: { ...all, prometheus: { ...all.prometheus, auth: { username: "u", password: "p" } } } }, false],
  ["no header of an existing one", "12.3.9", existing, false],
  ["a tenant, from 12.4 on", "12.4.0", { datasources: { ...all, tenant: "tenant-1" } }, false],
])(
  "Grafana before 12.4 writes without the headers of a datasource, and a warning says so: %s",
  async (_what, version, args, isSaid, jsonData) => {
    const recording = typed({ prometheusType: "Mimir", ...jsonData }, version);
    expect(await problemOf({ ...recording, ...release(version) }, { ...records, ...args })).toBe("no problem");
    const command = "\n  npx pulumi config set recordingRules external --stack dev";
    expect(warnings).toEqual(
      isSaid ? [expect.stringMatching(/^Before 12\.4, Grafana .*X-Scope-OrgID.* \[recording_rules\.custom_headers\]/)] : [],
    );
    if (isSaid) expect(warnings[0]?.endsWith(command)).toBe(true);
  },
);

it("a preview says that the roles of a folder above keep their access", async () => {
  const infos: string[] = [];
  vi.spyOn(pulumi.log, "info").mockImplementation(async (message) => void infos.push(message));
  const ofAccess = () => infos.filter((info) => info.startsWith("folderAccess"));
  dryRun = true;
  expect(await problemOf(folder(), { folder: { uid: "x", title: "LLM", parentUid: "folder", access: "admins" } })).toBe("no problem");
  expect(ofAccess()).toEqual(["folderAccess admins does not limit who may view or edit the folder above, folder: they keep that here."]);
  await problemOf(folder(), nested);
  await problemOf({}, { folder: { uid: "x", title: "LLM", access: "admins" } });
  expect(ofAccess()).toHaveLength(1);
});

describe("alert rules with a contact point", () => {
  const alerts = [{ contactPoint: "Team A" }];
  const asked = "/api/v1/provisioning/contact-points?name=Team%20A";
  const found = (...points: object[]) => problemOf({ [asked]: { status: 200, body: points } }, { alerts });
  const command = "  npx pulumi config set alertContactPoint NAME --stack dev";
  const create = "Set one that Grafana has, or create one there (Alerting > Contact points):";

  it("pass if it exists, and stop the deployment if it does not, with the command", async () => {
    expect(await found({ uid: "a", name: "Team A" })).toBe("no problem");
    expect(warnings).toEqual([]);
    expect(await found()).toBe(`alertContactPoint: Grafana has no contact point with the name "Team A". ${create}\n${command}`);
  });

  it.each<[version: string, toggles: object | undefined, isWarned: boolean]>([
    ["10.4.19", undefined, true],
    ["10.4.19", { other: true }, true],
    ["10.4.19", { alertingSimplifiedRouting: true }, false],
    ["11.0.0", {}, false],
  ])("are said to go elsewhere by a Grafana before 11 without the feature: %s, %j", async (version, featureToggles, isWarned) => {
    const point = { [asked]: { status: 200, body: [{ uid: "a", name: "Team A" }] } };
    const settings = featureToggles && { "/api/frontend/settings": { status: 200, body: { featureToggles } } };
    expect(await problemOf({ ...point, ...release(version), ...settings }, { alerts })).toBe("no problem");
    expect(warnings).toEqual(
      isWarned ? [expect.stringMatching(/^alertContactPoint: Grafana before 11 .* alertingSimplifiedRouting\.$/)] : [],
    );
  });

  it.each([403, 500])("are deployed with a warning if Grafana does not list contact points: %d", async (status) => {
    expect(await problemOf({ [asked]: { status, body: { message: "Access denied" } } }, { alerts })).toBe("no problem");
    expect(warnings).toEqual([expect.stringMatching(/"Team A" is not checked.*fails after two minutes.*alert\.provisioning:read/)]);
  });

  it("without one, are told to notify nobody if the only policy has the receiver empty", async () => {
    const warned = async (policies: object, status = 200) => {
      warnings = [];
      const responses = { "/api/v1/provisioning/policies": { status, body: policies } };
      expect(await problemOf(responses, { alerts: [{ contactPoint: undefined }] })).toBe("no problem");
      return warnings;
    };
    expect(await warned({ receiver: "empty", group_by: ["alertname"] })).toEqual([
      'alerts is on, but notifies nobody: alertContactPoint is not set, and the default notification policy of Grafana has the receiver "empty". ' +
        `${create}\n${command}`,
    ]);
    expect(await warned({ receiver: "grafana-default-email" })).toEqual([]);
    expect(await warned({ receiver: "empty", routes: [{ receiver: "team a" }] })).toEqual([]);
    for (const status of [403, 404, 500]) expect(await warned({ message: "no" }, status)).toEqual([]);
  });
});

it("a new stack is told whose resources Grafana has under its uids, how to refer to them, and how to adopt them", async () => {
  const logs = { uid: "logs", type: "loki", name: "Logs", jsonData: { managedByPulumi: "project/prod@f00d" } };
  const unmarked = { uid: "traces", type: "tempo", name: "Traces" };
  const theirs = { ...folder(), ...listed(logs, unmarked) };
  const managed = [
    "Stack project/prod@f00d manages these resources, according to their marks in Grafana. The id after @ tells stacks of one name apart.",
    "  datasource logs",
    "If that stack is in use, let this stack only refer to them, with the uids of that stack. Then check a preview: it shows whether " +
      "resources of this stack are deleted.",
    "  npx pulumi config set managedResources service-dashboard --stack dev",
    "To refer only to the datasources:",
    "  npx pulumi config set-all --plaintext datasources=existing --plaintext lokiUid=logs --stack dev",
    "If that stack no longer exists, such as this one before a destroy that left them in Grafana, adopt them:",
    "  npm run adopt -- --stack dev --from project/prod@f00d",
  ];
  const existing = [
    "Grafana already has resources that this stack would create:",
    "  datasource traces",
    "  folder folder",
    "If another stack created the folder, set another folderUid, or let this stack only refer to what that stack manages:",
    "  npx pulumi config set managedResources service-dashboard --stack dev",
  ];
  expect(await problemOf(theirs, {}, pulumi.runtime.unknownValue)).toBe([...managed, "", ...existing].join("\n"));
  // One that has deployed may have imported them. Otherwise, Grafana refuses to create them.
  expect(await problemOf({ ...theirs, ...at("Pasted") })).toBe("no problem");
  const withoutMark = [
    "Grafana has these resources, and according to their marks, no stack manages them:",
    "  datasource traces",
    '  dashboard "GenAI Observability" (genai)',
    "If this stack has not imported them, Grafana refuses to create them (409, 412). To let it manage them, with their history: npm run " +
      "adopt -- --stack dev",
  ];
  expect(warnings).toEqual([managed.join("\n"), withoutMark.join("\n")]);
});

it("datasources that are kept have no mark, so a deployed stack is not told to adopt its own", async () => {
  const datasources = { prometheus: { uid: "declared" }, loki: created("logs"), tempo: created("traces"), kept: true };
  const found = listed({ uid: "declared", type: "prometheus", name: "P" }, { uid: "traces", type: "tempo", name: "Traces" });
  expect(await problemOf({ ...folder(), ...found }, { datasources })).toBe("no problem");
  expect(warnings).toEqual([]);
});

it("all problems are in one message, and a common cause is one problem", async () => {
  const both = { ...at(managedBy("a/b")), "/api/dashboards/uid/service": { status: 200, body: model(managedBy("a/b")) } };
  const found = await problemOf(both, { folder: { uid: "gone", title: "LLM", parentUid: "gone" }, definitions: [genai, service] });
  expect(found).toContain("folderParentUid: Grafana has no folder with the uid gone");
  expect(found.match(/^Stack a\/b manages .*\n {2}dashboard "GenAI .* \(genai\)\n {2}dashboard "svc - .* \(service\)$/gm)).toHaveLength(1);
  // The value that leaves both out.
  expect(found.match(/managedResources \S+/g)).toEqual(["managedResources none"]);
  const all = await problemOf(everywhere(401, "Invalid API key"));
  expect(all.match(/Check grafanaAuth/g)).toHaveLength(1);
});

it("an unreachable Grafana stops a deployment with one message, and lets a preview continue with one warning", async () => {
  const server = await grafana();
  await server.close();
  for (const [unreachable, said] of [
    [server, "cannot be reached (ECONNREFUSED)"],
    [everywhere(503, "starting"), "returned 503: starting for GET /api/health"],
  ] as const) {
    [dryRun, warnings] = [false, []];
    const problem = await problemOf(unreachable);
    expect(problem).toContain(`${said}. Check grafanaUrl, the network`);
    expect(problem).not.toContain("\n");
    [dryRun, warnings] = [true, []];
    expect(await problemOf(unreachable)).toBe("no problem");
    expect(warnings).toEqual([expect.stringContaining(`${said}. This preview does not check uids and titles.`)]);
  }
});

it("a preview names the datasources that depend on another stack, and the folder of a deployed stack that is gone", async () => {
  const info = vi.spyOn(pulumi.log, "info").mockImplementation(async () => undefined);
  const used = { uid: "logs", type: "loki", name: "Logs", jsonData: { managedByPulumi: "llm-observability/other@f00d" } };
  const others = [
    { uid: "unused", type: "loki", name: "Unused", jsonData: { managedByPulumi: "llm-observability/third@beef" } },
    { uid: "traces", type: "tempo", name: "Traces" },
  ];
  const datasources = { prometheus: created("declared"), loki: { uid: "logs" }, tempo: { uid: "traces" } };
  for (dryRun of [false, true]) expect(await problemOf(listed(used, ...others), { datasources })).toBe("no problem");
  expect(info.mock.calls).toEqual([
    [
      "Other stacks manage datasources that this stack reads:\n  logs  llm-observability/other@f00d\n" +
        "If such a stack is destroyed, the panels and alerts of this stack show errors until it is deployed again.",
    ],
    ["Grafana has no folder folder. If it was deleted there, create it again: npx pulumi up --refresh --stack dev"],
  ]);
  // In the preview of a new stack, its provider has no id.
  info.mockClear();
  expect(await problemOf(healthy, {}, "")).toBe("no problem");
  expect(info.mock.calls).toEqual([]);
});
