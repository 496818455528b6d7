/** Describes changes of a dashboard model: one line for each panel, variable, annotation or link that changed. */
import { isDeepStrictEqual } from "node:util";
import { describeAtPath, describeChange, differOnlyInCredentials, formatElement, formatName, formatValue } from "./describe-change";
import { describeLayout, flatten, type PanelLine, panelLabel } from "./describe-layout";
import { type Change, diff, type ListChange } from "./diff";
import { field, type Json, type JsonObject, valueAt } from "./json";
import { wordDiff } from "./markdown";

/** A part of a line. Parts with the same subject share a line; a part without a subject is a line. */
interface Part {
  subject: string;
  text: string;
  /** Index of the panel in the new flat list. */
  panel?: number;
  /** Whether the panel's title changed. */
  isTitle?: boolean;
}

/** Describes changes at the matching paths of an element. Undefined if another line describes them. `group` is the pattern's first group. */
type PathDescription = [pattern: RegExp, describe: (change: Change, element: Json, group: string) => string | undefined];

const byGroup: PathDescription[1] = (change, _, group) => describeChange(change, group);
const ignore: PathDescription[1] = () => undefined;

/** Compares texts by words, however short they are. */
const describeText = (change: Change, name: string) =>
  "before" in change && typeof change.before === "string" && typeof change.after === "string"
    ? `${name} ${wordDiff(change.before, change.after)}`
    : describeChange(change, name);

const panelRules: PathDescription[] = [
  // Layout lines describe positions and rows. Ids and refIds identify panels and queries.
  [/^(id|gridPos.*|panels|targets\/\d+\/refId)$/, ignore],
  [/^title$/, (change) => ("before" in change && change.before ? `retitled, was ${formatValue(change.before)}` : "titled")],
  [/^description$/, (change) => describeText(change, "description")],
  [/^fieldConfig\/defaults\/(unit|decimals|min|max|noValue)$/, byGroup],
  [/^(?:targets\/\d+\/)?(datasource)\/uid$/, byGroup],
  [/^targets$/, (change) => describeChange(change, "queries", queryLabel)],
  [/^targets\/(\d+)\/(?:expr|query)$/, (change, panel, index) => describeText(change, `query${targetSuffix(panel, index)}`)],
  [/^targets\/(\d+)\/legendFormat$/, (change, panel, index) => describeChange(change, `legend${targetSuffix(panel, index)}`)],
  [/^fieldConfig\/defaults\/thresholds\/steps$/, (change) => describeChange(change, "thresholds", stepLabel)],
  [
    /^fieldConfig\/.*\/steps\/\d+\/value$/,
    (change, panel) => describeChange(change, thresholdLabel(valueAt(panel, change.path.slice(0, -1)))),
  ],
  [/^fieldConfig\/defaults\/thresholds\/steps\/\d+\/color$/, (change) => describeChange(change, "threshold color")],
];

const queryLabel = (target: Json) => `query ${formatValue(field(target, "expr") ?? field(target, "query") ?? target)}`;
const stepLabel = (step: Json) => `${thresholdLabel(step)} ${formatValue(field(step, "value") ?? null)}`;

/** The refId, if a panel has several queries. */
function targetSuffix(panel: Json, index: string): string {
  const targets = field(panel, "targets");
  if (!Array.isArray(targets) || targets.length < 2) return "";
  return ` ${formatValue(field(targets[Number(index)], "refId") ?? Number(index) + 1)}`;
}

function thresholdLabel(step: Json | undefined): string {
  const color = field(step, "color") ?? null;
  return `${typeof color === "string" ? formatName(color) : formatValue(color)} threshold`;
}

const labelOf = (noun: string) => (element: Json) => `${noun} **${formatElement(element)}**`;

/** Lists whose elements have lines of their own. */
const lists: { path: string[]; label: (element: Json) => string; rules: PathDescription[] }[] = [
  { path: ["templating", "list"], label: labelOf("variable"), rules: [] },
  { path: ["annotations", "list"], label: labelOf("annotation"), rules: [] },
  { path: ["links"], label: labelOf("link"), rules: [] },
  { path: ["panels"], label: panelLabel, rules: panelRules },
];

const modelRules: PathDescription[] = [
  [/^version$/, ignore],
  [/^description$/, (change) => describeText(change, "description")],
  [/^time\/(from|to)$/, (change, _, name) => describeChange(change, `time range: ${name}`)],
  [/^templating\/list$/, (change) => describeChange(change, "variables", labelOf("variable"))],
  [/^annotations\/list$/, (change) => describeChange(change, "annotations", labelOf("annotation"))],
  [/^links$/, (change) => describeChange(change, "links", labelOf("link"))],
  // Layout lines describe added, removed and moved panels.
  [/^panels$/, (change) => ("origins" in change ? undefined : describeChange(change, "panels"))],
];

/** Describes the changes from one model to another as Markdown lines. No lines if the models are equal. */
export const describeDashboard = (before: JsonObject, after: JsonObject): string[] => describePanels(before, after).map(({ text }) => text);

/** The same lines, with the panels that each one describes, for pictures. */
export function describePanels(before: JsonObject, after: JsonObject): PanelLine[] {
  const [old, current] = [flatten(before), flatten(after)];
  const changes = diff(old.model, current.model);
  const parts = changes.flatMap((change) => partsOf(change, current.model));
  const panelList = changes.find((change): change is ListChange => "origins" in change && change.path.join("/") === "panels");
  const [oldPanels = [], newPanels = []] = [old, current].map(({ model }) => field(model, "panels") as Json[] | undefined);
  const originOf = (to: number) => (panelList ? panelList.origins[to] : to);
  const lineOf = ({ text, panels }: Line): PanelLine => ({
    text,
    panels: panels.map((to) => ({ before: oldPanels[originOf(to) ?? -1] as Json, after: newPanels[to] as Json })),
  });
  const lines = [
    ...joinParts(parts.filter(({ panel }) => panel === undefined)).map(lineOf),
    ...describeLayout(old, current, panelList),
    ...joinParts(mergeRepeated(parts.filter(({ panel }) => panel !== undefined))).map(lineOf),
  ];
  if (lines.length > 0 || isDeepStrictEqual(before, after)) return lines;
  return [{ text: "only panel ids, query refIds or the version changed", panels: [] }];
}

function partsOf(change: Change, model: JsonObject): Part[] {
  const list = lists.find(({ path }) => change.path.length > path.length && path.every((key, depth) => change.path[depth] === key));
  const depth = list ? list.path.length + 1 : 0;
  const element = valueAt(model, change.path.slice(0, depth)) ?? null;
  const text = describeByRules(list?.rules ?? modelRules, { ...change, path: change.path.slice(depth) }, element);
  if (text === undefined) return [];
  const panel = list?.rules === panelRules ? { panel: Number(change.path[1]), isTitle: change.path[2] === "title" } : {};
  return [{ subject: list?.label(element) ?? "", text, ...panel }];
}

/** Describes a change by the first matching rule, or by its path in the element. */
function describeByRules(rules: readonly PathDescription[], change: Change, element: Json): string | undefined {
  const path = change.path.join("/");
  const rule = rules.find(([pattern]) => pattern.test(path));
  // A rule would show the same text twice.
  if (!rule || ("before" in change && differOnlyInCredentials(change.before, change.after))) return describeAtPath(change, element);
  return rule[1](change, element, rule[0].exec(path)?.[1] ?? "");
}

/** Minimum number of panels with the same change that share a line. */
const minRepeated = 3;

/** Replaces the same change of several panels by one part. Each changed title keeps its line. */
function mergeRepeated(parts: readonly Part[]): Part[] {
  const panelsOf = (text: string) => new Set(parts.flatMap((part) => (part.text === text && !part.isTitle ? [part.panel] : [])));
  return parts.map((part) => {
    const { size } = panelsOf(part.text);
    return size < minRepeated || part.isTitle ? part : { subject: "", text: `${size} panels: ${part.text}` };
  });
}

/** A line with the indexes of its panels in the new flat list. */
interface Line {
  text: string;
  panels: number[];
}

/** Joins the parts of each subject to a line, in the order of their first parts. */
function joinParts(parts: readonly Part[]): Line[] {
  const lines = new Map<string, { subject: string; texts: Set<string>; panels: Set<number> }>();
  for (const { subject, text, panel } of parts) {
    const key = JSON.stringify(subject === "" ? [text] : [panel ?? null, subject]);
    const line = lines.get(key) ?? { subject, texts: new Set(), panels: new Set() };
    lines.set(key, line);
    line.texts.add(text);
    if (panel !== undefined) line.panels.add(panel);
  }
  return [...lines.values()].map(({ subject, texts, panels }) => ({
    text: `${subject && `${subject}: `}${[...texts].join("; ")}`,
    panels: [...panels],
  }));
}
