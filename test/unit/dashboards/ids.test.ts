/** Panel ids are part of links: each panel sets one, and building a dashboard fails otherwise. */
import { type Dashboard, defaultDashboard, defaultPanel, type Panel } from "@grafana/grafana-foundation-sdk/dashboard";
import { expect, it } from "vitest";
import { normalize } from "../../../src/dashboards/normalize";

const panel = (title: string, changed: Partial<Panel>): Panel => ({
  ...defaultPanel(),
  type: "stat",
  title,
  gridPos: { x: 0, y: 0, w: 6, h: 4 },
  ...changed,
});
const dashboard = (...panels: Panel[]): Dashboard => ({ ...defaultDashboard(), panels });

it("keeps the ids, in whatever order the panels are", () => {
  const { panels } = normalize(dashboard(panel("a", { id: 7 }), panel("b", { id: 2 })));
  expect((panels as Panel[]).map(({ id }) => id)).toEqual([7, 2]);
});

it("a panel without an id fails, with an unused id", () => {
  expect(() => normalize(dashboard(panel("a", { id: 7 }), panel("b", {})))).toThrow(
    'The panel "b" has no id. Links to panels contain the id: add .id(8).',
  );
});

it("a duplicate id fails, with both panels and an unused id", () => {
  expect(() => normalize(dashboard(panel("a", { id: 7 }), panel("b", { id: 7 })))).toThrow(
    'The panel "b" has the id 7 of the panel "a". Set an unused one: .id(8).',
  );
});

it("a panel beyond the grid fails", () => {
  const wide = panel("a", { id: 1, gridPos: { x: 20, y: 0, w: 6, h: 4 } });
  expect(() => normalize(dashboard(wide))).toThrow('The panel "a" ends beyond the 24 columns: check the spans of its row.');
});
