/** Direct push from an instrumented application to the platform, as environment variables of any OpenTelemetry SDK. */

/** A type of telemetry that applications push. */
export type OtlpData = "metrics" | "traces";

/** The variables, by name. Secret as a whole: the headers contain the token. */
export type OtlpEnvironment = Readonly<Record<string, string>>;

/** The variables of OpenTelemetry, which most SDKs read, of OpenLLMetry and of Google ADK. */
const withoutContents = {
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "false",
  TRACELOOP_TRACE_CONTENT: "false",
  ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS: "false",
};

/** The `Authorization` header of the push: basic auth with the instance id and the access-policy token. */
export const otlpAuthorization = (instanceId: string, token: string) =>
  `Basic ${Buffer.from(`${instanceId}:${token}`, "utf8").toString("base64")}`;

/** The headers, percent-encoded. SDKs for Java and Ruby read a `+` as a blank. A `=` stays: some SDKs do not decode. */
export const otlpHeaders = (authorization: string) => `Authorization=${authorization.replace(" ", "%20").replaceAll("+", "%2B")}`;

/**
 * The address and the credentials of the push, and what SDKs need in addition: see src/README.md, and "OTLP exporter configuration" in
 * OpenTelemetry's specification.
 *
 * @param endpoint the platform's OTLP endpoint, without the path of a signal
 * @param captureContents whether SDKs decide on their own about prompts and completions, which some record by default
 */
export const otlpEnvironment = (endpoint: string, authorization: string, captureContents: boolean): OtlpEnvironment => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders(authorization),
  // Several SDKs default to gRPC, which an HTTP endpoint does not support.
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  // Prometheus refuses deltas, which an environment can prefer for another platform.
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "cumulative",
  // The token has no scope for logs, and the logs of some SDKs contain prompts.
  OTEL_LOGS_EXPORTER: "none",
  ...(!captureContents && withoutContents),
});

/** The text of an `.env` file. Without quotes: `docker --env-file` reads them as part of a value, and no value here requires them. */
export const dotenv = (environment: OtlpEnvironment) =>
  Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
