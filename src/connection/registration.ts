/** The data of a registration: the connection's fields and the request that carries them, see README.md in this folder. */

/** The fields of a connection, as the settings name and describe them, with their names in the request body. */
export const connectionFields = {
  platformName: "Platform",
  metricsUrl: "MetricsUrl",
  metricsUsername: "MetricsUsername",
  logsUrl: "LogsUrl",
  logsUsername: "LogsUsername",
  /** Always stored as a secret. */
  platformApiKey: "ApiKey",
} as const;

export type ConnectionFields = Record<keyof typeof connectionFields, string>;
/** The request body. */
export type ConnectionBody = Record<(typeof connectionFields)[keyof typeof connectionFields], string>;

export interface Registration {
  /** The address of the endpoint: `{base_url}/api/connections`. */
  endpoint: string;
  /** The service's API key: the raw value of the `Authorization` header. */
  serviceApiKey: string;
  /** The command that sets that key, for messages. */
  keyCommand: string;
  body: ConnectionBody;
  /** The CA certificate of the service, in PEM format. Defaults to the public CAs. */
  caCert?: string | undefined;
}

/** The two keys of a request, which no message may contain. */
export const keysOf = ({ serviceApiKey, body }: Pick<Registration, "serviceApiKey" | "body">) => [serviceApiKey, body.ApiKey];
