/** The stand-in plugins: the inputs that a read returns. Source: `ExtractInputsFromOutputs` of pulumi-terraform-bridge 3.125.0. */
import { isDeepStrictEqual } from "node:util";
import type { Properties, Property, Resource } from "./resource";
import { isObject, isZero, type Values } from "./values";

/** Of a refresh: the properties that were inputs before, with the values of the outputs. */
export function refreshedInputs<C>({ properties, bridge }: Resource<C>, inputs: Values, outputs: Values): Values {
  if (!bridge) return inputs;
  return withoutDefaults(refreshObject(properties, inputs, outputs).value as Values, bridge === "framework") as Values;
}

/** Of an import: all properties, without those that have their default. */
export function importedInputs<C>({ properties, bridge }: Resource<C>, outputs: Values): Values {
  const inputs = importObject(properties, outputs);
  return bridge === "sdk" ? inputs : (withoutDefaults(inputs, true) as Values);
}

/** Removes the lists `__defaults`: the empty ones, or all. */
function withoutDefaults(value: unknown, all: boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutDefaults(inner, all));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, inner]) => name !== "__defaults" || !(all || isZero(inner)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutDefaults(inner, all)]));
}

/** A value, and whether it can stay in `__defaults`. */
type Refreshed = { value: unknown; isDefault: boolean };

function refreshObject(properties: Properties, input: Values, output: Values): Refreshed {
  const notes = Array.isArray(input.__defaults) ? (input.__defaults as string[]) : undefined;
  const entries = Object.keys(input)
    .filter((name) => name !== "__defaults" && output[name] !== undefined)
    .map((name): [string, Refreshed] => [name, refresh(properties[name] ?? {}, input[name], output[name])]);
  const value = Object.fromEntries(entries.map(([name, refreshed]) => [name, refreshed.value]));
  const defaults = notes?.filter((name) => entries.some(([own, { isDefault }]) => own === name && isDefault));
  return { value: { ...value, ...(defaults ? { __defaults: defaults.sort() } : {}) }, isDefault: !notes };
}

function refresh(property: Property, input: unknown, output: unknown): Refreshed {
  const { items, fields, normalize, set } = property;
  if (Array.isArray(input) && Array.isArray(output)) {
    const matches = set ? matched(input, output) : input.map((_, index) => index);
    const refreshed = input.flatMap((one, index): Refreshed[] => {
      const at = matches[index];
      return at === undefined || at >= output.length ? [] : [refresh({ fields: items ?? {} }, one, output[at])];
    });
    const isDefault = refreshed.length === input.length && refreshed.every((one) => one.isDefault);
    return { value: refreshed.map((one) => one.value), isDefault };
  }
  if (isObject(input) && isObject(output)) return refreshObject(fields ?? {}, input, output);
  if (normalize && typeof input === "string" && typeof output === "string") {
    return { value: input, isDefault: normalize(input) === output };
  }
  return { value: output, isDefault: isDeepStrictEqual(input, output) };
}

/** Pairs the objects of a set by similarity: 1 for each common name, 2 more for an equal value. */
function matched(olds: readonly unknown[], news: readonly unknown[]): (number | undefined)[] {
  const score = (old: unknown, value: unknown) =>
    isObject(old) && isObject(value)
      ? Object.keys(old).reduce((sum, name) => sum + (name in value ? (isDeepStrictEqual(old[name], value[name]) ? 3 : 1) : 0), 0)
      : 0;
  const pairs = olds.flatMap((old, from) => news.map((value, to) => ({ from, to, score: score(old, value) })));
  const matches: (number | undefined)[] = olds.map(() => undefined);
  for (const { from, to } of pairs.sort((one, other) => other.score - one.score)) {
    if (matches[from] === undefined && !matches.includes(to)) matches[from] = to;
  }
  return matches;
}

function importObject(properties: Properties, output: Values): Values {
  const entries = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    const { required, default: standard, fields, items } = property;
    const inner = (own: Properties) => (value: unknown) => (isObject(value) ? importObject(own, value) : value);
    const given = output[name];
    const value = items && Array.isArray(given) ? given.map(inner(items)) : fields ? inner(fields)(given) : given;
    const isStandard = standard === undefined ? isZero(value) : isDeepStrictEqual(value, standard);
    return value === undefined || (!required && isStandard) ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(entries), __defaults: [] };
}
