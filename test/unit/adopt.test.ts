/** What `npm run adopt` compares: what Grafana has with what this program declares, and whose a dashboard is by its history. */
// For what the program requires where it is needed, see src/dashboards/models.ts.
import "ts-node/register";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import { platformArgs } from "../../src/arguments";
import { type Candidate, candidates, changeOf, parentProblem } from "../../src/cli/adopt/candidates";
import { deploymentBy, doubtOf } from "../../src/platform/adoption";
import { createDatasources, type ManagedDatasources } from "../../src/platform/datasources";
import { writeReport } from "../../src/report/write";
import { parseSettings, type Settings } from "../../src/settings";
import type { AdoptablePart } from "../../src/settings/keys";
import { managed, mark, stackConfig } from "./hostile/values";

let settings: Settings;
let all: Candidate[];

beforeAll(() => {
  const result = parseSettings(stackConfig({ values: managed, misplaced: [] }), "dev");
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  settings = result.settings;
  all = candidates(settings);
});

const one = (part: AdoptablePart) => all.find((candidate) => candidate.part === part) as Candidate;

/** What is said of a change from what Grafana answers. */
function words(part: AdoptablePart, body: object): string | undefined {
  const change = changeOf(one(part), body);
  return change && writeReport([{ stack: "dev", isRefresh: false, changes: [change], errors: [], warnings: [] }]).whole;
}

/** A model as Grafana answers it: counted, and with its keys in another order. */
function asKept(part: AdoptablePart): { dashboard: object; meta: { folderUid: string } } {
  const { configJson, folder } = one(part).wanted;
  const turned = Object.fromEntries(Object.entries(configJson as object).reverse());
  return { dashboard: { ...turned, id: 7, version: 3 }, meta: { folderUid: String(folder) } };
}

describe("what does not change", () => {
  it.each(["genai-observability", "llm-monitoring"] as const)("is no change of %s", (part) => {
    expect(words(part, asKept(part))).toBeUndefined();
    expect(words(part, { ...asKept(part), meta: {} })).toContain("folder");
  });

  it("is none of the folder", () => {
    expect(words("folder", { title: settings.folderTitle })).toBeUndefined();
    expect(words("folder", { title: "Other" })).toContain("title `Other` → `LLM Observability`");
  });
});

describe("a datasource", () => {
  const kept = { id: 1, access: "proxy", user: "", database: "", basicAuth: false, basicAuthUser: "", version: 1 };

  it("has for its wanted properties what the program declares", async () => {
    const declared = new Map<string, Record<string, unknown>>();
    await pulumi.runtime.setMocks(
      {
        newResource: ({ name, inputs }) => {
          declared.set(name, inputs);
          return { id: name, state: inputs };
        },
        call: ({ inputs }) => inputs,
      },
      "project",
      "dev",
    );
    const resources = createDatasources(platformArgs(settings).datasources as ManagedDatasources, () => ({}));
    await Promise.all(resources.map(({ urn }) => new Promise((resolve) => urn.apply(resolve))));
    for (const [part, inputs] of declared) {
      const { secureJsonDataEncoded, httpHeaders, jsonDataEncoded, uid: _, ...plain } = inputs as Record<string, string>;
      const plainOf = (secret: unknown) => (secret as { value?: unknown } | undefined)?.value;
      const headers = Object.keys((plainOf(httpHeaders) ?? {}) as object);
      const { wanted, secrets } = one(part as AdoptablePart);
      expect(wanted).toEqual({
        accessMode: "proxy",
        basicAuthEnabled: false,
        ...plain,
        httpHeaders: headers,
        jsonDataEncoded: JSON.parse(String(jsonDataEncoded)),
      });
      const fields = Object.keys(JSON.parse(String(plainOf(secureJsonDataEncoded) ?? "{}")));
      expect(secrets).toEqual([...fields, ...headers.map((name) => `header ${name}`)]);
    }
    expect([...declared.keys()].sort()).toEqual(["loki", "prometheus", "tempo"]);
  });

  it("that is as it will be does not change", () => {
    const { name, type, url, jsonDataEncoded } = one("loki").wanted;
    const jsonData = { ...(jsonDataEncoded as object), httpHeaderName1: "X-Scope-OrgID" };
    const secureJsonFields = { tlsCACert: true, httpHeaderValue1: true };
    expect(words("loki", { ...kept, name, type, url, jsonData, secureJsonFields })).toBeUndefined();
  });

  it("loses what it has beside: options, headers, another user", () => {
    const said = words("prometheus", {
      ...kept,
      name: "Old",
      type: "prometheus",
      url: "https://old.example.net",
      access: "direct",
      basicAuth: true,
      basicAuthUser: "admin",
      jsonData: { timeInterval: "15s", httpHeaderName1: "X-Scope-OrgID" },
    });
    for (const line of [
      "jsonDataEncoded.timeInterval` removed, was `15s`",
      "jsonDataEncoded.httpMethod` set to `POST`",
      "basicAuthUsername `admin` → `123456`",
      "accessMode `direct` → `proxy`",
      "httpHeaders `X-Scope-OrgID` removed",
      "url `https://old.example.net` → ",
    ])
      expect(said).toContain(line);
    expect(said).not.toContain("basicAuthEnabled");
  });

  it("shows no login of an address, one with an at sign included", () => {
    const said = words("loki", {
      ...kept,
      name: "Old",
      type: "loki",
      url: "https://me:canary@pass@old.example.net",
      jsonData: { other: "see https://me:canary@pass@x.example.net" },
    });
    expect(said).toContain("url, which holds secrets, changed");
    expect(said).not.toContain("canary");
    expect(said).not.toContain(mark);
  });
});

describe("a folder that stands elsewhere", () => {
  const problem = (there: string | undefined, wanted: string | undefined) => parentProblem({ parentUid: there }, wanted, "dev");

  it("is none where it stands as the settings have it", () => {
    expect(problem(undefined, undefined)).toBeUndefined();
    expect(problem("", undefined)).toBeUndefined();
    expect(problem("team", "team")).toBeUndefined();
  });

  it.each([
    ["team", undefined, "stands in the folder team", "at the top", "config set folderParentUid team --stack dev"],
    ["team", "other", "stands in the folder team", "in the folder other", "config set folderParentUid team --stack dev"],
    [undefined, "other", "stands at the top", "in the folder other", "config rm folderParentUid --stack dev"],
    ["a\n;b", undefined, "stands in the folder a⏎;b", "at the top", "config set folderParentUid $'a\\x0a;b' --stack dev"],
  ])("is refused: %s, not %s", (there, wanted, stands, by, command) => {
    const said = problem(there, wanted);
    expect(said).toContain(stands);
    expect(said).toContain(`${by} by the setting folderParentUid`);
    expect(said).toContain(`  npx pulumi ${command}`);
  });
});

describe("whose a dashboard is", () => {
  const history = (...messages: unknown[]) => messages.map((message) => ({ message }));

  it.each([
    ["a version of this stack, in a list", 200, history("by hand", deploymentBy("project/dev")), undefined],
    ["one in an object", 200, { versions: history(deploymentBy("project/dev")) }, undefined],
    ["a history that is not shown", 403, { message: "Access denied" }, undefined],
    ["edits by hand alone", 200, history("", undefined), "was saved by this stack (project/dev)"],
    ["another stack", 200, { versions: history(deploymentBy("project/dev2")) }, "(project/dev), one was by project/dev2"],
    ["nothing", 404, { message: "Dashboard not found" }, "was saved by this stack (project/dev)"],
    ["what is no history", 200, { versions: "none" }, "was saved by this stack (project/dev)"],
  ])("by %s", (_what, status, body, doubt) => {
    const said = doubtOf({ status, body }, "project/dev");
    if (doubt === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(new RegExp(`${doubt.replace(/[()]/g, "\\$&")}$`));
  });
});
