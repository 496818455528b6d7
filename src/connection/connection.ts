/** The connection as a Pulumi resource: the settings with which the service writes metrics and logs to the platform. */
import * as pulumi from "@pulumi/pulumi";
import type { ConnectionInputs, ConnectionOutputs, ConnectionProvider } from "./provider";

/** Arguments of a `Connection`. */
export type ConnectionArgs = ConnectionInputs<pulumi.Input<string>, pulumi.Input<string> | undefined>;

/**
 * Loads the implementation. Pulumi stores the functions below in the state and runs them in a process of its own, in the program's folder.
 * What they import when they run is not stored.
 */
function load(config: pulumi.dynamic.Config | undefined): ConnectionProvider {
  require("tsx/cjs");
  return new (require(`${process.cwd()}/src/connection/provider.ts`).ConnectionProvider)(config);
}

/** What the state has in addition to the inputs, Pulumi's text of the provider, and two properties of version 0.1. */
const others = ["registeredAt", "__provider", "registeredConnection", "verifyConnection"];

/** A new `serviceUrl` replaces the resource. Each other change is an update: it registers again, or is only stored. */
export function diffOf(olds: ConnectionOutputs, news: ConnectionInputs): pulumi.dynamic.DiffResult {
  const names = Object.keys({ ...olds, ...news }).filter((name) => !others.includes(name)) as (keyof ConnectionInputs)[];
  const changes = names.some((name) => olds[name] !== news[name]);
  return { changes, replaces: olds.serviceUrl === news.serviceUrl ? [] : ["serviceUrl"] };
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
  // The service has no endpoint for this.
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
