/**
 * The panels of the dashboards, as a table that people wrote: the spec's (2.2, 2.3), and the one for current SDKs. It has each title, unit, number of decimals
 * and threshold once, and what each alert links to. Below it are rules that hold for all panels, some of them of Grafana's dashboard-linter.
 */
import { describe, expect, it } from "vitest";
import { defineAlerts } from "../../../src/alerts/definitions";
import { quantities } from "../../../src/checks/conventions";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { budgetedC, exampleA, exampleB, exampleC, examples, nameOf, type Panel, panelsOf, shownOf, targetsOf } from "../../support/models";
import { variablesOf } from "../../view/reading/panel";
import { complete, settingsOf } from "../config";

/** id | type | title | unit | decimals | thresholds | alerts. The id never changes: links and alerts contain it. */
const tables = {
  "LLM Monitoring": `
    1 | stat | Total Requests | locale | 0
    2 | stat | Avg Request Duration | s | 2 | 5 red | slow
    3 | stat | Avg Tokens per Request | locale | 0 | 1000 red
    4 | stat | Avg Cost / Request | currencyUSD | | 5 red
    5 | stat | Total Cost | currencyUSD | 2 | | tokens-without-cost
    6 | timeseries | Total Requests overtime | locale | 0 | | telemetry-stopped connection-lost
    7 | piechart | Usage by Category | locale | 0
    8 | piechart | Usage cost by Provider | currencyUSD
    9 | piechart | Usage cost by Application | currencyUSD
    10 | piechart | Usage cost by Environment | currencyUSD
    11 | stat | Avg Prompt Tokens / Request | locale | 0
    12 | stat | Avg Completion Tokens / Request | locale | 0
    13 | timeseries | Token usage overtime | locale | 0
    14 | bargauge | Top models by usage | locale | 0
    15 | timeseries | Token usage by model | locale | 0
    16 | logs | Prompts
    17 | logs | Responses`,
  "GenAI Observability": `
    1 | row | Row title
    2 | stat | Total Successful GenAI Requests | locale | 0
    3 | stat | Total Successful VectorDB Requests | locale | 0
    4 | stat | Total Usage Tokens | locale | 0
    5 | stat | Total Usage Cost | currencyUSD | 2
    6 | stat | Avg Usage Cost | currencyUSD | | 0.5 amber, 1 red
    7 | histogram | Request Duration Distribution | s
    8 | bargauge | Top GenAI Models by Usage | locale | 0
    9 | piechart | GenAI Requests by Platform | locale | 0
    10 | piechart | GenAI Requests by Type | locale | 0
    11 | piechart | GenAI Requests by Environment | locale | 0
    12 | piechart | GenAI Requests by Application | locale | 0
    13 | bargauge | VectorDB Usage by System | locale | 0
    14 | piechart | DB Requests by Operation | locale | 0
    15 | timeseries | Average Token Consumption vs. Average Usage Cost Comparison | locale | 0
    16 | row | GenAI Requests
    17 | table
    18 | row | VectorDB Requests
    19 | table`,
  "GenAI Observability (OpenTelemetry)": `
    2 | stat | Requests | locale | 0
    3 | stat | Error Rate | percentunit | 1 | 0.02 red
    4 | stat | p95 Latency | s | 2 | 30 red
    39 | stat | p95 First Token | s | 2 | 9.9 red
    5 | stat | Tokens | short
    6 | stat | Cost | currencyUSD
    40 | table | By $by | locale
    9 | timeseries | Requests by $by | locale | 0 | | telemetry-stopped all-telemetry-stopped recording-incomplete
    41 | timeseries | Error Rate by $by | percentunit | 1 | 0.15 red | errors errors-lasting
    10 | timeseries | p95 Latency by $by | s | | 30 red | slow
    13 | timeseries | Cost by $by | currencyUSD | | | unusual-cost
    42 | table | Failed Requests
    43 | table | Slow Requests
    34 | table | Newest Requests
    44 | row | Tokens and Cache
    12 | timeseries | Tokens by Type | short
    11 | timeseries | p95 First Token by $by | s | | 9.9 red | slow-first-token
    46 | row | Cost and Budgets
    47 | stat | Cost of the Period | currencyUSD | 2
    48 | stat | A Month Before | currencyUSD | 2
    37 | bargauge | Tokens without Cost | short | | | model-without-price
    38 | bargauge | Budget Today | percentunit | 0 | 0.8 amber, 1 red | budget
    49 | row | Errors by Type
    22 | timeseries | Errors by Type | locale | 0
    23 | row | Operations, Agents and Tools
    19 | bargauge | Requests by Operation | locale | 0
    24 | bargauge | Invocations by Agent | locale | 0
    25 | timeseries | Mean Duration by Agent | s
    27 | bargauge | Tool Calls by Tool | locale | 0
    28 | bargauge | Tool Errors by Tool | locale | 0
    26 | bargauge | MCP Operations by Method | locale | 0
    29 | row | Vector Databases
    30 | bargauge | Requests by System | locale | 0
    31 | bargauge | Requests by DB Operation | locale | 0
    32 | timeseries | p95 Latency by System | s
    36 | table | Newest Requests to Vector Databases`,
};

const { ofSdks, ofService } = defineAlerts(
  settingsOf({ ...complete, alerts: "on", recordingRules: "external", alertBudget: "100", alertBudgets: '{"shop":10}' }),
);

const [amber, red] = [/amber|orange|EAB839/, /red/];
const colorOf = (color = "") => (amber.test(color) ? "amber" : red.test(color) ? "red" : color);

/** The panel as a line of the table. */
function lineOf({ id, type, title = "", fieldConfig }: Panel, alerts: typeof ofSdks): string {
  const { unit = "", decimals = "", thresholds } = fieldConfig?.defaults ?? {};
  const [base, ...steps] = thresholds?.steps ?? [];
  // Grafana reads it as the lowest of all, whatever it is.
  expect(base?.value).toBe(thresholds ? 0 : undefined);
  const colors = steps.map(({ value, color }) => `${value} ${colorOf(color)}`).join(", ");
  const linking = alerts?.rules.filter(({ panelId }) => panelId === id).map((rule) => rule.id) ?? [];
  return [id, type, title, unit, decimals, colors, linking.join(" ")]
    .join(" | ")
    .replace(/( \| )+$/, "")
    .replaceAll("  ", " ");
}

describe("the table has each panel", () => {
  it.each([
    ["LLM Monitoring", exampleA, ofService],
    ["GenAI Observability", exampleB, undefined],
    ["GenAI Observability (OpenTelemetry)", budgetedC, ofSdks],
  ] as const)("of %s", (name, model, alerts) => {
    expect(panelsOf(model).map((panel) => lineOf(panel, alerts))).toEqual(tables[name].trim().split(/\n */));
  });

  it("of the dashboard without budgets: the others", () => {
    const linesOf = (model: DashboardModel) => panelsOf(model).map((panel) => lineOf(panel, undefined));
    expect(linesOf(exampleC)).toEqual(linesOf(budgetedC).filter((line) => !line.startsWith("38 ")));
  });
});

it("the checks name panels that exist", () => {
  const named = quantities.flatMap(({ panels }) => [...panels.matchAll(/"(.*?)"/g)].map(([, title]) => title));
  expect(named).toHaveLength(1);
  expect(panelsOf(exampleC).map(({ title }) => title)).toEqual(expect.arrayContaining(named));
});

const failing = (panels: Panel[], holds: (panel: Panel) => boolean) => panels.filter((panel) => !holds(panel)).map(nameOf);

/** Each rule returns the names of the violations. */
const rules: Record<string, (model: DashboardModel) => string[]> = {
  "every panel has a description and queries, all of its datasource": (model) =>
    failing(shownOf(model), ({ description, datasource, targets = [] }) => {
      const isOwn = targets.map(({ datasource: { uid }, expr, query }) => Boolean(expr ?? query) && uid === datasource?.uid);
      return Boolean(description) && isOwn.length > 0 && isOwn.every(Boolean);
    }),
  "no query is longer than a screen": (model) =>
    targetsOf(model, "prometheus").flatMap(({ panel, target: { expr = "" } }) =>
      // Of recorded series, half of it and a bit: a percentile counts its requests, too.
      expr.length <= (expr.includes("application:") ? 480 : 800) ? [] : nameOf(panel),
    ),
  "every variable is used, and every one that is used exists": (model) => {
    const known = variablesOf(model).map(({ name }) => name);
    const used = [
      ...JSON.stringify(model)
        .replace(/\$__(range|interval)\b/g, "")
        .matchAll(/\$\{?([a-zA-Z_]\w*)/g),
    ].map(([, name = ""]) => name);
    const ofGrafana = ["__field", "__all", "__data", "__value", "__from", "__to", "__url_time_range"];
    return [...known.filter((name) => !used.includes(name)), ...used.filter((name) => ![...ofGrafana, ...known].includes(name))];
  },
  "panels fill the grid's 24 columns without a gap, which Grafana would close, and do not overlap, in folded rows, too": (model) => {
    const top = model.panels as Panel[];
    return [top, ...top.flatMap(({ panels = [] }) => (panels.length > 0 ? [panels] : []))].flatMap((panels) => {
      const first = panels[0]?.gridPos.y ?? 0;
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        [...Array(w * h).keys()].map((at) => (y - first + Math.floor(at / w)) * 24 + x + (at % w)),
      );
      return cells
        .sort((left, right) => left - right)
        .flatMap((cell, at) => (cell === at ? [] : `line ${Math.floor(cell / 24)}`))
        .slice(0, 1);
    });
  },
  "a graph has about a hundred intervals, more are hairlines; with counters, of full minutes, since the query finds restarts only there": (
    model,
  ) =>
    failing(
      shownOf(model).filter(({ type }) => type === "timeseries"),
      ({ maxDataPoints = 1000, interval, targets = [] }) =>
        maxDataPoints <= 100 && (interval === "1m" || !targets.some(({ expr = "" }) => expr.includes("[$__interval:1m]"))),
    ),
  "the description of totals in intervals does not let readers add them up": (model) =>
    failing(
      shownOf(model).filter(({ targets = [] }) =>
        targets.some(
          ({ expr = "", legendFormat }) =>
            legendFormat !== "course" && /\$__interval/.test(expr) && !/histogram_quantile|\) \/ /.test(expr),
        ),
      ),
      ({ description }) => /newest interval is left out.*do not add up/.test(description ?? ""),
    ),
  "a panel of spans says which ones are missing": (model) =>
    failing(
      shownOf(model).filter(({ datasource }) => datasource?.type === "tempo"),
      ({ fieldConfig }) => /^No spans with(out)? .{10,}\.$/.test(fieldConfig?.defaults.noValue ?? ""),
    ),
};

describe.each(examples)("$title", ({ model }) => {
  it.each(Object.entries(rules))("%s", (_rule, violations) => {
    expect(violations(model)).toEqual([]);
  });
});
