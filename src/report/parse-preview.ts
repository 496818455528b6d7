/** Parses the JSON of `pulumi preview --json` and `pulumi refresh --preview-only --json`, and removes the secrets from it. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Json, type JsonObject, parseStructure } from "./json";
import { countUnlisted, isUnchanged, type Operation, operationOf, type UnlistedOperations } from "./operations";
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

export interface Preview extends UnlistedOperations {
  /** Undefined if the preview has no steps. */
  stack: string | undefined;
  /** Whether the preview shows drift, not changes by the program. */
  isRefresh: boolean;
  changes: ResourceChange[];
  errors: string[];
  warnings: string[];
}

/** A preview of changes that were found without the engine, or of a failed preview. */
export const previewOf = (stack: string, changes: ResourceChange[], errors: string[] = []): Preview => {
  return { stack, isRefresh: false, changes, undescribed: {}, unlisted: {}, errors, warnings: [] };
};

/** The error of a preview that stopped without an error message. */
export const unfinished = "The output has no change summary: the preview did not finish";

export const isConnection = (type: string) => /^pulumi-nodejs:dynamic\/.*:Connection$/.test(type);
export const isProvider = (type: string) => type.startsWith("pulumi:providers:");

/** The input is not the JSON of a preview. */
export class UnreadablePreview extends Error {}

/**
 * @param text the output of the command
 * @param isRefresh whether the command shows drift. By default, whether all steps only refresh; so do those of
 * `preview --refresh --run-program` if the program changes nothing.
 * @throws UnreadablePreview
 */
export function parsePreview(text: string, isRefresh?: boolean): Preview {
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
  // A preview with `--refresh` has other steps in addition to those of the refresh, at least one for the stack.
  const refreshed = resources.filter((group) => group.some(({ op }) => op === "refresh"));
  const showsDrift = isRefresh ?? (refreshed.length > 0 && refreshed.flat().every(({ op }) => op === "refresh"));
  const changes = resources.map((group) => changeOf(group, showsDrift));
  const messages = (severity: string) => {
    const texts = (diagnostics ?? []).filter((each) => each.severity === severity).map(({ message }) => message.replace(colors, "").trim());
    return [...new Set(texts.map((text) => text.replace(/^(error|warning): /, "")))];
  };
  const errors = messages("error");
  const isUnfinished = all.length > 0 && !changeSummary && errors.length === 0;
  const unlisted = resources.filter((_, index) => !changes[index]).flat();
  return {
    stack: all[0]?.urn.split(":")[2],
    isRefresh: showsDrift,
    changes: changes.filter((change) => change !== undefined),
    ...countUnlisted(changeSummary ?? {}, opsOf(all), opsOf(unlisted)),
    errors: isUnfinished ? [unfinished] : errors,
    // The location of a plugin is irrelevant for a review.
    warnings: messages("warning").filter((message) => !/^using \S+ from \$PATH/.test(message)),
  };
}

/** The engine's color tags, such as `<{%reset%}>`. */
const colors = /<\{%.*?%\}>/g;

const opsOf = (steps: readonly Step[]) => steps.map(({ op }) => op);

/** The change of a resource from its steps. Undefined if nothing changes, or if the report does not list the resource. */
function changeOf(steps: readonly Step[], showsDrift: boolean): ResourceChange | undefined {
  const acting = steps.filter(({ op }) => !isUnchanged(op));
  const [first] = acting;
  const operation = operationOf(opsOf(acting));
  const old = acting.find(({ oldState }) => oldState)?.oldState ?? undefined;
  const current = acting.find(({ newState }) => newState)?.newState ?? undefined;
  const { type, custom } = current ?? old ?? {};
  if (!first || !operation || !type || !custom) return undefined;
  // In a refresh, a provider changes with the program's settings only. In a deployment, its resources show that it is created or deleted.
  if (isProvider(type) && (showsDrift || !["update", "replace"].includes(operation))) return undefined;
  if (showsDrift && !["update", "delete"].includes(operation)) return undefined;

  const refresh = steps.find(({ op }) => op === "refresh");
  const stored = refresh?.oldState ?? old;
  const secretNames = [old, current, stored].flatMap((known) => known?.additionalSecretOutputs ?? []);
  const inputsOf = ({ inputs }: State) => publicProperties(inputs, secretNames);
  const outputsOf = ({ outputs, inputs }: State) => publicProperties(outputs ?? inputs, secretNames);
  const drift = (): ResourceChange["drift"] => {
    const [known, found] = showsDrift ? [old, current] : [stored, old?.outputs && old];
    if (!known || !found) return [];
    if (showsDrift || refresh) return [outputsOf, inputsOf].map((propertiesOf) => [propertiesOf(known), propertiesOf(found)] as const);
    // Without a refresh, the state shows drift only if the program changes nothing, except that of a connection.
    const canShowDrift = isConnection(type) || (current && isDeepStrictEqual(inputsOf(found), inputsOf(current)));
    return canShowDrift ? [[inputsOf(found), outputsOf(found)]] : [];
  };
  const shown = showsDrift ? outputsOf : inputsOf;
  const reasons = acting.flatMap(({ diffReasons, replaceReasons }) => [...(diffReasons ?? []), ...(replaceReasons ?? [])]);
  return {
    operation,
    type,
    // A name can contain the separator of a URN.
    name: first.urn.split("::").slice(3).join("::"),
    before: old && stored && shown(stored),
    after: current && shown(current),
    drift: drift(),
    isRefreshed: showsDrift || refresh !== undefined,
    isDrift: showsDrift,
    isRetained: operation === "delete" && !showsDrift && old?.retainOnDelete === true,
    // Properties such as `__meta` are internal to a plugin.
    reasons: [...new Set(reasons)].filter((reason) => !reason.startsWith("__")),
  };
}
