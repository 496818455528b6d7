/** The stand-in plugins: values of the engine's protocol, with marks for secret and unknown values. */
import { isDeepStrictEqual } from "node:util";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

export type Values = Record<string, unknown>;

/** An unknown value in a preview. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const mark = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

export const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null && !Array.isArray(value);
const isSecret = (value: unknown): boolean => isObject(value) && value[mark] === secretMark;

/** The value as a secret of the engine. */
export const secret = (value: unknown): unknown => (isSecret(value) ? value : { [mark]: secretMark, value });

/** Applies `make` to a value or to the content of a secret. */
export const within = (value: unknown, make: (value: unknown) => unknown): unknown =>
  isObject(value) && isSecret(value) ? secret(make(value.value)) : make(value);

/** Marks the values as secret that are secret in `like`. */
export function marked(value: unknown, like: unknown): unknown {
  if (isObject(like) && isSecret(like)) return value === undefined ? value : secret(value);
  if (Array.isArray(value) && Array.isArray(like)) return value.map((inner, index) => marked(inner, like[index]));
  if (!isObject(value) || !isObject(like)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, marked(inner, like[name])]));
}

/** The value without marks of secrets, recursively. */
export function reveal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reveal);
  if (!isObject(value)) return value;
  if (isSecret(value)) return reveal(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, reveal(inner)]));
}

/** Whether `test` is true for the value or for a value in it. */
function some(value: unknown, test: (value: unknown) => boolean): boolean {
  return test(value) || (typeof value === "object" && value !== null && Object.values(value).some((inner) => some(inner, test)));
}

export const holdsSecret = (value: unknown): boolean => some(value, isSecret);
export const holdsUnknown = (value: unknown): boolean => some(value, (inner) => inner === unknown);

/** Whether a value is equal to an unset property for Terraform. */
export function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false || value === 0;
}

export const same = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other) || (isZero(one) && isZero(other));

/** Properties whose lists are sets. */
export const sameSet = (one: unknown, other: unknown): boolean => same(sorted(one), sorted(other));

const sorted = (list: unknown): unknown => (Array.isArray(list) ? list.map(goJson).sort() : list);

/** JSON in Go's format: sorted keys, escaped HTML characters. */
export function goJson(value: unknown): string {
  const inOrder = (_key: string, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))) : inner;
  return JSON.stringify(value, inOrder).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The problem of a text that is no JSON. */
export function isJson(text: unknown): string | undefined {
  try {
    JSON.parse(String(text));
    return undefined;
  } catch (error) {
    return `contains an invalid JSON: ${(error as Error).message}`;
  }
}

export const fromStruct = (struct: Struct | undefined): Values => (struct?.toJavaScript() ?? {}) as Values;

/** The value without unset properties, which the protocol does not support. */
export const toStruct = (values: Values): Struct =>
  Struct.fromJavaScript(JSON.parse(JSON.stringify(values)) as Parameters<typeof Struct.fromJavaScript>[0]);
