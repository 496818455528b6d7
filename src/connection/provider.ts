/**
 * The dynamic provider of `Connection`. The engine stores its code in the state as text, so it follows the import rule of `exchange.ts`; a test
 * serializes and runs it.
 *
 * The service's API key is never an input: the provider reads it from the stack config that the engine passes to `configure`.
 */
import type { dynamic } from "@pulumi/pulumi";
import { registerConnection } from "./exchange";
import { type RegisteredConnection, readRegisteredConnection } from "./registered-connection";
import { type ConnectionFields, connectionBody, connectionFields } from "./registration";

/** The inputs as plain values; see `ConnectionArgs`. */
export interface ConnectionInputs extends ConnectionFields<string> {
  serviceUrl: string;
  serviceApiKeyConfig: string;
  serviceCaCert?: string;
  registrationTrigger?: string;
  verifyConnection: "on" | "off";
}

/** The properties in the state. */
export interface ConnectionOutputs extends ConnectionInputs {
  registeredAt: string;
  registeredConnection: RegisteredConnection;
}

/** The inputs whose change registers again. */
const registeredInputs = [...Object.keys(connectionFields), "registrationTrigger"] as (keyof ConnectionInputs)[];

const endpointOf = ({ serviceUrl }: ConnectionInputs) => `${serviceUrl}/api/connections`;

export class ConnectionProvider implements dynamic.ResourceProvider<ConnectionInputs, ConnectionOutputs> {
  private config: dynamic.Config | undefined;

  /** Never throws: that would block `destroy`, which needs no key. */
  async configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.config = request.config;
  }

  /** A new `serviceUrl` replaces the resource. `verifyConnection` and `serviceCaCert` are stored for the next refresh. */
  async diff(_id: string, olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.DiffResult> {
    const replaces = olds.serviceUrl === news.serviceUrl ? [] : ["serviceUrl"];
    const readsDifferently = (olds.verifyConnection ?? "off") !== news.verifyConnection || olds.serviceCaCert !== news.serviceCaCert;
    return { changes: replaces.length > 0 || this.mustRegister(olds, news) || readsDifferently, replaces };
  }

  /** Refresh: the state, with the connection that the service has now. "unknown" changes nothing. */
  async read(id: string, props?: ConnectionOutputs): Promise<dynamic.ReadResult<ConnectionOutputs>> {
    const serviceApiKey = props?.verifyConnection === "on" && this.config?.get(props.serviceApiKeyConfig);
    if (!props || !serviceApiKey) return props ? { id, props } : { id };
    const { serviceCaCert: caCert } = props;
    const found = await readRegisteredConnection({ endpoint: endpointOf(props), body: connectionBody(props), serviceApiKey, caCert });
    return { id, props: found === "unknown" ? props : { ...props, registeredConnection: found } };
  }

  async create(inputs: ConnectionInputs): Promise<dynamic.CreateResult<ConnectionOutputs>> {
    return { id: endpointOf(inputs), outs: await this.register(inputs) };
  }

  async update(_id: string, olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.UpdateResult<ConnectionOutputs>> {
    const { registeredAt, registeredConnection = "unknown" } = olds;
    return { outs: this.mustRegister(olds, news) ? await this.register(news) : { ...news, registeredAt, registeredConnection } };
  }

  /** The service has no endpoint for this (spec 4). */
  async delete(id: string, props: ConnectionOutputs): Promise<void> {
    console.log(
      `Removed from the state only: the service keeps the connection registered with POST ${id} and continues to write to ${props.metricsUrl} ` +
        `and ${props.logsUrl}. It has no endpoint to remove a connection. To stop the writes, revoke the platform's API key.`,
    );
  }

  private mustRegister(olds: ConnectionOutputs, news: ConnectionInputs): boolean {
    return registeredInputs.some((name) => olds[name] !== news[name]) || ["other", "none"].includes(olds.registeredConnection);
  }

  private async register(inputs: ConnectionInputs): Promise<ConnectionOutputs> {
    const keyCommand = `npx pulumi config set --secret ${inputs.serviceApiKeyConfig}`;
    const serviceApiKey = this.config?.get(inputs.serviceApiKeyConfig);
    const problem = !serviceApiKey
      ? "is not set"
      : /[^\x20-\x7e]/.test(serviceApiKey) && "has a character that an HTTP header cannot contain";
    if (!serviceApiKey || problem) {
      throw new Error(`The service's API key ${problem}, so the connection was not registered. Set it: ${keyCommand}`);
    }
    const { serviceCaCert: caCert } = inputs;
    await registerConnection({ endpoint: endpointOf(inputs), body: connectionBody(inputs), serviceApiKey, keyCommand, caCert });
    return { ...inputs, registeredAt: new Date().toISOString(), registeredConnection: "current" };
  }
}
