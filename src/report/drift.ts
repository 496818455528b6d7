/** Reduces a preview with `--refresh` to the drift: changes made outside of Pulumi. */
import { changedSecrets, describeDrift, describeProgramChanges, isRecreated } from "./describe-resource";
import type { Preview, ResourceChange } from "./parse-preview";

/** Changes by the program count as unlisted. */
export function onlyDrift(preview: Preview): Preview {
  const drifts = preview.changes.map(driftOf);
  const unlisted = { ...preview.unlisted };
  for (const [index, { operation }] of preview.changes.entries()) if (!drifts[index]) unlisted[operation] = (unlisted[operation] ?? 0) + 1;
  // The engine refreshes resources in any order.
  const changes = drifts.flatMap((drift) => drift ?? []).sort((one, other) => (one.type + one.name < other.type + other.name ? -1 : 1));
  return { ...preview, isDrift: true, changes, unlisted };
}

function driftOf(change: ResourceChange): ResourceChange | undefined {
  const { operation, isRefreshed, drift } = change;
  if (isRecreated(change)) return { ...change, operation: "delete", isDrift: true, before: change.after, after: undefined };
  if (!isRefreshed || (operation !== "update" && operation !== "replace")) return undefined;
  const [[before, after] = [change.before, change.after]] = drift;
  const drifted: ResourceChange = { ...change, operation: "update", isDrift: true, before, after };
  if (describeDrift(drifted).length > 0) return drifted;
  // No property shows a difference. If the program changes nothing either, including secrets, the cause is outside of Pulumi.
  return describeProgramChanges(change).length > 0 || changedSecrets(change).length > 0 ? undefined : drifted;
}
