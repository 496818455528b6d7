/** The settings of a stack: the only place that reads stack config. What can be set stands in `settings/keys.ts`. */
import * as pulumi from "@pulumi/pulumi";
import { closest } from "fastest-levenshtein";
import { z } from "zod";
import { failure } from "./failure";
import { type KeyName, type Settings, settingsKeys } from "./settings/keys";
import { type KeyNotes, pemExample } from "./settings/kinds";
import { brokenRules } from "./settings/rules";
import { warnings } from "./settings/warnings";
import { clip, codeOf, shellWord, visible } from "./shown";

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
    };
  });
}

/** The default as written in config: that of the innermost schema, before any transformation. */
function defaultOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodPipe) return defaultOf(schema.in as z.ZodType);
  return schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined;
}

/**
 * Checks a stack's config. Every problem is returned, not the first one.
 *
 * @param stack the stack's name, for the commands in the problems
 */
export function parseSettings(config: StackConfig, stack: string): { settings: Settings } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const settings: Record<string, unknown> = {};
  const docs = describeKeys();
  for (const doc of docs) {
    const report = (reason: string) => problems.push({ key: doc.name, reason, command: setCommand(doc, stack) });
    const value = config.values[doc.name];
    if (value === undefined && doc.required) {
      report(`is not set. ${doc.description}.`);
    } else if (value !== undefined && doc.secret && !config.isSecret(doc.name)) {
      report(
        "is a secret, but stands in plain in the stack's config. Make it secret, and replace the key itself if the file was ever shared.",
      );
    } else if (value !== undefined && !doc.secret && config.isSecret(doc.name)) {
      report("is set as a secret, but is shown in dashboards, diffs and messages, so it cannot stay one.");
    } else {
      const parsed = settingsKeys[doc.name as KeyName].safeParse(value);
      if (parsed.success) settings[doc.name] = parsed.data;
      else report(`${parsed.error.issues.map((issue) => issue.message).join("; ")}.`);
    }
  }
  for (const { key, reason, mend } of brokenRules(settings, (key) => config.values[key] !== undefined)) {
    const doc = docs.find(({ name }) => name === key);
    problems.push({ key, reason, command: mend === "set" && doc ? setCommand(doc, stack) : removeCommand(key, stack) });
  }
  const known = docs.map(({ name }) => name);
  for (const name of Object.keys(config.values).filter((name) => !known.includes(name))) {
    problems.push({ key: name, reason: notSetting(name, known), command: removeCommand(name, stack) });
  }
  return problems.length > 0 ? { problems } : { settings: settings as unknown as Settings };
}

function setCommand({ name, secret, example = "" }: KeyDoc, stack: string): string {
  const value = example === pemExample ? example : shellWord(example);
  return `npx pulumi config set ${secret ? `--secret ${name}` : `${name} ${value}`} --stack ${stack}`;
}

/** A key may be anything: its command, once it is pasted, removes it and does nothing else. */
function removeCommand(name: string, stack: string): string {
  const word = shellWord(name);
  if (word === undefined) return `# no command can name this key: delete it in Pulumi.${stack}.yaml`;
  return name.startsWith("-") ? `npx pulumi config rm --stack ${stack} -- ${word}` : `npx pulumi config rm ${word} --stack ${stack}`;
}

function notSetting(name: string, known: readonly string[]): string {
  const begun = clip(name);
  // Letters of other alphabets look like ours.
  const foreign = /[^ -~…]/u.exec(begun)?.[0];
  return `is not a setting${foreign ? `: none has the sign ${codeOf(foreign)}` : ""}. Did you mean ${closest(begun, known)}?`;
}

/** A key as a person reads it. */
const shownKey = (key: string) => (/^[\w.-]{1,80}$/.test(key) ? key : `"${visible(clip(key))}"`);

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
  if ("problems" in result) throw failure(formatProblems(result.problems, pulumi.getStack()));
  for (const warning of warnings(result.settings)) void pulumi.log.warn(warning);
  return result.settings;
}

/** The SDK has this at run time but marks it internal in its types; the public `getSecret` cannot tell a plain value from a secret one. */
function isConfigSecret(fullKey: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(fullKey: string): boolean }).isConfigSecret(fullKey);
}
