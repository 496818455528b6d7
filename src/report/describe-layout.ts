/** Describes added, removed, moved and resized panels. Panels that keep their order and size are only counted. */
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
const positionOf = (to: number, panels: readonly Json[]) => (to === 0 ? "at the top" : `after ${panelLabel(panels[to - 1] ?? null)}`);

/** @param change the change of the list of panels, if there is one */
export function describeLayout(old: FlatModel, current: FlatModel, change: ListChange | undefined): PanelLine[] {
  const [before, after] = [field(old.model, "panels"), field(current.model, "panels")];
  if (!Array.isArray(before) || !Array.isArray(after)) return [];
  const { removed, added, origins } = change ?? { removed: [], added: [], origins: [...after.keys()] };
  const kept = origins.flatMap((from, to): KeptPanel[] =>
    from === undefined ? [] : [{ before: before[from] as Json, after: after[to] as Json, from, to }],
  );
  const inOrder = longestIncreasing(kept.map(({ from }) => from));
  const moved = kept.filter(({ from, to }) => !inOrder.has(from) || old.nested[from] !== current.nested[to]);
  const resized = kept.filter((panel) => differs(panel, "w", "h"));
  // Panels in another order have other positions, too.
  const shifted = kept.filter((panel) => moved.length === 0 && !resized.includes(panel) && differs(panel, "x", "y"));
  const moves = [
    ...line("moved", moved, ({ to }) => `, now ${positionOf(to, after)}`),
    ...line("resized", resized, (panel) => (gridOf(panel.before, "w") ? ` ${sizeOf(panel.before)} → ${sizeOf(panel.after)}` : "")),
    ...line("repositioned", shifted),
  ];
  const lines: PanelLine[] = [
    ...removed.map((panel) => ({ text: `panel removed: ${labelWithType(panel)}`, panels: [{ before: panel }] })),
    ...added.map((panel) => ({
      text: `panel added: ${labelWithType(panel)}, ${positionOf(after.indexOf(panel), after)}`,
      panels: [{ after: panel }],
    })),
  ];
  if (moves.length === 0) return lines;
  // The only added or removed panel explains the moves.
  const [only, ...others] = lines;
  return only && others.length === 0 ? [joined([only, ...moves])] : [...lines, joined(moves)];
}

/** A line that names the panels, or counts them if they are many. `detail` is said of a single one. */
function line(verb: string, panels: readonly KeptPanel[], detail: (panel: KeptPanel) => string = () => ""): PanelLine[] {
  if (panels.length === 0) return [];
  if (panels.length > maxNames) return [{ text: `${panels.length} panels ${verb}`, panels: [] }];
  const names = panels.map(({ after }) => panelLabel(after)).join(", ");
  return [{ text: `${names} ${verb}${panels.length === 1 ? panels.map(detail).join() : ""}`, panels }];
}

const joined = (lines: readonly PanelLine[]): PanelLine => ({
  text: lines.map(({ text }) => text).join("; "),
  panels: lines.flatMap(({ panels }) => panels),
});

/** The longest increasing subsequence: the panels in it kept their order, the others moved. */
function longestIncreasing(order: readonly number[]): ReadonlySet<number> {
  const sorted = [...order].sort((left, right) => left - right);
  const common = diffArrays(sorted, [...order]).filter(({ added, removed }) => !added && !removed);
  return new Set(common.flatMap(({ value }) => value));
}

type GridField = "x" | "y" | "w" | "h";

const gridOf = (panel: Json, name: GridField) => valueAt(panel, ["gridPos", name]);
const differs = ({ before, after }: KeptPanel, ...names: GridField[]) => names.some((name) => gridOf(before, name) !== gridOf(after, name));
const sizeOf = (panel: Json) => `${Number(gridOf(panel, "w"))}×${Number(gridOf(panel, "h"))}`;
