/** The alert rules: when each fires, as a table that people wrote, queries that Prometheus' grammar accepts, texts, and runbooks that exist. */
import { describe, expect, it } from "vitest";
import { defineAlerts } from "../../../src/alerts/definitions";
import { templateOf } from "../../../src/alerts/template";
import { condition } from "../../../src/cli/rule-files";
import { anchorOf, readDocument } from "../../support/documents";
import { exampleA, exampleB, exampleC, panelsOf } from "../../support/models";
import { complete, settingsOf } from "../config";
import { PromQL } from "../dashboards/queries";

const on = { ...complete, alerts: "on", recordingRules: "external", alertBudget: "100", alertBudgets: '{"shop":10}' };
const rulesOf = (changed: Record<string, string> = {}) => defineAlerts(settingsOf({ ...on, ...changed })).all.flatMap(({ rules }) => rules);

const all = rulesOf();

/** The titles of panels and rows. */
const titles = [exampleA, exampleB, exampleC].flatMap(panelsOf).map(({ title }) => title);
const table = JSON.stringify(panelsOf(exampleC).find(({ title }) => title === "By $by"));

// Which panel each one links to is in dashboards/panels.test.ts.
it("fire above the defaults of the settings, after a time: title | severity | above | unit | for, keep, every", () => {
  const lines = all.map(({ title, severity, criticalFrom, above, unit, forMinutes, keepMinutes, everyMinutes }) =>
    [title, criticalFrom ? `critical from ${criticalFrom}` : severity, above, unit, [forMinutes, keepMinutes, everyMinutes]].join(" | "),
  );
  expect(lines).toEqual([
    "GenAIErrors | critical | 0.15 | share | 0,10,1",
    "GenAIErrorsLasting | warning | 0.66 | share | 0,360,5",
    "GenAISlow | warning | 30 | seconds | 5,10,5",
    "GenAISlowFirstToken | warning | 9.9 | seconds | 5,10,5",
    "GenAIBudget | critical from 1 | 0.8 | share | 0,0,5",
    "GenAIUnusualCost | warning | 1 | USD | 5,0,5",
    "GenAIModelWithoutPrice | warning | 10000 | count | 0,0,10",
    "GenAITelemetryStopped | warning | 9 | count | 5,0,5",
    "GenAIAllTelemetryStopped | critical | 9 | count | 5,0,5",
    "GenAIRecordingIncomplete | critical from 11 | 6 | count | 6,0,1",
    "LlmobsSlow | warning | 30 | seconds | 5,0,1",
    "LlmobsTokensWithoutCost | warning | 10000 | count | 0,0,10",
    "LlmobsTelemetryStopped | warning | 0 | count | 10,0,1",
    "LlmobsConnectionLost | warning | 9 | count | 10,0,5",
  ]);
});

it("have the limits of the settings; budgets that are not set have no rule", () => {
  const limited = new Map(rulesOf({ alertErrorRate: "2", alertLatency: "27", alertBudget: "501" }).map((rule) => [rule.id, rule]));
  expect(limited.get("errors")).toMatchObject({
    above: 0.3,
    query: expect.stringMatching(/ 0\.12 \* .* 0\.35 \* .* 0\.16\) .* 0\.05 \* /s),
  });
  expect(limited.get("errors-lasting")).toMatchObject({
    query: expect.stringContaining("> 0.04)"),
    what: expect.stringContaining("more than 4 %"),
  });
  expect([limited.get("slow-first-token")?.above, limited.get("slow")?.above]).toEqual([9, 27]);
  expect(limited.get("budget")?.query).toMatch(/\/ on \(application\) \(application:gen_ai_budget:usd_per_day or vector\(501\)\)$/);
  const { alertBudget: _, alertBudgets: __, ...without } = on;
  const ids = (changed: Record<string, string>) =>
    defineAlerts(settingsOf({ ...without, ...changed })).all.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(ids({})).toContain("unusual-cost");
  expect(ids({})).not.toContain("budget");
  // Without the telemetry of SDKs, the costs are those of the service.
  expect(ids({ telemetry: "spec", alertBudget: "1" })).toEqual([
    "slow",
    "budget",
    "unusual-cost",
    "tokens-without-cost",
    "telemetry-stopped",
  ]);
});

describe.each([
  // The longest legal name of a service.
  { title: "both kinds of telemetry", changed: { service: "a".repeat(25) } },
  { title: "a service alone", changed: { service: "a".repeat(25), telemetry: "spec" } },
])("rules of $title", ({ changed }) => {
  it.each(rulesOf(changed).map((rule) => [rule.id, rule] as const))("%s", (_, rule) => {
    const query = new PromQL(rule.query);
    expect(query.errors).toEqual([]);
    // Variables and macros belong to dashboards: an alert knows no selection and no time range.
    expect(rule.query).not.toMatch(/\$(?!1")|\[\[/);
    const text = `${rule.what} ${rule.steps.join(" ")}`;
    const labels = [...text.matchAll(/\{(?!value\})(\w+)/g)].map(([, label = ""]) => label);
    // Recorded series for alerts have their labels already.
    if (!rule.query.includes("alerts:")) expect(query.groupings()).toEqual(expect.arrayContaining(labels));
    expect(Object.keys(rule.variables).length).toBe(new Set(Object.values(rule.variables)).size);
    for (const sentence of [rule.summary, rule.what, ...rule.steps]) expect(sentence).toMatch(/^[A-Za-z\d{].*[.?]$/);
    const named = text.matchAll(/\b(?:in|row|see) ([A-Z][a-z]+ (?:(?:and|by) )?[A-Z][a-z]+)\b/g);
    for (const [, title] of named) expect(titles).toContain(title);
    const [, columns] = /(?:Compare|See) ([\w ]+) in the first table/.exec(text) ?? [];
    for (const column of columns?.split(" and ") ?? []) expect(table).toContain(`{"id":"displayName","value":"${column}"}`);
    // Grafana shows it as the headline of the rule, as it is.
    expect(rule.summary).not.toContain("{");
    // In Grafana, and in the file: what a person reads at night.
    expect(Math.max(rule.query.length, condition(rule).length)).toBeLessThanOrEqual(600);
    // Grafana's limit; a slash fails on some of its addresses.
    expect(Buffer.byteLength(rule.title)).toBeLessThanOrEqual(190);
    expect(rule.title).not.toContain("/");
  });
});

// Grafana also expands texts without a value, and both servers with NaN: each function is behind a condition. Real servers expand them in test/truth/alerts.
it.each([
  ["share", "humanizePercentage", "an unknown share"],
  ["seconds", "humanizeDuration", "an unknown time"],
  ["USD", 'printf "%.2f USD"', "an unknown amount"],
  ["count", "humanize", "an unknown number of"],
] as const)("a value in %s, and a label, as templates of both servers", (unit, format, unknown) => {
  const text = "{value} of {model}.";
  const label = '{{ or $labels.model "(none)" }}';
  expect(templateOf(text, unit, "grafana")).toBe(
    `{{ if and $values.A (lt $values.A.Value 1e300) }}{{ $values.A.Value | ${format} }}{{ else }}${unknown}{{ end }} of ${label}.`,
  );
  expect(templateOf(text, unit, "prometheus")).toBe(`{{ $value | ${format} }} of ${label}.`);
});

it("has a section of the README for each rule, and no other", () => {
  const readme = readDocument("src/alerts/README.md");
  const [, runbooks = ""] = readme.split(/^## Runbooks$/m).map((part) => part.split(/^## /m)[0]);
  const headings = [...runbooks.matchAll(/^### (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  const links = [...all, ...rulesOf({ telemetry: "spec" })].map(({ runbook }) => runbook.toLowerCase());
  expect(headings.sort()).toEqual([...new Set(links)].sort());
  // A second heading with the same text gets another anchor.
  const everywhere = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  expect(new Set(everywhere).size).toBe(everywhere.length);
});
