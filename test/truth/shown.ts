/** What panels show on real servers, and the comparison with the expected values in all views. */
import { expect } from "vitest";
import { variablesOf } from "../view/reading/panel";
import { type Servers, show } from "../view/reading/show";
import { compare } from "./compare";
import type { Ledger, Selection, Window } from "./ledger";
import type { Dashboard } from "./panels";
import { truths } from "./truths";
import { viewsOf } from "./views";

export const panelCases = (dashboards: readonly Dashboard[]) =>
  dashboards.flatMap((dashboard) =>
    [...dashboard.panels].map(([title, panel]) => ({ key: [title, dashboard.reads].filter(Boolean).join(", "), dashboard, title, panel })),
  );

export type PanelCase = ReturnType<typeof panelCases>[number];

/** The variables of "LLM Monitoring" have capitals. */
export function shownOf(
  { panel, dashboard: { model } }: Pick<PanelCase, "panel" | "dashboard">,
  window: Window,
  selection: Selection,
  servers: Servers,
  more: { specialCharacters?: boolean } = {},
) {
  const selected = variablesOf(model).flatMap(({ name }) => {
    const values = selection[name.toLowerCase() as keyof Selection];
    return values ? [[name, [...values]]] : [];
  });
  return show(panel, model, { ...window, ...more, selected: Object.fromEntries(selected) }, servers);
}

/**
 * @param now the end of the telemetry
 * @param count how many of the views, by default all
 * @returns the number of views
 * @throws AssertionError if the panel shows something else in one of the views
 */
export async function expectTruth(panelCase: PanelCase, now: number, ledger: Ledger, servers: Servers, count?: number): Promise<number> {
  const { title, dashboard, panel } = panelCase;
  const truth = truths[dashboard.name][title];
  if (!truth) expect.fail(`No expected values for this panel: add "${title}" to test/truth/truths`);
  const views = viewsOf(dashboard.name, now).slice(0, count);
  for (const [index, { name, window, selected }] of views.entries()) {
    try {
      const hasData = compare(truth(ledger, window, selected), await shownOf(panelCase, window, selected, servers), panel, window);
      // The made-up world is a day.
      if (index === 0) expect(hasData, "has data").toBe(title !== "A Month Before");
    } catch (error) {
      (error as Error).message = `${name}: ${(error as Error).message}`;
      throw error;
    }
  }
  return views.length;
}
