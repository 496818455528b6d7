/** Parses the JSON of `pulumi preview --json`, and removes the secrets from it. */
import { z } from "zod";
import { type Json, type JsonObject, parseStructure } from "./json";
import { publicProperties } from "./secrets";

const properties = z.record(z.string(), z.json() as z.ZodType<Json>);
const state = z.object({
  type: z.string(),
  custom: z.boolean().default(false),
  inputs: properties.default({}),
  outputs: properties.optional(),
  additionalSecretOutputs: z.array(z.string()).default([]),
  protect: z.boolean().default(false),
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
  diagnostics: z.array(z.object({ message: z.string(), severity: z.string() })).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

type State = z.infer<typeof state>;
type Guard = "protect" | "retainOnDelete";
type Step = z.infer<typeof step>;

/** The most harmful one first. */
export const operations = ["delete", "replace", "create", "update", "import"] as const;
export type Operation = (typeof operations)[number];

/** The engine's operations that change nothing: see `HasChanges` in Pulumi's pkg/engine/update.go. A refresh only reads. */
const unchanged = ["same", "read", "read-replacement", "discard", "refresh"];

/** A resource that changes. Its properties contain no secrets. */
export interface ResourceChange {
  operation: Operation;
  type: string;
  name: string;
  /** Inputs of the last deployment and of the program. */
  before: JsonObject | undefined;
  after: JsonObject | undefined;
  /** Outputs, then inputs, in the state and in the cloud. Undefined if no refresh compared them. */
  drift: readonly (readonly [stored: JsonObject, found: JsonObject])[] | undefined;
  /** Whether a deletion or a replacement removes the resource from the state only: `retainOnDelete`. */
  isRetained: boolean;
  /** Whether it is a token that the provider renews because of its age. The former one stays valid. */
  isRenewed: boolean;
  /** Whether the former half of an earlier replacement, which could not be deleted then, is deleted now. */
  hasLeftover: boolean;
  /** The engine's names of the changed properties. */
  reasons: string[];
}

export interface Preview {
  /** Undefined if the preview has no steps. */
  stack: string | undefined;
  changes: ResourceChange[];
  /** How many resources get or lose an option that saves them from deletion. */
  guards: { option: Guard; isOn: boolean; number: number }[];
  /** Number of changed components and providers, which the report does not list. */
  unlisted: number;
  errors: string[];
  warnings: string[];
  /** What changed alert rules would have done, as Markdown. */
  past?: string | undefined;
}

const unreadable = "Cannot read the preview";
/** The error of a preview that stopped without an error message. */
export const unfinished = "The output has no change summary: the preview did not finish";

export const isProvider = (type: string) => type.startsWith("pulumi:providers:");

/** @throws Error if the text is not the JSON of a preview */
export function parsePreview(text: string): Preview {
  const json = parseStructure(text);
  if (!json) throw new Error(`${unreadable}: the input is not JSON`);
  const { data, error } = digest.safeParse(json);
  if (error) throw new Error(`${unreadable}: ${z.prettifyError(error)}`);
  const { diagnostics, changeSummary } = data;
  const steps = data.steps ?? [];
  if (!data.steps && !diagnostics && !changeSummary) throw new Error(`${unreadable}: the input has neither steps nor diagnostics`);
  const changed = [...new Set(steps.filter(isChange).map(({ urn }) => urn))].map((urn) => steps.filter((each) => each.urn === urn));
  const changes = changed.flatMap((group) => changeOf(group) ?? []);
  // A resource without another change has a step, too.
  const turned = (option: Guard, isOn: boolean) => {
    const found = steps.filter(({ oldState, newState }) => oldState?.[option] === !isOn && newState?.[option] === isOn && newState.custom);
    const { size: number } = new Set(found.map(({ urn }) => urn).filter((urn) => !urn.includes("pulumi:providers:")));
    return number > 0 ? [{ option, isOn, number }] : [];
  };
  const messages = (severity: string) => {
    const texts = (diagnostics ?? []).filter((each) => each.severity === severity).map(({ message }) => message.replace(colors, "").trim());
    return [...new Set(texts.map((text) => text.replace(/^(error|warning): /, "")))];
  };
  const errors = messages("error");
  if (errors.length === 0 && steps.length > 0 && !changeSummary) errors.push(unfinished);
  if (lacksChanges(steps, changeSummary ?? {}))
    errors.push("The output lacks changes that Pulumi counts, or is the output of pulumi refresh. Report drift with --stack NAME --drift");
  return {
    stack: steps[0]?.urn.split(":")[2],
    changes,
    guards: (["protect", "retainOnDelete"] as const).flatMap((option) => [...turned(option, true), ...turned(option, false)]),
    unlisted: changed.length - changes.length,
    errors,
    // The location of a plugin is irrelevant for a review.
    warnings: messages("warning").filter((message) => !/^using \S+ from \$PATH/.test(message)),
  };
}

/** The engine's color tags, such as `<{%reset%}>`. */
const colors = /<\{%.*?%\}>/g;
const isChange = ({ op }: Step) => !unchanged.includes(op);

/**
 * Whether changes are only counted, or are drift, as in the output of `pulumi refresh`: see `ShowPreviewDigest` in Pulumi's
 * pkg/backend/display/json.go. In a preview with a refresh, each updated or deleted resource has a step of the refresh, too.
 */
function lacksChanges(steps: readonly Step[], summary: Record<string, number>): boolean {
  const refreshed = steps.filter(({ op }) => op === "refresh").map(({ urn }) => urn);
  const isDrift = ({ op, urn }: Step) =>
    refreshed.length > 0 && /^(update|delete)$/.test(op) && !urn.includes("pulumi:providers:") && !refreshed.includes(urn);
  const described = (op: string) => steps.filter((each) => each.op === op).length;
  return steps.some(isDrift) || Object.entries(summary).some(([op, number]) => !unchanged.includes(op) && number > described(op));
}

/** The operation of a resource, from its steps: a replacement consists of several. */
function operationOf(ops: readonly string[]): Operation | undefined {
  if (["replace", "create-replacement", "import-replacement"].some((op) => ops.includes(op))) return "replace";
  return operations.findLast((operation) => ops.includes(operation)) ?? (ops.includes("delete-replaced") ? "delete" : undefined);
}

/** The change of a resource from its steps. Undefined if the report does not list the resource. */
function changeOf(steps: readonly Step[]): ResourceChange | undefined {
  const changing = steps.filter(isChange);
  const living = changing.filter(({ op }) => op !== "delete-replaced");
  const acting = living.length > 0 ? living : changing;
  const operation = operationOf(acting.map(({ op }) => op));
  const old = acting.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const current = acting.find(({ newState }) => newState)?.newState ?? undefined;
  const { type, custom } = current ?? old ?? {};
  if (!operation || !type || !custom) return undefined;
  // Its resources show that a provider is created or deleted.
  if (isProvider(type) && !["update", "replace"].includes(operation)) return undefined;

  const refresh = steps.find(({ op }) => op === "refresh");
  const stored = refresh?.oldState ?? old;
  const secretNames = [old, current, stored].flatMap((known) => known?.additionalSecretOutputs ?? []);
  const inputsOf = ({ inputs }: State) => publicProperties(inputs, secretNames);
  const outputsOf = ({ outputs, inputs }: State) => publicProperties(outputs ?? inputs, secretNames);
  const compared = stored && old ? [outputsOf, inputsOf].map((propertiesOf) => [propertiesOf(stored), propertiesOf(old)] as const) : [];
  const replaceReasons = new Set(acting.flatMap((each) => each.replaceReasons ?? []));
  const reasons = acting.flatMap(({ diffReasons }) => diffReasons ?? []).map((path) => path.split(/[.[]/)[0] ?? path);
  return {
    operation,
    type,
    // A name can contain the separator of a URN.
    name: steps[0]?.urn.split("::").slice(3).join("::") ?? "",
    before: old && stored && inputsOf(stored),
    after: current && inputsOf(current),
    drift: refresh && compared,
    isRetained: old?.retainOnDelete === true,
    isRenewed: type.endsWith(":AccessPolicyRotatingToken") && [...replaceReasons].join() === "readyForRotation",
    hasLeftover: operation !== "replace" && changing.some(({ op }) => op === "delete-replaced"),
    // Properties such as `__meta` are internal to a plugin.
    reasons: [...new Set(reasons)].filter((reason) => !reason.startsWith("__")),
  };
}
