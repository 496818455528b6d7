/** Grafana's expansion of macros and variables in queries, written after the rules of its datasources. */

/** What the user picked: "All", one value or several. Several include the case that "All" stands for the list of all values. */
export type Choice = { all: true; values: string[] } | { all?: false; values: string[] };

export interface Variable {
  name: string;
  allValue?: string;
}

/** Formats a list of values for a query. */
export type Format = (values: string[]) => string;

/** Macros of Grafana's with their values. Where one name begins with another, the longer one comes first. */
export type Macros = readonly (readonly [name: string, value: string])[];

/** Each macro has a value of its own, so that a test can tell them apart after expansion. */
const exampleMacros: Macros = [
  ["__rate_interval_ms", "240000"],
  ["__rate_interval", "4m"],
  ["__interval_ms", "60000"],
  ["__interval", "1m"],
  ["__range_ms", "86400000"],
  ["__range_s", "86400"],
  ["__range", "86400s"],
];

export const windowOf = { range: "86400s", interval: "1m", rateInterval: "4m" };

export function expandMacros(query: string, macros: Macros = exampleMacros): string {
  return macros.reduce((text, [name, value]) => text.replaceAll(`$${name}`, value).replaceAll(`\${${name}}`, value), query);
}

/** `$name`, `${name}`, `${name:format}` and `[[name]]`, with the datasource's format where the query names none. Macros come last, as in Grafana. */
export function expand(
  query: string,
  variables: readonly Variable[],
  choice: Choice | ((name: string) => Choice),
  format: Format,
  macros?: Macros,
): string {
  const value = ({ name, allValue }: Variable, wanted: string | undefined) => {
    const { all, values } = typeof choice === "function" ? choice(name) : choice;
    // Grafana inserts a custom "All" as it is: it is a regular expression already.
    if (all && allValue !== undefined) return allValue;
    const formatted = wanted === undefined ? format : formats[wanted];
    if (!formatted) throw new Error(`The test knows no format "${wanted}"`);
    return formatted(values);
  };
  // In one pass: what a value holds is no reference.
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

/** Prometheus and Loki: regular expressions inside of string literals, so a special character takes two backslashes (escaping.ts). */
export const classic: Format = (values) =>
  group(
    values.map((value) => value.replace(/\\/g, "\\\\\\\\").replace(/[$^*{}[\]+?.()|]/g, "\\\\$&")),
    "|",
  );

/** The same with Grafana's `prometheusSpecialCharsInLabelValues`: double quotes, which break a query otherwise, are escaped too. */
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

/** Grafana's `:pipe`, which Tempo's datasource takes where a query names no format: nothing is escaped. */
export const pipe: Format = (values) => values.join("|");

const formats: Record<string, Format> = { regex, pipe };

/** The text of a Go string literal; all three query languages have Go's. Throws where the literal is no legal one. */
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
      throw new Error(`Go knows no escape ${all} as in ${literal}`);
    },
  );
}

const escapes: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
