/** The stand-in plugins: validation of inputs, and their defaults. */
import type { Properties, Resource } from "./resource";
import { holdsUnknown, isObject, reveal, type Values, within } from "./values";

export type Failure = { property: string; reason: string };

/** The problems of the program's values. Values of the engine pass. */
export function failures(properties: Properties, values: Values, path = ""): Failure[] {
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(properties, name) && !name.startsWith("__"));
  return [
    ...unknown.map((name) => ({
      property: `${path}${name}`,
      reason: `Invalid or unknown key "${name}"; known are ${Object.keys(properties).join(", ")}`,
    })),
    ...Object.entries(properties).flatMap(([name, { required, validate, fields, items }]) => {
      const property = `${path}${name}`;
      const value = reveal(values[name]);
      if (value === undefined || value === null) return required ? [{ property, reason: `Missing required property '${property}'` }] : [];
      const inner = (one: unknown, at: string) => (isObject(one) ? failures(fields ?? items ?? {}, one, `${at}.`) : []);
      const nested = fields
        ? inner(value, property)
        : items && Array.isArray(value)
          ? value.map((one, i) => inner(one, `${property}[${i}]`))
          : [];
      const reason = holdsUnknown(value) ? undefined : validate?.(value);
      return [...nested.flat(), ...(reason ? [{ property, reason }] : [])];
    }),
  ];
}

/** The inputs with their defaults. `__defaults` lists the properties that have one; resources of the plugin framework do not have this list. */
export const withDefaults = <C>({ properties, bridge }: Resource<C>, news: Values): Values =>
  complete(properties, news, bridge !== "framework");

function complete(properties: Properties, news: Values, noted: boolean): Values {
  const given = Object.entries(news).map(([key, value]) => {
    const { fields, items } = properties[key] ?? {};
    const inner = (one: unknown) => (isObject(one) ? complete(fields ?? items ?? {}, one, noted) : one);
    if (fields) return [key, within(value, inner)];
    if (items) return [key, within(value, (list) => (Array.isArray(list) ? list.map((one) => within(one, inner)) : list))];
    return [key, value];
  });
  const added = Object.entries(properties).flatMap(([property, { default: value }]) =>
    news[property] === undefined && value !== undefined ? [[property, value]] : [],
  );
  return { ...Object.fromEntries([...given, ...added]), ...(noted ? { __defaults: added.map(([property]) => property).sort() } : {}) };
}
