/** The changes that `npm run adopt` reports: existing Grafana resources compared with the resources that this program declares. */
// The program requires the builders of dashboards on first use: see src/dashboards/definitions.ts.
import "../../src/load.cjs";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import type { AlertRule } from "../../src/alerts/rule";
import { type Candidate, candidates, changeOf, managerIn } from "../../src/cli/adopt/candidates";
import { type ListedRule, leftoversOf } from "../../src/cli/adopt/leftovers";
import { adoptionOptions } from "../../src/platform/adoption";
import { datasourceResourceArgs } from "../../src/platform/datasources";
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

/** The report of the changes to a resource, from Grafana's response. */
function reportOf(part: AdoptablePart, body: object): string | undefined {
  const change = changeOf(one(part), body);
  return change && renderReport([previewOf("dev", [change])]).full;
}

/** A model as Grafana returns it: with assigned numbers, and with keys in another order. */
function storedModel(part: AdoptablePart): { dashboard: object; meta: { folderUid: string } } {
  const { configJson, folder } = one(part).declared;
  const turned = Object.fromEntries(Object.entries(configJson as object).reverse());
  return { dashboard: { ...turned, id: 7, version: 3 }, meta: { folderUid: String(folder) } };
}

describe("an unchanged resource", () => {
  it.each(["genai-observability", "genai-observability-otel", "llm-monitoring"] as const)("is not reported: %s", (part) => {
    expect(reportOf(part, storedModel(part))).toBeUndefined();
    expect(reportOf(part, { ...storedModel(part), meta: {} })).toContain("folder");
  });

  it("is not reported: folder", () => {
    expect(reportOf("folder", { title: settings.folder.title })).toBeUndefined();
    expect(reportOf("folder", { title: "Other" })).toContain("title `Other` → `LLM Observability`");
    // The plugin moves a folder: it does not replace it.
    expect(reportOf("folder", { title: settings.folder.title, parentUid: "team" })).toContain("parentFolderUid removed, was `team`");
  });
});

describe("a datasource", () => {
  const stored = { id: 1, access: "proxy", user: "", database: "", basicAuth: false, basicAuthUser: "", version: 1 };

  it.each(["prometheus", "loki", "tempo"] as const)("has the properties of the resource: %s", async (type) => {
    const resolved = pulumi.output(datasourceResourceArgs(type, settings.datasources));
    const inputs = await new Promise<Record<string, unknown>>((resolve) => resolved.apply((args) => resolve({ ...args })));
    const { secureJsonDataEncoded = "{}", httpHeaders = {}, jsonDataEncoded, uid: _, ...plain } = inputs;
    const headers = Object.keys(httpHeaders as object);
    const { declared, secrets } = one(type);
    expect(declared).toEqual({
      accessMode: "proxy",
      basicAuthEnabled: false,
      ...plain,
      httpHeaders: headers,
      jsonDataEncoded: JSON.parse(String(jsonDataEncoded)),
    });
    const fields = Object.keys(JSON.parse(String(secureJsonDataEncoded)));
    expect(secrets).toEqual([...fields, ...headers.map((name) => `header ${name}`)]);
  });

  it("without a difference is not reported", () => {
    const { name, type, url, jsonDataEncoded } = one("loki").declared;
    const jsonData = { ...(jsonDataEncoded as object), httpHeaderName1: "X-Scope-OrgID" };
    const secureJsonFields = { tlsCACert: true, httpHeaderValue1: true };
    expect(reportOf("loki", { ...stored, name, type, url, jsonData, secureJsonFields })).toBeUndefined();
  });

  it("loses other options, headers and credentials", () => {
    const report = reportOf("prometheus", {
      ...stored,
      name: "Old",
      type: "prometheus",
      url: "https://old.example.net",
      access: "direct",
      basicAuth: true,
      basicAuthUser: "admin",
      jsonData: { timeInterval: "15s", httpHeaderName1: "X-Team" },
    });
    for (const line of [
      "jsonDataEncoded.timeInterval` removed, was `15s`",
      "jsonDataEncoded.httpMethod` set to `POST`",
      "basicAuthUsername `admin` → `123456`",
      "accessMode `direct` → `proxy`",
      "httpHeaders `X-Team` removed",
      "url `https://old.example.net` → ",
    ])
      expect(report).toContain(line);
    expect(report).not.toContain("basicAuthEnabled");
  });

  it("is reported without the login in an address, even if it contains an at sign", () => {
    const report = reportOf("loki", {
      ...stored,
      name: "Old",
      type: "loki",
      url: "https://me:canary@pass@old.example.net",
      jsonData: { other: "see https://me:canary@pass@x.example.net" },
    });
    expect(report).toContain("url (contains secrets) changed");
    expect(report).not.toContain("canary");
    expect(report).not.toContain(mark);
  });
});

describe("the managing stack", () => {
  it("of a dashboard is named in its description", () => {
    for (const part of ["genai-observability", "genai-observability-otel", "llm-monitoring"] as const) {
      expect(managerIn(storedModel(part))).toBe("project/dev");
      expect(managerIn({ dashboard: { title: "Pasted" } })).toBeUndefined();
    }
  });

  it("of a folder or a datasource is unknown", () => {
    expect(managerIn({ title: "x", name: "x" })).toBeUndefined();
  });
});

describe("the options of imported resources", () => {
  it("import them unchanged, and keep them on destroy from the import on", () => {
    const imports = adoptionOptions("loki", "uid", { imports: ["loki"], retainOnDelete: [] });
    expect(imports).toEqual({ import: "uid", ignoreChanges: ["*"], retainOnDelete: true });
    expect(adoptionOptions("loki", "uid", { imports: [], retainOnDelete: ["loki"] })).toEqual({ retainOnDelete: true });
    expect(adoptionOptions("loki", "uid", { imports: ["tempo"], retainOnDelete: ["prometheus"] })).toEqual({});
  });

  it.each(["genai-observability", "genai-observability-otel", "llm-monitoring"] as const)("keep the folder that holds %s", (part) => {
    expect(adoptionOptions("folder", "uid", { imports: [], retainOnDelete: [part] })).toEqual({ retainOnDelete: true });
    expect(adoptionOptions("folder", "uid", { imports: [part], retainOnDelete: [] })).toEqual({ retainOnDelete: true });
    expect(adoptionOptions("folder", "uid", { imports: [], retainOnDelete: ["loki"] })).toEqual({});
  });
});

describe("alert rules that a killed deployment left", () => {
  const planned = {
    folder: { created: true, uid: "f" },
    alerts: [{ rules: ["A", "B", "C", "D"].map((title) => ({ title }) as AlertRule) }],
  };
  const rule = (ruleGroup: string, stack?: string, folderUID = "f", dashboard = "own") => ({
    uid: `${ruleGroup}-${stack}`,
    folderUID,
    ruleGroup,
    ...(stack && { labels: { stack } }),
    annotations: { __dashboardUid__: dashboard },
  });
  const state = [{ type: "grafana:alerting/ruleGroup:RuleGroup", outputs: { name: "B" } }];
  const of = (...rules: ListedRule[]) => leftoversOf(planned, rules, state, ["project/dev", undefined], ["own"]);

  it("are those of this stack that are not in its state", () => {
    expect(of(rule("A", "project/dev"), rule("B", "project/dev"))).toEqual([{ title: "A", uids: ["A-project/dev"] }]);
    expect(leftoversOf(planned, [rule("C", "project/old")], state, ["project/dev", "project/old"], ["own"])).toHaveLength(1);
  });

  it("are never rules of others: by hand, of another stack, in another folder, group or dashboard, or together with them", () => {
    const foreign = [rule("A"), rule("C", "project/prod"), rule("D", "project/dev", "other"), rule("E", "project/dev")];
    expect(of(...foreign)).toEqual([]);
    // A stack of the same name in another backend has a dashboard with its own mark.
    expect(of(rule("A", "project/dev", "f", "theirs"))).toEqual([]);
    expect(of(rule("A", "project/dev"), rule("A"))).toEqual([]);
  });
});
