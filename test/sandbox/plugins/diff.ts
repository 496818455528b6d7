/** The stand-in plugins: differences between a state and inputs, and which of them replace the resource. */
import type { Properties, Property, Resource } from "./resource";
import { holdsUnknown, isObject, same, unknown, type Values } from "./values";

/** By property. The genuine plugin also says where in a property: nothing reads it except the engine, for its terminal. */
export type Diff = { changed: string[]; replaces: string[]; deleteBeforeReplace: boolean };

/**
 * @param state the resource's state, which a refresh may have changed
 * @param ignored properties whose changes the program ignores
 */
export function diff<C>({ properties, bridge, replaces }: Resource<C>, state: Values, news: Values, ignored: readonly string[]): Diff {
  const names = Object.keys(properties).filter((name) => !ignored.includes(name));
  const differing = names.filter((name) => differs(properties[name] ?? {}, state[name], news[name]));
  const replacing = differing.filter((name) => properties[name]?.replace);
  // Where no changed property has `replace`, the plugin adds a path to request the replacement.
  const added = (replacing.length === 0 && replaces?.(state, news)) || [];
  const [changed, replaced] = [[...new Set(differing.concat(added))].sort(), replacing.concat(added).sort()];
  // A name from the program can exist only once.
  const isTaken = Object.entries(properties).some(([name, { unique }]) => unique && !changed.includes(name));
  return { changed, replaces: replaced, deleteBeforeReplace: bridge !== "framework" && isTaken && replaced.length > 0 };
}

/** Lists by position, maps by key. */
function differs(property: Property, old: unknown, value: unknown): boolean {
  if ((value === undefined && property.computed) || asksForNothing(property, old, value)) return false;
  const { fields, items } = property;
  if (items && Array.isArray(old) && Array.isArray(value))
    return old.length !== value.length || value.some((one, index) => differs({ fields: items }, old[index], one));
  if (property.same || !isObject(old) || !isObject(value)) return true;
  const keys = Object.keys(fields ?? { ...old, ...value });
  return keys.some((key) => differs(fields?.[key] ?? {}, old[key], value[key]));
}

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
