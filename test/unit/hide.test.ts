/** Secrets in the words of others: gone in every spelling, also one inside of another, and nothing else is touched. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hideSecrets } from "../../src/hide";
import { findSecrets, spellings } from "../faults/secrets/search";

const signs = fc.string({ unit: fc.constantFrom(...`"\\%&<>'/+ =~:?#{}$\n\té漢🔑aZ0`), maxLength: 8 });
const run = fc.string({ unit: fc.constantFrom(..."ABCDEFGHabcdefgh0123456789"), minLength: 12, maxLength: 16 });
const secret = fc.tuple(signs, run, signs).map((parts) => parts.join(""));
/** Does not begin a secret and ends no escape. */
const around = fc.constantFrom("", "no: ", "[", " \n", "key=", "…", "(", "|");

const names = Object.keys(spellings(""));
const left = (text: string, value: string) => findSecrets(text, { it: value }).map(({ spelling }) => spelling);

describe("a secret that somebody says back", () => {
  it.each(names)("%s", (name) => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        expect(left(hideSecrets(`${before}${spellings(value)[name]}${after}`, [value]), value)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  // What is JSON inside of JSON, of an address, of HTML or of base64: nothing else is done one after the other.
  it("in JSON, and then in any of these", () => {
    const once = fc.constantFrom(...names.filter((name) => name === "plain" || name.startsWith("JSON")));
    fc.assert(
      fc.property(secret, once, fc.constantFrom(...names), (value, first, second) => {
        fc.pre(!second.startsWith("base64") || first === "plain");
        const text = spellings(spellings(value)[first] ?? "")[second] ?? "";
        expect(left(hideSecrets(text, [value]), value)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("within base64 of a longer text", () => {
    fc.assert(
      fc.property(secret, fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), (value, before, after) => {
        const text = Buffer.concat([before, Buffer.from(value), after]).toString("base64");
        expect(left(hideSecrets(text, [value]), value)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("in a usual spelling leaves the words around it", () => {
    expect(hideSecrets('the key "a\\b&c-1" is wrong', ["a\\b&c-1"])).toBe('the key "[secret]" is wrong');
    expect(hideSecrets("the key a%5Cb%26c-1 is wrong", ["a\\b&c-1"])).toBe("the key [secret] is wrong");
  });

  it("in any other spelling leaves none of them", () => {
    expect(hideSecrets("the key a%255Cb%2526c-1 is wrong", ["a\\b&c-1"])).toBe("[not shown: it holds a secret]");
  });
});

it("other texts stay as they are", () => {
  fc.assert(
    fc.property(secret, fc.string({ unit: fc.constantFrom(...`"\\%&<>'/+ =é.,;IJKLijkl`), maxLength: 300 }), (value, text) => {
      expect(hideSecrets(text, [value])).toBe(text);
    }),
    { numRuns: 500 },
  );
});
