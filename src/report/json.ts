/** JSON values and access to their fields. */
import { parseJson } from "../text/json";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Object keys and list indexes, from the outermost value inwards. */
export type Path = readonly (string | number)[];

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field of an object, never one of its prototype. */
export const field = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (Array.isArray(inner) ? inner[Number(key)] : field(inner, String(key))), value);

export const omit = (value: Json, ...keys: string[]): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value;

export const keysOf = (...objects: readonly object[]): string[] => [...new Set(objects.flatMap(Object.keys))];

/** The object or list in a JSON text, undefined if the text contains neither. */
export function parseStructure(text: string): Json | undefined {
  const value = parseJson(text);
  return value instanceof Object ? (value as Json) : undefined;
}
