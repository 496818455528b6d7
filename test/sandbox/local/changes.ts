/** The engine's count of operations as a sentence. Pure. */

/** The operations of Pulumi's `StepOp` (pkg/resource/deploy/step.go), except `same`, as past participles. */
const words: Record<string, string> = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  import: "imported",
  read: "read",
  refresh: "refreshed",
  discard: "no longer read",
  "create-replacement": "created as replacement",
  "delete-replaced": "deleted after replacement",
  "import-replacement": "imported as replacement",
  "read-replacement": "read as replacement",
  "discard-replaced": "no longer read after replacement",
  "remove-pending-replace": "removed after replacement",
};

/** @param changes number of resources by operation, from `pulumi stack history`; an unknown operation keeps its name */
export function describeChanges({ same = 0, ...others }: Record<string, number>): string {
  const done = Object.entries(others).map(([operation, count]) => `${count} ${words[operation] ?? operation}`);
  return done.length > 0 ? [...done, `${same} unchanged`].join(", ") : `nothing changed: ${same} resources`;
}
