/** Expands the queries of the models in tests, and reads their string literals. */
import * as reading from "../view/reading/expand";

export { type Choice, classic, type Format, type Macros, pipe, specialCharacters } from "../view/reading/expand";

/** Each macro has a different value, so that expanded queries show which one it was. Variables with values of their own have one of these. */
const exampleMacros: reading.Macros = [
  ["__rate_interval_ms", "240000"],
  ["__rate_interval", "4m"],
  ["__interval_ms", "60000"],
  ["__interval", "1m"],
  ["__range_ms", "86400000"],
  ["__range_s", "86400"],
  ["__range", "86400s"],
  ["by", "model"],
  ["slow", "30s"],
];

export const expandMacros = (query: string) => reading.expandMacros(query, exampleMacros);

/** Expands variables and macros. See `expand` in test/view/reading/expand.ts. */
export const expand = (
  query: string,
  variables: readonly reading.Variable[],
  choice: Parameters<typeof reading.expand>[2],
  format: reading.Format,
) => reading.expand(query, variables, choice, format, exampleMacros);

/** The value of a Go string literal, which all three query languages have. Other literals than raw ones have escapes of JSON only. */
export const unquote = (literal: string): string => (/^`.*`$/s.test(literal) ? literal.slice(1, -1) : JSON.parse(literal));
