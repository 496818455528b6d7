/**
 * The dynamic provider of `Connection`. The engine stores its code in the state as text, so this file and `exchange.ts` use Node's
 * globals only and import nothing but types; a test serializes and drives it.
 *
 * The service's own key is never an input: it is read, when a request needs it, from the stack config that the engine hands to `configure`.
 */
import type { dynamic } from "@pulumi/pulumi";
import { registerConnection } from "./exchange";

/** Inputs as the engine hands them over: plain values. */
export interface ConnectionInputs {
  serviceUrl: string;
  /** Full config key (`project:key`) that holds the service's API key. */
  serviceApiKeyConfig: string;
  platform: string;
  metricsUrl: string;
  metricsUsername: string;
  logsUrl: string;
  logsUsername: string;
  platformApiKey: string;
  registrationTrigger?: string;
}

/** What the state keeps: the inputs, and when the service last accepted them (ISO 8601). */
export interface ConnectionOutputs extends ConnectionInputs {
  registeredAt: string;
}

export class ConnectionProvider implements dynamic.ResourceProvider<ConnectionInputs, ConnectionOutputs> {
  private config: dynamic.Config | undefined;

  /** Never throws: that would block `destroy`, which needs no key. */
  async configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.config = request.config;
  }

  /** The service's address is the connection's identity; its own key, and the name under which that is kept, are no part of it. */
  async diff(_id: string, olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.DiffResult> {
    const fields = [
      "platform",
      "metricsUrl",
      "metricsUsername",
      "logsUrl",
      "logsUsername",
      "platformApiKey",
      "registrationTrigger",
    ] as const;
    const replaces = olds.serviceUrl === news.serviceUrl ? [] : ["serviceUrl"];
    return { changes: replaces.length > 0 || fields.some((field) => olds[field] !== news[field]), replaces };
  }

  async create(inputs: ConnectionInputs): Promise<dynamic.CreateResult<ConnectionOutputs>> {
    return { id: `${inputs.serviceUrl}/api/connections`, outs: await this.register(inputs) };
  }

  async update(_id: string, _olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.UpdateResult<ConnectionOutputs>> {
    return { outs: await this.register(news) };
  }

  /** The service has no endpoint for this (spec 4): the state forgets the connection, and the user is told what stays behind. */
  async delete(id: string, props: ConnectionOutputs): Promise<void> {
    console.log(
      `Forgotten here only: the service still holds the connection registered by POST ${id} and goes on writing to ` +
        `${props.metricsUrl} and ${props.logsUrl}. There is no endpoint to remove it; to stop the writing, revoke the platform's API key.`,
    );
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
    await registerConnection({
      endpoint: `${inputs.serviceUrl}/api/connections`,
      serviceApiKey,
      keyCommand,
      body: {
        Platform: inputs.platform,
        MetricsUrl: inputs.metricsUrl,
        MetricsUsername: inputs.metricsUsername,
        LogsUrl: inputs.logsUrl,
        LogsUsername: inputs.logsUsername,
        ApiKey: inputs.platformApiKey,
      },
    });
    return { ...inputs, registeredAt: new Date().toISOString() };
  }
}
