/** Describes changes of a dashboard model: lines for its properties and its layout, and one for each panel that changed. */
import { isDeepStrictEqual } from "node:util";
import { asSaved } from "../dashboards/saved";
import { describeChange, type Names } from "./describe-change";
import { by, type Change, diff, elementName, type Identity, match, without } from "./diff";
import { field, isObject, type Json, type JsonObject, omit } from "./json";
import { code, short } from "./markdown";

/** A line of the report, with the panels that it names. */
export type PanelLine = { text: string; panels: readonly ChangedPanel[] };

/** A panel in the old and in the new model. A removed or added one is in one of them only. */
export type ChangedPanel = { before?: Json; after?: Json };

/** A panel in both models. */
type KeptPanel = Required<ChangedPanel>;

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

/** From so many panels on, the same change of panels is one line, and more moved or resized panels are only counted. */
const many = 3;

/** The changes from one model to another as Markdown lines, with the panels that each one names. No lines if the models are equal. */
export function describePanels(before: JsonObject, after: JsonObject): PanelLine[] {
  const [old, current] = [comparable(before), comparable(after)];
  const [oldPanels, panels] = [flatPanels(old), flatPanels(current)];
  const origins = match(oldPanels, panels, identities);
  const kept = origins.flatMap((from, to): KeptPanel[] =>
    from === undefined ? [] : [{ before: oldPanels[from] as Json, after: panels[to] as Json }],
  );
  const removed = oldPanels.filter((_, from) => !origins.includes(from));
  const ofModel = diff(omit(old, "panels"), omit(current, "panels")).filter(named(unnamed));
  const lines = [
    ...ofModel.map((change) => ({ text: describeChange(change, current, modelNames), panels: [] })),
    ...describeLayout(removed, kept, panels),
    ...describeIds(kept),
    ...describeWithin(kept),
  ];
  if (lines.length > 0 || isDeepStrictEqual(before, after)) return lines;
  const text = "only query refIds, the version, the order or the row of panels, or what Grafana's page writes by itself changed";
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

/** Describes added and removed panels, else what moved or has another size: pictures show where. */
function describeLayout(removed: readonly Json[], kept: readonly KeptPanel[], panels: readonly Json[]): PanelLine[] {
  const withType = (panel: Json) => `${panelLabel(panel)} (${code(short(typeOf(panel)))})`;
  const positionOf = (place: number) => (place === 0 ? "at the top" : `after ${panelLabel(panels[place - 1] ?? null)}`);
  const isAdded = (panel: Json) => !kept.some(({ after }) => after === panel);
  const lines = [
    ...removed.map((before) => ({ text: `panel removed: ${withType(before)}`, panels: [{ before }] })),
    ...panels.flatMap((after, place) =>
      isAdded(after) ? { text: `panel added: ${withType(after)}, ${positionOf(place)}`, panels: [{ after }] } : [],
    ),
  ];
  const placed = kept.filter(({ before, after }) => !isDeepStrictEqual(field(before, "gridPos"), field(after, "gridPos")));
  if (lines.length > 0 || placed.length === 0) return lines;
  const isMany = placed.length > many;
  const which = isMany ? `${placed.length} panels` : placed.map(({ after }) => panelLabel(after)).join(", ");
  return [{ text: `${which} moved or resized`, panels: isMany ? [] : placed }];
}

/** Says how many links end. Grafana numbers a panel without an id, and a row has no link. */
function describeIds(kept: readonly KeptPanel[]): PanelLine[] {
  const idOf = (panel: Json) => (typeOf(panel) === "row" ? undefined : field(panel, "id"));
  const number = kept.filter(({ before, after }) => ![undefined, idOf(after)].includes(idOf(before))).length;
  return number > 0 ? [{ text: `other panel ids: links to ${number === 1 ? "a panel" : `${number} panels`} end`, panels: [] }] : [];
}

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
