/** What `npm run adopt` compares: what Grafana has with what this program declares. */
// For what the program requires where it is needed, see src/dashboards/models.ts.
import "../../src/load.cjs";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import { platformArgs } from "../../src/arguments";
import { type Candidate, candidates, changeOf } from "../../src/cli/adopt/candidates";
import { adoptionOptions } from "../../src/platform/adoption";
import { createDatasources, type ManagedDatasources } from "../../src/platform/datasources";
import { previewOf } from "../../src/report/parse-preview";
import { renderReport } from "../../src/report/render";
import { parseSettings, type Settings } from "../../src/settings";
import type { AdoptablePart } from "../../src/settings/keys";
import { managed, mark, stackConfig } from "./untrusted-input/values";

let settings: Settings;
let all: Candidate[];

beforeAll(() => {
  const result = parseSettings(stackConfig({ values: managed, misplaced: [] }), "dev");
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  settings = result.settings;
  all = candidates(settings, "project/dev");
});

const one = (part: AdoptablePart) => all.find((candidate) => candidate.part === part) as Candidate;

/** What is said of a change from what Grafana answers. */
function words(part: AdoptablePart, body: object): string | undefined {
  const change = changeOf(one(part), body);
  return change && renderReport([previewOf("dev", [change])]).full;
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
    // The plugin moves a folder: it does not replace it.
    expect(words("folder", { title: settings.folderTitle, parentUid: "team" })).toContain("parentFolderUid removed, was `team`");
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
    const resources = createDatasources(
      platformArgs(settings, { version: undefined, basicAuth: false }).datasources as ManagedDatasources,
      {},
      () => ({}),
    );
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
    expect(said).toContain("url (contains secrets) changed");
    expect(said).not.toContain("canary");
    expect(said).not.toContain(mark);
  });
});

describe("the stack that manages", () => {
  it("a dashboard stands in its description", () => {
    for (const part of ["genai-observability", "llm-monitoring"] as const) {
      expect(one(part).manager(asKept(part))).toBe("project/dev");
      expect(one(part).manager({ dashboard: { title: "Pasted" } })).toBeUndefined();
    }
  });

  it("a folder or a datasource is not known", () => {
    for (const part of ["folder", "loki"] as const) expect(one(part).manager({ title: "x", name: "x" })).toBeUndefined();
  });
});

describe("options of what is imported", () => {
  it("import it unchanged, and keep it on destroy from the import on", () => {
    const imports = adoptionOptions("loki", "uid", { imports: ["loki"], retainOnDelete: [] });
    expect(imports).toEqual({ import: "uid", ignoreChanges: ["*"], retainOnDelete: true });
    expect(adoptionOptions("loki", "uid", { imports: [], retainOnDelete: ["loki"] })).toEqual({ retainOnDelete: true });
    expect(adoptionOptions("loki", "uid", { imports: ["tempo"], retainOnDelete: ["prometheus"] })).toEqual({});
  });

  it.each(["genai-observability", "llm-monitoring"] as const)("keep the folder that holds %s", (part) => {
    expect(adoptionOptions("folder", "uid", { imports: [], retainOnDelete: [part] })).toEqual({ retainOnDelete: true });
    expect(adoptionOptions("folder", "uid", { imports: [part], retainOnDelete: [] })).toEqual({ retainOnDelete: true });
    expect(adoptionOptions("folder", "uid", { imports: [], retainOnDelete: ["loki"] })).toEqual({});
  });
});
