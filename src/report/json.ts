/** JSON values and access to their fields. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Object keys and list indexes, from the outermost value inwards. */
export type Path = readonly (string | number)[];

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field of an object, never one of its prototype. Undefined if the value is no object or the field is missing. */
export const field = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The value at a path, undefined if there is none. */
export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (Array.isArray(inner) ? inner[Number(key)] : field(inner, String(key))), value);

/** The value without these fields, if it is an object. */
export const omit = (value: Json, ...keys: string[]): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value;

/** The keys of both objects, each once. */
export const keysOf = (...objects: readonly object[]): string[] => [...new Set(objects.flatMap(Object.keys))];

/** JSON text that is equal for equal values, whatever the order of their keys. */
export const canonical = (value: Json): string =>
  JSON.stringify(value, (_, part: Json) => (isObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part));

const byKey = ([left]: [string, Json], [right]: [string, Json]) => (left < right ? -1 : 1);

/** The object or list in a JSON text, undefined if the text contains neither. */
export function parseJson(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
