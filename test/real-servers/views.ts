/** Comparisons of one panel in several views. */
import { expect } from "vitest";

/**
 * Compares the panel in each view. The first view must have data.
 *
 * @param compare returns whether data was expected
 * @throws the error of the first view that differs, with the view's name
 */
export async function compareViews<V extends { name: string }>(views: readonly V[], compare: (view: V) => Promise<boolean>): Promise<void> {
  for (const view of views) {
    try {
      const hasData = await compare(view);
      if (view === views[0]) expect(hasData, "has data").toBe(true);
    } catch (error) {
      (error as Error).message = `${view.name}: ${(error as Error).message}`;
      throw error;
    }
  }
}
