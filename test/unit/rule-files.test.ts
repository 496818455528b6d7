/** Recording rules as the text of a rule file: by the format of Prometheus, with the comments and the labels of the rules. */
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ruleTexts, withComments } from "../../src/cli/rule-files";
import { complete, settingsOf } from "./config";

it.each([{}, { gateways: "litellm" }, { gateways: "litellm", countedBy: "gateways" }])(
  "no group has more than 20 rules, the limit of a Mimir; costs are in the group of what they read, after it: %j",
  (gateways) => {
    const values = { ...complete, genaiReads: "rules", alerts: "on", alertBudgets: '{"shop":1}', ...gateways };
    const { rules = "" } = ruleTexts(settingsOf(values), "a test");
    const { groups } = parse(rules) as { groups: { name: string; query_offset: string; rules: { record: string }[] }[] };
    expect(groups.map(({ name }) => name)).toEqual([
      "llm-observability",
      "llm-observability-otel",
      "llm-observability-otel-times",
      "llm-observability-otel-alerts",
    ]);
    for (const group of groups) expect(group.rules.length, `${group.name}: split it in groupsOf`).toBeLessThanOrEqual(20);
    // The last group reads what the others record, at any second of the minute: two minutes late, it is written.
    expect(groups.map((group) => group.query_offset)).toEqual(["1m", "1m", "1m", "2m"]);
    const [, ofCosts] = groups.map((group) => group.rules.map(({ record }) => record));
    const places = ["requests_count", "tokens", "cached_tokens", "cost_sum"].map(
      (name) => ofCosts?.lastIndexOf(`application:gen_ai_${name}:increase1m`) ?? -1,
    );
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(ofCosts?.indexOf("application:gen_ai_cost:increase1m")).toBeGreaterThan(Math.max(...places));
  },
);

it("a rule has its labels in the file, its comment above it, and a name that another rule can have, too", () => {
  const rule = { name: "application:a:increase1m", query: "sum by (b) (\n  c\n)", reads: "c", always: true };
  const sources = { ...rule, comment: "Sent by SDKs of 2025.\nNot by others.", labels: { source: "duration" } };
  const text = withComments([["llm-observability-otel", [rule, { ...sources, onlyExternal: true }]]]);
  expect(text).toBe(`groups:
  - name: llm-observability-otel
    interval: 1m
    query_offset: 1m
    rules:
      - record: application:a:increase1m
        expr: |
          sum by (b) (
            c
          )
      # Sent by SDKs of 2025.
      # Not by others.
      - record: application:a:increase1m
        labels: { source: duration }
        expr: |
          sum by (b) (
            c
          )
`);
});
