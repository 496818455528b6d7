/** Taking over what exists in Grafana already, without a change to it. Pure. */
import type * as pulumi from "@pulumi/pulumi";
import type { AdoptablePart } from "../settings/keys";

/** Resources that this deployment imports, and those that an earlier one imported. */
export interface Adoption {
  imports: readonly AdoptablePart[];
  retainOnDelete: readonly AdoptablePart[];
}

const dashboards: readonly AdoptablePart[] = ["genai-observability", "llm-monitoring"];

/**
 * Options of a resource that may have been in Grafana before the stack. It is imported unchanged, since the engine refuses to import and to change
 * at once; the next deployment changes it. Imported resources existed without the stack, so `destroy` keeps them, with the folder that holds them.
 *
 * @param id by which the plugin imports it
 */
export function adoptionOptions(part: AdoptablePart, id: string, { imports, retainOnDelete }: Adoption): pulumi.CustomResourceOptions {
  if (imports.includes(part)) return { import: id, ignoreChanges: ["*"], retainOnDelete: true };
  const imported = [...imports, ...retainOnDelete];
  const holdsImported = part === "folder" && dashboards.some((dashboard) => imported.includes(dashboard));
  return retainOnDelete.includes(part) || holdsImported ? { retainOnDelete: true } : {};
}
