/**
 * Redacts untrusted text. A server may return the secrets of a request, encoded and split in ways that cannot be listed, so only text that
 * looks like ordinary words is shown. Part of the dynamic provider's code (see `connection/exchange.ts`).
 */

/** Replaces hidden text, whether or not it is a secret. */
export const redacted = "[redacted]";

/** The number of characters that are read, and shown. */
export const readLimit = 4096;
const shownLimit = 200;

/**
 * The first line of a text, without tags and invisible characters. `[redacted]` replaces each run of characters that does not look like words.
 * If a secret is spelled by ordinary words, or by several runs, it replaces the whole text: in place of a word, it would reveal the secret.
 *
 * @param secrets the known secrets, as `holdsSecret` finds them
 */
export function redactText(text: string, secrets: readonly string[]): string {
  const visible = (text.length > readLimit ? withoutLastRun(text.slice(0, readLimit)) : text)
    .replace(/[\v\f\r\x85\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ")
    .replace(/(?!\n)[\p{C}\p{DI}]/gu, "");
  const untagged = visible.replace(/<(style|script)[\s\S]*?<\/\1>|<[/!]?[a-z][^<>]*>/gi, " ");
  const withinRun = (part: string) => (!isOrdinaryText(part) && holdsSecret(part, secrets) ? " " : part);
  if ([...new Set([visible, untagged])].some((seen) => holdsSecret(seen.replace(run, withinRun), secrets))) return redacted;
  const line = untagged.split("\n").find((line) => /[\p{L}\p{N}]/u.test(line));
  const shown = (line ?? "")
    .replace(spelledOut, `${redacted} `)
    .replace(run, (part) => (isOrdinaryText(part) ? part : redacted))
    .replace(/(\[redacted\])(?:[^\p{L}\p{N}]*\[redacted\])+/gu, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return shown.length > shownLimit ? `${shown.slice(0, shownLimit - 2).replace(/\s\S*$/, "")} …` : shown;
}

/** Removes the last run of a truncated text: the start of a secret may look like a word. */
export const withoutLastRun = (text: string) => text.replace(/\S*$/, "");

/** White space, quotes, brackets and commas. */
const gap = "\\s\"'`()[\\]{}<>,|\\p{Pi}\\p{Pf}";
const run = new RegExp(`[^${gap}]+`, "gu");
/** Six or more single characters, pairs or numbers in a row: a text that is spelled out, or its bytes. */
const spelledOut = new RegExp(
  String.raw`(?<![^${gap}])(?:(?:[\p{L}\p{N}]{1,2}|\d{1,5})[^\p{L}\p{N}${gap}]*(?:[${gap}][^\p{L}\p{N}]*|$)){6,}`,
  "gu",
);

/** Letters in the case of a word, at most 16: timeout, Grafana, dashboardId, PromQL, POST, URLs. */
const word = String.raw`(?!\p{L}{17})(?:\p{Lu}?\p{Ll}+(?:\p{Lu}\p{Ll}+){0,2}\p{Lu}{0,3}|\p{Lu}+s?|\p{Lo}+)`;
/** A word, two words with a hyphen, or up to six with underscores; a number; the `v1` of paths; `x509` in the messages of Go. */
const name = String.raw`(?:${word}(?:-${word}|(?:_${word}){1,5})?|v?\d{1,5}|x509)`;
/** Names as in hosts and paths, or up to three signs. */
const ordinary = new RegExp(String.raw`^[./:-]*${name}(?:[.:/]+${name}){0,9}[.:;!?/…-]*$|^[^\p{L}\p{N}]{1,3}$`, "u");

const isOrdinaryText = (part: string) =>
  ordinary.test(part) && (part.match(/(?<![\p{L}\p{N}])(?:\p{L}|\d+)(?![\p{L}\p{N}])/gu) ?? []).length <= 5;

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const hex = "0123456789abcdef";
const base64 = `${upper}${upper.toLowerCase()}0123456789`;

/**
 * Whether a text contains a secret, in any case and with any signs between its letters and digits: in plain text, or within hex, base32 or
 * base64. A word of fewer than 8 letters, or a secret with fewer than 5 letters and digits, is only found encoded: ordinary texts contain it by
 * chance, and hiding them would reveal it.
 */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  const bare = text.replace(/\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[bfnrtv]|%[0-9a-f]{2}|&#?\w{1,8};/gi, "");
  const seen = [lettersOf(text), lettersOf(bare), asciiOf(bare)];
  const decoded = [
    bitsOf(bare.toLowerCase(), hex),
    bitsOf(bare.toUpperCase(), `${upper}234567`),
    bitsOf(bare, `${base64}+/`),
    bitsOf(bare, `${base64}-_`),
  ];
  return secrets.some((secret) => {
    const minLength = /^\p{L}+$/u.test(secret) ? 8 : 5;
    const wanted = [lettersOf(secret), lettersOf(secret), asciiOf(secret)];
    const spelled = wanted.some((letters, view) => letters.length >= minLength && seen[view]?.includes(letters));
    const bits = bitsOf(Buffer.from(secret, "utf8").toString("hex"), hex);
    return spelled || (bits.length >= 32 && decoded.some((all) => all.includes(bits)));
  });
}

/** All letters and digits, without diacritics. */
const lettersOf = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]/gu, "");
/** The letters and digits that no escape changes. */
const asciiOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The digits of a text as a string of bits; other characters are skipped. */
function bitsOf(text: string, digits: string): string {
  let bits = "";
  for (const sign of text) {
    const value = digits.indexOf(sign);
    if (value >= 0) bits += (value + digits.length).toString(2).slice(1);
  }
  return bits;
}
