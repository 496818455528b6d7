/** Describes changes of a dashboard model: lines for its properties and its layout, and one for each panel that changed. */
import { isDeepStrictEqual } from "node:util";
import { diffArrays } from "diff";
import { asSaved } from "../dashboards/saved";
import { describeChange, type Names } from "./describe-change";
import { by, type Change, diff, elementName, type Identity, match, without } from "./diff";
import { field, isObject, type Json, type JsonObject, omit, valueAt } from "./json";
import { code, short } from "./markdown";

/** A line of the report, with the panels that it names. */
export type PanelLine = { text: string; panels: readonly ChangedPanel[] };

/** A panel in the old and in the new model. A removed or added one is in one of them only. */
export type ChangedPanel = { before?: Json; after?: Json };

/** A panel in both models, with its indexes in the flat lists. */
type KeptPanel = Required<ChangedPanel> & { from: number; to: number };

const modelNames: Names = [
  [/^templating\.list/, "variables"],
  [/^annotations\.list/, "annotations"],
];
const panelNames: Names = [
  [/^fieldConfig\.(?:defaults\.)?/, ""],
  [/^(?:targets\[.+\]\.)?datasource\.uid$/, "datasource"],
  [/^targets\[(.+)\]\.(?:expr|query)$/, "query $1"],
  [/^targets\[(.+)\]\.legendFormat$/, "legend $1"],
  [/^targets$/, "queries"],
];

/** What identifies a panel, the most specific one first. */
const identities: Identity[] = [without("id", "gridPos"), by("title"), by("targets"), without("id", "gridPos", "title"), elementName];

/** What lines for the layout describe, what Grafana numbers, and the releases that its page writes: of a model, and of a panel. */
const [unnamed, unnamedOfPanel] = [/^(id|version|schemaVersion|panels)$/, /^(id|pluginVersion|gridPos.*|panels|targets\/\d+\/refId)$/];
const named = (pattern: RegExp) => (change: Change) => !pattern.test(change.path.join("/"));

/** From so many panels on, the same change of panels is one line, and more moved, resized or repositioned panels are only counted. */
const many = 3;

/** The changes from one model to another as Markdown lines, with the panels that each one names. No lines if the models are equal. */
export function describePanels(before: JsonObject, after: JsonObject): PanelLine[] {
  const [old, current] = [comparable(before), comparable(after)];
  const [oldPanels, panels] = [flatPanels(old), flatPanels(current)];
  const origins = match(oldPanels, panels, identities);
  const kept = origins.flatMap((from, to): KeptPanel[] =>
    from === undefined ? [] : [{ before: oldPanels[from] as Json, after: panels[to] as Json, from, to }],
  );
  const removed = oldPanels.filter((_, from) => !origins.includes(from));
  const ofModel = diff(omit(old, "panels"), omit(current, "panels")).filter(named(unnamed));
  const lines = [
    ...ofModel.map((change) => ({ text: describeChange(change, current, modelNames), panels: [] })),
    ...describeLayout(removed, kept, panels),
    ...describeWithin(kept),
  ];
  if (lines.length > 0 || isDeepStrictEqual(before, after)) return lines;
  const text = "only panel ids, query refIds, the version, the row of a panel, or what Grafana's page writes by itself changed";
  return [{ text, panels: [] }];
}

/** A model as the page saves it, so that what the page writes by itself is no change. */
const comparable = (model: JsonObject): JsonObject => ({ ...(asSaved(model) as JsonObject), timezone: model.timezone || "browser" });

/** All panels of a model in one list: a panel in a collapsed row follows its row, as it does in an open one. */
export const flatPanels = (model: JsonObject): Json[] =>
  panelsOf(model).flatMap((panel) => {
    const inner = panelsOf(panel);
    return isObject(panel) && inner.length > 0 ? [{ ...panel, panels: [] }, ...inner] : [panel];
  });

function panelsOf(parent: Json): Json[] {
  const panels = field(parent, "panels");
  return Array.isArray(panels) ? panels : [];
}

const typeOf = (panel: Json) => String(field(panel, "type") ?? "panel");

/** A panel's title. If it has none its type, and its id, which is in its address. */
function panelLabel(panel: Json): string {
  const [title, id] = [field(panel, "title"), field(panel, "id")];
  const untitled = `${code(short(typeOf(panel)))} without a title${typeof id === "number" ? `, id ${id}` : ""}`;
  const label = typeof title === "string" && title !== "" ? `**${code(short(title))}**` : untitled;
  return typeOf(panel) === "row" ? `row ${label}` : label;
}

/** Describes added, removed, moved and resized panels. Other positions follow from these: they are described only without them. */
function describeLayout(removed: readonly Json[], kept: readonly KeptPanel[], panels: readonly Json[]): PanelLine[] {
  const withType = (panel: Json) => `${panelLabel(panel)} (${code(short(typeOf(panel)))})`;
  const positionOf = (to: number) => (to === 0 ? "at the top" : `after ${panelLabel(panels[to - 1] ?? null)}`);
  const sizeOf = (panel: Json) => `${gridOf(panel, "w")}×${gridOf(panel, "h")}`;
  const inOrder = longestIncreasing(kept.map(({ from }) => from));
  const moved = kept.filter(({ from }) => !inOrder.has(from));
  const resized = kept.filter((panel) => differs(panel, "w", "h"));
  const repositioned = kept.filter((panel) => differs(panel, "x", "y"));
  const added = panels.filter((_, place) => !kept.some(({ to }) => to === place));
  const lines: PanelLine[] = [
    ...removed.map((before) => ({ text: `panel removed: ${withType(before)}`, panels: [{ before }] })),
    ...added.map((after) => ({ text: `panel added: ${withType(after)}, ${positionOf(panels.indexOf(after))}`, panels: [{ after }] })),
    ...linesFor(moved, "moved", ({ to }) => `, now ${positionOf(to)}`),
    ...linesFor(resized, "resized", ({ before, after }) => ` ${sizeOf(before)} → ${sizeOf(after)}`),
  ];
  return lines.length > 0 ? lines : linesFor(repositioned, "repositioned");
}

/** A line for each panel, or one with their number if they are many. */
function linesFor(panels: readonly KeptPanel[], verb: string, detailOf: (panel: KeptPanel) => string = () => ""): PanelLine[] {
  if (panels.length > many) return [{ text: `${panels.length} panels ${verb}`, panels: [] }];
  return panels.map((panel) => ({ text: `${panelLabel(panel.after)} ${verb}${detailOf(panel)}`, panels: [panel] }));
}

/** The longest increasing subsequence: the panels in it kept their order, the others moved. */
function longestIncreasing(order: readonly number[]): ReadonlySet<number> {
  const sorted = [...order].sort((left, right) => left - right);
  const common = diffArrays(sorted, [...order]).filter(({ added, removed }) => !added && !removed);
  return new Set(common.flatMap(({ value }) => value));
}

const gridOf = (panel: Json, name: string) => String(Number(valueAt(panel, ["gridPos", name]) ?? 0));
const differs = ({ before, after }: KeptPanel, ...names: string[]) => names.some((name) => gridOf(before, name) !== gridOf(after, name));

/** A line for each panel with changes, after those for the changes of several panels. */
function describeWithin(kept: readonly KeptPanel[]): PanelLine[] {
  const parts = kept.map((panel) => {
    const textOf = (change: Change) =>
      change.path.includes("indexByName") ? "order of columns changed" : describeChange(change, panel.after, panelNames);
    return { panel, texts: new Set(diff(panel.before, panel.after).filter(named(unnamedOfPanel)).map(textOf)) };
  });
  const panelsWith = (text: string) => parts.filter(({ texts }) => texts.has(text)).map(({ panel }) => panel);
  const all = [...new Set(parts.flatMap(({ texts }) => [...texts]))];
  const repeated = all.filter((text) => panelsWith(text).length >= many);
  const single = parts.flatMap(({ panel, texts }) => {
    const text = [...texts].filter((each) => !repeated.includes(each)).join("; ");
    return text ? [{ text: `${panelLabel(panel.after)}: ${text}`, panels: [panel] }] : [];
  });
  return [...repeated.map((text) => ({ text: `${panelsWith(text).length} panels: ${text}`, panels: panelsWith(text) })), ...single];
}
