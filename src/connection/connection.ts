/** The connection as a Pulumi resource: the settings with which the service writes metrics and logs to the platform (spec 2.1, 4.1). */
import * as pulumi from "@pulumi/pulumi";
import type { ConnectionInputs, ConnectionProvider } from "./provider";

/** Arguments of a `Connection`. */
export type ConnectionArgs = Omit<ConnectionInputs<pulumi.Input<string>, pulumi.Input<string> | undefined>, "verifyConnection"> & {
  /** Defaults to "off". */
  verifyConnection?: "on" | "off" | undefined;
};

/**
 * Loads the implementation. Pulumi stores the functions below in the state and runs them in a process of its own, in the program's folder: what they
 * import when they run is not stored.
 *
 * @throws Error if the folder is not a checkout of the program
 */
function load(): ConnectionProvider {
  const file = `${process.cwd()}/src/connection/provider.ts`;
  if (!require("node:fs").existsSync(file)) {
    const problem = `${file} does not exist. It registers and reads the connection: run this command in a checkout of the program that deployed it.`;
    // Pulumi's SDK prints the stack.
    throw Object.assign(new Error(problem), { stack: "" });
  }
  require("tsx/cjs");
  return require(file).connectionProvider;
}

const provider: Required<Omit<pulumi.dynamic.ResourceProvider, "check">> = {
  configure: async (request) => load().configure(request),
  diff: async (id, olds, news) => load().diff(id, olds, news),
  read: async (id, props) => load().read(id, props),
  create: async (inputs) => load().create(inputs),
  update: async (id, olds, news) => load().update(id, olds, news),
  delete: async (id, props) => load().delete(id, props),
};

/**
 * A connection registered at the service. Create, and update of a field, send one request; `up` without a change sends none. Delete only
 * removes the resource from the state: the service has no endpoint for it.
 */
export class Connection extends pulumi.dynamic.Resource {
  declare readonly serviceUrl: pulumi.Output<string>;
  /** The time at which the service last accepted the registration, in ISO 8601. */
  declare readonly registeredAt: pulumi.Output<string>;

  constructor(name: string, args: ConnectionArgs, options?: pulumi.CustomResourceOptions) {
    const props = { verifyConnection: "off", ...args, platformApiKey: pulumi.secret(args.platformApiKey), registeredAt: undefined };
    const secretOutputs = pulumi.mergeOptions(options, { additionalSecretOutputs: ["platformApiKey"] });
    super(provider, name, props, secretOutputs, "llm-observability", "Connection");
  }
}
