/** The stand-in plugins: how a kind of resource is described, and what follows from the description alone: check and diff. */
import { randomBytes } from "node:crypto";
import { holdsUnknown, reveal, same, type Values } from "./values";

/** An input. */
export interface Property {
  required?: true;
  default?: string | boolean;
  /** Named after the resource where the program gives no name. */
  autonamed?: true;
  /** The server chooses a value where the program gives none. */
  computed?: true;
  /** A new value is a new resource. */
  replace?: true;
  /** Secret in the state, whatever the program says. */
  secret?: true;
  /** Says what is wrong with a value. */
  validate?: (value: unknown) => string | undefined;
  /** Whether a new value asks for nothing new. */
  same?: (old: unknown, value: unknown) => boolean;
}

export type Properties = Readonly<Record<string, Property>>;

/** What an operation runs in. `C` is what a provider makes of its config. */
export interface Call<C> {
  clients: C;
  /** Aborted when the user stops the engine. */
  signal: AbortSignal;
  /** Shows a line under the resource. */
  log: (line: string) => void;
}

export interface State {
  id: string;
  outputs: Values;
}

export interface Resource<C> {
  properties: Properties;
  /** Outputs that are no inputs. */
  computed: readonly string[];
  /** Those of `computed` that are secret in the state. */
  secrets?: readonly string[];
  /** An update may change `computed`, so that a preview does not know them. */
  volatile?: true;
  /** The properties that make a change of these values a new resource, beside those with `replace`. */
  replaces?: (olds: Values, news: Values) => string[];
  /** @param name the resource's in the program */
  create(call: Call<C>, inputs: Values, name: string): Promise<State>;
  /** @param state empty in an import */
  read(call: Call<C>, id: string, state: Values): Promise<State | undefined>;
  update(call: Call<C>, id: string, state: Values, inputs: Values): Promise<State>;
  delete(call: Call<C>, id: string, state: Values): Promise<void>;
}

export interface Failure {
  property: string;
  reason: string;
}

/** A look-up of a program. */
export interface Lookup<C> {
  arguments: readonly string[];
  run(call: Call<C>, args: Values): Promise<Values>;
}

/** What is wrong with values that a program gives. Those of the engine itself pass. */
export function failures(properties: Properties, values: Values): Failure[] {
  const strangers = Object.keys(values).filter((name) => !Object.hasOwn(properties, name) && !name.startsWith("__"));
  return [
    ...strangers.map((name) => ({
      property: name,
      reason: `Invalid or unknown key "${name}"; known are ${Object.keys(properties).join(", ")}`,
    })),
    ...Object.entries(properties).flatMap(([property, { required, validate }]) => {
      const value = reveal(values[property]);
      if (value === undefined || value === null) return required ? [{ property, reason: `Missing required property '${property}'` }] : [];
      const reason = holdsUnknown(value) ? undefined : validate?.(value);
      return reason ? [{ property, reason }] : [];
    }),
  ];
}

/** The inputs with all that the program left out, and in `__defaults` what that is. */
export function withDefaults(properties: Properties, olds: Values, news: Values, name: string): Values {
  const added: Values = {};
  for (const [property, { default: value, autonamed }] of Object.entries(properties)) {
    if (news[property] !== undefined) continue;
    if (value !== undefined) added[property] = value;
    // A name that a program gave is not kept once it gives none.
    const kept = (olds.__defaults as string[] | undefined)?.includes(property) ? olds[property] : undefined;
    if (autonamed) added[property] = kept ?? `${name}-${randomBytes(4).toString("hex").slice(0, 7)}`;
  }
  return { ...news, ...added, __defaults: Object.keys(added).sort() };
}

export interface Diff {
  changed: string[];
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/**
 * @param state what is known of the resource: a refresh may have changed it
 * @param ignored properties whose changes the program ignores
 */
export function diff<C>({ properties, replaces: more }: Resource<C>, state: Values, news: Values, ignored: readonly string[]): Diff {
  const changed = Object.entries(properties).flatMap(([name, property]) => {
    if (ignored.includes(name)) return [];
    const [old, value] = [state[name], news[name]];
    if (holdsUnknown(value)) return [name];
    if (value === undefined && property.computed) return [];
    return (property.same ?? same)(old, value) ? [] : [name];
  });
  const extra = more?.(state, news) ?? [];
  const replaces = changed.filter((name) => properties[name]?.replace || extra.includes(name));
  // A name of the program's own can be taken but once.
  const named = Object.entries(properties).some(
    ([name, { autonamed }]) => autonamed && !changed.includes(name) && !(news.__defaults as string[] | undefined)?.includes(name),
  );
  return { changed, replaces, deleteBeforeReplace: named && replaces.length > 0 };
}
