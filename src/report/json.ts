/** Differences of two JSON values as a list of changes that, applied to the old value, gives the new one. Pure. */
import { isDeepStrictEqual } from "node:util";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Keys and places from the outermost value inwards. Places of lists are those after the change. */
export type Path = readonly (string | number)[];

/** An element of a changed list: one that was there, at its old place, or a new one. */
export type Element = { from: number } | { added: Json };

export type Change =
  | { kind: "set"; path: Path; before: Json | undefined; after: Json | undefined }
  | { kind: "list"; path: Path; before: readonly Json[]; after: readonly Element[] };

/** For each element of a new list, the place of the same one in the old list, if it was there. */
export type Match = (path: Path, before: readonly Json[], after: readonly Json[]) => (number | undefined)[];

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value of an object by its key: never one of the object's prototype. */
export const own = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The value at a path, undefined where there is none. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (Array.isArray(inner) ? inner[Number(key)] : own(inner, String(key))), value);
}

/** Text that is the same for equal values, whatever the order of their keys. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_, part: Json) => (isObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part));
}

const byKey = ([left]: [string, Json], [right]: [string, Json]) => (left < right ? -1 : 1);

/** All changes from one value to another; those inside of a list's elements stand after the change of that list. */
export function diffJson(before: Json | undefined, after: Json | undefined, match: Match, path: Path = []): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => diffJson(own(before, key), own(after, key), match, [...path, key]));
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return [{ kind: "set", path, before, after }];
  const origins = match(path, before, after);
  const inner = after.flatMap((element, place) => {
    const from = origins[place];
    return from === undefined ? [] : diffJson(before[from], element, match, [...path, place]);
  });
  const asBefore = before.length === after.length && origins.every((from, place) => from === place);
  if (asBefore) return inner;
  const elements = after.map((element, place): Element => {
    const from = origins[place];
    return from === undefined ? { added: element } : { from };
  });
  return [{ kind: "list", path, before, after: elements }, ...inner];
}

/** The new value: all changes made to the old one, in their order. */
export function applyJson(value: Json, changes: readonly Change[]): Json {
  return changes.reduce<Json>((current, change) => applyOne(current, change, 0) as Json, value);
}

function applyOne(value: Json | undefined, change: Change, depth: number): Json | undefined {
  const key = change.path[depth];
  if (key === undefined) {
    if (change.kind === "set") return change.after;
    return change.after.map((element) => ("added" in element ? element.added : ((value as Json[])[element.from] as Json)));
  }
  if (Array.isArray(value))
    return value.map((element, place) => (place === key ? (applyOne(element, change, depth + 1) as Json) : element));
  const changed = applyOne(own(value, String(key)), change, depth + 1);
  const others = Object.entries(value as JsonObject).filter(([name]) => name !== key);
  return Object.fromEntries(changed === undefined ? others : [...others, [String(key), changed]]);
}
