/** The rules of a stack with budgets by Prometheus' own tool: it accepts all, and each alert fires at its threshold with its text, and not below. */
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ruleTexts } from "../../../src/cli/rule-files";
import { complete, settingsOf } from "../../unit/config";
import { inputSeries, promtoolIn } from "../promtool";
import { type RuleCase, ruleCases } from "./rule-cases";

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

const budgets = { alertBudget: "500", alertBudgets: '{"checkout":50}' };
const texts = ruleTexts(settingsOf({ ...complete, ...budgets, genaiReads: "rules", alerts: "on" }), "a test");
const rulesOf = (text = "") => (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const rules = rulesOf(texts.alerts);

const promtool = promtoolIn();

it.each(["alerts", "rules"] as const)("promtool accepts %s", async (name) => {
  const output = await promtool({ "rules.yaml": texts[name] ?? "" }, "check", "rules", "--lint=all", "--lint-fatal", "rules.yaml");
  expect(output).toContain(`SUCCESS: ${rulesOf(texts[name]).length} rules found`);
});

it("each rule has a case, and each case a rule", () => {
  expect(Object.keys(ruleCases).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

it.each(rules)("$alert", async (rule) => {
  const ruleCase = ruleCases[rule.alert];
  if (!ruleCase) expect.fail("No case: add one to test/truth/alerts/rule-cases.ts");
  // Without the other rules: promtool evaluates all rules of a file at each step.
  const files = { "rule.yaml": { groups: [{ name: "tested", rules: [rule] }] }, "test.yaml": testFile(rule, ruleCase) };
  expect(await promtool(files, "test", "rules", "test.yaml")).toContain("SUCCESS");
});

function testFile({ alert, labels, annotations }: Rule, ruleCase: RuleCase) {
  const { fires, doesNot, at, until, step = 1, every = step, labels: own, summary } = ruleCase;
  const description = annotations.description?.replace(/\{\{ or \$labels\.(\w+) .*? \}\}/g, (_, label: string) => own?.[label] ?? "(none)");
  const expected = { exp_labels: { ...labels, ...own }, exp_annotations: { ...annotations, summary, description } };
  const test = (name: string, series: RuleCase["fires"], alerts: object[], times = [at]) => ({
    name,
    interval: `${step}m`,
    input_series: inputSeries(series),
    alert_rule_test: times.map((time) => ({ eval_time: `${time}m`, alertname: alert, exp_alerts: alerts })),
  });
  return {
    rule_files: ["rule.yaml"],
    evaluation_interval: `${every}m`,
    tests: [test("fires", fires, [expected], until ? [at, until] : [at]), test("does not fire", doesNot, [])],
  };
}
