/** The stand-in for the Grafana plugin beyond the recordings: rule groups, and properties of any of their inputs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withDefaults } from "../../sandbox/plugins/check";
import { diff, planned } from "../../sandbox/plugins/diff";
import { goDuration, seconds } from "../../sandbox/plugins/grafana/duration";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { importedInputs, refreshedInputs } from "../../sandbox/plugins/inputs";
import type { Values } from "../../sandbox/plugins/values";
import { occurred, types } from "./replay";
import { both, names9, ruleProgram } from "./rule-program";
import { against } from "./scripted";

describe("a rule group", () => {
  const group = (more: Values = {}): Values => {
    const [, , declared] = ruleProgram(names9, both);
    return { ...declared?.inputs, ...more };
  };
  const [first, second] = group().rules as [Values, Values];
  const list = "GET /api/v1/provisioning/alert-rules";

  it.each<[string, Values, string]>([
    ["without rules", { rules: [] }, "rules: Attribute rules requires 1 item minimum, but config has only 0 declared."],
    ["a rule with an unknown property", { rules: [{ ...first, fro: 1 }] }, 'rules[0].fro: Invalid or unknown key "fro"'],
    ["a rule without queries", { rules: [first, { ...second, datas: undefined }] }, "rules[1].datas: Missing required property"],
    [
      "a query without a time range",
      { rules: [{ ...first, datas: [{ refId: "A", datasourceUid: "d", model: "{}", relativeTimeRange: { to: 0 } }] }] },
      "rules[0].datas[0].relativeTimeRange.from: Missing",
    ],
    [
      "a query with an invalid model",
      { rules: [{ ...first, datas: [{ refId: "A", datasourceUid: "d", model: "{", relativeTimeRange: { from: 1, to: 0 } }] }] },
      "rules[0].datas[0].model: contains an invalid JSON",
    ],
    ["an invalid duration", { rules: [{ ...first, for: "5 min" }] }, 'rules[0].for: "5 min" is not a valid duration'],
    ["an invalid folder uid", { folderUid: "a/b" }, "folderUid: folder UIDs can only be"],
  ])("%s: refused", async (_name, more, failure) => {
    const { plugin } = await against({});
    expect((await plugin.check(types.ruleGroup, "r", group(more))).failures).toEqual([expect.stringContaining(failure)]);
  });

  it.each<[string, Values, string]>([
    ["a rule without a condition", { rules: [{ ...first, condition: "" }] }, '"condition" is required'],
    [
      "a recording rule with a pending period",
      { rules: [{ ...first, record: { metric: "m", from: "A" } }] },
      'conflicting fields "record" and "for"',
    ],
    [
      "a recording rule with a condition",
      { rules: [{ name: "n", condition: "C", datas: first.datas, record: { metric: "m", from: "A" } }] },
      'conflicting fields "record" and "condition"',
    ],
    [
      "two rules with one uid",
      {
        rules: [
          { ...first, uid: "u" },
          { ...second, uid: "u" },
        ],
      },
      'rule with UID "u" is defined more than once. Rules with name "Error rate" and "Latency p95" have the same uid',
    ],
  ])("%s: fails before the group is sent", async (_name, more, message) => {
    const { plugin, server } = await against({ [list]: [[200, "[]"]] });
    await expect(plugin.create(types.ruleGroup, "r", group(more))).rejects.toThrow(occurred(message));
    expect(server.requests).toHaveLength(1);
  });

  it("that exists already is not overwritten", async () => {
    const { plugin, server } = await against({ [list]: [[200, '[{"ruleGroup":"LLM","folderUID":"llm-observability"}]']] });
    await expect(plugin.create(types.ruleGroup, "r", group())).rejects.toThrow(occurred('rule group with name "LLM" already exists'));
    expect(server.requests).toHaveLength(1);
  });

  it("is deleted rule by rule, until one is missing", async () => {
    const path = "/api/v1/provisioning/folder/f/rule-groups/a:b'";
    const { plugin, server } = await against({ [`GET ${path.replace("'", "%27")}`]: [[200, '{"rules":[{"uid":"1"},{"uid":"2"}]}']] });
    await plugin.delete(types.ruleGroup, "0:f:a:b'", { id: "0:f:a:b'" });
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
    const route = "[GET /v1/provisioning/folder/{FolderUID}/rule-groups/{Group}][404] getAlertRuleGroupNotFound";
    await expect(plugin.delete(types.ruleGroup, "0:f:g", { id: "0:f:g" })).rejects.toThrow(occurred(route));
  });
});

describe("for any rule group", () => {
  const resource = grafana.resources[types.ruleGroup];
  if (!resource) throw new Error("no rule groups");
  const duration = fc.constantFrom("", "0", "5m", "300s", "1h", "1d");
  const model = fc.constantFrom(
    '{"a":1,"intervalMs":1000}',
    '{"a":1}',
    '{ "a": 1 }',
    '{"a":2,"maxDataPoints":9}',
    '{"maxDataPoints":43200,"a":2}',
  );
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const rule = fc.record({
    name: fc.constantFrom("x", "y"),
    uid: optional(fc.constantFrom("u", "v")),
    for: optional(duration),
    keepFiringFor: optional(duration),
    noDataState: optional(fc.constantFrom("", "OK", "NoData")),
    labels: optional(fc.dictionary(fc.constantFrom("a", "b-c"), fc.constantFrom("1", "2"))),
    notificationSettings: optional(fc.record({ contactPoint: fc.constantFrom("p", "q"), groupWait: optional(fc.constant("1m")) })),
    datas: fc.array(
      fc.record({ refId: fc.constant("A"), datasourceUid: fc.constant("d"), model, relativeTimeRange: fc.constant({ from: 1, to: 0 }) }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  });
  const plain = (values: Values): Values => JSON.parse(JSON.stringify(values));
  const checked = fc
    .record({
      name: fc.constant("g"),
      folderUid: fc.constant("f"),
      intervalSeconds: fc.constantFrom(60, 120),
      rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
    })
    .map((values) => withDefaults(resource, {}, plain(values), "g"));

  it("an update leaves no diff", () => {
    fc.assert(
      fc.property(checked, checked, (before, wanted) => {
        const state = planned(resource.properties, before, wanted);
        expect(diff(resource, state, wanted, []).changed).toEqual([]);
      }),
    );
  });

  it("a refresh of unchanged values leaves no diff", () => {
    fc.assert(
      fc.property(checked, checked, (before, wanted) => {
        const state = planned(resource.properties, before, wanted);
        const inputs = refreshedInputs(resource, wanted, state);
        expect(diff(resource, state, inputs, []).changed).toEqual([]);
        expect(refreshedInputs(resource, inputs, state)).toEqual(inputs);
      }),
    );
  });

  it("an import leaves no diff, if the program has the imported inputs", () => {
    fc.assert(
      fc.property(checked, (wanted) => {
        const state = planned(resource.properties, {}, wanted);
        expect(diff(resource, state, withDefaults(resource, {}, importedInputs(resource, state), "g"), []).changed).toEqual([]);
      }),
    );
  });

  it("the detailed diff has a path for each changed property", () => {
    fc.assert(
      fc.property(checked, checked, (before, wanted) => {
        const { changed, details } = diff(resource, before, wanted, []);
        expect([...new Set(Object.keys(details ?? {}).map((path) => path.replace(/[.[].*/, "")))].sort()).toEqual(changed);
      }),
    );
  });

  it("a formatted duration has its value", () => {
    fc.assert(fc.property(fc.nat(10_000_000), (total) => seconds(goDuration(total)) === total));
    expect([0, 0.25, 1.5, 60, 300, 3600, 5400, 90_061].map(goDuration)).toEqual([
      "0s",
      "250ms",
      "1.5s",
      "1m0s",
      "5m0s",
      "1h0m0s",
      "1h30m0s",
      "25h1m1s",
    ]);
  });
});
