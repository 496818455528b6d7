/** The rules of Grafana's dashboard-linter (github.com/grafana/dashboard-linter, docs/rules) that apply to both models, and why the others do not. */
import { describe, expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { expandMacros } from "../../support/expand";
import { examples, type Panel, panelsOf, shownOf, targetsOf, variablesOf } from "../../support/models";
import { PromQL } from "./promql";

/** Ids of @grafana/data's value formats that fit what is shown: counts, seconds, USD. */
const units = ["short", "none", "locale", "s", "currencyUSD"];

/** Types of panels that show numbers. In a table, units belong to columns. */
const numeric = ["stat", "timeseries", "piechart", "bargauge", "histogram"];

const name = ({ id, title, type }: Panel) => title || `${type} ${id}`;
const failing = (panels: Panel[], holds: (panel: Panel) => boolean) => panels.filter((panel) => !holds(panel)).map(name);

/** Each rule gives what breaks it. */
const rules: Record<string, (model: DashboardModel) => string[]> = {
  "panel-datasource-rule: every panel and target names its datasource": (model) =>
    failing(shownOf(model), ({ datasource, targets = [] }) =>
      [datasource, ...targets.map((target) => target.datasource)].every((ref) => ref?.type && ref.uid && ref.uid === datasource?.uid),
    ),
  "panel-title-description-rule: every panel has a description, and a title unless the spec gives none": (model) =>
    failing(shownOf(model), ({ type, title, description }) => Boolean(description) && (Boolean(title) || type === "table")),
  "panel-units-rule: every panel with numbers has a unit that Grafana knows": (model) =>
    failing(
      shownOf(model).filter(({ type }) => numeric.includes(type)),
      ({ fieldConfig }) => units.includes(fieldConfig?.defaults.unit ?? ""),
    ),
  "panel-no-targets-rule: every panel asks for something": (model) =>
    failing(shownOf(model), ({ targets = [] }) => targets.length > 0 && targets.every(({ expr, query }) => Boolean(expr ?? query))),
  "target-promql-rule: every query is PromQL, and of the right types": (model) =>
    promql(model).flatMap((query) => [...query.errors, ...query.typeErrors()]),
  "target-counter-agg-rule: no counter is added up without a window": (model) =>
    promql(model).flatMap((query) => (query.windows().length > 0 ? query.instants() : [query.text])),
  "target-rate-interval-rule: the window of rate and increase is a macro": (model) =>
    targetsOf(model, "prometheus")
      .filter(({ target: { expr = "" } }) => /\b(?:rate|irate|increase)\(/.test(expr))
      .filter(({ target: { expr = "" } }) => new PromQL(expr).windows().some((window) => expr.includes(`[${window}]`)))
      .map(({ panel }) => name(panel)),
  "target-logql-auto-rule: no log query has a fixed window": (model) =>
    targetsOf(model, "loki")
      .filter(({ target: { expr = "" } }) => /\[\d+\w+\]/.test(expr))
      .map(({ panel }) => name(panel)),
  "template-label-promql-rule: every query of a variable asks for a label's values": (model) =>
    queries(model).flatMap(({ name, query }) => (/^label_values\(\w+\)$/.test(query) ? [] : [name])),
  "template-on-time-change-reload-rule: variables are asked for anew when the time range changes": (model) =>
    queries(model).flatMap(({ name, refresh }) => (refresh === 2 ? [] : [name])),
  "template-datasource-rule: pickers of a datasource are labelled after it": (model) =>
    variablesOf(model)
      .filter(({ type }) => type === "datasource")
      .flatMap(({ name, label = "", query }) =>
        /^(?:Trace|Metrics) Datasource$/.test(label) && /^(?:tempo|prometheus)$/.test(query) ? [] : [name],
      ),
  "template-unused: every variable is used": (model) =>
    variablesOf(model).flatMap(({ name }) => (new RegExp(`\\$\\{?${name}\\b`).test(JSON.stringify(model)) ? [] : [name])),
  "template-missing: every variable that is used exists": (model) => {
    const known = variablesOf(model).map(({ name }) => name);
    const text = expandMacros(JSON.stringify(shownOf(model)));
    return [...text.matchAll(/\$\{?([a-zA-Z_]\w*)/g)].flatMap(([, used = ""]) => (known.includes(used) ? [] : [used]));
  },
  "legends: series of one panel have different names": (model) =>
    failing(
      shownOf(model),
      ({ targets = [] }) => new Set(targets.map(({ legendFormat, refId }) => legendFormat ?? refId)).size === targets.length,
    ),
  "ids: no id twice": (model) =>
    failing(panelsOf(model), ({ id }) => id > 0 && panelsOf(model).filter((other) => other.id === id).length === 1),
  "grid: panels stay inside of 24 columns": (model) =>
    failing(
      panelsOf(model),
      ({ gridPos: { x, y, w, h } }) => [x, y, w, h].every(Number.isInteger) && x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= 24,
    ),
  "grid: no panel lies upon another": (model) =>
    failing(panelsOf(model), (panel) => panelsOf(model).every((other) => other === panel || !overlap(panel.gridPos, other.gridPos))),
  "grid: no empty line, which Grafana would close by moving panels": (model) => {
    const places = panelsOf(model).map(({ gridPos }) => gridPos);
    const covered = new Set(places.flatMap(({ y, h }) => Array.from({ length: h }, (_, line) => y + line)));
    return Array.from({ length: Math.max(...covered) }, (_, line) => line).flatMap((line) => (covered.has(line) ? [] : [`line ${line}`]));
  },
};

/** Rules that do not apply. */
const exceptions: Record<string, string> = {
  "template-datasource-rule (LLM Monitoring)": "the spec gives it datasources with fixed uids (2.2); the Pulumi program fills them in",
  "template-job-rule, target-job-rule": "A filters a fixed job, B the SDK's name: the spec has no variable for them (2.2, 2.3)",
  "template-instance-rule, target-instance-rule": "no instance label: telemetry is pushed by applications, not scraped",
  "template-uneditable-rule": "the spec demands editable true for A (2.2); Pulumi reports and undoes what is edited",
  "target-rate-interval-rule ($__rate_interval)": "a total is over the whole time range, and counts per interval must not overlap",
  "target-required-matchers-rule": "it takes its matchers from a configuration; the contract test has the spec's",
};

const promql = (model: DashboardModel) => targetsOf(model, "prometheus").map(({ target }) => new PromQL(target.expr ?? ""));
const queries = (model: DashboardModel) => variablesOf(model).filter(({ type }) => type === "query");
const overlap = (a: Panel["gridPos"], b: Panel["gridPos"]) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe.each(examples)("$title", (model) => {
  it.each(Object.entries(rules))("%s", (_rule, breaks) => {
    expect(breaks(model)).toEqual([]);
  });
});

it("what the exceptions say still holds", () => {
  const [a, b] = examples as [DashboardModel, DashboardModel];
  expect(Object.values(exceptions).every((reason) => reason.length > 20)).toBe(true);
  expect([a.editable, b.editable]).toEqual([true, true]);
  expect(variablesOf(a).some(({ type }) => type === "datasource")).toBe(false);
  expect([...variablesOf(a), ...variablesOf(b)].filter(({ name }) => /^(?:job|instance)$/.test(name))).toEqual([]);
});
