/** Differences between two JSON values. List elements are matched by their content, not by their position. */
import { isDeepStrictEqual } from "node:util";
import { withoutLogin } from "../text/sanitize";
import { field, isObject, type Json, keysOf, omit, type Path, valueAt } from "./json";

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
  const origins = match(before, after, identities);
  const within = origins.flatMap((from, to) => (from === undefined ? [] : diff(before[from], after[to], [...path, to])));
  if (before.length === after.length && origins.every((from, to) => from === to)) return within;
  const removed = before.filter((_, from) => !origins.includes(from));
  const added = after.filter((_, to) => origins[to] === undefined);
  return [{ path, removed, added, origins }, ...within];
}

/** A value that identifies a list element. Undefined if the element has no such identity. */
export type Identity = (element: Json, index: number) => Json | undefined;

/** Identifies an element by this field, if it is not empty. */
export const by = (name: string): Identity => {
  const isEmpty = (value: Json | undefined) => value === "" || (Array.isArray(value) && value.length === 0);
  return (element) => (isEmpty(field(element, name)) ? undefined : field(element, name));
};

/** Identifies an element by all other fields, without the credentials of URLs, which the report does not show. */
export const without = (...names: string[]): Identity => {
  return (element) => JSON.parse(withoutLogin(JSON.stringify(omit(element, ...names))));
};

const nameFields = ["name", "title", "id", "uid", "color", "matcher", "refId"];

/** The name of a list element, or what an override of a panel selects; undefined if it has none. */
export const elementName = (element: Json | undefined): Json | undefined =>
  [valueAt(element, ["matcher", "options"]), ...nameFields.map((name) => field(element, name))].find(
    (value) => value !== undefined && value !== "",
  );

/** The most specific identity is the first one. */
const identities: Identity[] = [
  without("refId"),
  by("legendFormat"),
  elementName,
  by("id"),
  // Two names are two elements, whatever their places. A color is a value.
  (element, index) => (isObject(element) && elementName(omit(element, "color")) === undefined ? index : undefined),
];

/** For each element of the new list, the index of the same element in the old list. Undefined if it was added. */
export function match(before: readonly Json[], after: readonly Json[], identities: readonly Identity[]): ListChange["origins"] {
  const origins: ListChange["origins"] = after.map(() => undefined);
  const unmatched = new Set(before.keys());
  for (const identity of identities) {
    const keys = before.map(identity);
    for (const [to, element] of after.entries()) {
      if (origins[to] !== undefined) continue;
      const key = identity(element, to);
      const from = keys.findIndex((each, index) => key !== undefined && unmatched.has(index) && isDeepStrictEqual(each, key));
      if (unmatched.delete(from)) origins[to] = from;
    }
  }
  return origins;
}
