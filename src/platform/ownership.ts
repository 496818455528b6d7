/** The mark of the stack that manages a resource: in a dashboard's description, a datasource's options, an alert rule's labels. */
import * as pulumi from "@pulumi/pulumi";

/** The current stack as `project/stack`. Stacks in two backends can share this name. */
export const qualifiedStack = () => `${pulumi.getProject()}/${pulumi.getStack()}`;

/**
 * A stack as the mark names it: `project/stack@id`. The id is a part of the provider's id: the state keeps it if the stack is renamed, or
 * moves to another backend. Marks of the first releases have no id.
 */
export const ownerOf = (stack: string, providerId?: string) => `${stack}@${isNew(providerId) ? "new" : providerId?.slice(0, 8)}`;

/** Whether the provider is not in the state: the stack has created nothing. */
export const isNew = (providerId: string | undefined) => providerId === undefined || providerId === pulumi.runtime.unknownValue;

/** Who holds a resource with this mark. If both names have an id, the ids decide: names are for people, and can change. */
export function holderOf(manager: string | undefined, owner: string): "this stack" | "another stack" | "nobody" {
  if (manager === undefined) return "nobody";
  const [[theirName, theirId], [ownName, ownId]] = [manager.split("@"), owner.split("@")];
  const isSame = theirId && ownId ? theirId === ownId : theirName === ownName;
  return isSame ? "this stack" : "another stack";
}

/** The option of a datasource that names its owner. */
export const datasourceMark = (owner: pulumi.Input<string>) => ({ managedByPulumi: owner });

/** The owner of a datasource; undefined if it has none in its options. */
export function datasourceOwner(options: Record<string, unknown> | undefined): string | undefined {
  const owner = options?.managedByPulumi;
  return typeof owner === "string" ? owner : undefined;
}

export const managedBy = (owner: string) => `Managed by Pulumi (${owner}): changes made here are overwritten.`;

const mark = /Managed by Pulumi \(([^()\s]{1,250})\): changes made here are overwritten\./;

/** The owner of a dashboard; undefined without a mark. */
export function managerOf(model: { description?: unknown } | undefined): string | undefined {
  return typeof model?.description === "string" ? mark.exec(model.description)?.[1] : undefined;
}

/** The model with the mark of an owner: it replaces another one's mark, or follows the description. */
export function markedFor<M extends Record<string, unknown>>(model: M, owner: string): M & { description: string } {
  const text = typeof model.description === "string" ? model.description : "";
  const description = mark.test(text) ? text.replace(mark, () => managedBy(owner)) : [text, managedBy(owner)].filter(Boolean).join("\n\n");
  return { ...model, description };
}
