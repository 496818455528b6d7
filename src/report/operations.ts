/** The engine's operations. */

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

/** Counts operations that change something. */
export function countOperations(ops: readonly string[]): OperationCounts {
  const changing = ops.filter((op) => !isUnchanged(op));
  return Object.fromEntries([...new Set(changing)].map((op) => [op, changing.filter((each) => each === op).length]));
}
