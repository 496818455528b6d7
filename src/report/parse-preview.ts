/** Parses the JSON of `pulumi preview --json`, and removes the secrets from it. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Json, type JsonObject, parseStructure } from "./json";
import { countOperations, isUnchanged, type Operation, type OperationCounts, operationOf } from "./operations";
import { publicProperties } from "./secrets";

const properties = z.record(z.string(), z.json() as z.ZodType<Json>);
const state = z.object({
  type: z.string(),
  custom: z.boolean().default(false),
  inputs: properties.default({}),
  outputs: properties.optional(),
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
  diagnostics: z.array(z.object({ message: z.string(), severity: z.string() })).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

type State = z.infer<typeof state>;
type Step = z.infer<typeof step>;

/** A resource that changes. Its properties contain no secrets. */
export interface ResourceChange {
  operation: Operation;
  /** The engine's type token. */
  type: string;
  name: string;
  /** Inputs of the last deployment and of the program; of drift, outputs in the state and in the cloud. */
  before: JsonObject | undefined;
  after: JsonObject | undefined;
  /** Properties that can have drifted, in the state and in the cloud: outputs, then inputs, which may show drift that the outputs do not. */
  drift: readonly (readonly [stored: JsonObject, found: JsonObject])[];
  /** Whether a refresh compared the state with the cloud. */
  isRefreshed: boolean;
  /** Whether the change was made outside of Pulumi. */
  isDrift: boolean;
  /** Whether the resource is deleted from the state only: `retainOnDelete`. */
  isRetained: boolean;
  /** Paths of the changed properties, from the engine. */
  reasons: string[];
}

export interface Preview {
  /** Undefined if the preview has no steps. */
  stack: string | undefined;
  /** Whether the changes are drift: `onlyDrift`. */
  isDrift: boolean;
  changes: ResourceChange[];
  /** Operations on components and providers; of drift, also those by the program. */
  unlisted: OperationCounts;
  errors: string[];
  warnings: string[];
}

/** A preview that failed without output. */
export const failedPreview = (stack: string, error: string): Preview => {
  return { stack, isDrift: false, changes: [], unlisted: {}, errors: [error], warnings: [] };
};

/** The error of a preview that stopped without an error message. */
export const unfinished = "The output has no change summary: the preview did not finish";

export const isConnection = (type: string) => /^pulumi-nodejs:dynamic\/.*:Connection$/.test(type);
export const isProvider = (type: string) => type.startsWith("pulumi:providers:");

/** The input is not the JSON of a preview. */
export class UnreadablePreview extends Error {}

/** @throws UnreadablePreview */
export function parsePreview(text: string): Preview {
  const json = parseStructure(text);
  if (!json) throw new UnreadablePreview("the input is not JSON");
  const { data, error } = digest.safeParse(json);
  if (error) throw new UnreadablePreview(z.prettifyError(error));
  const { steps, diagnostics, changeSummary } = data;
  if (!steps && !diagnostics && !changeSummary) throw new UnreadablePreview("the input has neither steps nor diagnostics");
  const all = steps ?? [];
  const byUrn = new Map<string, Step[]>(all.map(({ urn }) => [urn, []]));
  for (const each of all) byUrn.get(each.urn)?.push(each);
  const resources = [...byUrn.values()];
  if (isOfRefresh(resources)) throw new UnreadablePreview("the input is that of pulumi refresh. Report drift with --stack NAME --drift");
  const changes = resources.map(changeOf);
  const messages = (severity: string) => {
    const texts = (diagnostics ?? []).filter((each) => each.severity === severity).map(({ message }) => message.replace(colors, "").trim());
    return [...new Set(texts.map((text) => text.replace(/^(error|warning): /, "")))];
  };
  const errors = messages("error");
  if (errors.length === 0 && all.length > 0 && !changeSummary) errors.push(unfinished);
  return {
    stack: all[0]?.urn.split(":")[2],
    isDrift: false,
    changes: changes.filter((change) => change !== undefined),
    unlisted: countOperations(opsOf(resources.filter((_, index) => !changes[index]).flat())),
    errors: [...errors, ...undescribed(changeSummary ?? {}, countOperations(opsOf(all)))],
    // The location of a plugin is irrelevant for a review.
    warnings: messages("warning").filter((message) => !/^using \S+ from \$PATH/.test(message)),
  };
}

/** Whether the steps show drift as changes. A preview with `--refresh` has a step of the refresh, too, for each resource that it changes. */
const isOfRefresh = (resources: readonly Step[][]) => {
  const isRefreshed = (group: readonly Step[]) => group.some(({ op }) => op === "refresh");
  const isChanged = (group: readonly Step[]) =>
    group.some(({ op, urn }) => /^(update|delete)$/.test(op) && !urn.includes("pulumi:providers:"));
  return resources.some(isRefreshed) && resources.some((group) => isChanged(group) && !isRefreshed(group));
};

/** The error of changes that are only counted, as in the output of `pulumi refresh`: see `ShowPreviewDigest` in Pulumi's pkg/backend/display/json.go. */
function undescribed(summary: OperationCounts, described: OperationCounts): string[] {
  const missing = Object.entries(summary).filter(([op, number]) => !isUnchanged(op) && number > (described[op] ?? 0));
  const counts = missing.map(([op, number]) => `${number - (described[op] ?? 0)} to ${op}`).join(", ");
  return counts ? [`The output lacks changes that Pulumi counts: ${counts}. Drift is reported with the option --drift`] : [];
}

/** The engine's color tags, such as `<{%reset%}>`. */
const colors = /<\{%.*?%\}>/g;

const opsOf = (steps: readonly Step[]) => steps.map(({ op }) => op);

/** The change of a resource from its steps. Undefined if nothing changes, or if the report does not list the resource. */
function changeOf(steps: readonly Step[]): ResourceChange | undefined {
  const acting = steps.filter(({ op }) => !isUnchanged(op));
  const [first] = acting;
  const operation = operationOf(opsOf(acting));
  const old = acting.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const current = acting.find(({ newState }) => newState)?.newState ?? undefined;
  const { type, custom } = current ?? old ?? {};
  if (!first || !operation || !type || !custom) return undefined;
  // Its resources show that a provider is created or deleted.
  if (isProvider(type) && !["update", "replace"].includes(operation)) return undefined;

  const refresh = steps.find(({ op }) => op === "refresh");
  const stored = refresh?.oldState ?? old;
  const secretNames = [old, current, stored].flatMap((known) => known?.additionalSecretOutputs ?? []);
  const inputsOf = ({ inputs }: State) => publicProperties(inputs, secretNames);
  const outputsOf = ({ outputs, inputs }: State) => publicProperties(outputs ?? inputs, secretNames);
  const drift = (): ResourceChange["drift"] => {
    if (!stored || !old?.outputs) return [];
    if (refresh) return [outputsOf, inputsOf].map((propertiesOf) => [propertiesOf(stored), propertiesOf(old)] as const);
    // Without a refresh, the state shows drift only if the program changes nothing, except that of a connection.
    const canShowDrift = isConnection(type) || (current && isDeepStrictEqual(inputsOf(old), inputsOf(current)));
    return canShowDrift ? [[inputsOf(old), outputsOf(old)]] : [];
  };
  const reasons = acting.flatMap(({ diffReasons, replaceReasons }) => [...(diffReasons ?? []), ...(replaceReasons ?? [])]);
  return {
    operation,
    type,
    // A name can contain the separator of a URN.
    name: first.urn.split("::").slice(3).join("::"),
    before: old && stored && inputsOf(stored),
    after: current && inputsOf(current),
    drift: drift(),
    isRefreshed: refresh !== undefined,
    isDrift: false,
    isRetained: operation === "delete" && old?.retainOnDelete === true,
    // Properties such as `__meta` are internal to a plugin.
    reasons: [...new Set(reasons)].filter((reason) => !reason.startsWith("__")),
  };
}
