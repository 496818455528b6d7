/** The settings of a stack: the only place that reads stack config. What can be set stands in `settings/keys.ts`. */
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type KeyName, type Settings, settingsKeys } from "./settings/keys";
import { nearest } from "./settings/nearest";
import { brokenRules, type Checked } from "./settings/rules";
import { type KeyNotes, pemExample } from "./settings/validators";
import { warnings } from "./settings/warnings";
import { codePointOf, shellWord, truncate, visible } from "./text/sanitize";
import { userError } from "./text/user-error";

export type { Settings } from "./settings/keys";

/** One thing that is wrong with a stack's config. */
export interface Problem {
  key: string;
  /** What is wrong, to follow the key's name. Never holds a secret's value. */
  reason: string;
  /** The command that mends it. */
  command: string;
}

/** A stack's config as the engine hands it over, without the project's prefix. */
export interface StackConfig {
  values: Readonly<Record<string, string>>;
  isSecret(key: string): boolean;
}

/** What documents show of a key. `fallback` is the default as it would be written in config. */
export interface KeyDoc {
  name: string;
  description: string;
  example: string | undefined;
  secret: boolean;
  required: boolean;
  fallback: string | undefined;
  /** The only values that it takes, where there are only some. */
  choices: readonly string[] | undefined;
  /** Of a list: the names that it may hold. */
  parts: readonly string[] | undefined;
}

/** All keys as documents show them, in order. */
export function describeKeys(): KeyDoc[] {
  return Object.entries<z.ZodType>(settingsKeys).map(([name, schema]) => {
    const notes = schema.meta() as unknown as KeyNotes;
    return {
      name,
      description: notes.description,
      example: notes.example,
      secret: notes.secret === true,
      required: !schema.safeParse(undefined).success,
      fallback: defaultOf(schema),
      choices: choicesOf(schema),
      parts: notes.parts,
    };
  });
}

/** The default as written in config: that of the innermost schema, before any transformation. */
function defaultOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodPipe) return defaultOf(schema.in as z.ZodType);
  return schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined;
}

function choicesOf(schema: z.ZodType): readonly string[] | undefined {
  if (schema instanceof z.ZodPipe) return choicesOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return choicesOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined;
}

/**
 * Checks a stack's config. Every problem is returned, not the first one. A choice that is wrong counts as its command would leave it, so that
 * nothing comes up only after it.
 *
 * @param stack the stack's name, for the commands in the problems
 */
export function parseSettings(config: StackConfig, stack: string): { settings: Settings } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const settings: Record<string, unknown> = {};
  const docs = describeKeys();
  for (const doc of docs) {
    const schema = settingsKeys[doc.name as KeyName];
    const value = config.values[doc.name];
    const correct = value === undefined ? undefined : nearestValue(doc, value);
    const optionalChoice = !doc.required && (doc.choices ?? doc.parts);
    const command = optionalChoice && correct === undefined ? removeCommand(doc.name, stack) : setCommand(doc, stack, correct);
    const report = (reason: string) => problems.push({ key: doc.name, reason, command });
    if (value !== undefined && doc.secret !== config.isSecret(doc.name)) report(doc.secret ? inPlain : asSecret);
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      report(value === undefined ? `is not set. ${doc.description}.` : `${parsed.error.issues.map(({ message }) => message).join("; ")}.`);
    }
    if (parsed.success) settings[doc.name] = parsed.data;
    else if (optionalChoice) settings[doc.name] = schema.parse(correct);
  }
  for (const { key, reason, mend, value } of brokenRules(settings as Checked, (key) => config.values[key] !== undefined)) {
    const doc = docs.find(({ name }) => name === key);
    problems.push({ key, reason, command: mend === "set" && doc ? setCommand(doc, stack, value) : removeCommand(key, stack) });
  }
  const known = docs.map(({ name }) => name);
  for (const name of Object.keys(config.values).filter((name) => !known.includes(name))) {
    problems.push({ key: name, reason: notSetting(name, known), command: removeCommand(name, stack) });
  }
  return problems.length > 0 ? { problems } : { settings: settings as unknown as Settings };
}

const inPlain =
  "is a secret, but stands in plain in the stack's config. Make it secret, and replace the key itself if the file was ever shared.";
const asSecret = "is set as a secret, but is shown in dashboards, diffs and messages, so it cannot stay one.";

/** The nearest valid value of a choice, or of a list without entries that are near to none; undefined where there is none. */
function nearestValue({ choices, parts }: KeyDoc, value: string): string | undefined {
  // A list in the stack's file arrives as JSON.
  const words = new Set(value.split(/[,;"[\]]/));
  const meant = new Set([...words].flatMap((word) => nearest(word, choices ?? parts ?? []) ?? []));
  return meant.size === 1 || (parts && meant.size > 0) ? [...meant].join(",") : undefined;
}

function setCommand({ name, secret, example = "" }: KeyDoc, stack: string, value = example): string {
  const word = value === pemExample ? value : shellWord(value);
  return `npx pulumi config set ${secret ? `--secret ${name}` : `${name} ${word}`} --stack ${stack}`;
}

/** A key may be anything: its command, once it is pasted, removes it and does nothing else. */
function removeCommand(name: string, stack: string): string {
  const word = shellWord(name);
  if (word === undefined) return `# no command can name this key: delete it in Pulumi.${stack}.yaml`;
  return name.startsWith("-") ? `npx pulumi config rm --stack ${stack} -- ${word}` : `npx pulumi config rm ${word} --stack ${stack}`;
}

function notSetting(name: string, known: readonly string[]): string {
  // Letters of other alphabets look like ours.
  const foreign = /[^ -~…]/u.exec(truncate(name))?.[0];
  const meant = nearest(name, known);
  const hint = meant ? `Did you mean ${meant}?` : "See the table of settings in README.md.";
  return `is not a setting${foreign ? `: none has the sign ${codePointOf(foreign)}` : ""}. ${hint}`;
}

/** A key as a person reads it. */
const shownKey = (key: string) => (/^[\w.-]{1,80}$/.test(key) ? key : `"${visible(truncate(key))}"`);

/** The problems as a text for a person: each with its key, its reason and its command. */
export function formatProblems(problems: readonly Problem[], stack: string): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map(({ key, reason, command }) => `  ${shownKey(key)} ${reason}\n      ${command}`);
  return `The config of stack ${stack} has ${count}:\n\n${lines.join("\n\n")}\n`;
}

/**
 * Reads and checks the config of the current stack, and warns of what should be known about it.
 *
 * @throws pulumi.RunError naming every problem; the engine shows it without a stack trace.
 */
export function readSettings(): Settings {
  const prefix = `${pulumi.getProject()}:`;
  const own = Object.entries(pulumi.runtime.allConfig()).filter(([name]) => name.startsWith(prefix));
  const result = parseSettings(
    {
      values: Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])),
      isSecret: (name) => isConfigSecret(prefix + name),
    },
    pulumi.getStack(),
  );
  if ("problems" in result) throw userError(formatProblems(result.problems, pulumi.getStack()));
  for (const warning of warnings(result.settings)) void pulumi.log.warn(warning);
  return result.settings;
}

/** The SDK has this at run time but marks it internal in its types; the public `getSecret` cannot tell a plain value from a secret one. */
function isConfigSecret(fullKey: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(fullKey: string): boolean }).isConfigSecret(fullKey);
}
