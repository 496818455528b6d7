/** Expands macros and variables in queries as Grafana's datasources do. */

/** The selection in a variable: "All", one value, or several. Several also stand for an "All" that Grafana expands to the list of values. */
export type Choice = { all: true; values: string[] } | { all?: false; values: string[] };

export interface Variable {
  name: string;
  allValue?: string;
}

/** Formats a list of values for a query. */
export type Format = (values: string[]) => string;

/** Grafana's macros with their values. If one name starts with another, the longer one comes first. */
export type Macros = readonly (readonly [name: string, value: string])[];

/** Each macro has a different value, so that expanded queries show which one it was. */
const exampleMacros: Macros = [
  ["__rate_interval_ms", "240000"],
  ["__rate_interval", "4m"],
  ["__interval_ms", "60000"],
  ["__interval", "1m"],
  ["__range_ms", "86400000"],
  ["__range_s", "86400"],
  ["__range", "86400s"],
];

export function expandMacros(query: string, macros: Macros = exampleMacros): string {
  return macros.reduce((text, [name, value]) => text.replaceAll(`$${name}`, value).replaceAll(`\${${name}}`, value), query);
}

/** `$name`, `${name}`, `${name:format}` and `[[name]]`, in the datasource's format unless the query names one. Macros come last, as in Grafana. */
export function expand(
  query: string,
  variables: readonly Variable[],
  choice: Choice | ((name: string) => Choice),
  format: Format,
  macros?: Macros,
): string {
  const value = ({ name, allValue }: Variable, wanted: string | undefined) => {
    const { all, values } = typeof choice === "function" ? choice(name) : choice;
    // Grafana does not escape a custom "All": it is a regular expression.
    if (all && allValue !== undefined) return allValue;
    const formatted = wanted === undefined ? format : formats[wanted];
    if (!formatted) throw new Error(`Unknown format "${wanted}"`);
    return formatted(values);
  };
  // In one pass: a value is not expanded.
  const reference = /\$\{(\w+)(?::(\w+))?\}|\[\[(\w+?)(?::(\w+))?\]\]|\$(\w+)/g;
  const expanded = query.replace(
    reference,
    (all, curly?: string, curlyFormat?: string, square?: string, squareFormat?: string, bare?: string) => {
      const variable = variables.find(({ name }) => name === (curly ?? square ?? bare));
      return variable ? value(variable, curlyFormat ?? squareFormat) : all;
    },
  );
  return expandMacros(expanded, macros);
}

const group = (values: string[], separate: string) => (values.length === 1 ? (values[0] as string) : `(${values.join(separate)})`);

/** Prometheus and Loki: regular expressions in string literals. A special character has two backslashes (escaping.ts). */
export const classic: Format = (values) =>
  group(
    values.map((value) => value.replace(/\\/g, "\\\\\\\\").replace(/[$^*{}[\]+?.()|]/g, "\\\\$&")),
    "|",
  );

/** The same with Grafana's feature toggle `prometheusSpecialCharsInLabelValues`: also escapes double quotes, which otherwise break a query. */
export const specialCharacters: Format = (values) =>
  group(
    values.map((value) =>
      value
        .replace(/\\/g, "\\\\\\\\")
        .replace(/"/g, '\\\\\\"')
        .replace(/[$^*{}[\]'+?.()|]/g, "\\\\$&"),
    ),
    "|",
  );

/** Grafana's `:regex`: regular expressions, not escaped for a string literal. */
const regex: Format = (values) =>
  group(
    values.map((value) => value.replace(/[\\^$*+?.()|[\]{}/]/g, "\\$&")),
    "|",
  );

/** Grafana's `:pipe`, the default of Tempo's datasource: escapes nothing. */
export const pipe: Format = (values) => values.join("|");

const formats: Record<string, Format> = { regex, pipe };

/**
 * The value of a Go string literal, which all three query languages have.
 *
 * @throws Error if the literal is invalid
 */
export function unquote(literal: string): string {
  const body = literal.slice(1, -1);
  if (literal.length < 2 || literal.at(0) !== literal.at(-1)) throw new Error(`Not a string literal: ${literal}`);
  if (literal.startsWith("`")) return body;
  return body.replace(
    /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.|$))/gsu,
    (all, ...parts) => {
      const [character, x, u, U, octal] = parts as (string | undefined)[];
      const otherQuote = (character === "'" || character === '"') && character !== literal[0];
      if (character && !otherQuote) return escapes[character] ?? character;
      const code = x ?? u ?? U;
      if (code) return String.fromCodePoint(Number.parseInt(code, 16));
      if (octal) return String.fromCodePoint(Number.parseInt(octal, 8));
      throw new Error(`Invalid escape ${all} in ${literal}`);
    },
  );
}

const escapes: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
