/** The dynamic provider of `Connection`: what its resources do. Pulumi runs it in a process of its own, see `connection.ts`. */
import type { dynamic } from "@pulumi/pulumi";
import { registerConnection } from "./exchange";
import { type ConnectionBody, type ConnectionFields, connectionFields } from "./registration";

/** The inputs: the fields of the connection, and the service. */
export interface ConnectionInputs extends ConnectionFields {
  /** The base address of the service, without a slash at the end. A new address replaces the resource; the old service keeps its copy. */
  serviceUrl: string;
  /**
   * The full config key (`project:key`) of the service's API key. The API key itself is no input: it authenticates the request and is not
   * part of the connection, so a new key does not register again.
   */
  serviceApiKeyConfig: string;
  /** The CA certificate of the service, in PEM format. Defaults to the public CAs. A new one does not register again. */
  serviceCaCert?: string | undefined;
  /** Any text. A new value registers the connection again. */
  registrationTrigger?: string | undefined;
}

/** The properties in the state. */
export type ConnectionOutputs = ConnectionInputs & { registeredAt: string };

/** The inputs whose change registers again. */
const registeredInputs = [...Object.keys(connectionFields), "registrationTrigger"] as (keyof ConnectionInputs)[];

const requestOf = (inputs: ConnectionInputs) => {
  const body = Object.fromEntries(Object.entries(connectionFields).map(([name, field]) => [field, inputs[name as keyof ConnectionFields]]));
  return { endpoint: `${inputs.serviceUrl}/api/connections`, body: body as ConnectionBody, caCert: inputs.serviceCaCert };
};

export class ConnectionProvider {
  /** @param config of the stack */
  constructor(private readonly config: dynamic.Config | undefined) {}

  /** A refresh of a state of 0.2.0 or earlier calls it. The service has no endpoint to read a connection. */
  async read(id: string, props: ConnectionOutputs): Promise<dynamic.ReadResult<ConnectionOutputs>> {
    return { id, props };
  }

  async create(inputs: ConnectionInputs): Promise<dynamic.CreateResult<ConnectionOutputs>> {
    return { id: requestOf(inputs).endpoint, outs: await this.register(inputs) };
  }

  async update(_id: string, olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.UpdateResult<ConnectionOutputs>> {
    const isChanged = registeredInputs.some((name) => olds[name] !== news[name]);
    return { outs: isChanged ? await this.register(news) : { ...news, registeredAt: olds.registeredAt } };
  }

  private async register(inputs: ConnectionInputs): Promise<ConnectionOutputs> {
    const keyCommand = `npx pulumi config set --secret ${inputs.serviceApiKeyConfig} --stack STACK`;
    const serviceApiKey = this.config?.get(inputs.serviceApiKeyConfig);
    if (!serviceApiKey || /[^\x20-\x7e]/.test(serviceApiKey)) {
      const problem = serviceApiKey ? "has a character that an HTTP header cannot contain" : "is not set";
      throw new Error(`The service's API key ${problem}, so the connection was not registered. Set it: ${keyCommand}`);
    }
    await registerConnection({ ...requestOf(inputs), serviceApiKey, keyCommand });
    return { ...inputs, registeredAt: new Date().toISOString() };
  }
}
