/** The alert rules as records: queries that Prometheus' grammar accepts, texts that name labels of the query, thresholds without a gap, panels that exist. */
import { describe, expect, it } from "vitest";
import { openTelemetryAlerts, openTelemetryRequests } from "../../../src/alerts/opentelemetry";
import type { AlertLimits, AlertRule } from "../../../src/alerts/rule";
import { serviceAlerts } from "../../../src/alerts/service";
import { condition } from "../../../src/cli/rule-files";
import { namings } from "../../../src/signals/names/translate";
import { exampleA, recordedC, shownOf } from "../../support/models";
import { PromQL } from "../dashboards/promql";

const limits: AlertLimits = {
  alertErrorRateWarning: 5,
  alertErrorRateCritical: 10,
  alertLatency: 30,
  alertFirstToken: 10,
  alertCostPerHour: 50,
  alertBudget: 100,
  alertMinimumFailures: 10,
  alertMinimumRequests: 60,
  alertMinimumTokens: 1_000_000,
};
// The longest legal name.
const ofService = serviceAlerts("a".repeat(25), limits, openTelemetryRequests());
const kinds = [
  { name: "service", rules: ofService, model: exampleA },
  ...namings.map((naming) => ({ name: `OpenTelemetry, ${naming}`, rules: openTelemetryAlerts(limits, naming), model: recordedC })),
];
const all = [...ofService, ...openTelemetryAlerts(limits)];

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
  if (/cost|budget/.test(id)) return /Cost/;
  return /tokens/.test(id) ? /Token/ : /Requests/;
}

it("has unique ids and titles, and titles that Grafana accepts", () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  // Grafana's limit; a slash fails on some of its addresses.
  expect(all.filter(({ title }) => Buffer.byteLength(title) > 190 || title.includes("/"))).toEqual([]);
});

it("leaves no gap between the ranges of rules on the same value", () => {
  const queries = [...new Set(all.map(({ query }) => query))];
  const shared = queries.map((query) => all.filter((rule) => rule.query === query)).filter((rules) => rules.length > 1);
  expect(shared.map((rules) => rules.length)).toEqual([3, 2, 3]);
  for (const rules of shared) {
    const sorted = [...rules].sort((left, right) => left.above - right.above);
    expect(sorted.map(({ upTo }) => upTo)).toEqual([...sorted.slice(1).map(({ above }) => above), undefined]);
  }
});

it("has no rules for a budget without one, and none that compares with SDKs that no dashboard shows", () => {
  const without = { ...limits, budget: undefined };
  const ids = [...serviceAlerts("llmobs", without), ...openTelemetryAlerts(without)].map(({ id }) => id);
  expect(ids.filter((id) => /budget|connection/.test(id))).toEqual([]);
  expect(all.filter(({ id }) => /budget/.test(id))).toHaveLength(8);
});
