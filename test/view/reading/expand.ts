/** Expands macros and variables in queries as Grafana's datasources do. */

/** The selection in a variable: "All", one value, or several. Several also stand for an "All" that Grafana expands to the list of values. */
export type Choice = { all: true; values: string[] } | { all?: false; values: string[] };

/** The parts of a variable that its value depends on. */
export interface Variable {
  name: string;
  allValue?: string;
}

/** Formats a list of values for a query. */
export type Format = (values: string[]) => string;

/** Grafana's macros with their values. If one name starts with another, the longer one comes first. */
export type Macros = readonly (readonly [name: string, value: string])[];

export function expandMacros(query: string, macros: Macros): string {
  return macros.reduce((text, [name, value]) => text.replaceAll(`$${name}`, value).replaceAll(`\${${name}}`, value), query);
}

/** `$name`, `${name}`, `${name:format}` and `[[name]]`, in the datasource's format unless the query names one. Macros come last, as in Grafana. */
export function expand(
  query: string,
  variables: readonly Variable[],
  choice: Choice | ((name: string) => Choice),
  format: Format,
  macros: Macros,
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
