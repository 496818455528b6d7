/** The drift in a preview that refreshed first: what others changed, apart from what the program changes. Pure. */
import type { Preview, ResourceChange } from "./read";
import { changedSecrets, driftLines, programLines } from "./resource";

/** The preview as a refresh has it. What the program itself changes is unlisted: counted, but no drift. */
export function onlyDrift(preview: Preview): Preview {
  const parts = preview.changes.map((change) => ({ change, drift: driftOf(change) }));
  const own = parts.flatMap(({ change: { operation }, drift }) => (drift ? [] : [{ op: operation, operation, number: 1 }]));
  return { ...preview, isRefresh: true, changes: parts.flatMap(({ drift }) => drift ?? []), unlisted: [...preview.unlisted, ...own] };
}

function driftOf(change: ResourceChange): ResourceChange | undefined {
  const { operation, refreshed, drift, gone } = change;
  if (gone) return { ...change, operation: "delete", outside: true, gone: false, before: change.after, after: undefined };
  const isUpdate = operation === "update" || operation === "replace";
  if (change.outside || !refreshed || !isUpdate) return change.outside ? change : undefined;
  const [[before, after] = [change.before, change.after]] = drift;
  const outside: ResourceChange = { ...change, operation: "update", outside: true, before, after };
  if (driftLines(outside).length > 0) return outside;
  // Nothing shows what differs. The program explains it where it changes something itself, a secret perhaps; others do where it does not.
  return programLines(change).length > 0 || changedSecrets(change).length > 0 ? undefined : outside;
}
