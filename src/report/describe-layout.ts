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

/** A panel that both models contain, with its indexes in the flat lists. */
interface KeptPanel {
  before: Json;
  after: Json;
  from: number;
  to: number;
}

/** Maximum number of panels that a line lists by name. */
const maxNames = 3;

/** A panel's title, or its type if it has none. */
export function panelLabel(panel: Json): string {
  const title = field(panel, "title");
  const label = typeof title === "string" && title !== "" ? `**${code(short(title))}**` : `${code(short(typeOf(panel)))} without a title`;
  return typeOf(panel) === "row" ? `row ${label}` : label;
}

const typeOf = (panel: Json) => String(field(panel, "type") ?? "panel");
const labelWithType = (panel: Json) => `${panelLabel(panel)} (${code(short(typeOf(panel)))})`;
const countPanels = (count: number) => `${count} panel${count === 1 ? "" : "s"}`;
const positionOf = (to: number, panels: readonly Json[]) => (to === 0 ? "at the top" : `after ${panelLabel(panels[to - 1] ?? null)}`);

const namesOf = (panels: readonly KeptPanel[]) =>
  panels.length > maxNames ? countPanels(panels.length) : panels.map(({ after }) => panelLabel(after)).join(", ");

/** @param change the change of the list of panels, if there is one */
export function describeLayout(old: FlatModel, current: FlatModel, change: ListChange | undefined): string[] {
  const [before, after] = [field(old.model, "panels"), field(current.model, "panels")];
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const origins = change ? change.origins : [...after.keys()];
  const kept = after.flatMap((panel, to): KeptPanel[] => {
    const from = origins[to];
    return from === undefined ? [] : [{ before: before[from] as Json, after: panel, from, to }];
  });
  const lines = [
    ...(change?.removed ?? []).map((panel) => `panel removed: ${labelWithType(panel)}`),
    ...after.flatMap((panel, to) => (origins[to] === undefined ? [`panel added: ${labelWithType(panel)}, ${positionOf(to, after)}`] : [])),
  ];
  const collapsed = kept.filter(({ from, to }) => !old.nested[from] && current.nested[to]);
  const expanded = kept.filter(({ from, to }) => old.nested[from] && !current.nested[to]);
  const order = describeOrder(kept, after);
  const rows = [
    ...(collapsed.length > 0 ? [`${namesOf(collapsed)} moved into a collapsed row`] : []),
    ...(expanded.length > 0 ? [`${namesOf(expanded)} moved out of a collapsed row`] : []),
  ];
  // Panels in another order have other positions, too.
  const grid = describeGrid(kept, change, order.length + rows.length > 0);
  const moves = [...order, ...rows, ...grid].join("; ");
  if (moves === "") return lines;
  // The only added or removed panel explains the moves.
  return lines.length === 1 ? [`${lines[0]}; ${moves}`] : [...lines, moves];
}

function describeOrder(kept: readonly KeptPanel[], after: readonly Json[]): string[] {
  const order = kept.map(({ from }) => from);
  // The longest increasing subsequence: its panels stayed in place, the others moved.
  const common = diffArrays(
    [...order].sort((left, right) => left - right),
    order,
  ).filter(({ added, removed }) => !added && !removed);
  const inOrder = new Set(common.flatMap(({ value }) => value));
  const moved = kept.filter(({ from }) => !inOrder.has(from));
  const [first] = moved;
  if (!first) return [];
  const isBlock = moved.every(({ from, to }, index) => from === first.from + index && to === first.to + index);
  if (isBlock && typeOf(first.after) === "row" && moved.length > 1)
    return [`${panelLabel(first.after)} moved with its ${countPanels(moved.length - 1)}, now ${positionOf(first.to, after)}`];
  if (isBlock && moved.length <= maxNames) return [`${namesOf(moved)} moved, now ${positionOf(first.to, after)}`];
  const isReordered = moved.length > maxNames && 2 * moved.length >= kept.length;
  return [isReordered ? `${countPanels(kept.length)} reordered` : `${namesOf(moved)} moved`];
}

type GridField = "x" | "y" | "w" | "h";

const gridOf = (panel: Json, name: GridField) => valueAt(panel, ["gridPos", name]);
const isBelow = (panel: Json, other: Json) => Number(gridOf(panel, "y")) > Number(gridOf(other, "y"));
const sizeOf = (panel: Json) => `${Number(gridOf(panel, "w"))}×${Number(gridOf(panel, "h"))}`;

/** @param sizesOnly omits panels with the same size at another position */
function describeGrid(kept: readonly KeptPanel[], change: ListChange | undefined, sizesOnly: boolean): string[] {
  const differ = ({ before, after }: KeptPanel, ...names: GridField[]) =>
    names.some((name) => gridOf(before, name) !== gridOf(after, name));
  const resized = kept.filter((panel) => differ(panel, "w", "h"));
  const shifted = sizesOnly ? [] : kept.filter((panel) => !resized.includes(panel) && differ(panel, "x", "y"));
  // A panel moves because another one above it was added, removed or resized.
  const causes = [...(change?.removed ?? []), ...resized.map(({ before }) => before)];
  const isPushed = ({ before, after }: KeptPanel) =>
    causes.some((cause) => isBelow(before, cause)) || (change?.added ?? []).some((cause) => isBelow(after, cause));
  const below = shifted.filter(isPushed);
  const others = shifted.filter((panel) => !below.includes(panel));
  const [first] = resized;
  const sizes = resized.length === 1 && first && gridOf(first.before, "w") && gridOf(first.after, "w");
  return [
    ...(first ? [`${namesOf(resized)} resized${sizes ? ` ${sizeOf(first.before)} → ${sizeOf(first.after)}` : ""}`] : []),
    ...describeShift(below, `${countPanels(below.length)} below`),
    ...describeShift(others, namesOf(others)),
  ];
}

function describeShift(shifted: readonly KeptPanel[], names: string): string[] {
  const delta = ({ before, after }: KeptPanel, name: GridField) => Number(gridOf(after, name)) - Number(gridOf(before, name));
  const deltas = new Set(shifted.map((panel) => `${delta(panel, "x")} ${delta(panel, "y")}`));
  const [first] = shifted;
  if (!first) return [];
  const down = delta(first, "y");
  if (deltas.size > 1 || delta(first, "x") !== 0 || Number.isNaN(down)) return [`${names} repositioned`];
  return [`${names} moved ${down > 0 ? "down" : "up"} by ${Math.abs(down)}`];
}
