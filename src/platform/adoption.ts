/** Taking over what exists at Grafana already, without a change to it. */
import type * as pulumi from "@pulumi/pulumi";
import type { AdoptablePart } from "../settings/keys";

/** What is taken over by this deployment, and what was by an earlier one. */
export interface Adoption {
  adopting: readonly AdoptablePart[];
  adopted: readonly AdoptablePart[];
}

/**
 * Options of a resource that may have been at Grafana before. It is imported as it is, since the engine refuses to import and to change at once;
 * the next deployment, for which it is adopted, changes it. It existed without this stack, so it outlives it.
 *
 * @param uid the uid at Grafana, which is what its resources are imported by
 */
export function adoptionOptions(part: AdoptablePart, uid: string, { adopting, adopted }: Adoption): pulumi.CustomResourceOptions {
  if (adopting.includes(part)) return { import: uid, ignoreChanges: ["*"], retainOnDelete: true };
  return adopted.includes(part) ? { retainOnDelete: true } : {};
}
