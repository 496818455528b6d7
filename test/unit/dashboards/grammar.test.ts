/** Every query with macros and variables expanded as Grafana does: the official parsers accept it, and its filters match the selected values. */
import { parser as logqlParser } from "@grafana/lezer-logql";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Choice, classic, expand, type Format, pipe, specialCharacters, unquote } from "../../support/expand";
import { exampleA, exampleB, exampleC, recordedC, targetsOf, variablesOf } from "../../support/models";
import { all, errorsIn, PromQL } from "./promql";
import { TraceQL } from "./traceql";

interface Parsed {
  errors: string[];
  literals: string[];
}

const promql = (text: string): Parsed => {
  const query = new PromQL(text);
  return { errors: query.errors, literals: query.literals() };
};
const logql = (text: string): Parsed => {
  const top = logqlParser.parse(text).topNode;
  return { errors: errorsIn(top, text), literals: all(top, "String").map((node) => text.slice(node.from, node.to)) };
};
const traceql = (text: string): Parsed => {
  const query = new TraceQL(text);
  return { errors: query.errors, literals: query.literals() };
};

const variables = (model: typeof exampleA) => variablesOf(model).filter(({ type }) => type === "query");

const languages: {
  name: string;
  model: typeof exampleA;
  type: string;
  parse: (text: string) => Parsed;
  format: Format;
  excluded: RegExp;
}[] = [
  { name: "PromQL of LLM Monitoring", model: exampleA, type: "prometheus", parse: promql, format: specialCharacters, excluded: /\n/ },
  { name: "PromQL of GenAI Observability", model: exampleB, type: "prometheus", parse: promql, format: specialCharacters, excluded: /\n/ },
  // Without its feature toggle, Grafana does not escape double quotes: they break every query.
  { name: "PromQL without the feature toggle", model: exampleB, type: "prometheus", parse: promql, format: classic, excluded: /[\n"]/ },
  { name: "PromQL of OpenTelemetry", model: exampleC, type: "prometheus", parse: promql, format: specialCharacters, excluded: /\n/ },
  {
    name: "PromQL of OpenTelemetry, recorded",
    model: recordedC,
    type: "prometheus",
    parse: promql,
    format: specialCharacters,
    excluded: /\n/,
  },
  { name: "TraceQL of OpenTelemetry", model: exampleC, type: "tempo", parse: traceql, format: pipe, excluded: /[\n`]/ },
  { name: "LogQL", model: exampleA, type: "loki", parse: logql, format: classic, excluded: /[\n"]/ },
  // Go's raw literals cannot contain a backtick, and the format `regex` escapes for raw literals only.
  { name: "TraceQL", model: exampleB, type: "tempo", parse: traceql, format: pipe, excluded: /[\n`]/ },
];

const hostile = [
  "a.b+c",
  'say "hi"',
  "back\\slash",
  "[x]{y}(z)",
  "$1 ^ $HOME",
  "it's",
  "tick`tock",
  "a|b",
  "1/2",
  "grüße 🙂",
  "-- {}",
  " ",
];

describe.each(languages)("$name", ({ model, type, parse, format, excluded }) => {
  const targets = targetsOf(model, type).map(({ panel, target }) => ({ title: panel.title, query: target.expr ?? target.query ?? "" }));
  const values = hostile.filter((value) => !excluded.test(value));
  const choices: [name: string, Choice][] = [
    ["All", { all: true, values: ["one", "two"] }],
    ["one value", { values: ["one"] }],
    ["two values", { values: ["one", "two"] }],
    ["hostile values", { values }],
    ...values.map((value): [string, Choice] => [value, { values: [value] }]),
  ];

  it("has queries", () => expect(targets.length).toBeGreaterThan(0));

  it.each(choices)("parses and matches with %s", (_name, choice) => {
    for (const { title, query } of targets) {
      const text = expand(query, variables(model), choice, format);
      const { errors, literals } = parse(text);
      expect(errors, title).toEqual([]);
      // No variable and no macro is left, except `$1` of label_replace.
      if (!choice.values.some((value) => /\$|\[\[/.test(value))) expect(text.replaceAll("$1", "")).not.toMatch(/\$|\[\[/);
      expectMatches(query, literals, choice);
    }
  });

  it("parses and matches with any values", () => {
    const value = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => !excluded.test(text) && !/[\p{C}\u2028\u2029]/u.test(text));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (selected) => {
        for (const { query } of targets) {
          const { errors, literals } = parse(expand(query, variables(model), { values: selected }, format));
          expect(errors).toEqual([]);
          expectMatches(query, literals, { values: selected });
        }
      }),
    );
  });

  /** The literals with an expanded variable match the selected values and no others. */
  function expectMatches(query: string, literals: string[], choice: Choice): void {
    const before = parse(query).literals;
    expect(literals).toHaveLength(before.length);
    const expanded = literals.flatMap((literal, index) => {
      const template = unquote(before[index] as string);
      return isVariable(template) ? [{ literal, template }] : [];
    });
    for (const { literal, template } of expanded) {
      const pattern = new RegExp(`^(?:${unquote(literal)})$`, "s");
      for (const value of choice.values) expect(instance(template, () => value)).toMatch(pattern);
      const [first = ""] = choice.values;
      for (const { name } of variables(model).filter(({ name }) => template.includes(name)))
        if (!choice.all) expect(instance(template, (variable) => (variable === name ? "none of them" : first))).not.toMatch(pattern);
    }
    if (/\$\{?(?:application|environment)/i.test(query)) expect(expanded.length).toBeGreaterThan(0);
  }

  /** A variable, or several in groups. */
  const reference = /\(?\$\{?([a-z]\w*)(?::\w+)?\}?\)?/gi;
  const isVariable = (text: string) => variables(model).some(({ name }) => [...text.matchAll(reference)].some(([, used]) => used === name));
  /** A text with values in place of the variables. */
  const instance = (template: string, selectedIn: (name: string) => string) =>
    template.replace(reference, (_all, name: string) => selectedIn(name));
});
