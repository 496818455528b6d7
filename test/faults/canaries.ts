/**
 * Secrets with unique letters and digits, and the search for them in a text: unchanged, escaped once or twice for JSON, for addresses or HTML, in
 * base64, within a longer text in base64, or in parts.
 */
import { createHash } from "node:crypto";
import { spellings } from "../support/raw-server";

/** Characters that are escaped in JSON, in addresses, in HTML and in shells; the last ones also change in base64. */
const printable = `"\\%&<'>+/ =$\`{}~?>`;

/** 16 letters and digits derived from a name. */
const letters = (name: string) => createHash("sha256").update(name).digest("base64").replace(/[+/=]/g, "").slice(0, 16);

const around = (name: string, signs: string) => [`${name} begins`, `${name} goes on`, `${name} ends`].map(letters).join(signs);

/** For a raw header: printable ASCII. */
const forHeader = (name: string) => around(name, printable);

/** For base64 in a header, or a setting in a body: no control characters. */
const forBasic = (name: string) => around(name, `${printable}é漢🔑`);

/** A value for every secret setting, of the characters that it may contain. */
export const canaries = (of: string) => ({
  serviceApiKey: forHeader(`${of} serviceApiKey`),
  platformApiKey: forBasic(`${of} platformApiKey`),
  grafanaAuth: forHeader(`${of} grafanaAuth`),
  otlpToken: forBasic(`${of} otlpToken`),
  prometheusAuth: `123456:${forBasic(`${of} prometheusAuth`)}`,
  lokiAuth: `234567:${forBasic(`${of} lokiAuth`)}`,
  tempoAuth: forHeader(`${of} tempoAuth`),
  cloudAccessPolicyToken: forHeader(`${of} cloudAccessPolicyToken`),
});

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

/** All texts to search for. */
function needles(secret: string): string[] {
  const runs = secret.match(/[a-z0-9]+/gi) ?? [];
  const parts = runs.flatMap((run) => Array.from({ length: run.length - partLength + 1 }, (_, at) => run.slice(at, at + partLength)));
  // The base64 of letters and digits has only letters and digits: it is the same in addresses and in JSON.
  return [...Object.values(spellings(secret)), ...parts, ...parts.flatMap((part) => [0, 1, 2].map((offset) => base64Within(part, offset)))];
}

/** The names of the secrets in a text. */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.keys(secrets).filter((name) => needles(secrets[name] ?? "").some((needle) => text.includes(needle)));
}
