/**
 * The stand-in for the Grafana plugin: resources like the Terraform bridge. The genuine plugin says more about an error: its place, and twice; and after
 * a failure halfway, its resource is in the state. Source: pulumi-terraform-bridge 3.125.0, which the plugin 2.38.0 uses.
 */
import type { Call, Resource, State } from "../resource";
import type { Values } from "../values";
import type { Clients } from "./config";

/** A resource of Terraform's SDK. `read` follows `create`. */
interface SdkResource extends Omit<Resource<Clients>, "create" | "update" | "bridge"> {
  create(call: Call<Clients>, inputs: Values): Promise<{ id: string }>;
  /** @returns undefined where the resource no longer exists */
  update(call: Call<Clients>, id: string, state: Values, inputs: Values): Promise<State | undefined>;
}

export const sdk = (resource: SdkResource): Resource<Clients> => ({
  ...resource,
  bridge: "sdk",
  async create(call, inputs) {
    const { id } = await resource.create(call, inputs);
    const state = await resource.read(call, id, { ...inputs, id });
    if (state) return state;
    throw new Error(`expected non-nil error with nil state during Create of ${call.urn}`);
  },
  read: (call, id, state) => resource.read(call, idIn(state, id), state),
  async update(call, id, state, inputs) {
    const own = idIn(state, id);
    const updated = await resource.update(call, own, state, inputs);
    if (updated) return updated;
    throw new Error(`Resource provider reported that the resource did not exist while updating ${call.urn}.`);
  },
  delete: (call, id, state) => resource.delete(call, idIn(state, id), state),
});

/** A resource of Terraform's plugin framework: no `__defaults`. */
export const framework = (resource: Omit<Resource<Clients>, "bridge">): Resource<Clients> => ({
  ...resource,
  bridge: "framework",
  read: (call, id, state) => resource.read(call, idIn(state, id), state),
  update: (call, id, state, inputs) => resource.update(call, idIn(state, id), state, inputs),
  delete: (call, id, state) => resource.delete(call, idIn(state, id), state),
});

/** @param what the first part of the error message */
export async function failing<T>(what: string, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new Error(`${what}: ${error.message}`);
  });
}

/** The bridge uses the id of the outputs. An update can change it, while the id of the engine stays. */
const idIn = ({ id }: Values, engines: string): string => (typeof id === "string" && id !== "" ? id : engines);
