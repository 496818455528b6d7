/** Which stack manages a dashboard: a line in the dashboard's description says so, to this program and to people in Grafana. Pure. */

/** The line for a stack, named as `project/stack`. */
export const managedBy = (stack: string) => `Managed by Pulumi (${stack}): changes made here are overwritten.`;

const line = /Managed by Pulumi \(([^()\s]{1,250})\): changes made here are overwritten\./;

/** The stack that manages a dashboard, as `project/stack`; undefined where its description names none. */
export function managerOf(model: { description?: unknown } | undefined): string | undefined {
  return typeof model?.description === "string" ? line.exec(model.description)?.[1] : undefined;
}

/** The model with the line of a stack: in place of another stack's, otherwise below the description that is there. */
export function markedFor<M extends Record<string, unknown>>(model: M, stack: string): M & { description: string } {
  const there = typeof model.description === "string" ? model.description : "";
  const description = line.test(there)
    ? there.replace(line, () => managedBy(stack))
    : [there, managedBy(stack)].filter(Boolean).join("\n\n");
  return { ...model, description };
}
