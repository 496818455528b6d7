/** Reads and checks the settings of a stack from its config. `settings/keys.ts` lists them. */
import * as pulumi from "@pulumi/pulumi";
import { closest, distance } from "fastest-levenshtein";
import { z } from "zod";
import { groupSettings, type Settings } from "./settings/groups";
import { type FlatSettings, type KeyName, keyNames, settingsKeys } from "./settings/keys";
import { brokenRules, warnings } from "./settings/rules";
import { isSecret, pemExample } from "./settings/validators";
import { parseJson } from "./text/json";
import { shell, shellWord, truncate, visible } from "./text/sanitize";
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

/** The documentation of all keys, in order. */
export const keyDocs = () => keyNames.map(docOf);

/** The documentation of a key, from its check; a valid config does not need it. `example`: for the command that sets a plain key. */
function docOf(name: KeyName) {
  type Meta = { description?: string; example?: string; secret?: boolean; default?: string; enum?: string[] };
  const schema = z.toJSONSchema(settingsKeys[name], { io: "input", unrepresentable: "any" }) as Meta;
  const { description = "", secret = false, default: defaultValue, enum: choices } = schema;
  const example = schema.example ?? defaultValue ?? choices?.[0];
  return { name, description, example, secret, required: !settingsKeys[name].safeParse(undefined).success, defaultValue, choices };
}

/**
 * Checks a stack's config and returns all its problems, or the settings and warnings. A rule that depends on an invalid choice is checked
 * once the choice is valid.
 *
 * @param stack the stack's name, for the commands
 */
export function parseSettings(config: StackConfig, stack: string): { settings: Settings; warnings: string[] } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const mustSet = (key: KeyName, reason: string, value?: string) => problems.push({ key, reason, command: setCommand(key, stack, value) });
  const mustRemove = (key: string, reason: string) => problems.push({ key, reason, command: removeCommand(key, stack) });
  const isSet = (key: KeyName) => config.values[key] !== undefined;
  const settings: Record<string, unknown> = {};
  for (const key of keyNames) {
    const { data, error } = settingsKeys[key].safeParse(config.values[key]);
    settings[key] = data;
    const secret = isSecret(settingsKeys[key]);
    // The value exists: an example in its place would be deployed by mistake.
    if (isSet(key) && secret !== config.isSecret(key)) mustSet(key, secret ? notSecret : wronglySecret, "VALUE");
    if (error && isSet(key)) mustSet(key, `${error.issues.map(({ message }) => message).join("; ")}.`);
    else if (error) mustSet(key, `is not set. ${docOf(key).description}`);
  }
  for (const [key, fix, , reason] of brokenRules(settings, isSet)) fix === "set" ? mustSet(key, reason) : mustRemove(key, reason);
  for (const key of Object.keys(config.values)) if (!Object.hasOwn(settingsKeys, key)) mustRemove(key, unknownSettingReason(key, isSet));
  if (problems.length > 0) return { problems };
  const valid = settings as unknown as FlatSettings;
  return { settings: groupSettings(valid), warnings: warnings(valid, isSet, stack) };
}

const notSecret =
  "is a secret, but is stored in plain text. Set it as a secret; if the stack's file was shared, revoke the key and set a new one.";
const wronglySecret = "is stored as a secret, but is shown in dashboards, diffs and messages. Set it in plain text.";

/** Sets the key to a value, by default to its example, which the user replaces. The CLI prompts for a secret. */
function setCommand(name: KeyName, stack: string, value?: string): string {
  const { secret, example = "" } = docOf(name);
  const word = example === pemExample ? example : (value ?? shellWord(example));
  const words = (value === undefined && entryWords(name, example)) || `${name} ${word}`;
  return `npx pulumi config set ${secret ? `--secret ${name}` : words} --stack ${stack}`;
}

/** Of an example that is an object, the words that set its first entry, so that others stay; undefined for another example. */
function entryWords(name: KeyName, example: string): string | undefined {
  const [first] = Object.entries(Object(parseJson(example)));
  if (!first) return undefined;
  const [entry, value] = first;
  const [[field, inner] = ["", value]] = Object.entries(Object(value));
  return shell`--path ${`${name}["${entry}"]${field && `.${field}`}`} ${String(inner)}`;
}

/** Removes the key and has no other effect in a shell, whatever the key. */
function removeCommand(name: string, stack: string): string {
  const word = shellWord(name);
  if (word === undefined) return `# no command can contain this key: delete it in Pulumi.${stack}.yaml`;
  return `npx pulumi config rm --stack ${stack} -- ${word}`;
}

function unknownSettingReason(name: string, isSet: (key: KeyName) => boolean): string {
  const written = name.slice(0, 100); // Longer than all settings.
  const nearest = closest(written, keyNames) as KeyName;
  const documents = "All settings: src/settings/README.md. What replaces former ones: .github/CHANGELOG.md.";
  const hint = distance(written, nearest) <= 2 && !isSet(nearest) ? `Did you mean ${nearest}?` : documents;
  const older = "if a colleague has set it, update this checkout, which is older than the stack's file";
  return `is not a setting of this checkout. ${hint} Remove it only if it is a typing error: ${older}.`;
}

/** A problem without its command. */
export const problemText = ({ key, reason }: Problem) => `${/^[\w.-]{1,80}$/.test(key) ? key : `"${visible(truncate(key))}"`} ${reason}`;

/** The error message: each problem with its key, its reason and its command. */
export function formatProblems(problems: readonly Problem[], stack: string): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map((problem) => `  ${problemText(problem)}\n      ${problem.command}`);
  return `The config of stack ${stack} has ${count}:\n\n${lines.join("\n\n")}\n`;
}

/** The settings of a config, and its warnings. @throws pulumi.RunError with all problems; the engine shows it without a stack trace */
export function settingsOf(config: StackConfig, stack: string): { settings: Settings; warnings: string[] } {
  const result = parseSettings(config, stack);
  if ("problems" in result) throw userError(formatProblems(result.problems, stack));
  return result;
}

/**
 * A project's part of a stack's file, by keys without the prefix.
 *
 * @param all all values, by key with the prefix of its project
 * @throws pulumi.RunError if only another project has settings in the file, as after a new name of the project
 */
export function configOf<Value>(all: Readonly<Record<string, Value>>, project: string, stack: string): Record<string, Value> {
  const own = Object.entries(all).filter(([key]) => key.startsWith(`${project}:`));
  const values = Object.fromEntries(own.map(([key, value]) => [key.slice(project.length + 1), value]));
  const [former] = Object.keys(all).flatMap((key) => /^([\w.-]+):grafanaUrl$/.exec(key)?.[1] ?? []);
  if (values.grafanaUrl !== undefined || former === undefined) return values;
  const file = `Pulumi.${stack.split("/").at(-1)}.yaml`;
  throw userError(
    `${file} has the settings of a project ${former}, and none of this one, ${project}. If the project has a new name, rename the prefix ` +
      `of the keys. Secrets stay as they are:\n  sed -i.bak 's/^  ${former}:/  ${project}:/' ${file}`,
  );
}

/** Reads and checks the config of the current stack, and logs warnings. @throws pulumi.RunError with all problems */
export function readSettings(): Settings {
  const [project, stack] = [pulumi.getProject(), pulumi.getStack()];
  const values = configOf(pulumi.runtime.allConfig(), project, stack);
  // Internal in the SDK. Its public API does not say how a value is stored: `get` returns secrets, too, and `getSecret` any value.
  const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(fullKey: string): boolean };
  const { settings, warnings } = settingsOf({ values, isSecret: (name) => isConfigSecret(`${project}:${name}`) }, stack);
  for (const warning of warnings) void pulumi.log.warn(warning);
  return settings;
}
