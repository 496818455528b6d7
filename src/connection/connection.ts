/** The connection as a Pulumi resource: what the service needs to write metrics and logs to the platform (spec 2.1, 4.1). */
import * as pulumi from "@pulumi/pulumi";
import { type ConnectionInputs, ConnectionProvider } from "./provider";
import type { InPlace } from "./read-back";

/** Arguments of a `Connection`: the fields of spec 2.1, and the service at which to register them. */
export interface ConnectionArgs {
  /** Base address of the service, without a slash at its end. A new address registers anew there; the old service keeps its copy. */
  serviceUrl: pulumi.Input<string>;
  /**
   * Full name (`project:key`) of the config key that holds the service's own API key. The key itself is no input: it authenticates the
   * request and is no part of the connection, so a new key alone registers nothing.
   */
  serviceApiKeyConfig: string;
  /** The CA certificate, in PEM form, that signed the service's own; without it the public ones hold. A new one registers nothing. */
  serviceCaCert?: pulumi.Input<string> | undefined;
  /** `Platform`: the platform's word at the service. */
  platform: pulumi.Input<string>;
  /** `MetricsUrl`: address of the platform's metrics write endpoint. */
  metricsUrl: pulumi.Input<string>;
  /** `MetricsUsername`: user name at that endpoint. */
  metricsUsername: pulumi.Input<string>;
  /** `LogsUrl`: address of the platform's logs endpoint. */
  logsUrl: pulumi.Input<string>;
  /** `LogsUsername`: user name at that endpoint. */
  logsUsername: pulumi.Input<string>;
  /** `ApiKey`: the platform's key. Always stored as a secret, also where it is given in plain. */
  platformApiKey: pulumi.Input<string>;
  /** Any text; a new value registers the connection again although nothing in it changed. */
  registrationTrigger?: pulumi.Input<string> | undefined;
  /** "on": `refresh` asks the service which connection is in place; if it is another one, the next deployment registers again. Default "off". */
  verifyConnection?: "on" | "off" | undefined;
}

/** One instance for all connections: the SDK serializes each provider object once. */
const provider = new ConnectionProvider();

/**
 * A connection registered at the service. Created, and registered again when one of its fields changes; an unchanged one costs no request.
 * Deleting it only forgets it here: the service has no endpoint for that.
 */
export class Connection extends pulumi.dynamic.Resource {
  declare readonly serviceUrl: pulumi.Output<string>;
  declare readonly platform: pulumi.Output<string>;
  declare readonly metricsUrl: pulumi.Output<string>;
  declare readonly logsUrl: pulumi.Output<string>;
  /** When the service last accepted the registration, ISO 8601. */
  declare readonly registeredAt: pulumi.Output<string>;
  /** What was in place at the service when it was last asked. */
  declare readonly inPlace: pulumi.Output<InPlace>;

  constructor(name: string, args: ConnectionArgs, options?: pulumi.CustomResourceOptions) {
    const inputs: pulumi.Inputs & { [K in keyof ConnectionInputs]: unknown } = {
      ...args,
      verifyConnection: args.verifyConnection ?? "off",
      platformApiKey: pulumi.secret(args.platformApiKey),
    };
    super(
      provider,
      name,
      { ...inputs, registeredAt: undefined, inPlace: undefined },
      pulumi.mergeOptions(options, { additionalSecretOutputs: ["platformApiKey"] }),
      "llm-observability",
      "Connection",
    );
  }
}
