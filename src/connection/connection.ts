/** The connection as a Pulumi resource: the settings with which the service writes metrics and logs to the platform (spec 2.1, 4.1). */
import * as pulumi from "@pulumi/pulumi";
import { type ConnectionInputs, ConnectionProvider } from "./provider";

/** Arguments of a `Connection`. */
export type ConnectionArgs = Omit<ConnectionInputs<pulumi.Input<string>, pulumi.Input<string> | undefined>, "verifyConnection"> & {
  /** Defaults to "off". */
  verifyConnection?: "on" | "off" | undefined;
};

/** One instance for all connections: the SDK serializes each provider object once. */
const provider = new ConnectionProvider();

/**
 * A connection registered at the service. Create, and update of a field, send one request; `up` without a change sends none. Delete only
 * removes the resource from the state: the service has no endpoint for it.
 */
export class Connection extends pulumi.dynamic.Resource {
  declare readonly serviceUrl: pulumi.Output<string>;
  /** The time at which the service last accepted the registration, in ISO 8601. */
  declare readonly registeredAt: pulumi.Output<string>;

  constructor(name: string, args: ConnectionArgs, options?: pulumi.CustomResourceOptions) {
    const platformApiKey = pulumi.secret(args.platformApiKey);
    super(
      provider,
      name,
      { verifyConnection: "off", ...args, platformApiKey, registeredAt: undefined },
      pulumi.mergeOptions(options, { additionalSecretOutputs: ["platformApiKey"] }),
      "llm-observability",
      "Connection",
    );
  }
}
