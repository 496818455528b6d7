/** Pulumi's own count of operations, held against the steps that describe them. Pure. */

export type Operation = "create" | "update" | "replace" | "delete" | "import";
export const operations: readonly Operation[] = ["create", "update", "replace", "delete", "import"];

/** A number of resources with the same operation. */
export interface Counted {
  /** The engine's word. */
  op: string;
  operation: Operation;
  number: number;
}

/** Operations that change nothing: as `HasChanges` in Pulumi's pkg/engine/update.go has them, and a refresh, which only looks. */
const quiet = ["same", "read", "read-replacement", "discard", "refresh"];

export const isQuiet = (op: string) => quiet.includes(op);

/** What the steps of one resource amount to: a replacement comes in several steps. Undefined where they change nothing. */
export function operationOf(ops: readonly string[]): Operation | undefined {
  if (ops.some((op) => op === "replace" || op === "create-replacement" || op === "import-replacement")) return "replace";
  if (ops.includes("delete-replaced")) return "delete";
  return operations.find((operation) => ops.includes(operation));
}

/** What Pulumi counts beyond the resources that have a line of their own. */
export interface Others {
  /** Operations that no step describes. */
  undescribed: Counted[];
  /** Operations of what needs no line: groups, providers, and in a refresh what the program itself changes. */
  unlisted: Counted[];
}

/**
 * The engine describes no update of a refresh for which the provider gives no detailed differences: those of a folder's permissions, and all of
 * dynamic resources (`ShowPreviewDigest` in Pulumi's pkg/backend/display/json.go). It does count them.
 *
 * @param summary number of resources by operation
 * @param described operations of all steps
 * @param unlisted those of them whose resources need no line
 */
export function beyond(summary: Readonly<Record<string, number>>, described: readonly string[], unlisted: readonly string[]): Others {
  const others: Others = { undescribed: [], unlisted: [] };
  for (const [op, number] of Object.entries(summary)) {
    if (isQuiet(op)) continue;
    const [inSteps, silent] = [described, unlisted].map((ops) => ops.filter((each) => each === op).length) as [number, number];
    // An operation of a later engine is a change, too.
    const operation = operationOf([op]) ?? "update";
    const add = (list: Counted[], of: number) => of > 0 && list.push({ op, operation, number: of });
    add(others.undescribed, number - inSteps);
    // Where Pulumi counts fewer operations than there are steps, those with lines are the ones that it counts.
    add(others.unlisted, Math.min(silent, number - inSteps + silent));
  }
  return others;
}
