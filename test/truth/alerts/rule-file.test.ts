/** The rules of a stack with budgets by Prometheus' own tool: it accepts all, and each alert fires at its threshold with its text, and not below. */
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ruleTexts } from "../../../src/cli/rule-files";
import { complete, settingsOf } from "../../unit/config";
import { expectSamples, inputSeries, promtoolIn } from "../promtool";
import { type RuleCase, ruleCases } from "./rule-cases";

type Rule = { alert: string; record?: string } & Record<"labels" | "annotations", Record<string, string>>;

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
  const cases = [ruleCases[rule.alert] ?? expect.fail("No case: add one to test/truth/alerts/rule-cases.ts")].flat();
  for (const ruleCase of cases) {
    // Without the other rules: promtool evaluates all rules of a file at each step.
    const files = { "rule.yaml": { groups: [{ name: "tested", rules: [rule] }] }, "test.yaml": testFile(rule, ruleCase) };
    expect(await promtool(files, "test", "rules", "test.yaml")).toContain("SUCCESS");
  }
});

it("what alerts watch is recorded: by application and model, by provider, of the source with the slowest requests; the service's cost of environments without another one", async () => {
  const shop = '{application="shop",environment="production",provider="openai",model="gpt-4.1",gen_ai_operation_name="chat"}';
  const bucket = (source: string, le: string) =>
    `application:gen_ai_requests_bucket:increase1m{application="shop",environment="production",model="gpt-4.1",source="${source}",le="${le}"}`;
  const failure = 'application="shop",environment="production",provider="(none)",model="(none)"';
  const usage = (application: string, environment = "") =>
    `llmobs_llm_usageCost{job="llmobs",applicationName="${application}",environment="${environment}"}`;
  const cost = (application: string, environment: string) =>
    `application:gen_ai_cost:increase1m{application="${application}",environment="${environment}",model="gpt-4.1"}`;
  const series = {
    [`application:gen_ai_requests_count:increase1m${shop}`]: "3x20",
    [`application:gen_ai_requests_count:increase1m${shop.replace("}", ',error_type="timeout"}')}`]: "1x20",
    [`application:gen_ai_requests_count:increase1m${shop.replace("shop", "mall")}`]: "4x20",
    // Failures of any model.
    [`application:gen_ai_requests_count:increase1m{${failure},error_type="limit"}`]: "1x20",
    ...{ [bucket("a", "1")]: "8x20", [bucket("a", "2")]: "10x20", [bucket("a", "+Inf")]: "10x20" },
    ...{ [bucket("b", "10")]: "10x20", [bucket("b", "+Inf")]: "10x20" },
    // Measured costs, which are sent with a request.
    [cost("shop", "production")]: "2x15 _x5",
    ...{ [usage("shop", "production")]: "5x20", [usage("shop", "staging")]: "11x20", [usage("shop")]: "13x20", [usage("mall")]: "7x20" },
    ...{ [cost("bot", "(none)")]: "3x20", [usage("bot", "production")]: "5x20" },
  };
  const of = (application: string) => `{application="${application}",environment="production",model="gpt-4.1",provider="openai"}`;
  const provider = '{environment="production",provider="openai"}';
  const watched = (what: string, ...[ofShop, ofMall, ofAll]: [number, number, number]) => ({
    ...{ [`alerts:gen_ai_${what}${of("shop")}`]: ofShop, [`alerts:gen_ai_${what}${of("mall")}`]: ofMall },
    [`alerts:gen_ai_${what}${provider}`]: ofAll,
  });
  const spent = (application: string) => `alerts:gen_ai_cost:increase1m{application="${application}"}`;
  const expected = {
    ...watched("requests:increase1m", 4, 4, 8),
    ...watched("failures:increase1m", 1, 0, 1),
    ...watched("failures:share10m", 0.25, 0, 0.125),
    ...{ [`alerts:gen_ai_requests:increase1m{${failure}}`]: 5, [`alerts:gen_ai_failures:increase1m{${failure}}`]: 1 },
    [`alerts:gen_ai_failures:share10m{${failure}}`]: 0.2,
    'alerts:gen_ai_latency:p85_15m{application="shop",environment="production",model="gpt-4.1"}': 8.5,
    ...{ [spent("shop")]: 2 + 11, [spent("mall")]: 7, [spent("bot")]: 3 },
  };
  const watching = rulesOf(texts.rules).filter(({ record }) => record?.startsWith("alerts:"));
  const minutes = { 15: expected, 18: { ...expected, [spent("shop")]: 11 } };
  await expectSamples(promtool, watching, series, { '{__name__=~"alerts:.*"}': minutes });
});

function testFile({ alert, labels, annotations }: Rule, ruleCase: RuleCase) {
  const { fires, doesNot, at, until, step = 1, every = step, labels: own, says, link = "" } = ruleCase;
  const steps = annotations.description
    ?.replace(/^.*? 1\. /, "1. ")
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => own?.[label] ?? "");
  const address = annotations.dashboard_url?.replace(/\{\{.*/, "");
  const texts = { description: `${says} ${steps}`, dashboard_url: `${address}${link || linkOf(annotations.dashboard_url, own)}` };
  const expected = { exp_labels: { ...labels, ...own }, exp_annotations: { ...annotations, ...texts } };
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

/** The variables of an address whose labels an alert has. */
const linkOf = (address = "", labels: RuleCase["labels"] = {}) =>
  [...address.matchAll(/with \$labels\.(\w+) \}\}\{\{ if ne \. "\(none\)" \}\}(&var-\w+=)/g)]
    .map(([, label = "", variable]) => (labels[label] ? variable + labels[label] : ""))
    .join("");
