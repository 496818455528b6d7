/** Differences between two JSON values. List elements are matched by their content, not by their position. */
import { isDeepStrictEqual } from "node:util";
import { withoutLogin } from "../text/sanitize";
import { canonical, field, isObject, type Json, keysOf, omit, type Path } from "./json";

/** A list with added, removed or reordered elements. Changes within its elements are separate changes. */
export interface ListChange {
  path: Path;
  removed: Json[];
  added: Json[];
  /** For each element of the new list, its index in the old list. Undefined if it was added. */
  origins: (number | undefined)[];
}

/** A change of a list, or a value that was set, replaced or removed. List indexes in `path` refer to the new list. */
export type Change = ListChange | { path: Path; before: Json | undefined; after: Json | undefined };

/** All changes from one value to another. The change of a list precedes the changes within its elements. */
export function diff(before: Json | undefined, after: Json | undefined, path: Path = []): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after))
    return keysOf(before, after).flatMap((key) => diff(field(before, key), field(after, key), [...path, key]));
  if (!Array.isArray(before) || !Array.isArray(after)) return [{ path, before, after }];
  const origins = match(before, after, identitiesFor(path));
  const within = origins.flatMap((from, to) => (from === undefined ? [] : diff(before[from], after[to], [...path, to])));
  if (before.length === after.length && origins.every((from, to) => from === to)) return within;
  const removed = before.filter((_, from) => !origins.includes(from));
  const added = after.filter((_, to) => origins[to] === undefined);
  return [{ path, removed, added, origins }, ...within];
}

/** A value that identifies a list element. Undefined if the element has no such identity. */
type Identity = (element: Json) => Json | undefined;

/** Identifies an element by these fields, if none of them is missing or empty. */
const by = (...names: string[]): Identity => {
  const isMissing = (value: Json | undefined) => value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return (element) => {
    const values = names.map((name) => field(element, name));
    return values.some(isMissing) ? undefined : (values as Json[]);
  };
};

const byQueries = by("targets");

const nameFields = ["name", "title", "id", "uid", "color", "matcher"];

/** The name of a list element, undefined if it has none. */
export const elementName = (element: Json | undefined): Json | undefined =>
  nameFields.map((name) => field(element, name)).find((value) => value !== undefined && value !== "");

/** Identities of panels, queries and other list elements, the most specific one first. */
function identitiesFor(path: Path): Identity[] {
  // Elements that differ only in the credentials of a URL are the same: the report does not show credentials.
  const general: Identity[] = [(element) => withoutLogin(canonical(element) ?? ""), elementName];
  if (path.length === 1 && path[0] === "panels") {
    const isUnmoved: Identity = (panel) => omit(panel, "id", "gridPos");
    return [isUnmoved, by("title", "type", "targets"), by("title", "type"), by("title"), byQueries, by("type", "description"), ...general];
  }
  const byQuery: Identity[] = [(target) => omit(target, "refId"), by("legendFormat"), by("refId")];
  return [(element) => element, ...(path.at(-1) === "targets" ? byQuery : []), ...general];
}

/** Matches elements by each identity in turn, the remaining ones by similarity. */
function match(before: readonly Json[], after: readonly Json[], identities: readonly Identity[]): ListChange["origins"] {
  const origins: ListChange["origins"] = after.map(() => undefined);
  const unmatched = new Set(before.keys());
  const assign = (from: number, to: number) => {
    if (unmatched.delete(from)) origins[to] = from;
  };
  const open = () => [...after.keys()].filter((to) => origins[to] === undefined);
  for (const identity of identities) {
    const keys = before.map((element) => canonical(identity(element)));
    for (const to of open()) {
      const key = canonical(identity(after[to] as Json));
      const from = keys.findIndex((each, index) => each !== undefined && each === key && unmatched.has(index));
      assign(from, to);
    }
  }
  const pairs = [...unmatched].flatMap((from) => open().map((to) => ({ from, to, score: similarity(before[from], after[to]) })));
  const similar = pairs.filter(({ score }) => score >= 0.5).sort((left, right) => right.score - left.score);
  for (const { from, to } of similar) if (origins[to] === undefined) assign(from, to);
  return origins;
}

/** The share of equal fields in two objects. None for panels with queries: many of them have the same type and options. */
function similarity(before: Json | undefined, after: Json | undefined): number {
  if (!isObject(before) || !isObject(after) || byQueries(before) || byQueries(after)) return 0;
  const names = keysOf(before, after);
  return names.filter((name) => isDeepStrictEqual(field(before, name), field(after, name))).length / names.length;
}
