/** Describes added, removed, moved and resized panels. Moves that follow from another change are counted, not listed. */
import { diffArrays } from "diff";
import type { ListChange } from "./diff";
import { field, isObject, type Json, type JsonObject, valueAt } from "./json";
import { code, short } from "./markdown";

/** A dashboard model with all its panels in one list: a panel in a collapsed row follows its row, as it does in an open one. */
export interface FlatModel {
  model: JsonObject;
  /** For each panel, whether it is in a collapsed row. */
  nested: boolean[];
}

export function flatten(model: JsonObject): FlatModel {
  const panels = field(model, "panels");
  if (!Array.isArray(panels)) return { model, nested: [] };
  const flat = panels.flatMap((panel) => {
    const inner = field(panel, "panels");
    if (!isObject(panel) || !Array.isArray(inner)) return [{ panel, nested: false }];
    return [{ panel: { ...panel, panels: [] }, nested: false }, ...inner.map((each) => ({ panel: each, nested: true }))];
  });
  return { model: { ...model, panels: flat.map(({ panel }) => panel) }, nested: flat.map(({ nested }) => nested) };
}

/** A line about panels, with those that its text names. */
export interface PanelLine {
  text: string;
  panels: readonly ChangedPanel[];
}

/** A panel in the old and in the new model. A removed or added one is in one of them only. */
export interface ChangedPanel {
  before?: Json;
  after?: Json;
}

/** A panel in both models, with its indexes in the flat lists. */
interface KeptPanel {
  before: Json;
  after: Json;
  from: number;
  to: number;
}

/** Maximum number of panels that a line lists by name. */
const maxNames = 3;

const typeOf = (panel: Json) => String(field(panel, "type") ?? "panel");

/** A panel's title, or its type if it has none. */
export function panelLabel(panel: Json): string {
  const title = field(panel, "title");
  const label = typeof title === "string" && title !== "" ? `**${code(short(title))}**` : `${code(short(typeOf(panel)))} without a title`;
  return typeOf(panel) === "row" ? `row ${label}` : label;
}

const labelWithType = (panel: Json) => `${panelLabel(panel)} (${code(short(typeOf(panel)))})`;
const countPanels = (count: number) => `${count} panel${count === 1 ? "" : "s"}`;
const positionOf = (to: number, panels: readonly Json[]) => (to === 0 ? "at the top" : `after ${panelLabel(panels[to - 1] ?? null)}`);

const namesOf = (panels: readonly KeptPanel[]) =>
  panels.length > maxNames ? countPanels(panels.length) : panels.map(({ after }) => panelLabel(after)).join(", ");

/** @param change the change of the list of panels, if there is one */
export function describeLayout(old: FlatModel, current: FlatModel, change: ListChange | undefined): PanelLine[] {
  const [before, after] = [field(old.model, "panels"), field(current.model, "panels")];
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const { removed, added, origins } = change ?? { removed: [], added: [], origins: [...after.keys()] };
  const kept = origins.flatMap((from, to): KeptPanel[] =>
    from === undefined ? [] : [{ before: before[from] as Json, after: after[to] as Json, from, to }],
  );
  const lines: PanelLine[] = [
    ...removed.map((panel) => ({ text: `panel removed: ${labelWithType(panel)}`, panels: [{ before: panel }] })),
    ...added.map((panel) => ({
      text: `panel added: ${labelWithType(panel)}, ${positionOf(after.indexOf(panel), after)}`,
      panels: [{ after: panel }],
    })),
  ];
  const collapsed = kept.filter(({ from, to }) => !old.nested[from] && current.nested[to]);
  const expanded = kept.filter(({ from, to }) => old.nested[from] && !current.nested[to]);
  const order = [
    ...describeOrder(kept, after),
    ...(collapsed.length > 0 ? [move(`${namesOf(collapsed)} moved into a collapsed row`, collapsed)] : []),
    ...(expanded.length > 0 ? [move(`${namesOf(expanded)} moved out of a collapsed row`, expanded)] : []),
  ];
  const resized = kept.filter((panel) => differs(panel, "w", "h"));
  const shifted = kept.filter((panel) => !resized.includes(panel) && differs(panel, "x", "y"));
  const causes = [...removed, ...resized.map((panel) => panel.before)];
  // Panels in another order have other positions, too.
  const shifts = order.length > 0 ? [] : describeShifts(shifted, causes, added);
  const moves = [...order, ...describeSizes(resized), ...shifts];
  if (moves.length === 0) return lines;
  // The only added or removed panel explains the moves.
  const [only, ...others] = lines;
  return only && others.length === 0 ? [joined([only, ...moves])] : [...lines, joined(moves)];
}

/** A line about kept panels, with those that it names: more than that are only counted. */
const move = (text: string, panels: readonly KeptPanel[]): PanelLine => ({ text, panels: panels.length > maxNames ? [] : panels });

const joined = (lines: readonly PanelLine[]): PanelLine => ({
  text: lines.map(({ text }) => text).join("; "),
  panels: lines.flatMap(({ panels }) => panels),
});

function describeOrder(kept: readonly KeptPanel[], after: readonly Json[]): PanelLine[] {
  const order = kept.map(({ from }) => from);
  // The panels of the longest increasing subsequence kept their order, the others moved.
  const sorted = [...order].sort((left, right) => left - right);
  const common = diffArrays(sorted, order).filter(({ added, removed }) => !added && !removed);
  const inOrder = new Set(common.flatMap(({ value }) => value));
  const moved = kept.filter(({ from }) => !inOrder.has(from));
  const [first] = moved;
  if (!first) return [];
  const isBlock = moved.every(({ from, to }, index) => from === first.from + index && to === first.to + index);
  const position = `now ${positionOf(first.to, after)}`;
  if (isBlock && typeOf(first.after) === "row" && moved.length > 1)
    return [move(`${panelLabel(first.after)} moved with its ${countPanels(moved.length - 1)}, ${position}`, [first])];
  if (isBlock && moved.length <= maxNames) return [move(`${namesOf(moved)} moved, ${position}`, moved)];
  const isReordered = moved.length > maxNames && 2 * moved.length >= kept.length;
  return [isReordered ? move(`${countPanels(kept.length)} reordered`, []) : move(`${namesOf(moved)} moved`, moved)];
}

type GridField = "x" | "y" | "w" | "h";

const gridOf = (panel: Json, name: GridField) => valueAt(panel, ["gridPos", name]);
const differs = ({ before, after }: KeptPanel, ...names: GridField[]) => names.some((name) => gridOf(before, name) !== gridOf(after, name));
const delta = ({ before, after }: KeptPanel, name: GridField) => Number(gridOf(after, name)) - Number(gridOf(before, name));

function describeSizes(resized: readonly KeptPanel[]): PanelLine[] {
  const [first, ...others] = resized;
  if (!first) return [];
  const sizes = [first.before, first.after].map(
    (panel) => gridOf(panel, "w") && `${Number(gridOf(panel, "w"))}×${Number(gridOf(panel, "h"))}`,
  );
  return [move(`${namesOf(resized)} resized${others.length === 0 && sizes.every(Boolean) ? ` ${sizes.join(" → ")}` : ""}`, resized)];
}

/** Panels move because another one above them was removed or resized (`causes`), or added. */
function describeShifts(shifted: readonly KeptPanel[], causes: readonly Json[], added: readonly Json[]): PanelLine[] {
  const isBelow = (panel: Json, others: readonly Json[]) => others.some((other) => Number(gridOf(panel, "y")) > Number(gridOf(other, "y")));
  const pushed = shifted.filter(({ before, after }) => isBelow(before, causes) || isBelow(after, added));
  const others = shifted.filter((panel) => !pushed.includes(panel));
  return [
    ...describeShift(pushed, `${countPanels(pushed.length)} below`).map((text) => move(text, [])),
    ...describeShift(others, namesOf(others)).map((text) => move(text, others)),
  ];
}

function describeShift(shifted: readonly KeptPanel[], names: string): string[] {
  const [down] = shifted.map((panel) => delta(panel, "y"));
  if (down === undefined) return [];
  const isVertical = shifted.every((panel) => delta(panel, "x") === 0 && delta(panel, "y") === down);
  return [isVertical ? `${names} moved ${down > 0 ? "down" : "up"} by ${Math.abs(down)}` : `${names} repositioned`];
}
