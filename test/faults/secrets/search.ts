/**
 * Finds secrets in a text: unchanged, escaped once or twice for JSON, for addresses or HTML, in base64, within a longer text in base64, or in
 * parts.
 */
import { spellings } from "../../support/raw-server";

/** The name of a found secret, and its encoding. */
export interface Find {
  secret: string;
  spelling: string;
}

/** This many letters and digits in a row identify a secret: escaping does not change them, at any depth, also in a truncated text. */
const partLength = 12;

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

const known = new Map<string, [spelling: string, needle: string][]>();

/** All texts to search for, each with the name of its encoding. */
function needles(secret: string): [spelling: string, needle: string][] {
  const parts = partsOf(secret);
  // The base64 of letters and digits has only letters and digits: it is the same in addresses and in JSON.
  const within = parts.flatMap((part) => [0, 1, 2].map((offset) => base64Within(part, offset)));
  const all: [string, string][] = [
    ...Object.entries(spellings(secret)),
    ...parts.map((part): [string, string] => ["in part", part]),
    ...within.map((needle): [string, string] => ["within base64", needle]),
  ];
  known.set(secret, all);
  return all;
}

/** Every secret in the text, once for each encoding. */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): Find[] {
  return Object.entries(secrets).flatMap(([secret, value]) => {
    const found = new Set((known.get(value) ?? needles(value)).flatMap(([spelling, needle]) => (text.includes(needle) ? [spelling] : [])));
    return [...found].map((spelling) => ({ secret, spelling }));
  });
}
