/** The stand-in plugins: differences between a state and inputs, and which of them replace the resource. */
import type { Properties, Property, Resource } from "./resource";
import { holdsUnknown, isObject, same, unknown, type Values } from "./values";

export type Kind = "add" | "delete" | "update";

export interface Diff {
  /** Top-level properties. */
  changed: string[];
  replaces: string[];
  /** By property path. Undefined where the genuine plugin returns no detailed diff. */
  details: Record<string, { kind: Kind; replace: boolean }> | undefined;
  deleteBeforeReplace: boolean;
}

/**
 * @param state the resource's state, which a refresh may have changed
 * @param ignored properties whose changes the program ignores
 */
export function diff<C>({ properties, bridge, replaces }: Resource<C>, state: Values, news: Values, ignored: readonly string[]): Diff {
  const names = Object.keys(properties).filter((name) => !ignored.includes(name));
  const found = names.flatMap((name) => changes(name, properties[name] ?? {}, state[name], news[name]));
  const nested = found.map(({ path, kind }) => ({ path, kind, property: topOf(path), replace: properties[topOf(path)]?.replace === true }));
  // Where no changed property has `replace`, the plugin adds a path to request the replacement.
  const added = nested.some(({ replace }) => replace) ? undefined : replaces?.(state, news);
  const all = added ? [...nested, { path: added, kind: "update" as const, property: added, replace: true }] : nested;
  const details = Object.fromEntries(all.map(({ path, kind, replace }) => [path, { kind, replace }]));
  const unique = (list: typeof all) => [...new Set(list.map(({ property }) => property))].sort();
  const [changed, replaced] = [unique(all), unique(all.filter(({ replace }) => replace))];
  // A name from the program can exist only once.
  const named = Object.entries(properties).some(
    ([name, { unique, autonamed }]) =>
      (unique || (autonamed && !(news.__defaults as string[] | undefined)?.includes(name))) && !changed.includes(name),
  );
  return {
    changed,
    replaces: replaced,
    details: bridge === "framework" ? undefined : bridge ? details : ofWhole(changed, replaced),
    deleteBeforeReplace: bridge !== "framework" && named && replaced.length > 0,
  };
}

const topOf = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? "";

const ofWhole = (changed: readonly string[], replaced: readonly string[]): Diff["details"] =>
  Object.fromEntries(changed.map((name) => [name, { kind: "update", replace: replaced.includes(name) }]));

interface Change {
  path: string;
  kind: Kind;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Lists by position, maps by key. */
function changes(path: string, property: Property, old: unknown, value: unknown): Change[] {
  if (value === undefined && property.computed) return [];
  if (asksForNothing(property, old, value)) return [];
  if (isAbsent(old)) return [{ path, kind: "add" }];
  if (isAbsent(value)) return [{ path, kind: "delete" }];
  const { fields, items } = property;
  if (items && Array.isArray(old) && Array.isArray(value)) {
    const all = Array.from({ length: Math.max(old.length, value.length) }, (_, index) => index);
    return all.flatMap((index) => changes(`${path}[${index}]`, { fields: items }, old[index], value[index]));
  }
  if (!property.same && isObject(old) && isObject(value)) {
    const keys = fields ? Object.keys(fields) : [...new Set([...Object.keys(old), ...Object.keys(value)])].sort();
    return keys.flatMap((key) => changes(`${path}${step(key)}`, fields?.[key] ?? {}, old[key], value[key]));
  }
  return [{ path, kind: "update" }];
}

const step = (key: string): string => (/^\w+$/.test(key) ? `.${key}` : `["${key.replaceAll('"', '\\"')}"]`);

function asksForNothing({ same: own, normalize, fields, items }: Property, old: unknown, value: unknown): boolean {
  if (fields || items) return value !== unknown && same(old, value);
  if (holdsUnknown(value)) return false;
  if (own) return own(old, value);
  const spelled = (text: unknown) => (normalize && typeof text === "string" ? normalize(text) : text);
  return same(spelled(old), spelled(value));
}

/** The planned values of Terraform: an input without a change has the value of the state, even if the spelling differs. */
export function planned(properties: Properties, state: Values, news: Values): Values {
  const names = new Set([...Object.keys(news), ...Object.keys(properties)]);
  const entries = [...names].map((name) => [name, plan(properties[name], state[name], news[name])]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function plan(property: Property | undefined, old: unknown, value: unknown): unknown {
  if (!property) return value;
  if (value === undefined && property.computed) return old;
  const { fields, items } = property;
  const inner = (own: Properties, before: unknown, one: unknown) =>
    isObject(one) ? planned(own, isObject(before) ? before : {}, one) : one;
  if (items && Array.isArray(value)) return value.map((one, index) => inner(items, Array.isArray(old) ? old[index] : undefined, one));
  if (fields && isObject(value)) return inner(fields, old, value);
  return asksForNothing(property, old, value) ? old : value;
}
