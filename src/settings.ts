/** Reads and checks the settings of a stack from its config. The settings themselves stand in `settings/keys.ts`. */
import * as pulumi from "@pulumi/pulumi";
import { distance } from "fastest-levenshtein";
import { z } from "zod";
import { groupSettings, type Settings } from "./settings/groups";
import { type FlatSettings, formerKeys, type KeyName, settingsKeys } from "./settings/keys";
import { brokenRules, type Checked } from "./settings/rules";
import { isSecret, pemExample } from "./settings/validators";
import { warnings } from "./settings/warnings";
import { codePointOf, shellWord, truncate, visible } from "./text/sanitize";
import { userError } from "./text/user-error";

export type { Settings } from "./settings/groups";

/** A problem of a stack's config. */
export interface Problem {
  key: string;
  /** The reason, to follow the key. Never contains the value of a secret. */
  reason: string;
  /** The command that fixes the problem. */
  command: string;
}

/** A stack's config, by keys without the project's prefix. */
export type StackConfig = { values: Readonly<Record<string, string>>; isSecret(key: string): boolean };

/** The documentation of a key. */
export interface KeyDoc {
  name: string;
  description: string;
  /** A value for `pulumi config set`; a secret has none. */
  example?: string | undefined;
  secret: boolean;
  required: boolean;
  defaultValue?: string | undefined;
  /** The allowed values, if the key has a fixed set of them. */
  choices?: readonly string[] | undefined;
  /** The allowed entries, if the key is a list. */
  parts?: readonly string[] | undefined;
  /** A pattern of the path that the program appends to the address. */
  appended?: string | undefined;
}

let docs: readonly KeyDoc[] | undefined;

/** The documentation of all keys, in order, from their checks. A valid config does not need it. */
export function keyDocs(): readonly KeyDoc[] {
  const { properties = {}, required = [] } = docs ? {} : z.toJSONSchema(z.object(settingsKeys), { io: "input", unrepresentable: "any" });
  docs ??= Object.entries(properties as Record<string, Record<string, never>>).map(([name, schema]) => {
    const { description = "", secret = false, default: defaultValue, enum: choices, parts, appended } = schema;
    const example = schema.example ?? defaultValue ?? choices?.[0] ?? parts?.[0];
    return { name, description, example, secret, required: required.includes(name), defaultValue, choices, parts, appended };
  });
  return docs;
}

const docOf = (key: string) => keyDocs().find(({ name }) => name === key) as KeyDoc;

/**
 * Checks a stack's config and returns all its problems. The rules between keys see an invalid choice as its command corrects it, so that no
 * problem appears only after another one is fixed.
 *
 * @param stack the stack's name, for the commands
 */
export function parseSettings(config: StackConfig, stack: string): { settings: Settings; byKey: FlatSettings } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const add = (key: string, reason: string, command: string) => {
    const same = problems.find((other) => other.key === key && other.command === command);
    if (same) same.reason += ` It also ${reason}`;
    else problems.push({ key, reason, command });
  };
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(settingsKeys)) {
    const value = config.values[name];
    const parsed = schema.safeParse(value);
    const isWronglyStored = value !== undefined && isSecret(schema) !== config.isSecret(name);
    if (parsed.success) settings[name] = parsed.data;
    if (parsed.success && !isWronglyStored) continue;
    const doc = docOf(name);
    const isChoice = doc.choices !== undefined || doc.parts !== undefined;
    // What was stored as a secret may be one.
    const correct = value === undefined || (doc.appended && config.isSecret(name)) ? undefined : nearestValue(doc, value);
    const command = isChoice && correct === undefined ? removeCommand(name, stack) : setCommand(doc, stack, correct);
    if (isWronglyStored) add(name, doc.secret ? notSecret : wronglySecret, command);
    if (parsed.success) continue;
    if (isChoice) settings[name] = schema.parse(correct);
    const invalid = `${parsed.error.issues.map(({ message }) => message).join("; ")}.`;
    add(name, value === undefined ? `is not set. ${doc.description}` : invalid, command);
  }
  for (const { key, reason, fix, value } of brokenRules(settings as Checked, (key) => config.values[key] !== undefined)) {
    add(key, reason, fix === "set" ? setCommand(docOf(key), stack, value) : removeCommand(key, stack));
  }
  const known = Object.keys(settingsKeys);
  for (const name of Object.keys(config.values).filter((name) => !known.includes(name))) {
    problems.push({ key: name, reason: unknownSettingReason(name, known), command: removeCommand(name, stack) });
  }
  if (problems.length > 0) return { problems };
  const valid = settings as unknown as FlatSettings;
  return { settings: groupSettings(valid), byKey: valid };
}

const notSecret =
  "is a secret, but is stored in plain text. Set it as a secret; if the stack's file was shared, revoke the key and set a new one.";
const wronglySecret = "is stored as a secret, but is shown in dashboards, diffs and messages. Set it in plain text.";

/** The nearest valid value of a choice, of a list those of its entries, an address without the appended path; undefined if there is none. */
function nearestValue({ name, choices, parts, appended }: KeyDoc, value: string): string | undefined {
  const base = appended && value.trim().replace(new RegExp(`${appended}/*$`), "");
  if (base) return settingsKeys[name as KeyName].safeParse(base).success && shellWord(base) ? base : undefined;
  // The engine passes a list as JSON, and a boolean as a word.
  const words = new Set(value.split(/[,;"[\]]/).map((word) => word.replace(/^(true|yes)$/i, "on").replace(/^(false|no)$/i, "off")));
  const meant = new Set([...words].flatMap((word) => nearest(word, choices ?? parts ?? []) ?? []));
  return meant.size === 1 || (parts && meant.size > 0) ? [...meant].join(",") : undefined;
}

function setCommand({ name, secret, example = "" }: KeyDoc, stack: string, value = example): string {
  const word = value === pemExample ? value : shellWord(value);
  return `npx pulumi config set ${secret ? `--secret ${name}` : `${name} ${word}`} --stack ${stack}`;
}

/** Removes the key and has no other effect in a shell, whatever the key. */
function removeCommand(name: string, stack: string): string {
  const word = shellWord(name);
  if (word === undefined) return `# no command can contain this key: delete it in Pulumi.${stack}.yaml`;
  return name.startsWith("-") ? `npx pulumi config rm --stack ${stack} -- ${word}` : `npx pulumi config rm ${word} --stack ${stack}`;
}

function unknownSettingReason(name: string, known: readonly string[]): string {
  if (Object.hasOwn(formerKeys, name)) return `is no longer a setting. ${formerKeys[name]}`;
  // Letters of other alphabets can look like ASCII letters.
  const foreign = /[^ -~…]/u.exec(truncate(name))?.[0];
  const meant = nearest(name, known);
  const hint = meant ? `Did you mean ${meant}?` : "See the table of settings in src/settings/README.md.";
  return `is not a setting${foreign ? `: no setting contains the character ${codePointOf(foreign)}` : ""}. ${hint}`;
}

const formatKey = (key: string) => (/^[\w.-]{1,80}$/.test(key) ? key : `"${visible(truncate(key))}"`);

/** The candidate within two edits of `word` (one if short), ignoring case; undefined if none is near, or if two are equally near. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const written = word.trim().toLowerCase().slice(0, 100); // Longer than all candidates.
  const [first, second] = candidates
    .map((candidate) => ({ candidate, edits: distance(written, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= (candidate.length < 6 ? 1 : 2))
    .sort((one, other) => one.edits - other.edits);
  return first && first.edits !== second?.edits ? first.candidate : undefined;
}

/** The error message: each problem with its key, its reason and its command. */
export function formatProblems(problems: readonly Problem[], stack: string): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map(({ key, reason, command }) => `  ${formatKey(key)} ${reason}\n      ${command}`);
  return `The config of stack ${stack} has ${count}:\n\n${lines.join("\n\n")}\n`;
}

/**
 * Reads and checks the config of the current stack, and logs warnings.
 *
 * @throws pulumi.RunError with all problems; the engine shows it without a stack trace
 */
export function readSettings(): Settings {
  const prefix = `${pulumi.getProject()}:`;
  const entries = Object.entries(pulumi.runtime.allConfig()).filter(([name]) => name.startsWith(prefix));
  const values = Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value]));
  // Internal in the SDK's types; the public `getSecret` cannot distinguish plain values from secrets.
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(fullKey: string): boolean };
  const result = parseSettings({ values, isSecret: (name) => isConfigSecret(prefix + name) }, pulumi.getStack());
  if ("problems" in result) throw userError(formatProblems(result.problems, pulumi.getStack()));
  for (const warning of warnings(result.byKey)) void pulumi.log.warn(warning);
  return result.settings;
}
