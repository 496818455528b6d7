/** The dynamic provider of `Connection`: what its resources do. Pulumi runs it in a process of its own, see `connection.ts`. */
import type { dynamic } from "@pulumi/pulumi";
import { isReplaced } from "./diff";
import { type RegisteredConnection, readRegisteredConnection, registerConnection } from "./exchange";
import { describeOther } from "./outcome";
import { type ConnectionFields, connectionBody, connectionFields } from "./registration";

/** The inputs: the fields of the connection, and the service. */
export interface ConnectionInputs<T = string, Optional = T> extends ConnectionFields<T> {
  /** The base address of the service, without a slash at the end. A new address replaces the resource; the old service keeps its copy. */
  serviceUrl: T;
  /**
   * The full config key (`project:key`) of the service's API key. The API key itself is no input: it authenticates the request and is not
   * part of the connection, so a new key does not register again.
   */
  serviceApiKeyConfig: string;
  /** The CA certificate of the service, in PEM format. Defaults to the public CAs. A new one does not register again. */
  serviceCaCert?: Optional;
  /** Any text. A new value registers the connection again. */
  registrationTrigger?: Optional;
  /** "on": `refresh` reads the connection at the service. If it has none, the next `up` registers again. */
  verifyConnection: "on" | "off";
}

/** The properties in the state. */
export interface ConnectionOutputs extends ConnectionInputs {
  registeredAt: string;
  registeredConnection: RegisteredConnection;
}

/** The inputs whose change registers again. */
const registeredInputs = [...Object.keys(connectionFields), "registrationTrigger"] as (keyof ConnectionInputs)[];

const requestOf = ({ serviceUrl, serviceCaCert: caCert, ...fields }: ConnectionInputs) => {
  return { endpoint: `${serviceUrl}/api/connections`, body: connectionBody(fields), caCert };
};

export class ConnectionProvider {
  /** @param config of the stack */
  constructor(private readonly config: dynamic.Config | undefined) {}

  /** Refresh: the state, with the connection that the service has now. "unknown" changes nothing. */
  async read(id: string, props?: ConnectionOutputs): Promise<dynamic.ReadResult<ConnectionOutputs>> {
    const serviceApiKey = props?.verifyConnection === "on" && this.config?.get(props.serviceApiKeyConfig);
    if (!props || !serviceApiKey) return props ? { id, props } : { id };
    const found = await readRegisteredConnection({ ...requestOf(props), serviceApiKey });
    return { id, props: found === "unknown" ? props : { ...props, registeredConnection: found } };
  }

  async create(inputs: ConnectionInputs): Promise<dynamic.CreateResult<ConnectionOutputs>> {
    return { id: requestOf(inputs).endpoint, outs: await this.register(inputs) };
  }

  async update(_id: string, olds: ConnectionOutputs, news: ConnectionInputs): Promise<dynamic.UpdateResult<ConnectionOutputs>> {
    const { registeredAt, registeredConnection = "unknown" } = olds;
    const isChanged = registeredInputs.some((name) => olds[name] !== news[name]);
    if (isChanged || registeredConnection === "none") return { outs: await this.register(news) };
    // No error: a preview, which announced an update, cannot announce one. The checks fail.
    if (isReplaced(olds, news)) console.log(describeOther());
    return { outs: { ...news, registeredAt, registeredConnection } };
  }

  private async register(inputs: ConnectionInputs): Promise<ConnectionOutputs> {
    const keyCommand = `npx pulumi config set --secret ${inputs.serviceApiKeyConfig} --stack STACK`;
    const serviceApiKey = this.config?.get(inputs.serviceApiKeyConfig);
    if (!serviceApiKey || /[^\x20-\x7e]/.test(serviceApiKey)) {
      const problem = serviceApiKey ? "has a character that an HTTP header cannot contain" : "is not set";
      throw new Error(`The service's API key ${problem}, so the connection was not registered. Set it: ${keyCommand}`);
    }
    await registerConnection({ ...requestOf(inputs), serviceApiKey, keyCommand });
    return { ...inputs, registeredAt: new Date().toISOString(), registeredConnection: "current" };
  }
}
