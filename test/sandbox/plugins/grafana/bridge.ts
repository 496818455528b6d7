/**
 * The stand-in for the Grafana plugin: resources like the Terraform bridge: its error messages, and the state after a
 * failure. Source: pulumi-terraform-bridge 3.125.0, which the plugin 2.38.0 uses.
 */
import { version } from "@pulumiverse/grafana/package.json";
import { type Call, Halfway, type Resource, type State } from "../resource";
import type { Values } from "../values";
import type { Clients } from "./config";

/** A resource of Terraform's SDK. `read` follows `create`. */
export interface SdkResource extends Omit<Resource<Clients>, "create" | "update" | "bridge"> {
  /** @returns the id, and the outputs that `read` does not return */
  create(call: Call<Clients>, inputs: Values, name: string): Promise<{ id: string; outputs?: Values }>;
  /** @returns undefined where the resource no longer exists */
  update(call: Call<Clients>, id: string, state: Values, inputs: Values): Promise<State | undefined>;
}

/** The engine shows each error twice, since the SDK logs it, too. After a failed update the state has the planned values. */
export function sdk(resource: SdkResource): Resource<Clients> {
  return {
    ...resource,
    bridge: "sdk",
    async create(call, inputs, name) {
      const { id, outputs = {} } = await listed(call, () => resource.create(call, inputs, name));
      const read = () => resource.read(call, id, { ...inputs, ...outputs, id });
      const state = await listed(call, read).catch((error: Error) => {
        throw new Halfway(`creating ${call.urn}: ${error.message}`, { id, outputs });
      });
      if (!state) throw new Error(`expected non-nil error with nil state during Create of ${call.urn}`);
      return { id: state.id, outputs: { ...outputs, ...state.outputs } };
    },
    read: (call, id, state) =>
      prefixed(
        `refreshing ${call.urn}: `,
        listed(call, () => resource.read(call, idIn(state, id), state)),
      ),
    async update(call, id, state, inputs) {
      const own = idIn(state, id);
      const updated = await listed(call, () => resource.update(call, own, state, inputs)).catch((error: Error) => {
        throw new Halfway(`updating ${call.urn}: ${error.message}`, { id: own, outputs: {} });
      });
      if (updated) return updated;
      throw new Error(
        `Resource provider reported that the resource did not exist while updating ${call.urn}.\n\nThis is usually a result of the resource having been deleted outside of Pulumi, and can often be fixed by running \`pulumi refresh\` before updating.`,
      );
    },
    delete: (call, id, state) =>
      prefixed(
        `deleting ${call.urn}: `,
        listed(call, () => resource.delete(call, idIn(state, id), state)),
      ),
  };
}

/** A resource of Terraform's plugin framework: no detailed diff, no `__defaults`, no state after a failure. */
export const framework = (resource: Omit<Resource<Clients>, "bridge">): Resource<Clients> => ({
  ...resource,
  bridge: "framework",
  read: (call, id, state) => resource.read(call, idIn(state, id), state),
  update: (call, id, state, inputs) => resource.update(call, idIn(state, id), state, inputs),
  delete: (call, id, state) => resource.delete(call, idIn(state, id), state),
});

/** @param summary the first part of the error message */
export async function trying<T>(call: Call<Clients>, summary: string, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    call.log(`[ERROR] ${error.message}: ${summary}`, "error");
    throw new Error(`${summary}: ${error.message}`);
  });
}

/** The bridge uses the id of the outputs. An update can change it, while the id of the engine stays. */
const idIn = ({ id }: Values, engines: string): string => (typeof id === "string" && id !== "" ? id : engines);

async function listed<T>(call: Call<Clients>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    call.log(`  sdk-v2/provider2.go:572: sdk.helper_schema: ${message}: provider=grafana@${version}`, "error");
    throw new Error(`1 error occurred:\n\t* ${message}\n\n`);
  }
}

async function prefixed<T>(prefix: string, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new Error(`${prefix}${error.message}`);
  });
}
