/** The connection as a Pulumi resource: the settings with which the service writes metrics and logs to the platform (spec 2.1, 4.1). */
import * as pulumi from "@pulumi/pulumi";
import { type ConnectionInputs, ConnectionProvider } from "./provider";
import type { RegisteredConnection } from "./registered-connection";
import type { ConnectionFields } from "./registration";

/** Arguments of a `Connection`: the fields of spec 2.1, and the service. */
export interface ConnectionArgs extends ConnectionFields<pulumi.Input<string>> {
  /** The base address of the service, without a slash at the end. A new address replaces the resource; the old service keeps its copy. */
  serviceUrl: pulumi.Input<string>;
  /**
   * The full config key (`project:key`) of the service's API key. The API key itself is no input: it authenticates the request and is not part
   * of the connection, so a new key does not register again.
   */
  serviceApiKeyConfig: string;
  /** The CA certificate of the service, in PEM format. Defaults to the public CAs. A new one does not register again. */
  serviceCaCert?: pulumi.Input<string> | undefined;
  /** Any text. A new value registers the connection again. */
  registrationTrigger?: pulumi.Input<string> | undefined;
  /** "on": `refresh` reads the connection at the service; if it is not this one, the next `up` registers again. Defaults to "off". */
  verifyConnection?: "on" | "off" | undefined;
}

/** One instance for all connections: the SDK serializes each provider object once. */
const provider = new ConnectionProvider();

/**
 * A connection registered at the service. Create, and update of a field, send one request; `up` without a change sends none. Delete only
 * removes the resource from the state: the service has no endpoint for it.
 */
export class Connection extends pulumi.dynamic.Resource {
  declare readonly serviceUrl: pulumi.Output<string>;
  declare readonly platformName: pulumi.Output<string>;
  declare readonly metricsUrl: pulumi.Output<string>;
  declare readonly logsUrl: pulumi.Output<string>;
  /** The time at which the service last accepted the registration, in ISO 8601. */
  declare readonly registeredAt: pulumi.Output<string>;
  /** The connection at the service when it was last read. */
  declare readonly registeredConnection: pulumi.Output<RegisteredConnection>;

  constructor(name: string, args: ConnectionArgs, options?: pulumi.CustomResourceOptions) {
    const inputs = {
      ...args,
      verifyConnection: args.verifyConnection ?? "off",
      platformApiKey: pulumi.secret(args.platformApiKey),
    } satisfies { [K in keyof ConnectionInputs]: unknown };
    super(
      provider,
      name,
      { ...inputs, registeredAt: undefined, registeredConnection: undefined },
      pulumi.mergeOptions(options, { additionalSecretOutputs: ["platformApiKey"] }),
      "llm-observability",
      "Connection",
    );
  }
}
