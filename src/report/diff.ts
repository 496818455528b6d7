/** Differences between two JSON values. List elements are matched by their content, not by their position. */
import { isDeepStrictEqual } from "node:util";
import { withoutLogin } from "../text/sanitize";
import { canonical, field, isObject, type Json, keysOf, omit, type Path } from "./json";

/** A value that was set, replaced or removed. */
export interface ValueChange {
  path: Path;
  before: Json | undefined;
  after: Json | undefined;
}

/** A list with added, removed or reordered elements. Changes within its elements are separate changes. */
export interface ListChange {
  path: Path;
  removed: Json[];
  added: Json[];
  /** For each element of the new list, its index in the old list. Undefined if it was added. */
  origins: Origins;
}

/** List indexes in `path` refer to the new list. */
export type Change = ValueChange | ListChange;

type Origins = (number | undefined)[];

/** All changes from one value to another. The change of a list precedes the changes within its elements. */
export function diff(before: Json | undefined, after: Json | undefined, path: Path = []): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after))
    return keysOf(before, after).flatMap((key) => diff(field(before, key), field(after, key), [...path, key]));
  if (!Array.isArray(before) || !Array.isArray(after)) return [{ path, before, after }];
  const origins = match(path, before, after);
  const within = after.flatMap((element, to) => {
    const from = origins[to];
    return from === undefined ? [] : diff(before[from], element, [...path, to]);
  });
  if (before.length === after.length && origins.every((from, to) => from === to)) return within;
  const removed = before.filter((_, from) => !origins.includes(from));
  const added = after.filter((_, to) => origins[to] === undefined);
  return [{ path, removed, added, origins }, ...within];
}

/** Identifies an element. Undefined if the element has no such identity. */
type Identity = (element: Json) => string | undefined;

/** How similar two elements are. From 1 on, they can be the same element. */
type Similarity = (before: Json, after: Json) => number;

/** Matches panels of a dashboard (see `flatten`), queries of a panel, or elements of another list. */
function match(path: Path, before: readonly Json[], after: readonly Json[]): Origins {
  if (path.length === 1 && path[0] === "panels") return pair(before, after, panelIdentities, panelSimilarity);
  if (path.at(-1) === "targets") return pair(before, after, targetIdentities, () => 1);
  return pair(before, after, elementIdentities, elementSimilarity);
}

/** Pairs elements by each identity in turn, then the remaining ones by similarity, the most similar first. */
function pair(before: readonly Json[], after: readonly Json[], identities: readonly Identity[], similarity: Similarity): Origins {
  const origins: Origins = after.map(() => undefined);
  const unpaired = new Set(before.keys());
  const assign = (from: number, to: number) => {
    if (!unpaired.has(from) || origins[to] !== undefined) return;
    origins[to] = from;
    unpaired.delete(from);
  };
  for (const identity of identities) {
    const known = before.map(identity);
    for (const [to, element] of after.entries()) {
      const wanted = origins[to] === undefined ? identity(element) : undefined;
      if (wanted !== undefined)
        assign(
          known.findIndex((each, from) => each === wanted && unpaired.has(from)),
          to,
        );
    }
  }
  const open = [...after.keys()].filter((to) => origins[to] === undefined);
  const pairs = [...unpaired].flatMap((from) =>
    open.map((to) => ({ from, to, score: similarity(before[from] as Json, after[to] as Json) })),
  );
  const similar = pairs.filter(({ score }) => score >= 1).sort((left, right) => right.score - left.score);
  for (const { from, to } of similar) assign(from, to);
  return origins;
}

const text = (element: Json, name: string): string | undefined => {
  const value = field(element, name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

const titleAndType = (panel: Json) => {
  const [title, type] = [text(panel, "title"), text(panel, "type")];
  return title !== undefined && type !== undefined ? JSON.stringify([title, type]) : undefined;
};

const panelIdentities: Identity[] = [
  (panel) => canonical(omit(panel, "id", "gridPos")),
  (panel) => titleAndType(panel) && `${titleAndType(panel)}${canonical(field(panel, "targets") ?? [])}`,
  titleAndType,
  (panel) => text(panel, "title"),
];

/** Fields that make panels with different titles similar. A row has only its title and its position. */
const panelWeights = { type: 2, targets: 4, description: 2, fieldConfig: 1, options: 1, gridPos: 1, id: 1 };
const minWeight = { row: 2, panel: 6 };

const panelSimilarity: Similarity = (before, after) => {
  const equal = Object.entries(panelWeights).filter(([name]) => {
    const value = field(before, name);
    return value !== undefined && isDeepStrictEqual(value, field(after, name));
  });
  const weight = equal.reduce((sum, [, each]) => sum + each, 0);
  return weight / (field(before, "type") === "row" ? minWeight.row : minWeight.panel);
};

const targetIdentities: Identity[] = [
  (target) => canonical(omit(target, "refId")),
  (target) => text(target, "legendFormat"),
  (target) => text(target, "refId"),
];

const nameFields = ["name", "title", "id", "uid", "color", "matcher"];

/** The name of a list's element, undefined if it has none. */
export const elementName = (element: Json | undefined): Json | undefined =>
  nameFields.map((name) => field(element, name)).find((value) => value !== undefined && value !== "");

const elementIdentities: Identity[] = [
  canonical,
  // The report does not show credentials in URLs.
  (element) => withoutLogin(canonical(element)),
  (element) => {
    const name = elementName(element);
    return name === undefined ? undefined : canonical(name);
  },
];

/** Objects can be the same element if at least half of their fields are equal. */
const elementSimilarity: Similarity = (before, after) => {
  if (!isObject(before) || !isObject(after)) return 0;
  const names = keysOf(before, after);
  return (2 * names.filter((name) => isDeepStrictEqual(field(before, name), field(after, name))).length) / names.length;
};
