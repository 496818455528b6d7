/** `npm run adopt`: the options of imported resources, and the alert rules that a killed deployment left. */
import { describe, expect, it } from "vitest";
import type { AlertRule } from "../../src/alerts/rule";
import { type ListedRule, leftoversOf } from "../../src/cli/adopt/leftovers";
import { adoptionOptions } from "../../src/platform/adoption";

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
    expect(of(rule("A", "project/dev"), rule("B", "project/dev"))).toEqual([rule("A", "project/dev")]);
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
