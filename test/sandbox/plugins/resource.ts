/** The stand-in plugins: the description of a resource type. `check.ts`, `diff.ts` and `inputs.ts` use only the description. */
import type { Values } from "./values";

/** An input. */
export interface Property {
  required?: true;
  default?: unknown;
  /** A name that can exist only once. */
  unique?: true;
  /** Defaults to a value of the server. */
  computed?: true;
  /** A changed value replaces the resource. */
  replace?: true;
  /** Always secret in the state. */
  secret?: true;
  /** Returns the problem of a value. */
  validate?: (value: unknown) => string | undefined;
  /** Whether two values are equal to the server. */
  same?: (old: unknown, value: unknown) => boolean;
  /** The spelling of the state (StateFunc of Terraform). A refresh keeps the spelling of the inputs. */
  normalize?: (value: string) => string;
  /** The properties of an object. An object without them is a map. */
  fields?: Properties;
  /** The properties of each object in a list. */
  items?: Properties;
  /** Whether the order of the list is irrelevant. */
  set?: true;
}

export type Properties = Readonly<Record<string, Property>>;

/** The context of an operation. `C` is the provider's client. */
export interface Call<C> {
  clients: C;
  urn: string;
  /** Aborted when the user stops the engine. */
  signal: AbortSignal;
  /** Prints a line for the resource. */
  log: (line: string) => void;
}

export type State = { id: string; outputs: Values };

export interface Resource<C> {
  properties: Properties;
  /** Outputs that are no inputs. */
  computed: readonly string[];
  /** Whether an update may change `computed`. They are unknown in a preview then. */
  volatile?: true;
  /** The part of the Terraform bridge that serves the resource in the genuine plugin. Undefined for a plugin without Terraform. */
  bridge?: "sdk" | "framework";
  /** The path in the diff for which these values replace the resource, in addition to changed properties with `replace`. */
  replaces?: (olds: Values, news: Values) => string | undefined;
  /** @param name the resource's name in the program */
  create(call: Call<C>, inputs: Values, name: string): Promise<State>;
  /** @param state empty in an import */
  read(call: Call<C>, id: string, state: Values): Promise<State | undefined>;
  /** @param inputs planned values: see `planned` */
  update(call: Call<C>, id: string, state: Values, inputs: Values): Promise<State>;
  delete(call: Call<C>, id: string, state: Values): Promise<void>;
}
