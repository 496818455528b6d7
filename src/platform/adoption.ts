/** Taking over what exists at Grafana already, without a change to it, and whose that is. */
import type * as pulumi from "@pulumi/pulumi";
import type { GrafanaAnswer } from "../grafana";
import type { AdoptablePart } from "../settings/keys";
import { clip, visible } from "../shown";

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

const deployment = "Deployed by Pulumi: ";

/** What Grafana's history of a dashboard says of a deployment by a stack, which is named as `project/stack`. */
export const deploymentBy = (stack: string) => deployment + stack;

/** Where Grafana tells the history of a dashboard. */
export const historyPath = (uid: string) => `/api/dashboards/uid/${uid}/versions?limit=1000`;

/**
 * What speaks against a dashboard's being a stack's, as the end of a sentence; undefined where one of its versions was saved by that stack: the
 * newest may be somebody's edit. Grafana forgets all but the newest 20, unless told otherwise, and those of a dashboard that was deleted.
 *
 * @param history what Grafana answers. It shows it only to who may write the dashboard: what the reader of a preview is not told speaks against nothing
 * @param stack named as `project/stack`
 */
export function doubtOf({ status, body }: GrafanaAnswer, stack: string): string | undefined {
  const stacks = messages(body).flatMap((message) => (message.startsWith(deployment) ? [message.slice(deployment.length)] : []));
  if (status === 403 || stacks.includes(stack)) return undefined;
  const other = stacks[0] === undefined ? "" : `, one was by ${visible(clip(stacks[0]))}`;
  return `none of the versions that its history still has was saved by this stack (${stack})${other}`;
}

/** The messages of a dashboard's versions. Older Grafana answers a list, newer ones an object that holds it. */
function messages(body: unknown): string[] {
  const versions: unknown = Array.isArray(body) ? body : (body as { versions?: unknown }).versions;
  if (!Array.isArray(versions)) return [];
  return (versions as { message?: unknown }[]).flatMap(({ message }) => (typeof message === "string" ? [message] : []));
}
