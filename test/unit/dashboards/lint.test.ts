/** The rules of Grafana's dashboard-linter (github.com/grafana/dashboard-linter, docs/rules) that apply to both dashboards, and rules of their own. */
import * as units from "@grafana/grafana-foundation-sdk/units";
import { describe, expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { expandMacros } from "../../support/expand";
import { examples, nameOf, type Panel, panelsOf, shownOf, targetsOf, variablesOf } from "../../support/models";
import { PromQL } from "./promql";

/** Types of panels that show numbers. In a table, units belong to columns. */
const numeric = ["stat", "timeseries", "piechart", "bargauge", "histogram"];

const failing = (panels: Panel[], holds: (panel: Panel) => boolean) => panels.filter((panel) => !holds(panel)).map(nameOf);
const queriesOf = (model: DashboardModel, type: string, isBad: (query: string) => boolean) =>
  targetsOf(model, type).flatMap(({ panel, target: { expr = "" } }) => (isBad(expr) ? [`${nameOf(panel)}: ${expr}`] : []));

/** Each rule returns the names of the violations. */
const rules: Record<string, (model: DashboardModel) => string[]> = {
  "panel-datasource-rule: every panel and target names its datasource": (model) =>
    failing(shownOf(model), ({ datasource, targets = [] }) =>
      [datasource, ...targets.map((target) => target.datasource)].every((ref) => ref?.type && ref.uid && ref.uid === datasource?.uid),
    ),
  "panel-title-description-rule: every panel has a description, and a title unless the spec gives none": (model) =>
    failing(shownOf(model), ({ type, title, description }) => Boolean(description) && (Boolean(title) || type === "table")),
  "panel-units-rule: every panel with numbers has one of Grafana's units": (model) =>
    failing(
      shownOf(model).filter(({ type }) => numeric.includes(type)),
      ({ fieldConfig }) => [...Object.values(units), "suffix:s", "prefix:$"].includes(fieldConfig?.defaults.unit ?? ""),
    ),
  "panel-no-targets-rule: every panel has a query": (model) =>
    failing(shownOf(model), ({ targets = [] }) => targets.length > 0 && targets.every(({ expr, query }) => Boolean(expr ?? query))),
  "target-promql-rule: every query is PromQL": (model) => queriesOf(model, "prometheus", (query) => new PromQL(query).errors.length > 0),
  "target-rate-interval-rule: the window of rate and increase is a macro": (model) =>
    queriesOf(model, "prometheus", (query) => /\b(?:rate|irate|increase)\([^[()]*\[\d/.test(query)),
  "target-logql-auto-rule: no log query has a fixed window": (model) => queriesOf(model, "loki", (query) => /\[\d+\w+\]/.test(query)),
  "template-label-promql-rule: every query of a variable returns a label's values": (model) =>
    queryVariables(model).flatMap(({ name, query }) => (returnsLabel(String(query)) ? [] : [name])),
  "template-on-time-change-reload-rule: variables reload when the time range changes": (model) =>
    queryVariables(model).flatMap(({ name, refresh }) => (refresh === 2 ? [] : [name])),
  "every variable is used": (model) =>
    variablesOf(model).flatMap(({ name }) => (new RegExp(`\\$\\{?${name}\\b`).test(JSON.stringify(model)) ? [] : [name])),
  "every variable that is used exists": (model) => {
    const known = ["__field", ...variablesOf(model).map(({ name }) => name)];
    const text = expandMacros(JSON.stringify(shownOf(model)));
    return [...text.matchAll(/\$\{?([a-zA-Z_]\w*)/g)].flatMap(([, used = ""]) => (known.includes(used) ? [] : [used]));
  },
  "series of one panel have different legends": (model) =>
    failing(
      shownOf(model),
      ({ targets = [] }) => new Set(targets.map(({ legendFormat, refId }) => legendFormat ?? refId)).size === targets.length,
    ),
  "a legend's label is one by which the query groups": (model) =>
    targetsOf(model, "prometheus").flatMap(({ panel, target: { expr = "", legendFormat = "" } }) => {
      const groupings = new PromQL(expr).groupings();
      const labels = [...legendFormat.matchAll(/\{\{([^{}]+)\}\}/g)].map(([, label = ""]) => label);
      return labels.filter((label) => label !== "missing" && !groupings.includes(label)).map((label) => `${nameOf(panel)}: ${label}`);
    }),
  "every panel and row has an id of its own, which links contain": (model) => {
    const ids = panelsOf(model).map(({ id }) => id);
    return failing(panelsOf(model), ({ id }) => Boolean(id) && ids.indexOf(id) === ids.lastIndexOf(id));
  },
  "panels are inside of the grid's 24 columns": (model) =>
    failing(
      panelsOf(model),
      ({ gridPos: { x, y, w, h } }) => [x, y, w, h].every(Number.isInteger) && x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= 24,
    ),
  "panels do not overlap": (model) =>
    failing(panelsOf(model), (panel) => panelsOf(model).every((other) => other === panel || !overlap(panel.gridPos, other.gridPos))),
  "panels fill each line of the grid: Grafana would move panels below an empty one": (model) => {
    const grid = panelsOf(model).map(({ gridPos }) => gridPos);
    const lines = Array.from({ length: Math.max(...grid.map(({ y, h }) => y + h)) }, (_, line) => line);
    const widthOf = (line: number) => grid.reduce((sum, { y, h, w }) => sum + (y <= line && line < y + h ? w : 0), 0);
    return lines.flatMap((line) => (widthOf(line) === 24 ? [] : [`line ${line}: ${widthOf(line)} of 24 columns`]));
  },
  "a graph with counters has intervals of full minutes: the query finds restarts only there": (model) =>
    failing(
      shownOf(model).filter(({ targets = [] }) => targets.some(({ expr = "" }) => expr.includes("[$__interval:1m]"))),
      ({ interval }) => interval === "1m",
    ),
  "a graph has about a hundred intervals: more are hairlines": (model) =>
    failing(
      shownOf(model).filter(({ type }) => type === "timeseries"),
      ({ maxDataPoints }) => maxDataPoints !== undefined && maxDataPoints <= 100,
    ),
  "numbers have fixed decimal places, or three digits: they do not jump from refresh to refresh": (model) =>
    failing(
      shownOf(model).filter(({ type }) => ["stat", "piechart", "bargauge"].includes(type)),
      ({ fieldConfig }) =>
        fieldConfig?.defaults.decimals !== undefined || ["short", "currencyUSD"].includes(fieldConfig?.defaults.unit ?? ""),
    ),
  "the description of totals in intervals does not let readers add them up": (model) =>
    failing(
      shownOf(model).filter(({ targets = [] }) => targets.some(({ expr = "" }) => /\$__interval/.test(expr) && isTotal(expr))),
      ({ description }) => /newest interval is left out.*do not add up/.test(description ?? ""),
    ),
  "a panel of spans says which ones are missing": (model) =>
    failing(
      shownOf(model).filter(({ datasource }) => datasource?.type === "tempo"),
      ({ fieldConfig }) => /^No spans with(out)? .{10,}\.$/.test(fieldConfig?.defaults.noValue ?? ""),
    ),
};

/** Neither a mean nor a percentile. */
const isTotal = (query: string) => !/histogram_quantile|\) \/ /.test(query);

/** `label_values(label)`, or `label_values(series, label)`. */
function returnsLabel(query: string): boolean {
  const [found, selector = "up"] = /^label_values\((?:(.+), )?[\w.]+\)$/.exec(query) ?? [];
  return found !== undefined && new PromQL(selector).errors.length === 0;
}

const queryVariables = (model: DashboardModel) => variablesOf(model).filter(({ type }) => type === "query");
const overlap = (a: Panel["gridPos"], b: Panel["gridPos"]) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe.each(examples)("$title", ({ model }) => {
  it.each(Object.entries(rules))("%s", (_rule, violations) => {
    expect(violations(model)).toEqual([]);
  });
});
