/** The search finds secrets at any position and in any encoding, and nothing else. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { findSecrets, spellings } from "./search";

/** A secret: escaped characters around a run that is long enough to identify it in part. */
const signs = fc.string({ unit: fc.constantFrom(...`"\\%&<>'/+ =~:?#{}$\`\n\té漢🔑aZ0`), maxLength: 12 });
const run = fc.string({ unit: fc.constantFrom(..."ABCDEFGHabcdefgh0123456789"), minLength: 16, maxLength: 24 });
const secret = fc.tuple(signs, run, signs).map((parts) => parts.join(""));
const around = fc.string({ unit: "binary", maxLength: 200 });

const names = Object.keys(spellings(""));
const isFound = (text: string, value: string) => findSecrets(text, { it: value }).length > 0;

it.each(names)("%s: in any text", (name) => {
  fc.assert(
    fc.property(secret, around, around, (value, before, after) => {
      const spelled = spellings(value)[name] ?? "";
      expect(findSecrets(before + spelled + after, { it: value })).toContainEqual({ secret: "it", spelling: name });
    }),
    { numRuns: 300 },
  );
});

it("in base64 of a longer text, at each alignment, also in an address", () => {
  fc.assert(
    fc.property(secret, fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 20 }), fc.nat(3), (value, before, after, form) => {
      const bytes = Buffer.concat([before, Buffer.from(value), after]);
      const base64 = bytes.toString("base64");
      const spelled = [base64, bytes.toString("base64url"), encodeURIComponent(base64), JSON.stringify(base64)][form] ?? "";
      expect(isFound(`x${spelled}x`, value)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

it("in any two encodings, one after the other, with base64 once", () => {
  const once = fc.constantFrom(...names.filter((name) => !name.startsWith("base64")));
  fc.assert(
    fc.property(secret, once, fc.constantFrom(...names), (value, first, second) => {
      expect(isFound(spellings(spellings(value)[first] ?? "")[second] ?? "", value)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

it("without its end or its start", () => {
  fc.assert(
    fc.property(signs, run, signs, fc.nat(4), (before, core, after, cut) => {
      const value = before + core + after;
      expect(isFound(`said: ${before}${core.slice(0, core.length - cut)}`, value)).toBe(true);
      expect(isFound(`${core.slice(cut)}${after} was said`, value)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it("nothing in other texts", () => {
  const other = fc.string({ unit: fc.constantFrom(...`"\\%&<>'/+= éIJKLMNOPijklmnop`), maxLength: 400 });
  fc.assert(
    fc.property(secret, other, (value, text) => {
      const texts = [text, ...Object.values(spellings(text))];
      expect(texts.filter((spelled) => isFound(spelled, `${value}QQ`) && !spelled.includes(value))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
