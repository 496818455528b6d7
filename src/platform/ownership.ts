/** The ownership mark: a line in a dashboard's description, or a label of an alert rule, that names the stack that manages it. */
import * as pulumi from "@pulumi/pulumi";

/** The current stack as the mark names it: `project/stack`. */
export const qualifiedStack = () => `${pulumi.getProject()}/${pulumi.getStack()}`;

/** The label of an alert rule that names its stack, in the same way. */
export const stackLabel = "stack";

/** The mark of a stack, named as `project/stack`. */
export const managedBy = (stack: string) => `Managed by Pulumi (${stack}): changes made here are overwritten.`;

const mark = /Managed by Pulumi \(([^()\s]{1,250})\): changes made here are overwritten\./;

/** The stack that manages a dashboard, as `project/stack`; undefined without a mark. */
export function managerOf(model: { description?: unknown } | undefined): string | undefined {
  return typeof model?.description === "string" ? mark.exec(model.description)?.[1] : undefined;
}

/** The model with the mark of a stack: it replaces another stack's mark, or follows the description. */
export function markedFor<M extends Record<string, unknown>>(model: M, stack: string): M & { description: string } {
  const text = typeof model.description === "string" ? model.description : "";
  const description = mark.test(text) ? text.replace(mark, () => managedBy(stack)) : [text, managedBy(stack)].filter(Boolean).join("\n\n");
  return { ...model, description };
}
