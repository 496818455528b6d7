/** Redacts the text of a server, which may repeat the secrets of a request in its own encoding. */
import { truncate, visible } from "./sanitize";

/** Replaces words that contain a part of a secret. */
const redacted = "[redacted]";
/** A part of a secret with this many letters and digits is masked, too: a server may shorten or split what it repeats. */
const partLength = 6;

/** The first line of a text, short and safe for a terminal. Words with a secret, or a part of one, in any case and encoding, are masked. */
export function redactText(text: string, secrets: readonly string[]): string {
  const [line = ""] = mask(text.trim(), secrets).split(/[\r\n\u2028\u2029]/);
  return truncate(visible(line.replace(/\s+/g, " ").trim()), 200);
}

/** Whether a text contains a secret, or a part of one, in any case and encoding. */
export const holdsSecret = (text: string, secrets: readonly string[]) => mask(text, secrets) !== text;

/** Masks whole words: what stands beside a part of a secret may be another part. */
function mask(text: string, secrets: readonly string[]): string {
  const parts = new Set(secrets.flatMap(partsOf));
  const lengths = new Set([...parts].map(({ length }) => length));
  const words = text.split(/(\s+)/); // Each second one is the blanks between two.
  const letters = words.map(lettersOf);
  const places = letters.flatMap((own, word) => Array<number>(own.length).fill(word));
  const all = letters.join("");
  const hidden = new Set<number>();
  for (let at = 0; at < all.length; at++) {
    for (const length of lengths) {
      if (!parts.has(all.slice(at, at + length))) continue;
      for (let word = places[at] as number; word <= (places[at + length - 1] as number); word++) hidden.add(word);
    }
  }
  // Also the blanks between two hidden words.
  const isHidden = (place: number) => hidden.has(place) || (hidden.has(place - 1) && hidden.has(place + 1));
  return words.map((word, place) => (!isHidden(place) ? word : isHidden(place - 1) ? "" : redacted)).join("");
}

const signs = /[^\p{L}\p{N}]/gu;

/** The letters and digits of a text, without accents, in one case and form. */
const lettersOf = (text: string) => text.normalize("NFKD").toUpperCase().replace(signs, "");

/** The parts of a secret in all encodings. Ordinary texts contain a short secret, or a short word, by chance: a mask would reveal it. */
function partsOf(secret: string): string[] {
  if (lettersOf(secret).length < (/^\p{L}+$/u.test(secret) ? 8 : 5)) return [];
  return encodingsOf(secret).flatMap((encoded) => {
    const letters = lettersOf(encoded);
    const count = Math.max(1, letters.length - partLength + 1);
    return Array.from({ length: count }, (_, at) => letters.slice(at, at + partLength));
  });
}

const names: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" };
const inJson = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** What servers write in place of a text. Signs do not matter: an encoding that only adds signs, such as a backslash, needs no entry. */
function encodingsOf(text: string): string[] {
  // Three bytes make four signs of base64: what stands before the text moves them.
  const base64 = ["", "-", "--"].map((before) => Buffer.from(before + text).toString("base64"));
  return [
    text,
    text.replace(/[<>&]/g, inJson),
    text.replace(/[^ -~]/g, inJson),
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString(),
    text.replace(/[&<>"']/g, (sign) => `&${names[sign]};`),
    text.replace(/[^a-z0-9 ]/giu, (sign) => `&#${sign.codePointAt(0)};`),
    Buffer.from(text).toString("hex"),
    ...base64,
    ...base64.map(encodeURIComponent),
  ];
}
