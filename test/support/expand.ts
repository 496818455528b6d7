/** Expands the queries of the models in tests, and reads their string literals. */
import * as reading from "../view/reading/expand";

export { type Choice, classic, type Format, type Macros, pipe, specialCharacters } from "../view/reading/expand";

/** Each macro has a different value, so that expanded queries show which one it was. */
const exampleMacros: reading.Macros = [
  ["__rate_interval_ms", "240000"],
  ["__rate_interval", "4m"],
  ["__interval_ms", "60000"],
  ["__interval", "1m"],
  ["__range_ms", "86400000"],
  ["__range_s", "86400"],
  ["__range", "86400s"],
];

export const expandMacros = (query: string) => reading.expandMacros(query, exampleMacros);

/** Expands variables and macros. See `expand` in test/view/reading/expand.ts. */
export const expand = (
  query: string,
  variables: readonly reading.Variable[],
  choice: Parameters<typeof reading.expand>[2],
  format: reading.Format,
) => reading.expand(query, variables, choice, format, exampleMacros);

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
