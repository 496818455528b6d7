/** The search finds secrets in the encodings that `Evidence` does not plant, and nothing else. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { spellings } from "../../support/raw-server";
import { findSecrets } from "./search";

/** A secret: escaped characters around a run that is long enough to identify it in part. */
const signs = fc.string({ unit: fc.constantFrom(...`"\\%&<>'/+ =~:?#{}$\`\n\té漢🔑aZ0`), maxLength: 12 });
const run = fc.string({ unit: fc.constantFrom(..."ABCDEFGHabcdefgh0123456789"), minLength: 16, maxLength: 24 });
const secret = fc.tuple(signs, run, signs).map((parts) => parts.join(""));
const names = Object.keys(spellings("")) as (keyof ReturnType<typeof spellings>)[];
const isFound = (text: string, value: string) => findSecrets(text, { it: value }).length > 0;

it("in base64 of a longer text, at each alignment, also in an address", () => {
  const bytes = fc.uint8Array({ maxLength: 20 });
  fc.assert(
    fc.property(secret, bytes, bytes, fc.nat(3), (value, before, after, form) => {
      const whole = Buffer.concat([before, Buffer.from(value), after]);
      const base64 = whole.toString("base64");
      const spelled = [base64, whole.toString("base64url"), encodeURIComponent(base64), JSON.stringify(base64)][form] ?? "";
      expect(isFound(`x${spelled}x`, value)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it("in any two encodings, one after the other, with base64 once, and without its end", () => {
  const once = fc.constantFrom(...names.filter((name) => !name.startsWith("base64")));
  fc.assert(
    fc.property(secret, once, fc.constantFrom(...names), (value, first, second) => {
      expect(isFound(spellings(spellings(value)[first])[second], value)).toBe(true);
      expect(isFound(`said: ${value.slice(0, value.search(/[A-Ha-h0-9]{16}/) + 12)}`, value)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it("not in other texts", () => {
  const other = fc.string({ unit: fc.constantFrom(...`"\\%&<>'/+= éIJKLMNOPijklmnop`), maxLength: 400 });
  fc.assert(
    fc.property(secret, other, (value, text) => {
      const texts = [text, ...Object.values(spellings(text))];
      expect(texts.filter((spelled) => isFound(spelled, `${value}QQ`) && !spelled.includes(value))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
