/** The connection as a Pulumi resource: the settings with which the service writes metrics and logs to the platform. */
import * as pulumi from "@pulumi/pulumi";
import { diffOf } from "./diff";
import type { ConnectionInputs, ConnectionProvider } from "./provider";

type Inputs = Omit<ConnectionInputs, "serviceApiKeyConfig">;
/** Arguments of a `Connection`. The key's name is plain, so that the key itself cannot take its place. */
export type ConnectionArgs = { [K in keyof Inputs]: pulumi.Input<Inputs[K]> } & Pick<ConnectionInputs, "serviceApiKeyConfig">;

/**
 * Loads the implementation. Pulumi stores the functions below in the state and runs them in a process of its own, in the program's folder.
 * What they import when they run is not stored: `up` runs the code of the checkout.
 *
 * @throws Error without a stack, which Pulumi would print, if the folder is not a checkout of the program
 */
function load(config: pulumi.dynamic.Config | undefined): ConnectionProvider {
  const file = `${process.cwd()}/src/connection/provider.ts`;
  if (!require("node:fs").existsSync(file)) {
    const message = "src/connection/provider.ts does not exist in this folder. It registers the connection: run the command in a checkout.";
    throw Object.assign(new Error(message), { stack: "" });
  }
  require("tsx/cjs");
  return new (require(file).ConnectionProvider)(config);
}

const provider: Required<Omit<pulumi.dynamic.ResourceProvider, "check" | "read">> & { config: pulumi.dynamic.Config | undefined } = {
  config: undefined,
  async configure({ config }) {
    this.config = config;
  },
  async diff(_id, olds, news) {
    return diffOf(olds, news);
  },
  async create(inputs) {
    return load(this.config).create(inputs);
  },
  async update(id, olds, news) {
    return load(this.config).update(id, olds, news);
  },
  // Needs no checkout. The service has no endpoint for this.
  async delete(id, { metricsUrl, logsUrl }) {
    console.log(
      `Removed from the state only: the service keeps the connection registered with POST ${id} and continues to write to ${metricsUrl} ` +
        `and ${logsUrl}. It has no endpoint to remove a connection. To stop the writes, revoke the platform's API key.`,
    );
  },
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
    const props = { ...args, platformApiKey: pulumi.secret(args.platformApiKey), registeredAt: undefined };
    const secretOutputs = pulumi.mergeOptions(options, { additionalSecretOutputs: ["platformApiKey"] });
    super(provider, name, props, secretOutputs, "llm-observability", "Connection");
  }
}
