/** The stand-in plugins: validation of inputs, and their defaults. */
import { randomBytes } from "node:crypto";
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
export function withDefaults<C>({ properties, bridge }: Resource<C>, olds: Values, news: Values, name: string): Values {
  return complete(properties, olds, news, name, bridge !== "framework");
}

function complete(properties: Properties, olds: Values, news: Values, name: string, noted: boolean): Values {
  const added: Values = {};
  const given = Object.entries(news).map(([key, value]) => {
    const { fields, items } = properties[key] ?? {};
    const inner = (one: unknown) => (isObject(one) ? complete(fields ?? items ?? {}, {}, one, name, noted) : one);
    if (fields) return [key, within(value, inner)];
    if (items) return [key, within(value, (list) => (Array.isArray(list) ? list.map((one) => within(one, inner)) : list))];
    return [key, value];
  });
  for (const [property, { default: value, autonamed }] of Object.entries(properties)) {
    if (news[property] !== undefined) continue;
    if (value !== undefined) added[property] = value;
    // A name from the program is not kept after the program removes it.
    const kept = (olds.__defaults as string[] | undefined)?.includes(property) ? olds[property] : undefined;
    if (autonamed) added[property] = kept ?? `${name}-${randomBytes(4).toString("hex").slice(0, 7)}`;
  }
  return { ...Object.fromEntries(given), ...added, ...(noted ? { __defaults: Object.keys(added).sort() } : {}) };
}
