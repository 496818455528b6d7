/** Reads what `pulumi preview --json` and `pulumi refresh --preview-only --json` print. Secrets go here: nothing behind this file has one. Pure. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
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

export type Operation = "create" | "update" | "replace" | "delete" | "import";
export const operations: readonly Operation[] = ["create", "update", "replace", "delete", "import"];

/** One resource that changes. */
export interface ResourceChange {
  operation: Operation;
  /** Type token of the engine. */
  type: string;
  name: string;
  /** What the state has and what the program asks for; a refresh has outputs here. Without secrets. */
  before: JsonObject | undefined;
  after: JsonObject | undefined;
  /** What there was last seen in place of `before`, where that may differ. */
  found: JsonObject | undefined;
  /** Whether somebody else did this already: the operation is what a refresh writes to the state. */
  outside: boolean;
  /** Whether it is made again because somebody deleted it. */
  gone: boolean;
  /** Whether it is deleted in the state only. */
  retained: boolean;
  /** Properties that the engine names as reasons. */
  reasons: string[];
}

export interface Preview {
  /** Undefined where there is no resource to tell. */
  stack: string | undefined;
  /** Whether it tells what others did, not what a deployment will do. */
  isRefresh: boolean;
  changes: ResourceChange[];
  errors: string[];
  warnings: string[];
}

export const isConnection = (type: string) => /^pulumi-nodejs:dynamic\/.*:Connection$/.test(type);

/** What the engine does not print as a preview. */
export class UnreadablePreview extends Error {}

/** @throws UnreadablePreview where the text is no preview's JSON */
export function readPreview(text: string): Preview {
  const { steps, diagnostics, changeSummary } = parse(text);
  if (!steps && !diagnostics && !changeSummary) throw new UnreadablePreview("it has neither steps nor diagnostics");
  const all = steps ?? [];
  const urns = new Map<string, Step[]>();
  for (const each of all) urns.set(each.urn, [...(urns.get(each.urn) ?? []), each]);
  // A preview that refreshes first has further steps for what it looked at, the stack itself at least.
  const lookedAt = [...urns.values()].filter((group) => group.some(({ op }) => op === "refresh"));
  const isRefresh = lookedAt.length > 0 && lookedAt.every((group) => group.every(({ op }) => op === "refresh"));
  const told = (severity: string) => [
    ...new Set((diagnostics ?? []).filter((each) => each.severity === severity).map(({ message }) => plainMessage(message))),
  ];
  return {
    stack: all[0]?.urn.split(":")[2],
    isRefresh,
    changes: [...urns.values()].flatMap((group) => changeOf(group, isRefresh)),
    errors: told("error"),
    // That a plugin is one of PATH concerns nobody who reads the report.
    warnings: told("warning").filter((message) => !/^using \S+ from \$PATH/.test(message)),
  };
}

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

/** All steps of one resource as one change; nothing where it stays, or is only a group of others. */
function changeOf(steps: readonly Step[], isRefresh: boolean): ResourceChange[] {
  const acting = steps.filter(({ op }) => !["refresh", "same", "read"].includes(op));
  const [first] = acting;
  const operation = operationOf(acting.map(({ op }) => op));
  const old = acting.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const wanted = acting.find(({ newState }) => newState)?.newState ?? undefined;
  const { type, custom } = wanted ?? old ?? {};
  if (!first || !operation || !type || !custom) return [];
  // Nobody else can change a provider: what a refresh writes there is the config.
  if (isRefresh && (type.startsWith("pulumi:providers:") || !["update", "delete"].includes(operation))) return [];
  const hidden = new Set([...(old?.additionalSecretOutputs ?? []), ...(wanted?.additionalSecretOutputs ?? [])]);
  const outputsOf = (known: State | undefined) => known && visibleOf(known.outputs ?? known.inputs, hidden);
  const inputsOf = (known: State | undefined) => known && visibleOf(known.inputs, hidden);
  const refreshed = steps.some(({ op }) => op === "refresh");
  // Without a refresh, the state tells of a difference only where the program has none to tell of; of a connection it tells what was in place.
  const mayDiffer = !isRefresh && old?.outputs && (refreshed || isConnection(type) || isDeepStrictEqual(inputsOf(old), inputsOf(wanted)));
  return [
    {
      operation,
      type,
      // Only a name may have the URN's own signs in it.
      name: first.urn.split("::").slice(3).join("::"),
      before: isRefresh ? outputsOf(old) : inputsOf(old),
      after: isRefresh ? outputsOf(wanted) : inputsOf(wanted),
      found: mayDiffer ? outputsOf(old) : undefined,
      outside: isRefresh,
      gone: operation === "create" && refreshed,
      retained: operation === "delete" && !isRefresh && old?.retainOnDelete === true,
      reasons: [...new Set(acting.flatMap(({ diffReasons, replaceReasons }) => [...(diffReasons ?? []), ...(replaceReasons ?? [])]))],
    },
  ];
}

/** A replacement comes in several steps. */
function operationOf(ops: readonly string[]): Operation | undefined {
  if (ops.some((op) => op === "replace" || op === "create-replacement" || op === "import-replacement")) return "replace";
  if (ops.some((op) => op === "delete-replaced" || op === "discard")) return "delete";
  return operations.find((operation) => ops.includes(operation));
}

/** Properties without the engine's own, secrets replaced. */
function visibleOf(properties: Record<string, Json>, hidden: ReadonlySet<string>): JsonObject {
  const shown = Object.entries(properties).filter(([name]) => !name.startsWith("__"));
  return Object.fromEntries(shown.map(([name, value]) => [name, hidden.has(name) ? secretText : hideSecrets(value)]));
}

/** The key by which the engine marks what is no plain value: secrets, and assets, which nobody reads here either. */
const mark = "4dabf18193072939515e22adb298388d";

/** A value with every marked part replaced, in texts of JSON too. */
export function hideSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (isObject(value)) {
    if (Object.hasOwn(value, mark)) return secretText;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hideSecrets(part)]));
  }
  if (typeof value !== "string" || !value.includes(mark)) return value;
  const inner = jsonText(value);
  return inner === undefined ? secretText : JSON.stringify(hideSecrets(inner));
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
