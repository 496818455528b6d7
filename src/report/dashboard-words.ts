/** Changes of a dashboard in words: one line for each panel, variable or link that changed. Pure. */
import { type FlatPanel, flatten } from "./dashboard";
import { applyJson, at, type Change, isObject, type Json, type JsonObject, own, type Path } from "./json";
import { label, layoutLines } from "./layout";
import { clip, code, wordDiff } from "./markdown";
import { nameOf } from "./match";
import { listDifference, listWords, pathWords, show, valueWords } from "./words";

/** What changed in what: both Markdown. */
interface Part {
  subject: string;
  text: string;
  /** The panel's place in the new list. */
  panel?: number;
}

/** From so many panels on with the same change, they are counted. */
const same = 3;

/** Lists of the model whose elements have lines of their own. */
const namedLists: { path: Path; word: string }[] = [
  { path: ["templating", "list"], word: "variable" },
  { path: ["annotations", "list"], word: "annotation" },
  { path: ["links"], word: "link" },
];

/** Lines for all changes that a reader would see; one line where there are only others. */
export function describeDashboard(before: JsonObject, changes: readonly Change[]): string[] {
  const flat = flatten(before);
  const after = applyJson(flat, changes) as JsonObject;
  const parts = changes.flatMap((change) => partsOf(change, after));
  const ofModel = inLines(parts.filter(({ panel }) => panel === undefined));
  const ofPanels = inLines(countSame(parts.filter(({ panel }) => panel !== undefined)));
  const lines = [...timeLines(flat, after), ...ofModel, ...layout(flat, after, changes), ...ofPanels];
  return lines.length === 0 && changes.length > 0 ? ["only numbers of panels, queries or versions changed"] : lines;
}

function layout(before: JsonObject, after: JsonObject, changes: readonly Change[]): string[] {
  const [old, now] = [own(before, "panels"), own(after, "panels")];
  if (!Array.isArray(old) || !Array.isArray(now)) return [];
  const change = changes.find((each) => each.kind === "list" && isPath(each.path, ["panels"]));
  return layoutLines(old as FlatPanel[], now as FlatPanel[], change as (Change & { kind: "list" }) | undefined);
}

function timeLines(before: JsonObject, after: JsonObject): string[] {
  const range = (model: JsonObject) => [own(own(model, "time"), "from") ?? "", own(own(model, "time"), "to") ?? ""].map(show).join(" to ");
  return range(before) === range(after) ? [] : [`time range ${range(before)} → ${range(after)}`];
}

const isPath = (path: Path, start: Path) => path.length === start.length && startsWith(path, start);
const startsWith = (path: Path, start: Path) => start.every((key, place) => path[place] === key);

/** What a change says; nothing where layout or time range say it, or where it only follows from another one. */
function partsOf(change: Change, after: JsonObject): Part[] {
  const { path } = change;
  const [head, place] = path;
  if (head === "version" || (head === "time" && (path[1] === "from" || path[1] === "to"))) return [];
  if (head === "panels" && typeof place === "number") {
    const panel = own((own(after, "panels") as Json[])[place], "panel") as Json;
    return panelTexts(change, panel, after).map((text) => ({ subject: label(panel), text, panel: place }));
  }
  if (head === "panels" && change.kind === "list") return [];
  const list = namedLists.find((each) => startsWith(path, each.path) && (path.length > each.path.length || change.kind === "list"));
  if (!list)
    return [
      {
        subject: "",
        text: isPath(path, ["title"]) || isPath(path, ["tags"]) ? plainWords(change, String(head)) : pathWords(change, after),
      },
    ];
  if (path.length === list.path.length) return listParts(change as Change & { kind: "list" }, list.word);
  const element = at(after, path.slice(0, list.path.length + 1));
  const subject = `${list.word} **${show(nameOf(element) ?? "")}**`;
  return [{ subject, text: elementText(change, after, list.path.length + 1) }];
}

const plainWords = (change: Change, name: string) =>
  change.kind === "list" ? listWords(name, change) : valueWords(name, change.before, change.after);

/** A text always by its words. */
const textWords = (change: Change, name: string) =>
  change.kind === "set" && typeof change.before === "string" && typeof change.after === "string"
    ? `${name} ${wordDiff(change.before, change.after)}`
    : plainWords(change, name);

function elementText(change: Change, after: Json, start: number): string {
  const name = change.path.slice(start);
  return isPath(name, ["query"]) || isPath(name, ["url"]) ? plainWords(change, String(name[0])) : pathWords(change, after, start);
}

function listParts(change: Change & { kind: "list" }, word: string): Part[] {
  const { removed, added } = listDifference(change);
  const named = (element: Json) => `${word} **${show(nameOf(element) ?? element)}**`;
  const parts = [
    ...removed.map((element) => ({ subject: "", text: `${named(element)} removed` })),
    ...added.map((element) => ({ subject: "", text: `${named(element)} added` })),
  ];
  return parts.length > 0 ? parts : [{ subject: "", text: `${word}s in another order` }];
}

/** Fields of `fieldConfig.defaults` that need no path to be understood. */
const plainFields = ["unit", "decimals", "min", "max", "noValue"];

function panelTexts(change: Change, panel: Json, after: Json): string[] {
  const path = change.path.slice(3);
  const [head, second, third, fourth] = path;
  const isFolding = head === "panels" && path.length === 1 && change.kind === "set" && [change.before, change.after].some(Array.isArray);
  if (isFolding || change.path[2] === "nested" || head === "id" || head === "gridPos" || (head === "targets" && third === "refId"))
    return [];
  if (isPath(path, ["title"]) && change.kind === "set") return [change.before ? `retitled, was ${show(change.before)}` : "titled"];
  if (path.length === 1 && head === "type") return [plainWords(change, head)];
  if (path.length === 1 && head === "description") return [textWords(change, head)];
  if (head === "targets") return targetTexts(change, path, panel, after);
  if (head === "datasource") return [datasourceText(change, path)];
  if (head === "fieldConfig" && second === "defaults") {
    if (third === "thresholds" && fourth === "steps") return thresholdTexts(change, path, panel, after);
    if (path.length === 3 && plainFields.includes(String(third))) return [plainWords(change, String(third))];
  }
  return [pathWords(change, after, 3)];
}

const datasourceText = (change: Change, path: Path) =>
  isPath(path, ["datasource", "uid"]) ? plainWords(change, "datasource") : plainWords(change, code(clip(path.join("."))));

function targetTexts(change: Change, path: Path, panel: Json, after: Json): string[] {
  const [, place, field] = path;
  const queryOf = (target: Json) => show(own(target, "expr") ?? own(target, "query") ?? target);
  if (place === undefined && change.kind === "list") {
    const { removed, added } = listDifference(change);
    const texts = [
      ...removed.map((target) => `query ${queryOf(target)} removed`),
      ...added.map((target) => `query ${queryOf(target)} added`),
    ];
    return texts.length > 0 ? texts : ["queries in another order"];
  }
  const targets = own(panel, "targets");
  const which =
    Array.isArray(targets) && targets.length > 1 ? ` ${show(at(targets, [place as number, "refId"]) ?? Number(place) + 1)}` : "";
  if (path.length === 3 && (field === "expr" || field === "query")) return [textWords(change, `query${which}`)];
  if (path.length === 3 && field === "legendFormat") return [plainWords(change, `legend${which}`)];
  if (field === "datasource") return [datasourceText(change, path.slice(2))];
  return [pathWords(change, after, 3)];
}

function thresholdTexts(change: Change, path: Path, panel: Json, after: Json): string[] {
  const named = (step: Json) => {
    const [color, value] = [own(step, "color"), own(step, "value")];
    return `${typeof color === "string" && /^[a-z]+$/i.test(color) ? color : show(color ?? null)} threshold${value === undefined ? "" : ` ${show(value)}`}`;
  };
  if (path.length === 4 && change.kind === "list") return [listWords("", change, named).trim()];
  const step = at(panel, path.slice(0, 5));
  if (path.length === 6 && path[5] === "color") return [plainWords(change, "color of a threshold")];
  if (path.length !== 6 || path[5] !== "value" || !isObject(step)) return [pathWords(change, after, 3)];
  const { value: _, ...nameless } = step;
  return [plainWords(change, named(nameless))];
}

/** The same change in many panels as one part. */
function countSame(parts: readonly Part[]): Part[] {
  const panelsWith = new Map<string, Set<number | undefined>>();
  for (const { text, panel } of parts) panelsWith.set(text, (panelsWith.get(text) ?? new Set()).add(panel));
  const common = [...panelsWith].filter(([, panels]) => panels.size >= same);
  const texts = new Set(common.map(([text]) => text));
  return [...common.map(([text, panels]) => ({ subject: `${panels.size} panels`, text })), ...parts.filter(({ text }) => !texts.has(text))];
}

/** One line for each subject, in the order of their first parts; parts without a subject have lines of their own. */
function inLines(parts: readonly Part[]): string[] {
  const lines = new Map<string, Set<string>>();
  for (const [place, { subject, text, panel }] of parts.entries()) {
    const key = subject === "" || subject.endsWith(" panels") ? `line ${place}` : `${panel} ${subject}`;
    lines.set(key, (lines.get(key) ?? new Set([subject])).add(text));
  }
  return [...lines.values()].map(([subject, ...texts]) => (subject ? `${subject}: ${texts.join("; ")}` : texts.join("; ")));
}
