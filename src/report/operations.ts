/** The engine's operations and its count of them, `changeSummary`. */

export type Operation = "create" | "update" | "replace" | "delete" | "import";
export const operations: readonly Operation[] = ["create", "update", "replace", "delete", "import"];

/** A number of resources with the same operation. */
export interface OperationCount {
  /** The engine's name of the operation. */
  op: string;
  operation: Operation;
  number: number;
}

/** Operations that change nothing: see `HasChanges` in Pulumi's pkg/engine/update.go. A refresh only reads. */
const unchanged = ["same", "read", "read-replacement", "discard", "refresh"];

export const isUnchanged = (op: string) => unchanged.includes(op);

/** The engine's operations, the decisive one first: a replacement consists of several steps. */
const precedence: [op: string, operation: Operation][] = [
  ["replace", "replace"],
  ["create-replacement", "replace"],
  ["import-replacement", "replace"],
  ["delete-replaced", "delete"],
  ...operations.map((operation): [string, Operation] => [operation, operation]),
];

/** The operation of one resource from the operations of its steps. Undefined if they change nothing. */
export const operationOf = (ops: readonly string[]) => precedence.find(([op]) => ops.includes(op))?.[1];

/** Operations in `changeSummary` in addition to the resources that the report lists. */
export interface UnlistedOperations {
  /** Operations without a step. */
  undescribed: OperationCount[];
  /** Operations of components and providers, and of the program itself in a drift report. */
  unlisted: OperationCount[];
}

/**
 * The engine omits the step of an update in a refresh if the provider returns no detailed diff, but counts it: see `ShowPreviewDigest` in Pulumi's
 * pkg/backend/display/json.go. This concerns folder permissions and dynamic resources.
 *
 * @param summary `changeSummary`: number of resources by operation
 * @param described operations of all steps
 * @param unlisted operations of the steps whose resources are not listed
 */
export function countUnlisted(
  summary: Readonly<Record<string, number>>,
  described: readonly string[],
  unlisted: readonly string[],
): UnlistedOperations {
  const counts = Object.entries(summary).flatMap(([op, number]) => {
    const [steps, hidden] = [described, unlisted].map((ops) => ops.filter((each) => each === op).length) as [number, number];
    // The engine may count fewer operations than it has steps: then it counts the listed resources.
    const numbers = { undescribed: number - steps, unlisted: Math.min(hidden, number - steps + hidden) };
    // An unknown operation of a later engine counts as an update.
    return isUnchanged(op) ? [] : [{ op, operation: operationOf([op]) ?? "update", numbers }];
  });
  const select = (kind: keyof UnlistedOperations) =>
    counts.flatMap(({ op, operation, numbers }) => (numbers[kind] > 0 ? [{ op, operation, number: numbers[kind] }] : []));
  return { undescribed: select("undescribed"), unlisted: select("unlisted") };
}
