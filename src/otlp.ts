/** Direct push from an instrumented application to the platform, as environment variables of any OpenTelemetry SDK. */

/** A kind of telemetry that applications push. */
export type OtlpData = "metrics" | "traces";

/** Where and as whom an application pushes. */
export interface OtlpPush {
  /** The platform's OTLP endpoint, without a signal's path. */
  endpoint: string;
  instanceId: string;
  /** Access-policy token; plain text, so call this inside of `apply` only. */
  token: string;
}

/** The variables, by name. The set holds the token: it is a secret as a whole. */
export interface OtlpEnvironment {
  OTEL_EXPORTER_OTLP_ENDPOINT: string;
  OTEL_EXPORTER_OTLP_HEADERS: string;
  OTEL_EXPORTER_OTLP_PROTOCOL: string;
}

/**
 * The two variables of spec 5.4, and the protocol: several SDKs default to gRPC, which an HTTP endpoint does not speak
 * (OpenTelemetry specification, "OTLP exporter configuration"). The space after `Basic` is `%20`, since header values in this
 * variable are percent-encoded.
 */
export function otlpEnvironment({ endpoint, instanceId, token }: OtlpPush): OtlpEnvironment {
  const credentials = Buffer.from(`${instanceId}:${token}`, "utf8").toString("base64");
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Basic%20${credentials}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  };
}

/** The same as the text of an `.env` file. Unquoted, since `docker --env-file` takes quotes as part of a value; no value here needs them. */
export function dotenv(environment: OtlpEnvironment): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

/** Scopes that the token's access policy needs for `data` (spec 5.3). */
export function tokenScopes(data: readonly OtlpData[]): string[] {
  return data.map((kind) => `${kind}:write`);
}

/** The value of the `Authorization` header that the variables lead to. */
export function authorizationOf({ OTEL_EXPORTER_OTLP_HEADERS: headers }: OtlpEnvironment): string {
  return decodeURIComponent(headers.replace(/^Authorization=/, ""));
}
