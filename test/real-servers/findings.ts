/** Comparisons of one panel in several views. */
import { expect } from "vitest";
import type { Finding } from "./compare";

/**
 * The finding of each view.
 *
 * @param table the view in the README's table, which must have data
 * @throws the error of the first view that differs, with the view's name
 */
export async function findingsIn<V extends { name: string }>(
  views: readonly V[],
  table: string,
  compare: (view: V) => Promise<Finding>,
): Promise<Map<string, Finding>> {
  const found = new Map<string, Finding>();
  for (const view of views) {
    try {
      found.set(view.name, await compare(view));
    } catch (error) {
      (error as Error).message = `${view.name}: ${(error as Error).message}`;
      throw error;
    }
  }
  expect(found.get(table)?.truth, "the README's view has data").not.toBe("nothing");
  return found;
}
