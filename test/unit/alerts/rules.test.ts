/** The alert rules: when each fires, as a table that people wrote, queries that Prometheus' grammar accepts, texts, and runbooks that exist. */
import { describe, expect, it } from "vitest";
import { defineAlerts } from "../../../src/alerts/definitions";
import { templateOf } from "../../../src/alerts/template";
import { condition } from "../../../src/cli/rule-files";
import { anchorOf, readDocument } from "../../support/documents";
import { complete, settingsOf } from "../config";
import { PromQL } from "../dashboards/promql";

const on = { ...complete, alerts: "on", recordingRules: "external", alertBudget: "100", alertBudgets: '{"shop":10}' };
const rulesOf = (changed: Record<string, string> = {}) => defineAlerts(settingsOf({ ...on, ...changed })).all.flatMap(({ rules }) => rules);

const all = rulesOf();

// Which panel each one links to is in dashboards/panels.test.ts.
it("fire above the defaults of the settings, after a time: id | title | severity | above | unit | after, each", () => {
  const lines = all.map(({ id, title, severity, above, unit, forMinutes, everyMinutes }) =>
    [id, title, severity, above, unit, `${forMinutes}m, ${everyMinutes}m`].join(" | "),
  );
  expect(lines).toEqual([
    "otel-error-rate-warning | GenAI: Error rate, warning | warning | 0.05 | share | 10m, 1m",
    "otel-error-rate-critical | GenAI: Error rate, critical | critical | 0.1 | share | 2m, 1m",
    "otel-latency | GenAI: Latency | warning | 30 | seconds | 5m, 1m",
    "otel-first-token | GenAI: Time to first token | warning | 10 | seconds | 5m, 1m",
    "otel-telemetry-stopped | GenAI: Telemetry stopped | warning | 19 | count | 5m, 1m",
    "otel-recording-stopped | GenAI: Recording stopped | critical | 0 | count | 10m, 1m",
    "otel-cost-per-hour | GenAI: Cost per hour | warning | 50 | USD | 0m, 5m",
    "otel-budget-50 | GenAI: Budget, 50 % | info | 0.5 | share | 0m, 5m",
    "otel-budget-80 | GenAI: Budget, 80 % | warning | 0.8 | share | 0m, 5m",
    "otel-budget-100 | GenAI: Budget, 100 % | critical | 1 | share | 0m, 5m",
    "otel-budgets-50 | GenAI: Budget by application, 50 % | info | 0.5 | share | 0m, 5m",
    "otel-budgets-80 | GenAI: Budget by application, 80 % | warning | 0.8 | share | 0m, 5m",
    "otel-budgets-100 | GenAI: Budget by application, 100 % | critical | 1 | share | 0m, 5m",
    "otel-unusual-cost | GenAI: Unusual cost | warning | 3 | times | 5m, 5m",
    "otel-unusual-tokens | GenAI: Unusual tokens | warning | 3 | times | 5m, 5m",
    "otel-model-without-price | GenAI: Model without price | info | 10000 | count | 0m, 10m",
    "latency | llmobs: Latency | warning | 30 | seconds | 5m, 1m",
    "telemetry-stopped | llmobs: Telemetry stopped | warning | 4 | count | 5m, 1m",
    "cost-per-hour | llmobs: Cost per hour | warning | 50 | USD | 0m, 5m",
    "budget-50 | llmobs: Budget, 50 % | info | 0.5 | share | 0m, 5m",
    "budget-80 | llmobs: Budget, 80 % | warning | 0.8 | share | 0m, 5m",
    "budget-100 | llmobs: Budget, 100 % | critical | 1 | share | 0m, 5m",
    "unusual-cost | llmobs: Unusual cost | warning | 3 | times | 5m, 5m",
    "unusual-tokens | llmobs: Unusual tokens | warning | 3 | times | 5m, 5m",
    "tokens-without-cost | llmobs: Tokens without cost | info | 10000 | count | 0m, 10m",
    "connection | llmobs: Connection | critical | 0 | count | 5m, 5m",
  ]);
});

it("on errors and latency have the queries that people wrote", () => {
  const queryOf = (id: string) => all.find((rule) => rule.id === id)?.query;
  const failed = (window: string) =>
    `sum by (provider) (sum_over_time(application:gen_ai_requests_count:increase1m{error_type!=""}[${window}]) < Inf)`;
  expect(queryOf("otel-error-rate-warning")).toBe(
    `(\n  ${failed("30m")} >= 10\n  or ${failed("30m")} and on (provider) count_over_time((${failed("1m")} > 0)[30m:1m]) >= 5\n)\n` +
      "/ sum by (provider) (sum_over_time(application:gen_ai_requests_count:increase1m{}[30m]) < Inf)",
  );
  expect(queryOf("otel-latency")).toBe(
    "max(histogram_quantile(0.95, sum by (le, source) (sum_over_time(application:gen_ai_requests_bucket:increase1m{}[1h]) < Inf)) >= 0)\n" +
      "and on () (sum(sum_over_time(application:gen_ai_requests_count:increase1m{}[1h]) < Inf) >= 60)",
  );
});

it("have the limits of the settings; budgets that are not set have no rules", () => {
  const limits = { alertErrorRate: "7", alertLatency: "27", alertCostPerHour: "51", alertBudget: "501" };
  const limitsOf = new Map(rulesOf(limits).map(({ id, above }) => [id, above]));
  const ids = ["otel-error-rate-warning", "otel-error-rate-critical", "otel-latency", "otel-first-token", "latency", "cost-per-hour"];
  expect(ids.map((id) => limitsOf.get(id))).toEqual([0.07, 0.14, 27, 9, 27, 51]);
  const ofBudget = rulesOf(limits).find(({ id }) => id === "budget-50");
  expect([ofBudget?.query, ofBudget?.summary]).toEqual([
    expect.stringMatching(/ \/ 501$/),
    "Of today's budget of 501 USD, {value} is used.",
  ]);
  const { alertBudget: _, alertBudgets: __, ...without } = on;
  expect(defineAlerts(settingsOf(without)).all.flatMap(({ rules }) => rules.filter(({ id }) => /budget/.test(id)))).toEqual([]);
});

describe.each([
  // The longest legal name of a service.
  { title: "an hour", changed: { service: "a".repeat(25) } },
  { title: "a day", changed: { alertWindow: "day", metricNaming: "no-suffixes" } },
])("rules of $title", ({ changed }) => {
  it.each(rulesOf(changed).map((rule) => [rule.id, rule] as const))("%s", (_, rule) => {
    const query = new PromQL(rule.query);
    expect(query.errors).toEqual([]);
    // Variables and macros belong to dashboards: an alert knows no selection and no time range.
    expect(rule.query).not.toMatch(/\$(?!1")|\[\[/);
    const text = `${rule.summary} ${rule.description}`;
    const labels = [...text.matchAll(/\{\{ \$labels\.(\w+) \}\}/g)].map(([, label = ""]) => label);
    expect(query.groupings()).toEqual(expect.arrayContaining(labels));
    for (const sentence of [rule.summary, rule.description]) expect(sentence).toMatch(/^[A-Za-z{].*[.?]$/);
    // In Grafana, and in the file: what a person reads at night.
    expect(Math.max(rule.query.length, condition(rule).length)).toBeLessThanOrEqual(600);
    // Grafana's limit; a slash fails on some of its addresses.
    expect(Buffer.byteLength(rule.title)).toBeLessThanOrEqual(190);
    expect(rule.title).not.toContain("/");
  });
});

it("never ends a rule because a more severe one on the same value begins", () => {
  const severities = ["info", "warning", "critical"];
  const queries = [...new Set(all.map(({ query }) => query))];
  const shared = queries.map((query) => all.filter((rule) => rule.query === query)).filter((rules) => rules.length > 1);
  expect(shared.map((rules) => rules.length)).toEqual([2, 3, 3, 3]);
  for (const rules of shared) {
    const sorted = [...rules].sort((left, right) => left.above - right.above).map(({ severity }) => severities.indexOf(severity));
    expect(sorted).toEqual([...new Set(sorted)].sort());
  }
});

// Grafana also expands texts without a value, and both servers with NaN: each function is behind a condition. Real servers expand them in test/truth/alerts.
it.each([
  ["share", "humanizePercentage", "an unknown share"],
  ["seconds", "humanizeDuration", "an unknown time"],
  ["USD", 'printf "%.2f USD"', "an unknown amount"],
  ["times", 'printf "%.1f times"', "an unknown number of times"],
  ["count", "humanize", "an unknown number of"],
] as const)("a value in %s, and a label, as templates of both servers", (unit, format, unknown) => {
  const text = "{value} of {{ $labels.model }}.";
  const label = '{{ or $labels.model "(none)" }}';
  expect(templateOf(text, unit, "grafana")).toBe(
    `{{ if and $values.A (lt $values.A.Value 1e300) }}{{ $values.A.Value | ${format} }}{{ else }}${unknown}{{ end }} of ${label}.`,
  );
  expect(templateOf(text, unit, "prometheus")).toBe(
    `{{ if lt $value 1e300 }}{{ $value | ${format} }}{{ else }}${unknown}{{ end }} of ${label}.`,
  );
});

it("has a section of the README for each rule, and no other", () => {
  const readme = readDocument("src/alerts/README.md");
  const [, runbooks = ""] = readme.split(/^## Runbooks$/m).map((part) => part.split(/^## /m)[0]);
  const sections = runbooks
    .split(/^### /m)
    .slice(1)
    .map((section) => section.trim().split("\n"));
  // A second heading with the same text gets another anchor.
  const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  expect(new Set(headings).size).toBe(headings.length);
  expect(sections.map(([heading = ""]) => anchorOf(heading)).sort()).toEqual([...new Set(all.map(({ runbook }) => runbook))].sort());
  expect(sections.filter((lines) => lines.length > 8).map(([heading]) => heading)).toEqual([]);
});
