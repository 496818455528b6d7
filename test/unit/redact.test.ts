/** Redaction of responses: no part of a known key is shown, in any encoding; the rest of the first line is, in any language. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { redactText } from "../../src/text/redact";
import { spellings } from "../support/raw-server";

const text = (units: string, minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...units), minLength, maxLength });
const mixed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const signs = ["", ". ", ..."\n-\\ \t\u00a0\u3000\v\u2028\u200b\u00ad\u202e\u{e0041}\0\x1b\x85"];

/** Keys, random or of words, with the signs that encodings change. */
const key = fc.oneof(
  fc.tuple(text(mixed, 8, 20), text(`${mixed}_-é漢🔑\\%&<>/+=~:?#{}$'"`, 0, 20)).map(([start, end]) => start + end),
  fc.constantFrom("correct horse", "walnut-falcon", "schöne_bäume", "зелёные деревья", "正しい馬の電池です", "invalidtoken", "a1-b2-c3"),
);

/** What a server may write in place of a key. */
const encodings: ((key: string) => string)[] = [
  ...Object.keys(spellings("")).map((name) => (key: string) => spellings(key)[name as keyof ReturnType<typeof spellings>]),
  (key) => Buffer.from(key, "utf8").toString("hex"),
  (key) => key.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (key) => key.toUpperCase(),
  (key) => key.toLowerCase(),
];

it("a key is not shown, whatever its encoding and whatever stands between its characters; the words around it are", () => {
  fc.assert(
    fc.property(key, fc.constantFrom(...encodings), fc.constantFrom(...signs), (key, encode, sign) => {
      const encoded = encode(key);
      const written = sign === "" ? encoded : [...encoded].join(sign);
      const shown = redactText(`403 refusée: ${written} unzulässig`, ["another one", key]);
      expect(shown.replace(/⟨U\+[0-9A-F]+⟩|[^\p{L}\p{N}[\]]/gu, "")).toMatch(/^403refusée(\[redacted\](unzulässig)?)?$/);
    }),
    { numRuns: 1_000 },
  );
});

it.each(["user:KEY", "Platform=grafana&ApiKey=KEY&more", "x=y KEY"])("a key is not shown within the base64 of %s", (around) => {
  fc.assert(
    fc.property(key, fc.constantFrom("base64" as const, "base64url" as const, "hex" as const), (key, encoding) => {
      const text = around.replace("KEY", () => key);
      const written = Buffer.from(text, "utf8").toString(encoding);
      expect(redactText(`refused ${written} !`, ["another one", key])).toBe("refused [redacted] !");
    }),
  );
});

it("a part of a key is not shown, and neither is the word that it stands in", () => {
  fc.assert(
    fc.property(text(mixed, 12, 40), fc.nat(5), fc.nat(5), (key, start, end) => {
      const part = key.slice(start, key.length - end);
      fc.pre(part.length >= 6);
      expect(redactText(`wrong: key=${part}… !`, [key])).toBe("wrong: [redacted] !");
    }),
  );
});

it.each([
  ["a key that is an ordinary word, which a mask would reveal", "the secret is wrong", "secret", "the secret is wrong"],
  ["a short key", "4 of 1234 requests", "1234", "4 of 1234 requests"],
  ["a key of words", "the SERVICE-token and its 'Ser-vice Tok en'", "service-token", "the [redacted] and its [redacted]"],
  ["French", "Clé refusée : quota dépassé", "walnut-falcon", "Clé refusée : quota dépassé"],
  ["numbers", "quota exceeded: 3 of 3 connections used", "walnut-falcon", "quota exceeded: 3 of 3 connections used"],
  ["Japanese", "接続が拒否されました", "walnut-falcon", "接続が拒否されました"],
  [
    "control characters, and a second line",
    "\u001b[31mnot\u202e found\u0007\nsecond",
    "walnut-falcon",
    "⟨U+001B⟩[31mnot⟨U+202E⟩ found⟨U+0007⟩",
  ],
  ["nothing", " \n", "walnut-falcon", ""],
])("%s", (_what, said, key, shown) => {
  expect(redactText(said, [key])).toBe(shown);
});

it("a key is not shown whose base64 has signs and is split", () => {
  const written = [..."McO/w7/Dv8O+w74y"].join(" ");
  expect(redactText(`no ${written} !`, ["1ÿÿÿþþ2"])).toBe("no [redacted] !");
});

it.each(["walnut-falcon ", "walnut-falcon", "a ", "-"])("1 MB of %j takes less than 5 seconds of the processor", (part) => {
  const start = process.cpuUsage();
  redactText(part.repeat(1_000_000 / part.length), ["walnut-falcon"]);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(5);
});

it("at most 200 characters are shown", () => {
  expect(redactText("long ".repeat(100), ["walnut-falcon"])).toBe(`${"long ".repeat(40).slice(0, 199)}…`);
  expect(redactText(`${"long ".repeat(40)}!`.slice(1), ["walnut-falcon"])).toBe(`${"long ".repeat(40)}!`.slice(1));
});
