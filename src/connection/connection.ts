/** The connection as a Pulumi resource: the settings with which the service writes metrics and logs to the platform (spec 2.1, 4.1). */
import * as pulumi from "@pulumi/pulumi";
import type { ConnectionInputs, ConnectionProvider } from "./provider";

/** Arguments of a `Connection`. */
export type ConnectionArgs = Omit<ConnectionInputs<pulumi.Input<string>, pulumi.Input<string> | undefined>, "verifyConnection"> & {
  /** Defaults to "off". */
  verifyConnection?: "on" | "off" | undefined;
};

/**
 * Loads the implementation, if the folder is a checkout of the program. Pulumi stores the functions below in the state and runs them in a
 * process of its own, in the program's folder: what they import when they run is not stored.
 */
function find(): ConnectionProvider | undefined {
  const file = `${process.cwd()}/src/connection/provider.ts`;
  if (!require("node:fs").existsSync(file)) return undefined;
  require("tsx/cjs");
  return require(file).connectionProvider;
}

/** @throws Error without a stack, which Pulumi would print */
function load(): ConnectionProvider {
  const message =
    "src/connection/provider.ts does not exist in this folder. It registers and reads the connection: run the command in a checkout of the program.";
  const provider = find();
  if (!provider) throw Object.assign(new Error(message), { stack: "" });
  return provider;
}

const provider: Required<Omit<pulumi.dynamic.ResourceProvider, "check">> = {
  configure: async (request) => find()?.configure(request),
  diff: async (id, olds, news) => load().diff(id, olds, news),
  read: async (id, props) => load().read(id, props),
  create: async (inputs) => load().create(inputs),
  update: async (id, olds, news) => load().update(id, olds, news),
  // Works in any folder. The service has no endpoint for this (spec 4).
  delete: async (id, { metricsUrl, logsUrl }) =>
    console.log(
      `Removed from the state only: the service keeps the connection registered with POST ${id} and continues to write to ${metricsUrl} ` +
        `and ${logsUrl}. It has no endpoint to remove a connection. To stop the writes, revoke the platform's API key.`,
    ),
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
