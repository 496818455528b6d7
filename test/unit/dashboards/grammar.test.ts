/**
 * Every query with macros and variables expanded as Grafana does: the official parsers accept it, whatever is selected. That it matches the
 * selected values, real servers show: test/truth.
 */
import { parser as logqlParser } from "@grafana/lezer-logql";
import { expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { type Choice, classic, expand, type Format, pipe, specialCharacters } from "../../support/expand";
import { budgetedC, exampleA, exampleB, exampleC, targetsOf, variablesOf } from "../../support/models";
import { PromQL, Query } from "./promql";
import { TraceQL } from "./traceql";

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
