/** The places of panels in Grafana's grid. Pure. */
import type { Panel } from "../reading/panel";

/** Pixels of one row of the grid, and between panels. */
const rowHeight = 30;
const gap = 8;
const columns = 24;

export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The place of a panel in pixels, in a grid of the given width. */
export function placeOf({ x, y, w, h }: Panel["gridPos"], width: number): Place {
  const column = (width - gap * (columns - 1)) / columns;
  return {
    left: Math.round(x * (column + gap)),
    top: y * (rowHeight + gap),
    width: Math.round(w * column + (w - 1) * gap),
    height: h * rowHeight + (h - 1) * gap,
  };
}

/** The height of a grid in pixels. */
export function heightOf(panels: readonly Panel[]): number {
  const rows = Math.max(0, ...panels.map(({ gridPos: { y, h } }) => y + h));
  return rows * (rowHeight + gap);
}

/**
 * The panels that are visible if the rows with these ids are collapsed. The panels of a collapsed row disappear, and the next ones move up. A row that
 * is stored as collapsed contains its panels; one that is stored as open is followed by them.
 */
export function visiblePanels(panels: readonly Panel[], collapsed: ReadonlySet<number>): Panel[] {
  const visible: Panel[] = [];
  let hidden = false;
  let shift = 0;
  let [start, end] = [0, 0];
  for (const panel of [...panels].sort((left, right) => left.gridPos.y - right.gridPos.y || left.gridPos.x - right.gridPos.x)) {
    if (panel.type === "row") {
      if (hidden) shift -= end - start;
      const { y } = panel.gridPos;
      visible.push(moved(panel, shift));
      hidden = collapsed.has(panel.id);
      start = end = y + 1;
      const own = panel.panels ?? [];
      if (own.length > 0 && !hidden) {
        visible.push(...own.map((each) => moved(each, shift)));
        shift += Math.max(...own.map(({ gridPos }) => gridPos.y + gridPos.h)) - start;
      }
    } else if (hidden) end = Math.max(end, panel.gridPos.y + panel.gridPos.h);
    else visible.push(moved(panel, shift));
  }
  return visible;
}

const moved = (panel: Panel, shift: number): Panel =>
  shift === 0 ? panel : { ...panel, gridPos: { ...panel.gridPos, y: panel.gridPos.y + shift } };
