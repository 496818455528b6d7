/** The ownership mark: a line in a dashboard's description, or a label of an alert rule, that names the stack that manages it. */
import * as pulumi from "@pulumi/pulumi";

/** The current stack as `project/stack`: the name that stacks in two backends can share. */
export const qualifiedStack = () => `${pulumi.getProject()}/${pulumi.getStack()}`;

/** A stack as the mark names it: `project/stack@id`, with a part of the provider's id, which the state keeps. Marks of earlier releases have no id. */
export const ownerOf = (stack: string, providerId: string) =>
  `${stack}@${providerId === pulumi.runtime.unknownValue ? "new" : providerId.slice(0, 8)}`;

/** The `project/stack` of a mark. */
export const nameOf = (owner: string) => owner.replace(/@.*/, "");

/** Whether a mark is another stack's. Ids are compared if both have one. */
export const isForeign = (manager: string, owner: string) =>
  nameOf(manager) !== nameOf(owner) || (manager !== owner && [manager, owner].every((each) => each.includes("@")));

/** The label of an alert rule with its `project/stack`. */
export const stackLabel = "stack";

/** The mark of an owner. */
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
