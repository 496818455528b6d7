/** The engine's operations and its count of them, `changeSummary`. */

export type Operation = "create" | "update" | "replace" | "delete" | "import";
export const operations: readonly Operation[] = ["create", "update", "replace", "delete", "import"];

/** Operations that change nothing: see `HasChanges` in Pulumi's pkg/engine/update.go. A refresh only reads. */
export const isUnchanged = (op: string) => ["same", "read", "read-replacement", "discard", "refresh"].includes(op);

/** The operation of one resource from the operations of its steps: a replacement consists of several. Undefined if they change nothing. */
export function operationOf(ops: readonly string[]): Operation | undefined {
  if (["replace", "create-replacement", "import-replacement"].some((op) => ops.includes(op))) return "replace";
  return ops.includes("delete-replaced") ? "delete" : operations.find((operation) => ops.includes(operation));
}

/** Number of resources by the engine's operation. */
export type OperationCounts = Readonly<Record<string, number>>;

/**
 * Operations in `changeSummary` of resources that the report does not list. `undescribed`: without a step. `unlisted`: of components and
 * providers; in a drift report, also of the program.
 */
export type UnlistedOperations = Record<"undescribed" | "unlisted", OperationCounts>;

/**
 * Compares `changeSummary` with the steps. The engine omits the step of an update in a refresh if the provider returns no detailed diff (folder
 * permissions, dynamic resources): see `ShowPreviewDigest` in Pulumi's pkg/backend/display/json.go.
 */
export function countUnlisted(summary: OperationCounts, described: readonly string[], unlisted: readonly string[]): UnlistedOperations {
  const counts = Object.entries(summary).filter(([op]) => !isUnchanged(op));
  const countIn = (ops: readonly string[], op: string) => ops.filter((each) => each === op).length;
  const select = (numberOf: (op: string, number: number) => number): OperationCounts =>
    Object.fromEntries(counts.map(([op, number]) => [op, numberOf(op, number)] as const).filter(([, number]) => number > 0));
  return {
    undescribed: select((op, number) => number - countIn(described, op)),
    // If the engine counts fewer operations than it has steps, it counts the listed resources.
    unlisted: select((op, number) => countIn(unlisted, op) + Math.min(0, number - countIn(described, op))),
  };
}
