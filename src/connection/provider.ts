/**
 * The dynamic provider of `Connection`. The engine stores its code in the state as text, so this file and `exchange.ts` import
 * nothing but types and functions of their kind, see there; a test serializes and drives it.
 *
 * The service's own key is never an input: it is read, when a request needs it, from the stack config that the engine hands to `configure`.
 */
import type { dynamic } from "@pulumi/pulumi";
import { type ConnectionFields, connectionBody, registerConnection } from "./exchange";
import { connectionInPlace, type InPlace } from "./read-back";

/** Inputs as the engine hands them over: plain values. */
export interface ConnectionInputs extends ConnectionFields<string> {
  serviceUrl: string;
  /** Full config key (`project:key`) that holds the service's API key. */
  serviceApiKeyConfig: string;
  serviceCaCert?: string;
  registrationTrigger?: string;
  /** "on": `refresh` asks the service which connection is in place. */
  verifyConnection: "on" | "off";
}

/** What the state keeps: the inputs, when the service last accepted them (ISO 8601), and what was in place there when it was last asked. */
export interface ConnectionOutputs extends ConnectionInputs {
  registeredAt: string;
  inPlace: InPlace;
}

/** What of the inputs is registered, or makes it be registered again. */
const registeredFields = [
  "platform",
  "metricsUrl",
  "metricsUsername",
  "logsUrl",
  "logsUsername",
  "platformApiKey",
  "registrationTrigger",
] as const;

const endpointOf = ({ serviceUrl }: ConnectionInputs) => `${serviceUrl}/api/connections`;

export class ConnectionProvider implements dynamic.ResourceProvider<ConnectionInputs, ConnectionOutputs> {
  private config: dynamic.Config | undefined;

  /** Never throws: that would block `destroy`, which needs no key. */
  async configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.config = request.config;
  }

  /**
   * The service's address is the connection's identity; its own key, and the name under which that is kept, are no part of it. How to ask the
   * service is kept for the next refresh.
   */
  async diff(_id: string, olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.DiffResult> {
    const replaces = olds.serviceUrl === news.serviceUrl ? [] : ["serviceUrl"];
    const asksAnew = (olds.verifyConnection ?? "off") !== news.verifyConnection || olds.serviceCaCert !== news.serviceCaCert;
    return { changes: replaces.length > 0 || this.mustRegister(olds, news) || asksAnew, replaces };
  }

  /** What a refresh finds: the state, and whose connection is in place. A service that does not tell changes nothing. */
  async read(id: string, props?: ConnectionOutputs): Promise<dynamic.ReadResult<ConnectionOutputs>> {
    const serviceApiKey = props?.verifyConnection === "on" && this.config?.get(props.serviceApiKeyConfig);
    if (!props || !serviceApiKey) return props ? { id, props } : { id };
    const { serviceCaCert: caCert } = props;
    const inPlace = await connectionInPlace({ endpoint: endpointOf(props), body: connectionBody(props), serviceApiKey, caCert });
    return { id, props: inPlace === "not known" ? props : { ...props, inPlace } };
  }

  async create(inputs: ConnectionInputs): Promise<dynamic.CreateResult<ConnectionOutputs>> {
    return { id: endpointOf(inputs), outs: await this.register(inputs) };
  }

  async update(_id: string, olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.UpdateResult<ConnectionOutputs>> {
    const { registeredAt, inPlace } = olds;
    return { outs: this.mustRegister(olds, news) ? await this.register(news) : { ...news, registeredAt, inPlace: inPlace ?? "not known" } };
  }

  /** The service has no endpoint for this (spec 4): the state forgets the connection, and the user is told what stays behind. */
  async delete(id: string, props: ConnectionOutputs): Promise<void> {
    console.log(
      `Forgotten here only: the service still holds the connection registered by POST ${id} and goes on writing to ` +
        `${props.metricsUrl} and ${props.logsUrl}. There is no endpoint to remove it; to stop the writing, revoke the platform's API key.`,
    );
  }

  /** Whether something in the connection changed, or another one is known to be in its place. */
  private mustRegister(olds: ConnectionOutputs, news: ConnectionInputs): boolean {
    return registeredFields.some((field) => olds[field] !== news[field]) || olds.inPlace === "another one" || olds.inPlace === "none";
  }

  private async register(inputs: ConnectionInputs): Promise<ConnectionOutputs> {
    const keyCommand = `npx pulumi config set --secret ${inputs.serviceApiKeyConfig}`;
    const serviceApiKey = this.config?.get(inputs.serviceApiKeyConfig);
    if (!serviceApiKey) throw new Error(`The service's API key is not set, so nothing was registered. Set it: ${keyCommand}`);
    if (/[^\x20-\x7e]/.test(serviceApiKey)) {
      throw new Error(
        `The service's API key has a character that an HTTP header cannot carry, so nothing was registered. Set it: ${keyCommand}`,
      );
    }
    const { serviceCaCert: caCert } = inputs;
    await registerConnection({ endpoint: endpointOf(inputs), body: connectionBody(inputs), serviceApiKey, keyCommand, caCert });
    return { ...inputs, registeredAt: new Date().toISOString(), inPlace: "this one" };
  }
}
