/**
 * Finds secrets in a text: unchanged, escaped once or twice for JSON, for addresses or HTML, in base64, within a longer text in base64, or in
 * parts.
 */
import { json, spellings as serverSpellings } from "../../support/raw-server";

/** The name of a found secret, and its encoding. */
export interface Find {
  secret: string;
  spelling: string;
}

/** This many letters and digits in a row identify a secret: escaping does not change them, at any depth, also in a truncated text. */
const partLength = 12;

/** The encodings of a whole text. */
export const spellings: (text: string) => Record<string, string> = serverSpellings;

/**
 * The base64 digits of a text within any longer text, if it starts at a byte whose position modulo 3 is `offset`: the digits that do not depend on
 * neighboring bytes.
 */
function base64Within(text: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text, "utf8")]);
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/** Every `partLength` letters and digits in a row. */
function partsOf(secret: string): string[] {
  const runs = secret.match(/[a-z0-9]+/gi) ?? [];
  return runs.flatMap((run) => Array.from({ length: Math.max(0, run.length - partLength + 1) }, (_, at) => run.slice(at, at + partLength)));
}

/** All texts to search for, each with the name of its encoding. */
function needles(secret: string): [spelling: string, needle: string][] {
  const parts = partsOf(secret);
  const within = [secret, ...parts].flatMap((text) => [0, 1, 2].map((offset) => base64Within(text, offset)));
  const encoded = within.flatMap((base64) => {
    const url = encodeURIComponent(base64);
    return [
      base64,
      base64.replaceAll("+", "-").replaceAll("/", "_"),
      url,
      url.replace(/%../g, (code) => code.toLowerCase()),
      json(base64).replaceAll("/", "\\/"),
    ];
  });
  return [
    ...Object.entries(spellings(secret)),
    ...parts.map((part): [string, string] => ["in part", part]),
    ...[...new Set(encoded)].map((needle): [string, string] => ["within base64", needle]),
  ];
}

/** Every secret in the text, once for each encoding. */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): Find[] {
  return Object.entries(secrets).flatMap(([secret, value]) => {
    const found = new Set(needles(value).flatMap(([spelling, needle]) => (text.includes(needle) ? [spelling] : [])));
    return [...found].map((spelling) => ({ secret, spelling }));
  });
}
