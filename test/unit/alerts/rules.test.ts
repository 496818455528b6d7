/** The alert rules as records: queries that Prometheus' grammar accepts, texts with any value, panels and runbooks that exist. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openTelemetryAlerts, openTelemetryRequests } from "../../../src/alerts/opentelemetry";
import type { AlertLimits, AlertRule } from "../../../src/alerts/rule";
import { serviceAlerts } from "../../../src/alerts/service";
import { type TemplateDialect, templateOf } from "../../../src/alerts/template";
import { condition } from "../../../src/cli/rule-files";
import { namings } from "../../../src/signals/names/translate";
import { anchorOf, readDocument } from "../../support/documents";
import { exampleA, recordedC, shownOf } from "../../support/models";
import { expandTemplate } from "../../support/templates";
import { PromQL } from "../dashboards/promql";

const limits: AlertLimits = {
  errorRate: 5,
  latency: 30,
  costPerHour: 50,
  budget: 100,
  budgets: { shop: 10 },
  window: "hour",
};
const ofADay: AlertLimits = { ...limits, window: "day" };
// The longest legal name.
const ofService = serviceAlerts("a".repeat(25), limits, openTelemetryRequests("prometheus"));
const kinds = [
  { name: "service", rules: ofService, model: exampleA },
  ...namings.map((naming) => ({ name: `OpenTelemetry, ${naming}`, rules: openTelemetryAlerts(limits, naming), model: recordedC })),
  { name: "service, of a day", rules: serviceAlerts("llmobs", ofADay, openTelemetryRequests("prometheus")), model: exampleA },
  { name: "OpenTelemetry, of a day", rules: openTelemetryAlerts(ofADay, "prometheus"), model: recordedC },
];
const all = [...ofService, ...openTelemetryAlerts(limits, "prometheus")];
const allOfADay = [...serviceAlerts("llmobs", ofADay, openTelemetryRequests("prometheus")), ...openTelemetryAlerts(ofADay, "prometheus")];

describe.each(kinds)("rules of $name", ({ rules, model }) => {
  it.each(rules.map((rule) => [rule.id, rule] as const))("%s", (_, rule) => {
    const query = new PromQL(rule.query);
    expect(query.errors).toEqual([]);
    // Variables and macros belong to dashboards: an alert knows no selection and no time range.
    expect(rule.query).not.toMatch(/\$(?!1")|\[\[/);
    expect(labelsIn(rule).filter((label) => !query.groupings().includes(label))).toEqual([]);
    const panel = shownOf(model).find(({ id }) => id === rule.panelId);
    expect(panel?.title).toMatch(panelTitle(rule));
    // In Grafana, and in the file: what a person reads at night.
    expect(Math.max(rule.query.length, condition(rule).length)).toBeLessThanOrEqual(600);
  });
});

/** The labels that the texts of a rule name. */
const labelsIn = ({ summary, description }: AlertRule) =>
  [...`${summary} ${description}`.matchAll(/\{\{ \$labels\.(\w+) \}\}/g)].flatMap(([, label]) => label ?? []);

/** What the panel of a rule has to show. */
function panelTitle({ id }: AlertRule): RegExp {
  if (/latency/.test(id)) return /Latency|Duration/;
  if (/first-token/.test(id)) return /First Token/;
  if (/budgets/.test(id)) return /Budget/;
  if (/cost|budget|price/.test(id)) return /Cost/;
  return /tokens/.test(id) ? /Token/ : /Requests/;
}

it("has unique ids and titles, and titles that Grafana accepts", () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  // Grafana's limit; a slash fails on some of its addresses.
  expect(all.filter(({ title }) => Buffer.byteLength(title) > 190 || title.includes("/"))).toEqual([]);
});

it("never ends a rule because a more severe one on the same value begins", () => {
  const severities = ["info", "warning", "critical"];
  const queries = [...new Set(all.map(({ query }) => query))];
  const shared = queries.map((query) => all.filter((rule) => rule.query === query)).filter((rules) => rules.length > 1);
  expect(shared.map((rules) => rules.length)).toEqual([3, 2, 3, 3]);
  for (const rules of shared) {
    const sorted = [...rules].sort((left, right) => left.above - right.above).map(({ severity }) => severities.indexOf(severity));
    expect(sorted).toEqual([...new Set(sorted)].sort());
  }
});

describe.each(["grafana", "prometheus"] as const)("texts in %s", (dialect: TemplateDialect) => {
  const labels = { application: "shop", applicationName: "shop", provider: "openai", platform: "openai", model: "gpt" };
  // Prometheus expands the texts of firing alerts only, which have a value.
  const values = fc.oneof(...(dialect === "grafana" ? [fc.constant(undefined)] : []), fc.double({ min: 0 }), fc.constant(Number.NaN));

  it.each([...all, ...allOfADay].map((rule) => [rule.id, rule] as const))(
    "of %s are sentences with any value and without one",
    (_, rule) => {
      fc.assert(
        fc.property(values, fc.constantFrom(labels, {}), (value, labels) => {
          for (const text of [rule.summary, rule.description]) {
            const expanded = expandTemplate(templateOf(text, rule.unit, dialect), dialect, value, labels);
            expect(expanded).toMatch(/^[A-Za-z(0-9].*\.$|\?$/);
            expect(expanded).not.toMatch(/NaN|Inf|nil|no value|[{}]|%!|undefined/);
            if (text.includes("{value}"))
              expect(expanded.includes("an unknown")).toBe(value === undefined || !Number.isFinite(value) || value >= 1e300);
          }
        }),
      );
    },
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

it("has no rules for a budget without one, and none that compares with SDKs that no dashboard shows", () => {
  const without = { ...limits, budget: undefined, budgets: {} };
  const ids = [...serviceAlerts("llmobs", without), ...openTelemetryAlerts(without, "prometheus")].map(({ id }) => id);
  expect(ids.filter((id) => /budget|connection/.test(id))).toEqual([]);
  expect(all.filter(({ id }) => /budget/.test(id))).toHaveLength(9);
});
