/** Import of existing Grafana resources. */
import type * as pulumi from "@pulumi/pulumi";
import type { AdoptablePart } from "../settings/keys";
import { userError } from "../text/user-error";

export interface Adoption {
  /** Resources that this deployment imports. */
  imports: readonly AdoptablePart[];
  /** Resources that an earlier deployment imported. */
  retainOnDelete: readonly AdoptablePart[];
}

const dashboards: readonly AdoptablePart[] = ["genai-observability", "genai-observability-otel", "llm-monitoring"];

/**
 * Options of an importable resource. The import ignores all changes, since the engine refuses to import and change a resource at once; the
 * next deployment applies them. `destroy` keeps imported resources, and the folder that contains them.
 */
export function adoptionOptions(
  part: AdoptablePart,
  uid: pulumi.Input<string>,
  { imports, retainOnDelete }: Adoption,
): pulumi.CustomResourceOptions {
  if (imports.includes(part)) {
    if (typeof uid !== "string") throw userError(`The import of ${part} requires its uid as text, not as an output of another resource.`);
    return { import: uid, ignoreChanges: ["*"], retainOnDelete: true };
  }
  const imported = [...imports, ...retainOnDelete];
  const containsImported = part === "folder" && dashboards.some((dashboard) => imported.includes(dashboard));
  return retainOnDelete.includes(part) || containsImported ? { retainOnDelete: true } : {};
}
