/** Places panels on Grafana's grid: rows from top to bottom, panels from left to right. */
import { type DashboardBuilder, type Panel, RowBuilder } from "@grafana/grafana-foundation-sdk/dashboard";

/** The columns of Grafana's grid. */
const columns = 24;

/** A panel without its place yet. */
interface Placeable {
  gridPos(place: { x: number; y: number; w: number; h: number }): unknown;
  build(): Panel;
}

/** Panels side by side, each with its width in columns, or the head line of a section. */
type Row = { height: number; panels: [width: number, panel: Placeable][] } | { title: string };

/** Panels of one height, in units of Grafana's grid, side by side. */
export const row = (height: number, ...panels: [width: number, panel: Placeable][]): Row => ({ height, panels });

/** A row panel that stays open: what follows it belongs to it. */
export const section = (title: string): Row => ({ title });

/** Adds all rows to the dashboard, each below the one before. */
export function place(dashboard: DashboardBuilder, rows: readonly Row[]): DashboardBuilder {
  let y = 0;
  for (const each of rows) {
    if ("title" in each) {
      dashboard.withRow(new RowBuilder(each.title).gridPos({ x: 0, y, w: columns, h: 1 }));
      y += 1;
      continue;
    }
    let x = 0;
    for (const [w, panel] of each.panels) {
      if (x + w > columns) throw new RangeError(`A row is wider than ${columns} columns`);
      panel.gridPos({ x, y, w, h: each.height });
      dashboard.withPanel(panel);
      x += w;
    }
    y += each.height;
  }
  return dashboard;
}
