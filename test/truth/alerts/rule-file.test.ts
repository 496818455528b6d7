/** The rules of a stack with budgets by Prometheus' own tool: it accepts all, and each alert fires at its threshold with its text, and not below. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { ruleTexts } from "../../../src/cli/rule-files";
import { run } from "../../support/run";
import { locate } from "../../support/toolchain/locate";
import { prometheusTool } from "../../support/toolchain/servers";
import { complete, settingsOf } from "../../unit/config";
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

let folder: string;
let promtool: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "llm-observability-rules-"));
  promtool = join(dirname(await locate(prometheusTool())), "promtool");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(["alerts", "rules"] as const)("promtool accepts %s", async (name) => {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, texts[name] ?? "");
  const output = await run(promtool, ["check", "rules", "--lint=all", "--lint-fatal", file]);
  expect(output).toContain(`SUCCESS: ${rulesOf(texts[name]).length} rules found`);
});

it("each rule has a case, and each case a rule", () => {
  expect(Object.keys(ruleCases).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

it.each(rules)("$alert", async (rule) => {
  const ruleCase = ruleCases[rule.alert];
  if (!ruleCase) expect.fail("No case: add one to test/truth/alerts/rule-cases.ts");
  // Without the other rules: promtool evaluates all rules of a file at each step.
  writeFileSync(join(folder, "rule.yaml"), stringify({ groups: [{ name: "tested", rules: [rule] }] }));
  writeFileSync(join(folder, "test.yaml"), stringify(testFile(rule, ruleCase)));
  expect(await run(promtool, ["test", "rules", join(folder, "test.yaml")])).toContain("SUCCESS");
});

function testFile({ alert, labels, annotations }: Rule, ruleCase: RuleCase) {
  const { fires, doesNot, at, until, step = 1, every = step, labels: own, summary } = ruleCase;
  const description = annotations.description?.replace(/\{\{ or \$labels\.(\w+) .*? \}\}/g, (_, label: string) => own?.[label] ?? "(none)");
  const expected = { exp_labels: { ...labels, ...own }, exp_annotations: { ...annotations, summary, description } };
  const test = (name: string, series: RuleCase["fires"], alerts: object[], times = [at]) => ({
    name,
    interval: `${step}m`,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: times.map((time) => ({ eval_time: `${time}m`, alertname: alert, exp_alerts: alerts })),
  });
  return {
    rule_files: ["rule.yaml"],
    evaluation_interval: `${every}m`,
    tests: [test("fires", fires, [expected], until ? [at, until] : [at]), test("does not fire", doesNot, [])],
  };
}
