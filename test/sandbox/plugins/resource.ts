/** The stand-in plugins: how a kind of resource is described. What follows from the description alone: `check.ts`, `diff.ts`, `inputs.ts`. */
import type { Values } from "./values";

/** An input. */
export interface Property {
  required?: true;
  default?: unknown;
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
  /** The spelling of the state (StateFunc of Terraform). A refresh keeps the spelling of the inputs. */
  normalize?: (value: string) => string;
  /** The properties of an object. An object without them is a map. */
  fields?: Properties;
  /** The properties of each object in a list. */
  items?: Properties;
  /** The order of the list has no meaning. */
  set?: true;
}

export type Properties = Readonly<Record<string, Property>>;

/** What an operation runs in. `C` is what a provider makes of its config. */
export interface Call<C> {
  clients: C;
  /** Empty in a look-up. */
  urn: string;
  /** Aborted when the user stops the engine. */
  signal: AbortSignal;
  /** Shows a line under the resource. */
  log: (line: string, severity?: "info" | "error") => void;
}

export interface State {
  id: string;
  outputs: Values;
}

/** A failure after the resource exists. The engine stores its state and updates the resource in the next deployment. */
export class Halfway extends Error {
  /** @param state its outputs without the inputs */
  constructor(
    message: string,
    readonly state: State,
  ) {
    super(message);
  }
}

export interface Resource<C> {
  properties: Properties;
  /** Outputs that are no inputs. */
  computed: readonly string[];
  /** Those of `computed` that are secret in the state. */
  secrets?: readonly string[];
  /** An update may change `computed`, so that a preview does not know them. */
  volatile?: true;
  /** The part of the Terraform bridge that serves the resource in the genuine plugin. Undefined for a plugin without Terraform. */
  bridge?: "sdk" | "framework";
  /** Whether these values replace the resource, in addition to changed properties with `replace`. */
  replaces?: (olds: Values, news: Values) => boolean;
  /** @param name the resource's in the program */
  create(call: Call<C>, inputs: Values, name: string): Promise<State>;
  /** @param state empty in an import */
  read(call: Call<C>, id: string, state: Values): Promise<State | undefined>;
  /** @param inputs planned values: see `planned` */
  update(call: Call<C>, id: string, state: Values, inputs: Values): Promise<State>;
  delete(call: Call<C>, id: string, state: Values): Promise<void>;
}

/** A look-up of a program. */
export interface Lookup<C> {
  arguments: readonly string[];
  run(call: Call<C>, args: Values): Promise<Values>;
}
