/** The preflight: one answer of Grafana differs from what a healthy deployment finds, and the message names it with the way out. */
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { managedBy, managerOf, markedFor } from "../../src/platform/ownership";
import { type PreflightArgs, preflight } from "../../src/platform/preflight";
import { titleClash, type WantedDashboard } from "../../src/platform/problems";
import { refusesFullFolders, releaseWarning } from "../../src/platform/release";
import { answer, type RawServer, startRawServer } from "../support/raw-server";

let warned: string[] = [];
let dryRun = false;

beforeAll(() =>
  pulumi.runtime.setMocks(
    { newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: ({ inputs }) => inputs },
    "project",
    "dev",
  ),
);

beforeEach(() => {
  warned = [];
  dryRun = false;
  vi.spyOn(pulumi.log, "warn").mockImplementation(async (message) => void warned.push(message));
  vi.spyOn(pulumi.runtime, "isDryRun").mockImplementation(() => dryRun);
});

afterEach(() => void vi.restoreAllMocks());

const genai: WantedDashboard = { uid: "genai", title: "GenAI Observability", folderUid: "folder", alternative: "service-dashboard" };
const model = (description?: string) => ({
  dashboard: { title: genai.title, ...(description !== undefined && { description }) },
  meta: {},
});

type Answers = Record<string, { status: number; body: unknown } | undefined>;

/** What a Grafana answers that has nothing of the stack yet. */
const healthy: Answers = {
  "/api/health": { status: 200, body: { database: "ok", version: "12.3.0" } },
  "/api/org": { status: 200, body: { id: 1 } },
  "/api/datasources": { status: 200, body: [] },
  "/api/search": { status: 200, body: [] },
};

/** A Grafana with these answers in place of the healthy ones. */
async function grafana(answers: Answers = {}): Promise<RawServer> {
  const all = { ...healthy, ...answers };
  const server = await startRawServer([
    ({ path }) => {
      const { status, body } = all[path.split("?")[0] ?? ""] ?? { status: 404, body: { message: "Not found" } };
      return answer(status, typeof body === "string" ? body : JSON.stringify(body));
    },
  ]);
  onTestFinished(() => server.close());
  return server;
}

interface Asked extends Partial<Omit<PreflightArgs, "access">> {
  auth?: string;
  orgId?: number;
}

function ask({ url }: { url: string }, { auth = "token", orgId, ...args }: Asked = {}) {
  return preflight({
    access: { url, auth: pulumi.secret(auth), orgId },
    datasources: { created: true, wanted: [{ type: "prometheus", uid: "ours" }] },
    folder: { created: true, uid: "folder" },
    dashboards: [genai],
    ...args,
  });
}

const refused = async (answers: Answers, args?: Asked) =>
  ask(await grafana(answers), args).then(
    () => "no problem",
    (error: Error) => error.message,
  );

describe("a healthy Grafana", () => {
  it("gives its release and the kind of credentials, without a word", async () => {
    expect(await ask(await grafana())).toEqual({ version: "12.3.0", basicAuth: false });
    expect(await ask(await grafana(), { auth: "user:pass" })).toEqual({ version: "12.3.0", basicAuth: true });
    expect(warned).toEqual([]);
  });

  it("is asked for what it needs to be, and nothing is written", async () => {
    const server = await grafana();
    await ask(server);
    expect(server.requests.map(({ method }) => method)).toEqual(server.requests.map(() => "GET"));
    expect(server.requests.map(({ path }) => path.split("?")[0]).sort()).toEqual([
      "/api/dashboards/uid/genai",
      "/api/datasources",
      "/api/health",
      "/api/search",
    ]);
  });
});

describe("a dashboard with our uid", () => {
  const at = (description?: string) => ({ "/api/dashboards/uid/genai": { status: 200, body: model(description) } });

  it("that this stack manages, or that no stack does, stops nothing", async () => {
    expect(await refused(at(managedBy("project/dev")))).toBe("no problem");
    expect(await refused(at())).toBe("no problem");
    expect(await refused(at("Edited by hand"))).toBe("no problem");
  });

  it("that another stack manages stops the deployment, with that stack's name and both ways out", async () => {
    expect(await refused(at(`Notes.\n\n${managedBy("project/prod")}`))).toBe(
      [
        'Stack project/prod manages the dashboard "GenAI Observability", uid genai: its description in Grafana says so.',
        "  If that stack is in use, let this stack only refer to the dashboard. Then look at a preview: it shows whether resources of this stack are deleted.",
        "    npx pulumi config set managedResources service-dashboard --stack dev",
        "  If that stack was renamed to this one, or no longer exists, take the dashboard over:",
        "    npm run adopt -- dev --from project/prod",
      ].join("\n"),
    );
  });
});

describe("a token without the role Admin", () => {
  const denied = { status: 403, body: { message: "You'll need additional permissions" } };

  // Grafana 9.4 answers 403 for what is missing: a first deployment must not stop at it.
  it("is not stopped where Grafana refuses to say that a dashboard is missing", async () => {
    expect(await refused({ "/api/dashboards/uid/genai": denied })).toBe("no problem");
  });

  it("is stopped where the folder that it refers to is missing, or not to be read", async () => {
    const said = await refused({ "/api/folders/folder": denied }, { folder: { created: false, uid: "folder" } });
    expect(said).toContain("to which this stack only refers, or grafanaAuth may not read it");
  });
});

describe("the mark", () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}\/[A-Za-z0-9_.-]{1,20}$/);
  const text = fc.string({ unit: "grapheme" }).filter((each) => !each.includes("Managed by Pulumi ("));

  it("is read as it was written, beside any description, and is there once whoever had it before", () => {
    fc.assert(
      fc.property(fc.option(text, { nil: undefined }), name, name, (description, first, second) => {
        const once = markedFor({ title: "t", ...(description !== undefined && { description }) }, first);
        expect(managerOf(once)).toBe(first);
        if (description) expect(once.description.startsWith(description)).toBe(true);
        const twice = markedFor(once, second);
        expect(managerOf(twice)).toBe(second);
        expect(twice.description.split("Managed by Pulumi (")).toHaveLength(2);
        expect(markedFor(twice, second)).toEqual(twice);
      }),
    );
  });

  it("is not in what is no description", () => {
    for (const description of [undefined, null, 7, "", "Managed by Pulumi", "Managed by Pulumi (a b): changes made here are overwritten."])
      expect(managerOf({ description })).toBeUndefined();
  });
});

describe("a dashboard with our title in our folder", () => {
  const clash = (description?: string) => ({
    "/api/search": { status: 200, body: [{ uid: "other", title: genai.title, folderUid: "folder" }] },
    "/api/dashboards/uid/other": { status: 200, body: model(description) },
  });

  it("stops the deployment, whoever manages it", async () => {
    const said = 'Folder folder has another dashboard with the title "GenAI Observability", uid other.';
    expect(await refused(clash())).toContain(said);
    expect(await refused(clash(managedBy("project/prod")))).toContain(said);
  });

  it("stops nothing where this stack manages it: it is getting a new uid", async () => {
    expect(await refused(clash(managedBy("project/dev")))).toBe("no problem");
  });

  // Grafana before 10.0.2 compared what titles become in addresses; since then, the titles.
  it.each<[string, "clashes" | "does not clash", Partial<WantedDashboard>]>([
    ["the same title", "clashes", {}],
    ["the same title in another case", "does not clash", { title: "genai OBSERVABILITY" }],
    ["the same title with other punctuation", "does not clash", { title: "GenAI: Observability!" }],
    ["the same title in another folder", "does not clash", { folderUid: "other" }],
    ["the same title at the top", "does not clash", { folderUid: undefined as never }],
    ["a longer title", "does not clash", { title: "GenAI Observability 2" }],
    ["a title without the space", "does not clash", { title: "GenAIObservability" }],
    ["our uid, with our title", "does not clash", { uid: "genai" }],
  ])("%s %s", (_what, outcome, other) => {
    const found = [
      { ...genai, uid: "other", title: "Another" },
      { ...genai, uid: "theirs", ...other },
    ];
    expect(titleClash(genai, found)).toBe(outcome === "clashes" ? found[1] : undefined);
  });
});

describe("datasources", () => {
  const there = (...found: object[]) => ({ "/api/datasources": { status: 200, body: found } });
  const wanted = [{ type: "prometheus", uid: "ours" }] as const;
  const existing: Asked = { datasources: { created: false, wanted } };

  it("that the stack refers to must exist, with their type; those that exist are listed", async () => {
    expect(await refused(there({ uid: "ours", type: "prometheus", name: "P" }), existing)).toBe("no problem");
    const missing = await refused(there({ uid: "b", type: "loki", name: "Logs" }), existing);
    expect(missing).toContain("prometheusUid: there is no datasource with the uid ours\nThese exist:\n  b  loki  Logs");
    expect(await refused(there({ uid: "ours", type: "loki", name: "L" }), existing)).toContain("is of type loki, not prometheus");
  });

  it("whose name another one has are warned of, with the steps that help, since the other one may be this stack's", async () => {
    await ask(await grafana(there({ uid: "by-hand", type: "prometheus", name: "LLM Observability prometheus" })));
    expect(warned.join()).toContain('The datasource by-hand has the name "LLM Observability prometheus", which Grafana accepts once.');
    expect(warned.join()).toContain("npx pulumi config set prometheusUid by-hand --stack dev\n    npm run adopt -- dev");
  });

  it("of another type with our name cannot be adopted", async () => {
    await ask(await grafana(there({ uid: "by-hand", type: "mimir", name: "LLM Observability prometheus" })));
    expect(warned.join()).toContain("Rename it in Grafana");
    expect(warned.join()).not.toContain("adopt");
  });

  it("that may not be listed are left to Grafana where the stack creates its own", async () => {
    const denied = { "/api/datasources": { status: 403, body: { message: "Access denied" } } };
    expect(await refused(denied)).toBe("no problem");
    expect(await refused(denied, existing)).toContain("Check grafanaAuth and the permissions of its token.");
  });
});

describe("the organization", () => {
  it("of a token has to be the one of the setting, and the token's own is asked", async () => {
    const server = await grafana();
    await ask(server, { orgId: 1 });
    expect(server.requests.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()))).not.toContain("x-grafana-org-id");
    expect(await refused({}, { orgId: 2 })).toBe(
      "grafanaAuth is a token of organization 1, but grafanaOrgId is 2. A token works in its own organization only: " +
        "use a token of organization 2, or remove the setting: npx pulumi config rm grafanaOrgId --stack dev",
    );
  });

  it.each([403, 404])("that a user has no access to is named, whatever the release answers: %d", async (status) => {
    const denied = { "/api/org": { status, body: { message: "Organization not found" } } };
    expect(await refused(denied, { auth: "user:pass", orgId: 9 })).toContain("no access to organization 9, which grafanaOrgId names");
  });

  it("of a user is in every question; without the setting it is 1, as for the plugin", async () => {
    const organizations = async (args: Asked) => {
      const server = await grafana({ "/api/org": { status: 200, body: { id: args.orgId } } });
      await ask(server, { auth: "user:pass", ...args });
      const sent = server.requests.map(({ headers }) => headers.find(([name]) => name.toLowerCase() === "x-grafana-org-id")?.[1]);
      return [...new Set(sent)];
    };
    expect(await organizations({ orgId: 7 })).toEqual(["7"]);
    expect(await organizations({})).toEqual(["1"]);
  });
});

describe("folders", () => {
  const there = { "/api/folders/folder": { status: 200, body: { uid: "folder" } } };

  it("that the stack refers to must exist", async () => {
    const referred: Asked = { folder: { created: false, uid: "folder" } };
    expect(await refused(there, referred)).toBe("no problem");
    expect(await refused({}, referred)).toContain("no folder with the uid folder, to which this stack only refers");
  });

  it("that are to be a parent must exist", async () => {
    const nested: Asked = { folder: { created: true, uid: "x", parentUid: "folder" } };
    expect(await refused(there, nested)).toBe("no problem");
    expect(await refused({}, nested)).toContain("no folder with the uid folder, which folderParentUid names");
  });
});

describe("releases", () => {
  it.each([
    ["9.4.0-pre", true, false],
    ["10.1.9", true, false],
    ["10.2.0", true, true],
    ["10.4.0", false, true],
    ["12.3.0-security-01", false, true],
    [undefined, false, true],
    ["main", false, true],
  ])("%s: warned of %s, refuses to delete a full folder %s", (version, isWarned, refuses) => {
    expect(releaseWarning(version) !== undefined).toBe(isWarned);
    expect(refusesFullFolders(version)).toBe(refuses);
  });

  it("that are old are warned of once, with what differs", async () => {
    await ask(await grafana({ "/api/health": { status: 200, body: { version: "9.4.0-pre" } } }));
    expect(warned).toEqual([expect.stringMatching(/^Grafana 9\.4\.0-pre is older than 10\.4, .* keeps the folder/)]);
  });
});

describe("all problems at once", () => {
  it("are in one message, and one reason in common is one problem", async () => {
    const two = await refused({ ...{ "/api/dashboards/uid/genai": { status: 200, body: model(managedBy("a/b")) } } }, { orgId: 2 });
    expect(two).toContain("grafanaOrgId is 2");
    expect(two).toContain("Stack a/b manages");
    const same = { status: 401, body: { message: "Invalid API key" } };
    const all = await refused(Object.fromEntries(Object.keys({ ...healthy, "/api/dashboards/uid/genai": 1 }).map((path) => [path, same])));
    expect(all.match(/Check grafanaAuth/g)).toHaveLength(1);
  });

  it.each([200, 404])("a page with status %d is no answer of Grafana", async (status) => {
    expect(await refused({ "/api/health": { status, body: "<html>" } })).toContain(
      `returned ${status} without JSON for GET /api/health. Check grafanaUrl, which must be the address of Grafana, including a path prefix.`,
    );
  });
});

describe("a Grafana out of reach", () => {
  const nobody = async () => {
    const server = await grafana();
    await server.close();
    return server;
  };

  it("stops a deployment with one message", async () => {
    const said = await ask(await nobody()).catch((error: Error) => error.message);
    expect(said).toMatch(/^Grafana at \S+ cannot be reached \(ECONNREFUSED\)\. Check grafanaUrl, and the network[^\n]*$/);
  });

  it("lets a preview go on with one warning", async () => {
    dryRun = true;
    expect(await ask(await nobody())).toEqual({ version: undefined, basicAuth: false });
    expect(warned).toHaveLength(1);
  });
});
