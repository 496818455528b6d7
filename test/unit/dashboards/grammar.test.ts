/** Every query with macros and variables expanded as Grafana does: the official parsers accept it, and its filters match the selected values. */
import { parser as logqlParser } from "@grafana/lezer-logql";
import { describe, expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { type Choice, classic, expand, type Format, pipe, specialCharacters, unquote } from "../../support/expand";
import { exampleA, exampleB, exampleC, recordedC, targetsOf, variablesOf } from "../../support/models";
import { all, errorsIn, PromQL } from "./promql";
import { TraceQL } from "./traceql";

/** A parsed query: its errors, and its string literals with their quotes. */
type Parsed = Pick<PromQL | TraceQL, "errors"> & { literals(): string[] };

const promql = (text: string): Parsed => new PromQL(text);
const traceql = (text: string): Parsed => new TraceQL(text);
const logql = (text: string): Parsed => {
  const top = logqlParser.parse(text).topNode;
  return { errors: errorsIn(top, text), literals: () => all(top, "String").map((node) => text.slice(node.from, node.to)) };
};

const ofPrometheus = { type: "prometheus", parse: promql, format: specialCharacters, excluded: /\n/ };
// Go's raw literals cannot contain a backtick, and the format `regex` escapes for raw literals only.
const ofTempo = { type: "tempo", parse: traceql, format: pipe, excluded: /[\n`]/ };

describe.each<{
  name: string;
  model: DashboardModel;
  type: string;
  parse: (text: string) => Parsed;
  format: Format;
  excluded: RegExp;
}>([
  { name: "PromQL of LLM Monitoring", model: exampleA, ...ofPrometheus },
  { name: "PromQL of GenAI Observability", model: exampleB, ...ofPrometheus },
  // Without its feature toggle, Grafana does not escape double quotes: they break every query.
  { name: "PromQL without the feature toggle", model: exampleB, ...ofPrometheus, format: classic, excluded: /[\n"]/ },
  { name: "PromQL of OpenTelemetry", model: exampleC, ...ofPrometheus },
  { name: "PromQL of OpenTelemetry, recorded", model: recordedC, ...ofPrometheus },
  { name: "TraceQL of GenAI Observability", model: exampleB, ...ofTempo },
  { name: "TraceQL of OpenTelemetry", model: exampleC, ...ofTempo },
  { name: "LogQL", model: exampleA, type: "loki", parse: logql, format: classic, excluded: /[\n"]/ },
])("$name", ({ model, type, parse, format, excluded }) => {
  const queries = targetsOf(model, type).map(({ target }) => target.expr ?? target.query ?? "");
  const variables = variablesOf(model).filter((variable) => variable.type === "query");
  const hostile = 'a.b+c|say "hi"|back\\slash|[x]{y}(z)|$1 ^ $HOME|it\'s|tick`tock|1/2|grüße 🙂|-- {}'.split("|").concat("a|b", " ");

  /** The query is right, and its literals with an expanded variable match the selected values and no others. */
  function expectRight(query: string, choice: Choice): void {
    const text = expand(query, variables, choice, format);
    const parsed = parse(text);
    expect(parsed.errors, text).toEqual([]);
    // No variable and no macro is left, except `$1` of label_replace.
    if (!choice.values.some((value) => /\$|\[\[/.test(value))) expect(text.replaceAll("$1", "")).not.toMatch(/\$|\[\[/);
    const [literals, before] = [parsed.literals(), parse(query).literals()];
    expect(literals).toHaveLength(before.length);
    const expanded = literals.flatMap((literal, index) => {
      const template = unquote(before[index] as string);
      return isVariable(template) ? [{ literal, template }] : [];
    });
    for (const { literal, template } of expanded) {
      const pattern = new RegExp(`^(?:${unquote(literal)})$`, "s");
      for (const value of choice.values) expect(instance(template, () => value)).toMatch(pattern);
      const [first = ""] = choice.values;
      for (const { name } of variables.filter(({ name }) => template.includes(name)))
        if (!choice.all) expect(instance(template, (variable) => (variable === name ? "none of them" : first))).not.toMatch(pattern);
    }
    if (/\$\{?(?:application|environment)/i.test(query)) expect(expanded.length).toBeGreaterThan(0);
  }

  it("parses and matches with All, and with any values", () => {
    const values = hostile.filter((text) => !excluded.test(text));
    const choices: Choice[] = [...values.map((value) => ({ values: [value] })), { values: values.slice(0, 3) }];
    expect(queries.length).toBeGreaterThan(0);
    for (const query of queries) for (const choice of [{ all: true, values: ["one", "two"] }, ...choices]) expectRight(query, choice);
  });

  /** A variable, or several in groups. */
  const reference = /\(?\$\{?([a-z]\w*)(?::\w+)?\}?\)?/gi;
  const isVariable = (text: string) => variables.some(({ name }) => [...text.matchAll(reference)].some(([, used]) => used === name));
  /** A text with values in place of the variables. */
  const instance = (template: string, selectedIn: (name: string) => string) =>
    template.replace(reference, (_all, name: string) => selectedIn(name));
});
