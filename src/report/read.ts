/** Reads what `pulumi preview --json` and `pulumi refresh --preview-only --json` print. Secrets go here: nothing behind this file has one. Pure. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { beyond, isQuiet, type Operation, type Others, operationOf } from "./counts";
import { isObject, type Json, type JsonObject } from "./json";
import { secretText } from "./words";

const state = z.object({
  type: z.string(),
  custom: z.boolean().default(false),
  inputs: z.record(z.string(), z.json()).default({}),
  outputs: z.record(z.string(), z.json()).optional(),
  additionalSecretOutputs: z.array(z.string()).default([]),
  retainOnDelete: z.boolean().default(false),
});

const step = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
  diffReasons: z.array(z.string()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
});

const digest = z.object({
  steps: z.array(step).nullish(),
  diagnostics: z.array(z.object({ message: z.string(), severity: z.string(), urn: z.string().optional() })).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

type Step = z.infer<typeof step>;
type State = z.infer<typeof state>;

/** One resource that changes. */
export interface ResourceChange {
  operation: Operation;
  /** Type token of the engine. */
  type: string;
  name: string;
  /** What the last deployment asked for and what the program asks for; of drift, what the state has and what was found. Without secrets. */
  before: JsonObject | undefined;
  after: JsonObject | undefined;
  /** What the state has and what was found, as pairs: outputs, then inputs, which tell where the outputs do not. Empty where nothing may differ. */
  drift: readonly (readonly [stored: JsonObject, found: JsonObject])[];
  /** Whether a refresh compared the state with what there is. */
  refreshed: boolean;
  /** Whether somebody else did this already: the operation is what a refresh writes to the state. */
  outside: boolean;
  /** Whether it is made again because somebody deleted it. */
  gone: boolean;
  /** Whether it is deleted in the state only. */
  retained: boolean;
  /** Properties that the engine names as reasons. */
  reasons: string[];
}

export interface Preview extends Others {
  /** Undefined where there is no resource to tell. */
  stack: string | undefined;
  /** Whether it tells what others did, not what a deployment will do. */
  isRefresh: boolean;
  changes: ResourceChange[];
  errors: string[];
  warnings: string[];
}

/** Changes that were found without the engine, as a preview has them. */
export const previewOf = (stack: string, changes: ResourceChange[]): Preview => ({
  stack,
  isRefresh: false,
  changes,
  undescribed: [],
  unlisted: [],
  errors: [],
  warnings: [],
});

/** The error of a preview that was ended before Pulumi could say why. */
export const unfinished = "Pulumi's output ends without a summary: it did not finish";

export const isConnection = (type: string) => /^pulumi-nodejs:dynamic\/.*:Connection$/.test(type);

/** What the engine does not print as a preview. */
export class UnreadablePreview extends Error {}

/**
 * @param text what the command printed
 * @param isRefresh whether the command was a refresh; by default seen from the steps. A preview that runs the program while it refreshes
 * (`--run-program`) looks like a refresh where the program changes nothing.
 * @throws UnreadablePreview where the text is no preview's JSON
 */
export function readPreview(text: string, isRefresh?: boolean): Preview {
  const { steps, diagnostics, changeSummary } = parse(text);
  if (!steps && !diagnostics && !changeSummary) throw new UnreadablePreview("it has neither steps nor diagnostics");
  const all = steps ?? [];
  const urns = new Map<string, Step[]>();
  for (const each of all) urns.set(each.urn, [...(urns.get(each.urn) ?? []), each]);
  // A preview that refreshes first has further steps for what it looked at, the stack itself at least.
  const lookedAt = [...urns.values()].filter((group) => group.some(({ op }) => op === "refresh"));
  const refreshOnly = isRefresh ?? (lookedAt.length > 0 && lookedAt.every((group) => group.every(({ op }) => op === "refresh")));
  const told = (severity: string) => [
    ...new Set((diagnostics ?? []).filter((each) => each.severity === severity).map(({ message }) => plainMessage(message))),
  ];
  const groups = [...urns.values()].map((group) => ({ group, changes: changeOf(group, refreshOnly) }));
  const unlisted = groups.flatMap(({ group, changes }) => (changes.length === 0 ? group : []));
  const errors = told("error");
  const isCut = all.length > 0 && !changeSummary && errors.length === 0;
  return {
    stack: all[0]?.urn.split(":")[2],
    isRefresh: refreshOnly,
    changes: groups.flatMap(({ changes }) => changes),
    ...beyond(changeSummary ?? {}, all.map(operationIn), unlisted.map(operationIn)),
    errors: isCut ? [unfinished] : errors,
    // That a plugin is one of PATH concerns nobody who reads the report.
    warnings: told("warning").filter((message) => !/^using \S+ from \$PATH/.test(message)),
  };
}

const operationIn = ({ op }: Step) => op;

/** A message without the engine's colors, and without the word by which it is listed anyway. */
const plainMessage = (message: string) =>
  message
    .replace(/<\{%.*?%\}>/g, "")
    .trim()
    .replace(/^(error|warning): /, "");

function parse(text: string): z.infer<typeof digest> {
  try {
    return digest.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : "it is no JSON";
    throw new UnreadablePreview(reason);
  }
}

/** All steps of one resource as one change; nothing where it stays, or needs no line of its own. */
function changeOf(steps: readonly Step[], isRefresh: boolean): ResourceChange[] {
  const acting = steps.filter(({ op }) => !isQuiet(op));
  const [first] = acting;
  const operation = operationOf(acting.map(operationIn));
  const old = acting.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const wanted = acting.find(({ newState }) => newState)?.newState ?? undefined;
  const { type, custom } = wanted ?? old ?? {};
  if (!first || !operation || !type || !custom) return [];
  const isProvider = type.startsWith("pulumi:providers:");
  // Nobody else can change a provider: what a refresh writes there is the config.
  if (isRefresh && (isProvider || !["update", "delete"].includes(operation))) return [];
  // A provider is only the way to its resources, which have lines of their own.
  if (isProvider && operation !== "update" && operation !== "replace") return [];
  const looked = steps.find(({ op }) => op === "refresh");
  const stored = looked?.oldState ?? old;
  const states = [old, wanted, stored].filter((each) => each !== undefined);
  const hidden = new Set(states.flatMap(({ additionalSecretOutputs }) => additionalSecretOutputs));
  const outputsOf = (known: State) => visibleOf(known.outputs ?? known.inputs, hidden);
  const inputsOf = (known: State) => visibleOf(known.inputs, hidden);
  const pair = (before: State, after: State): ResourceChange["drift"] => [
    [outputsOf(before), outputsOf(after)],
    [inputsOf(before), inputsOf(after)],
  ];
  const driftIn = (): ResourceChange["drift"] => {
    if (isRefresh) return old && wanted ? pair(old, wanted) : [];
    if (!old?.outputs || !stored) return [];
    if (looked) return pair(stored, old);
    // Without a refresh, the state tells of a difference only where the program has none to tell of; of a connection it tells what was in place.
    const mayDiffer = isConnection(type) || (wanted && isDeepStrictEqual(inputsOf(old), inputsOf(wanted)));
    return mayDiffer ? [[inputsOf(old), outputsOf(old)]] : [];
  };
  const shown = isRefresh ? outputsOf : inputsOf;
  return [
    {
      operation,
      type,
      // Only a name may have the URN's own signs in it.
      name: first.urn.split("::").slice(3).join("::"),
      before: old && stored && shown(stored),
      after: wanted && shown(wanted),
      drift: driftIn(),
      refreshed: isRefresh || looked !== undefined,
      outside: isRefresh,
      gone: operation === "create" && looked !== undefined,
      retained: operation === "delete" && !isRefresh && old?.retainOnDelete === true,
      reasons: reasonsOf(acting),
    },
  ];
}

/** Without those that a plugin notes for itself, such as `__meta`. */
function reasonsOf(steps: readonly Step[]): string[] {
  const all = steps.flatMap(({ diffReasons, replaceReasons }) => [...(diffReasons ?? []), ...(replaceReasons ?? [])]);
  return [...new Set(all)].filter((reason) => !reason.startsWith("__"));
}

/** Properties without the engine's own, secrets replaced. */
function visibleOf(properties: Record<string, Json>, hidden: ReadonlySet<string>): JsonObject {
  const shown = Object.entries(properties).filter(([name]) => !name.startsWith("__"));
  return Object.fromEntries(shown.map(([name, value]) => [name, hidden.has(name) ? secretText : replaceSecrets(value)]));
}

/** The key by which the engine marks what is no plain value: secrets, and assets, which nobody reads here either. */
const mark = "4dabf18193072939515e22adb298388d";

/** A value with every marked part replaced, in texts of JSON too. */
export function replaceSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(replaceSecrets);
  if (isObject(value)) {
    if (Object.hasOwn(value, mark)) return secretText;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceSecrets(part)]));
  }
  if (typeof value !== "string" || !value.includes(mark)) return value;
  const inner = jsonText(value);
  return inner === undefined ? secretText : JSON.stringify(replaceSecrets(inner));
}

/** The object or list that a text holds as JSON, undefined where it holds none. */
export function jsonText(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // It only looks like JSON.
  }
}
