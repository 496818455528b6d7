/** The geometry of the page: arcs of pie charts and places of panels. */
import { describe, expect, it } from "vitest";
import { arcsOf } from "../../view/page/donut";
import { heightOf, placeOf, visiblePanels } from "../../view/page/grid";
import type { Panel } from "../../view/reading/panel";

describe("arcs", () => {
  it("go clockwise from the top, and their shares are those of the values", () => {
    const arcs = arcsOf([2, 1, 1], 10, 6);
    expect(arcs.map(({ share }) => share)).toEqual([0.5, 0.25, 0.25]);
    expect(arcs[0]?.path).toBe("M0.000 -10.000A10 10 0 0 1 0.000 10.000L0.000 6.000A6 6 0 0 0 0.000 -6.000Z");
    // The right half, then the lower left and the upper left quarter; labels are in the middle of the ring.
    for (const [index, x, y] of [
      [0, 8, 0],
      [1, -Math.SQRT1_2 * 8, Math.SQRT1_2 * 8],
      [2, -Math.SQRT1_2 * 8, -Math.SQRT1_2 * 8],
    ] as const) {
      expect(arcs[index]?.middle.x).toBeCloseTo(x);
      expect(arcs[index]?.middle.y).toBeCloseTo(y);
    }
  });

  it("of more than a half take the long way", () => {
    const [large, small] = arcsOf([3, 1], 10, 6);
    expect(large?.path).toContain("A10 10 0 1 1");
    expect(small?.path).toContain("A10 10 0 0 1");
  });

  it("of a single value are a full ring, of nothing are nothing", () => {
    const [full, none] = arcsOf([5, 0], 10, 6);
    expect(full?.share).toBe(1);
    expect(full?.path.match(/M/g)).toHaveLength(2);
    expect(none).toMatchObject({ path: "", share: 0 });
    expect(arcsOf([0, -1], 10, 6).map(({ path }) => path)).toEqual(["", ""]);
  });

  it("of a pie meet in the center", () => {
    expect(arcsOf([1, 1], 10, 0)[0]?.path).toContain("L0 0Z");
  });
});

const panel = (id: number, x: number, y: number, w: number, h: number, more: Partial<Panel> = {}): Panel => ({
  id,
  type: "stat",
  gridPos: { x, y, w, h },
  ...more,
});
const row = (id: number, y: number, more: Partial<Panel> = {}) => panel(id, 0, y, 24, 1, { type: "row", ...more });

describe("places", () => {
  it("fill the width of 24 columns with gaps of 8 pixels, and rows of 30", () => {
    expect(placeOf({ x: 0, y: 0, w: 24, h: 3 }, 1568)).toEqual({ left: 0, top: 0, width: 1568, height: 106 });
    const [left, right] = [placeOf({ x: 0, y: 3, w: 12, h: 8 }, 1568), placeOf({ x: 12, y: 3, w: 12, h: 8 }, 1568)];
    expect(left).toEqual({ left: 0, top: 114, width: 780, height: 296 });
    expect(right.left - (left.left + left.width)).toBe(8);
    expect(heightOf([panel(1, 0, 0, 24, 3), panel(2, 0, 3, 12, 8)])).toBe(11 * 38);
  });

  const panels = [row(1, 0), panel(2, 0, 1, 12, 4), panel(3, 12, 1, 12, 6), row(4, 7), panel(5, 0, 8, 24, 5)];
  const placed = (collapsed: number[], all = panels) => visiblePanels(all, new Set(collapsed)).map(({ id, gridPos }) => [id, gridPos.y]);

  it("of a collapsed row are free: what follows moves up", () => {
    expect(placed([])).toEqual(panels.map(({ id, gridPos }) => [id, gridPos.y]));
    expect(placed([1])).toEqual([
      [1, 0],
      [4, 1],
      [5, 2],
    ]);
    expect(placed([1, 4])).toEqual([
      [1, 0],
      [4, 1],
    ]);
  });

  it("of a row that was saved as collapsed move down what follows", () => {
    const saved = [row(1, 0, { collapsed: true, panels: [panel(2, 0, 1, 24, 4)] }), row(3, 1), panel(4, 0, 2, 24, 5)];
    expect(placed([1], saved)).toEqual([
      [1, 0],
      [3, 1],
      [4, 2],
    ]);
    expect(placed([], saved)).toEqual([
      [1, 0],
      [2, 1],
      [3, 5],
      [4, 6],
    ]);
  });
});
