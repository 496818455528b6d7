/** Redacts the text of a server, which may repeat the secrets of a request in its own encoding. */
import { truncate, visible } from "./sanitize";

/** Replaces a part of a text that contains a secret. */
export const redacted = "[redacted]";

/** The maximum number of characters that are shown. */
const shownLimit = 200;

/** A part of a secret with this many letters and digits is masked, too: a server may shorten or split what it repeats. */
const partLength = 6;

/** Whether a secret is long enough. Ordinary texts contain a shorter one, or a short word, by chance, and a mask would reveal it. */
const isLong = (secret: string) => lettersOf(secret).letters.length >= (/^\p{L}+$/u.test(secret) ? 8 : 5);

/** The first line of a text, short and safe for a terminal. Words that contain a secret, or a part of one, in any case and encoding, are masked. */
export function redactText(text: string, secrets: readonly string[]): string {
  const [line = ""] = mask(text.trim(), secrets).split(/[\r\n\u2028\u2029]/);
  return truncate(visible(line.replace(/\s+/g, " ").trim()), shownLimit);
}

/** Whether a text contains a secret, or a part of one, in any case and encoding. */
export const holdsSecret = (text: string, secrets: readonly string[]) => mask(text, secrets) !== text;

/** Masks all words that contain a part of a secret. */
function mask(text: string, secrets: readonly string[]): string {
  const { letters, places } = lettersOf(text);
  const parts = new Set(secrets.flatMap(partsOf));
  const lengths = new Set([...parts].map(({ length }) => length));
  const hidden: [from: number, to: number][] = [];
  for (let at = 0; at < letters.length; at++) {
    for (const length of lengths) {
      if (parts.has(letters.slice(at, at + length))) hidden.push([places[at] as number, places[at + length - 1] as number]);
    }
  }
  // Whole words: what stands beside a part may be another part.
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));
  const isHidden = ({ from, to }: { from: number; to: number }) => hidden.some(([first, last]) => first < to && last >= from);
  let [masked, end, isAfterMask] = ["", 0, false];
  for (const each of words) {
    const hides = isHidden(each);
    if (!(hides && isAfterMask)) masked += text.slice(end, each.from) + (hides ? redacted : each.word);
    end = each.to;
    isAfterMask = hides;
  }
  return masked + text.slice(end);
}

/** The letters and digits of a text in one case and form, and their places in it. */
function lettersOf(text: string): { letters: string; places: number[] } {
  let letters = "";
  const places: number[] = [];
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    for (const unit of character
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "")) {
      letters += unit;
      for (const _ of unit.split("")) places.push(at);
    }
    at += character.length;
  }
  return { letters, places };
}

/** The parts of a secret in all encodings, as letters and digits. */
function partsOf(secret: string): string[] {
  if (!isLong(secret)) return [];
  return encodingsOf(secret).flatMap((encoded) => {
    const { letters } = lettersOf(encoded);
    const count = Math.max(1, letters.length - partLength + 1);
    return Array.from({ length: count }, (_, at) => letters.slice(at, at + partLength));
  });
}

const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const inJson = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** What servers write in place of a text. Signs do not matter, so that escaping by signs alone needs no entry. */
function encodingsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const bytes = Buffer.from(text, "utf8");
  // Three bytes make four signs of base64: what stands before the text moves them.
  const base64 = [0, 1, 2].map((before) => Buffer.concat([Buffer.alloc(before), bytes]).toString("base64"));
  return [
    text,
    json,
    json.replace(/[<>&]/g, inJson),
    json.replace(/[^ -~]/g, inJson),
    encodeURIComponent(text),
    new URLSearchParams({ text }).toString(),
    text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign),
    text.replace(/[^a-z0-9 ]/giu, (sign) => `&#${sign.codePointAt(0)};`),
    bytes.toString("hex"),
    ...base64,
    ...base64.map(encodeURIComponent),
  ];
}
