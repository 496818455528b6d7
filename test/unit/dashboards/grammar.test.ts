/** Every query, with macros and variables expanded as Grafana does, against the grammar of its language and against the values that were picked. */
import { parser as logqlParser } from "@grafana/lezer-logql";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { type Choice, classic, expand, type Format, pipe, specialCharacters, unquote } from "../../support/expand";
import { configB, exampleA, exampleB, targetsOf, variablesOf } from "../../support/models";
import { all, errorsIn, PromQL } from "./promql";
import { passes, TraceQL } from "./traceql";

/** What a language's tree tells: its errors and its string literals. */
interface Parsed {
  errors: string[];
  literals: string[];
}

const promql = (text: string): Parsed => {
  const query = new PromQL(text);
  return { errors: [...query.errors, ...query.typeErrors()], literals: query.literals() };
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
  // Without its feature toggle, Grafana leaves a double quote as it is: no query can hold it.
  { name: "PromQL as older versions escape", model: exampleB, type: "prometheus", parse: promql, format: classic, excluded: /[\n"]/ },
  { name: "LogQL", model: exampleA, type: "loki", parse: logql, format: classic, excluded: /[\n"]/ },
  // Nor can Go's raw literals hold a backtick, and the format `regex` escapes for no other literal.
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
      // Not a variable, nor a macro; `$1` of label_replace may stay.
      if (!choice.values.some((value) => /\$|\[\[/.test(value))) expect(text.replaceAll("$1", "")).not.toMatch(/\$|\[\[/);
      expectMatches(query, literals, choice);
    }
  });

  it("parses and matches with any values", () => {
    const value = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => !excluded.test(text) && !/[\p{C}\u2028\u2029]/u.test(text));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (picked) => {
        for (const { query } of targets) {
          const { errors, literals } = parse(expand(query, variables(model), { values: picked }, format));
          expect(errors).toEqual([]);
          expectMatches(query, literals, { values: picked });
        }
      }),
    );
  });

  /** The literals that stand where a variable stood match the picked values and no other. */
  function expectMatches(query: string, literals: string[], choice: Choice): void {
    const before = parse(query).literals;
    expect(literals).toHaveLength(before.length);
    const places = before.map((literal, place) => ({ literal, place })).filter(({ literal }) => isVariable(unquote(literal)));
    for (const { place } of places) {
      const pattern = new RegExp(`^(?:${unquote(literals[place] as string)})$`, "s");
      for (const value of choice.values) expect(value).toMatch(pattern);
      if (!choice.all) expect("neither of them").not.toMatch(pattern);
    }
    if (/\$\{?(?:application|environment)/i.test(query)) expect(places.length).toBeGreaterThan(0);
  }

  const isVariable = (text: string) => variables(model).some(({ name }) => new RegExp(`^\\$\\{?${name}(?::\\w+)?\\}?$`).test(text));
});

it("an SDK name with any characters stays itself: Grafana puts no variable in its place", () => {
  fc.assert(
    fc.property(configB, (config) => {
      const model = genaiObservability(config);
      const choice: Choice = { values: ["picked"] };
      for (const { target } of targetsOf(model, "prometheus")) {
        const query = new PromQL(expand(target.expr ?? "", variables(model), choice, classic));
        expect([...query.errors, ...query.typeErrors()]).toEqual([]);
        for (const { matchers } of query.selectors()) {
          expect(matchers.find(({ label }) => label === "telemetry_sdk_name")?.value).toBe(config.sdkName);
        }
      }
      for (const { target } of targetsOf(model, "tempo")) {
        const query = new TraceQL(expand(target.query ?? "", variables(model), choice, pipe));
        expect(query.errors).toEqual([]);
        const name = query.conditions().find(({ field }) => field === "span.telemetry.sdk.name");
        expect(name && passes(name, config.sdkName)).toBe(true);
      }
    }),
  );
});
