/**
 * Every query with macros and variables expanded as Grafana does: the official parsers accept it, whatever is selected. The kind of its window, and the
 * name of the SDK. That it filters by the selected values, real servers show: test/truth.
 */
import { parser as logqlParser } from "@grafana/lezer-logql";
import { expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { type Choice, classic, expand, type Format, pipe, specialCharacters } from "../../support/expand";
import { budgetedC, exampleA, exampleB, exampleC, forAnyB, nameOf, shownOf, targetsOf, variablesOf } from "../../support/models";
import { PromQL, passes, Query, TraceQL } from "./queries";

const ofPrometheus = { type: "prometheus", errors: (text: string) => new PromQL(text).errors, format: specialCharacters, excluded: /\n/ };
// Go's raw literals cannot contain a backtick, and the format `regex` escapes for raw literals only.
const ofTempo = { type: "tempo", errors: (text: string) => new TraceQL(text).errors, format: pipe, excluded: /[\n`]/ };
const ofLoki = { type: "loki", errors: (text: string) => new Query(text, logqlParser).errors, format: classic, excluded: /[\n"]/ };
const hostile = 'a.b+c|say "hi"|back\\slash|[x]{y}(z)|$1 ^ $HOME|it\'s|tick`tock|1/2|grüße 🙂|-- {}'.split("|").concat("a|b", " ");

it.each<{ name: string; model: DashboardModel; type: string; errors: (text: string) => string[]; format: Format; excluded: RegExp }>([
  { name: "PromQL of LLM Monitoring", model: exampleA, ...ofPrometheus },
  { name: "PromQL of GenAI Observability", model: exampleB, ...ofPrometheus },
  // Without its feature toggle, Grafana does not escape double quotes: they break every query.
  { name: "PromQL without the feature toggle", model: exampleB, ...ofPrometheus, format: classic, excluded: /[\n"]/ },
  { name: "PromQL of OpenTelemetry, with budgets", model: budgetedC, ...ofPrometheus },
  { name: "TraceQL of GenAI Observability", model: exampleB, ...ofTempo },
  { name: "TraceQL of OpenTelemetry", model: exampleC, ...ofTempo },
  { name: "LogQL", model: exampleA, ...ofLoki },
])("$name parses with All, and with any values", ({ model, type, errors, format, excluded }) => {
  const queries = targetsOf(model, type).map(({ target }) => target.expr ?? target.query ?? "");
  const variables = variablesOf(model).filter((variable) => variable.type === "query");
  const values = hostile.filter((text) => !excluded.test(text));
  const choices: Choice[] = [...values.map((value) => ({ values: [value] })), { values: values.slice(0, 3) }];
  expect(queries.length).toBeGreaterThan(0);
  for (const query of queries)
    for (const choice of [{ all: true, values: ["one", "two"] }, ...choices]) {
      const text = expand(query, variables, choice, format);
      expect(errors(text), text).toEqual([]);
      // No variable and no macro is left, except `$1` of label_replace.
      if (!choice.values.some((value) => /\$|\[\[/.test(value))) expect(text.replaceAll("$1", "")).not.toMatch(/\$|\[\[/);
    }
});

it.each([
  ["LLM Monitoring", exampleA],
  ["GenAI Observability", exampleB],
  ["GenAI Observability (OpenTelemetry)", exampleC],
])("%s: graphs, and courses of numbers, send range queries per interval, others instant queries of the time range", (_name, model) => {
  for (const panel of shownOf(model)) {
    for (const { datasource, expr = "", legendFormat, instant = false, range = false } of panel.targets ?? []) {
      if (datasource.type !== "prometheus") continue;
      const graph = panel.type === "timeseries" || legendFormat === "course";
      expect({ instant, range }, nameOf(panel)).toEqual({ instant: !graph, range: graph });
      expect(/\$__(?:rate_)?interval\b/.test(expr), `${nameOf(panel)} reads intervals: ${expr}`).toBe(graph);
      // A graph selects the largest ones of the time range.
      expect(/\$__range\b(?!\] @ end\(\))/.test(expr), `${nameOf(panel)} reads the time range: ${expr}`).toBe(!graph);
    }
  }
});

it("GenAI Observability: trace queries find successful spans of exactly this SDK, whatever its name", () => {
  forAnyB((model, { sdkName }) => {
    const targets = targetsOf(model, "tempo");
    expect(targets.length).toBeGreaterThan(0);
    for (const { panel, target } of targets) {
      const conditions = new TraceQL(target.query ?? "").conditions();
      expect(conditions, nameOf(panel)).toContainEqual({ field: "status", op: "=", value: "ok" });
      const names = conditions.filter(({ field }) => field === "span.telemetry.sdk.name");
      expect(names.map((name) => [sdkName, `${sdkName}x`, `x${sdkName}`].map((value) => passes(name, value)))).toEqual([
        [true, false, false],
      ]);
    }
  });
});
