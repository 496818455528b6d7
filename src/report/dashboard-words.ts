/** Changes of a dashboard in words: one line for each panel, variable or link that changed. Pure. */
import { type FlatPanel, flatten } from "./dashboard-diff";
import { applyJson, at, type Change, type Json, type JsonObject, own, type Path } from "./json";
import { wordDiff } from "./markdown";
import { nameOf } from "./match";
import { label, layoutLines } from "./panel-moves";
import { changeWords, differInLogin, listDifference, listWords, pathWords, show } from "./words";

/** What changed in what: both Markdown. A part without a subject has a line of its own. */
interface Part {
  subject: string;
  text: string;
  /** The panel's place in the new list. */
  panel?: number;
  /** Whether its title changed: the new one is the subject. */
  isTitle?: boolean;
}

/** Words for a change in an element, by what the pattern found in the path; undefined where it only follows from another change. */
type Say = (change: Change, element: Json, found: string) => string | undefined;
type Words = [pattern: RegExp, say: Say][];

const named: Say = (change, _, found) => changeWords(change, found);
const silent: Say = () => undefined;

/** A text always by its words, however short. */
const textWords = (change: Change, name: string) =>
  change.kind === "set" && typeof change.before === "string" && typeof change.after === "string"
    ? `${name} ${wordDiff(change.before, change.after)}`
    : changeWords(change, name);

const modelWords: Words = [
  [/^version$/, silent],
  [/^(title|tags|refresh|timezone)$/, named],
  [/^(description)$/, (change, _, found) => textWords(change, found)],
];

const elementWords: Words = [[/^(query|url|from|to)$/, named]];

const steps = "fieldConfig/defaults/thresholds/steps";
const panelWords: Words = [
  // Ids follow from the order. Places have lines of their own, as has what a row holds.
  [/^(id|gridPos.*|panels|targets\/\d+\/refId)$/, silent],
  [/^title$/, (change) => (change.kind === "set" && change.before ? `retitled, was ${show(change.before)}` : "titled")],
  [/^(type)$/, named],
  [/^(description)$/, (change, _, found) => textWords(change, found)],
  [/^fieldConfig\/defaults\/(unit|decimals|min|max|noValue)$/, named],
  [/^(?:targets\/\d+\/)?(datasource)\/uid$/, named],
  [
    /^targets$/,
    (change) => changeWords(change, "queries", (target) => `query ${show(own(target, "expr") ?? own(target, "query") ?? target)}`),
  ],
  [/^targets\/(\d+)\/(?:expr|query)$/, (change, panel, place) => textWords(change, `query${whichTarget(panel, place)}`)],
  [/^targets\/(\d+)\/legendFormat$/, (change, panel, place) => changeWords(change, `legend${whichTarget(panel, place)}`)],
  [
    new RegExp(`^${steps}$`),
    (change) => changeWords(change, "thresholds", (step) => `${threshold(step)} ${show(own(step, "value") ?? null)}`),
  ],
  [
    new RegExp(`^${steps}/(\\d+)/value$`),
    (change, panel, place) => changeWords(change, threshold(at(panel, [...steps.split("/"), Number(place)]))),
  ],
  [new RegExp(`^${steps}/\\d+/color$`), (change) => changeWords(change, "color of a threshold")],
];

function whichTarget(panel: Json, place: string): string {
  const targets = own(panel, "targets");
  return Array.isArray(targets) && targets.length > 1 ? ` ${show(at(targets, [Number(place), "refId"]) ?? Number(place) + 1)}` : "";
}

function threshold(step: Json | undefined): string {
  const color = own(step, "color") ?? null;
  return `${typeof color === "string" && /^[a-z]+$/i.test(color) ? color : show(color)} threshold`;
}

/** Parts of the model with lines of their own: where they are, how deep a single one is, and what it is called. */
const places: { path: Path; depth: number; name: (element: Json) => string; words: Words }[] = [
  { path: ["time"], depth: 1, name: () => "time range", words: elementWords },
  ...(
    [
      ["variable", "templating", "list"],
      ["annotation", "annotations", "list"],
      ["link", "links"],
    ] as const
  ).map(([word, ...path]) => ({
    path,
    depth: path.length + 1,
    name: (element: Json) => `${word} **${show(nameOf(element) ?? element)}**`,
    words: elementWords,
  })),
  { path: ["panels"], depth: 3, name: label, words: panelWords },
];

/** Lines for all changes that a reader would see; one line where there are only others. */
export function describeDashboard(before: JsonObject, changes: readonly Change[]): string[] {
  const flat = flatten(before);
  const after = applyJson(flat, changes) as JsonObject;
  const parts = changes.flatMap((change) => partsOf(change, after));
  const ofModel = inLines(parts.filter(({ panel }) => panel === undefined));
  const ofPanels = inLines(countSame(parts.filter(({ panel }) => panel !== undefined)));
  const lines = [...ofModel, ...layout(flat, after, changes), ...ofPanels];
  return lines.length === 0 && changes.length > 0 ? ["only numbers of panels, queries or versions changed"] : lines;
}

function layout(before: JsonObject, after: JsonObject, changes: readonly Change[]): string[] {
  const [old, now] = [own(before, "panels"), own(after, "panels")];
  if (!Array.isArray(old) || !Array.isArray(now)) return [];
  const change = changes.find((each) => each.kind === "list" && each.path.join("/") === "panels");
  return layoutLines(old as FlatPanel[], now as FlatPanel[], change as (Change & { kind: "list" }) | undefined);
}

function partsOf(change: Change, after: JsonObject): Part[] {
  const { path } = change;
  const place = places.find((each) => each.path.every((key, depth) => path[depth] === key));
  if (place && path.length >= place.depth && typeof path[1] !== "undefined") {
    const element = at(after, path.slice(0, place.depth)) ?? null;
    const ofPanel = place.name === label;
    // A panel stands beside the mark that says whether a row holds it, see `flatten`.
    const text = ofPanel && path[2] === "nested" ? undefined : say(place.words, change, element, after, place.depth);
    const panel = ofPanel ? { panel: Number(path[1]), isTitle: path[3] === "title" } : {};
    return text === undefined ? [] : [{ subject: place.name(element), text, ...panel }];
  }
  if (place && change.kind === "list" && path.length === place.path.length)
    return place.name === label ? [] : elementLines(change, place.name);
  const text = say(modelWords, change, after, after, 0);
  return text === undefined ? [] : [{ subject: "", text }];
}

/** Words for a change of an element, which is `depth` deep in the model. */
function say(words: Words, change: Change, element: Json, after: Json, depth: number): string | undefined {
  // What others say of both sides would be the same text twice.
  if (change.kind === "set" && differInLogin(change.before, change.after)) return pathWords(change, after, depth);
  const path = change.path.slice(depth).join("/");
  for (const [pattern, speak] of words) {
    const found = pattern.exec(path);
    if (found) return speak(change, element, found[1] ?? "");
  }
  return pathWords(change, after, depth);
}

function elementLines(change: Change & { kind: "list" }, name: (element: Json) => string): Part[] {
  const { removed, added } = listDifference(change);
  const texts = [...removed.map((element) => `${name(element)} removed`), ...added.map((element) => `${name(element)} added`)];
  return (texts.length > 0 ? texts : [listWords(String(change.path[0]), change)]).map((text) => ({ subject: "", text }));
}

/** From so many panels on with the same change, they are counted. */
const same = 3;

/** The same change in many panels as one part. A new title is no such change, whatever the old one was. */
function countSame(parts: readonly Part[]): Part[] {
  const panelsWith = new Map<string, Set<number | undefined>>();
  for (const { text, panel, isTitle } of parts) if (!isTitle) panelsWith.set(text, (panelsWith.get(text) ?? new Set()).add(panel));
  const common = [...panelsWith].filter(([, panels]) => panels.size >= same);
  const rest = parts.filter(({ text }) => (panelsWith.get(text)?.size ?? 0) < same);
  return [...common.map(([text, panels]) => ({ subject: "", text: `${panels.size} panels: ${text}` })), ...rest];
}

/** One line for each subject, in the order of their first parts. */
function inLines(parts: readonly Part[]): string[] {
  const lines = new Map<string, Set<string>>();
  for (const [place, { subject, text, panel }] of parts.entries()) {
    const key = subject === "" ? `line ${place}` : `${panel} ${subject}`;
    lines.set(key, (lines.get(key) ?? new Set([subject])).add(text));
  }
  return [...lines.values()].map(([subject, ...texts]) => (subject ? `${subject}: ${texts.join("; ")}` : texts.join("; ")));
}
