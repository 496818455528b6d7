/** The connection as a Pulumi resource: the settings with which the service writes metrics and logs to the platform (spec 2.1, 4.1). */
import * as pulumi from "@pulumi/pulumi";
import type { ConnectionInputs } from "./provider";

/** Arguments of a `Connection`. */
export type ConnectionArgs = Omit<ConnectionInputs<pulumi.Input<string>, pulumi.Input<string> | undefined>, "verifyConnection"> & {
  /** Defaults to "off". */
  verifyConnection?: "on" | "off" | undefined;
};

/**
 * The code of the dynamic provider, which the engine stores in the state and runs in a process of its own, in the folder of the program: `destroy` runs that
 * of the last `up`, so the paths must stay. A `pulumi.dynamic.Resource` would store a text that the SDK makes of all functions of the provider: 38,000
 * characters, and 0.4 s of each preview.
 *
 * @see https://github.com/pulumi/pulumi/blob/master/sdk/nodejs/cmd/dynamic-provider/index.ts `getProvider`
 */
const providerCode = `exports.handler = () => {
  const { resolve } = require("node:path");
  require(resolve("src/load.cjs"));
  return new (require(resolve("src/connection/provider.ts")).ConnectionProvider)();
};`;

/**
 * A connection registered at the service. Create, and update of a field, send one request; `up` without a change sends none. Delete only
 * removes the resource from the state: the service has no endpoint for it.
 */
export class Connection extends pulumi.CustomResource {
  declare readonly serviceUrl: pulumi.Output<string>;
  /** The time at which the service last accepted the registration, in ISO 8601. */
  declare readonly registeredAt: pulumi.Output<string>;

  constructor(name: string, args: ConnectionArgs, options?: pulumi.CustomResourceOptions) {
    const platformApiKey = pulumi.secret(args.platformApiKey);
    super(
      "pulumi-nodejs:dynamic/llm-observability:Connection",
      name,
      { verifyConnection: "off", ...args, platformApiKey, registeredAt: undefined, __provider: providerCode },
      pulumi.mergeOptions(options, { additionalSecretOutputs: ["platformApiKey"] }),
    );
  }
}
