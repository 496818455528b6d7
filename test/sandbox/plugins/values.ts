/** The stand-in plugins: values as the engine sends and wants them, with marks for what is secret or not known yet. */
import { isDeepStrictEqual } from "node:util";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

export type Values = Record<string, unknown>;

/** Stands for a value that is not known yet, in previews. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const mark = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

export const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null && !Array.isArray(value);
const isSecret = (value: unknown): boolean => isObject(value) && value[mark] === secretMark;

/** The value as the engine keeps it secret. */
export const secret = (value: unknown): unknown => (isSecret(value) ? value : { [mark]: secretMark, value });

/** Applies `make` to a value or to the content of a secret. */
export const within = (value: unknown, make: (value: unknown) => unknown): unknown =>
  isObject(value) && isSecret(value) ? secret(make(value.value)) : make(value);

/** Marks as secret what is secret at the same place in `like`. */
export function marked(value: unknown, like: unknown): unknown {
  if (isObject(like) && isSecret(like)) return value === undefined ? value : secret(value);
  if (Array.isArray(value) && Array.isArray(like)) return value.map((inner, index) => marked(inner, like[index]));
  if (!isObject(value) || !isObject(like)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner, like[name])]));
}

/** The value itself and all in it, without the marks of secrets. */
export function reveal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reveal);
  if (!isObject(value)) return value;
  if (isSecret(value)) return reveal(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, reveal(inner)]));
}

/** Whether the value, or anything in it, fulfils `test`. */
function some(value: unknown, test: (value: unknown) => boolean): boolean {
  return test(value) || (typeof value === "object" && value !== null && Object.values(value).some((inner) => some(inner, test)));
}

export const holdsSecret = (value: unknown): boolean => some(value, isSecret);
export const holdsUnknown = (value: unknown): boolean => some(value, (inner) => inner === unknown);

/** What Terraform cannot tell from a property that is not set. */
export function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false || value === 0;
}

export const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other) || (isZero(one) && isZero(other));

/** Lists that stand for sets. */
export const sameSet = (one: unknown, other: unknown): boolean => same(sorted(one), sorted(other));

const sorted = (list: unknown): unknown => (Array.isArray(list) ? list.map(goJson).sort() : list);

/** JSON as Go writes it: keys in order, and no character that HTML knows. */
export function goJson(value: unknown): string {
  const inOrder = (_key: string, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))) : inner;
  return JSON.stringify(value, inOrder).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export const fromStruct = (struct: Struct | undefined): Values => (struct?.toJavaScript() ?? {}) as Values;

/** Without the properties that are not set: they cannot travel. */
export const toStruct = (values: Values): Struct =>
  Struct.fromJavaScript(JSON.parse(JSON.stringify(values)) as Parameters<typeof Struct.fromJavaScript>[0]);
