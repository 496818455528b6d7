/** The input of the checks: one environment variable that diffs show, and one that is secret. */
import type { ConnectionBody } from "../connection/registration";
import type { DashboardDefinition } from "../dashboards/definitions";
import type { OtlpData } from "../otlp";
import type { DatasourceType } from "../settings/keys";
import type { Naming } from "../signals/names/translate";
import type { Gateways } from "../signals/opentelemetry-rules";
import type { SdkTelemetry } from "../signals/signal";

/** A dashboard. One for the telemetry of SDKs has a query of the spans that it shows. */
export interface CheckedDashboard extends Pick<DashboardDefinition, "title" | "uid" | "series"> {
  folderUid: string;
  sdk?: { telemetry: SdkTelemetry; spans: string } | undefined;
}

/** The telemetry of SDKs. */
export interface SdkTargets {
  /** The settings `sdkName`, `metricNaming` and `gateways`. */
  name: string;
  naming: Naming;
  gateways?: Gateways | undefined;
  /** Whether panels read the samples of counters. */
  readsSamples?: boolean | undefined;
  /** Applications with a budget of their own. */
  budgets?: readonly string[] | undefined;
  /** The counters that show whether processes share series, each with a selector of its series. */
  counters: readonly { series: string; selector: string }[];
}

/** The recording rules that write samples whenever telemetry arrives. */
export interface RecordingTargets {
  /** Who evaluates them. */
  by: "grafana" | "external";
  /** Their folder in Grafana. */
  folderUid: string;
  rules: readonly { name: string; reads: string }[];
  /** A series that has a sample of each evaluation, whether telemetry arrives or not. */
  steady?: string | undefined;
}

/** The objects to check. Shown in previews and stored in plain text. */
export interface CheckTargets {
  grafana: { url: string; caCert?: string | undefined };
  datasources: { type: DatasourceType; uid: string; url?: string | undefined }[];
  /** The tenant of managed datasources. */
  tenant?: string | undefined;
  /** The folder, if the stack creates it in a parent folder. */
  folder?: { uid: string; parentUid: string } | undefined;
  dashboards: CheckedDashboard[];
  /** A selector of the service's log streams; undefined if no dashboard reads them. */
  streams?: string | undefined;
  /** Undefined if no dashboard reads the telemetry of SDKs. */
  sdk?: SdkTargets | undefined;
  recording?: RecordingTargets | undefined;
  otlp: { endpoint: string; data: readonly OtlpData[] };
  serviceUrl: string;
  serviceCaCert?: string | undefined;
  /** Whether to read the registered connection at the service, and which one the last refresh found. */
  verifyConnection: boolean;
  registeredConnection?: string | undefined;
  /** Whether a failed check fails the deployment. */
  onFailure: "fail" | "warn";
}

/** The credentials of the checks. */
export interface CheckSecrets {
  grafanaAuth: string;
  /** Value of the header `Authorization` of the push. */
  otlpAuthorization: string;
  /** The connection and the service's API key. Only with `verifyConnection`. */
  connection?: { serviceApiKey: string; body: ConnectionBody } | undefined;
  /** Hash of the datasources' credentials, so that the checks run again with new ones. */
  datasourceFingerprint: string;
  /** Passwords and tokens of the datasources, which Grafana's messages may contain. */
  datasourceSecrets?: string[];
}

export const targetsVariable = "LLM_OBSERVABILITY_CHECKS";
export const secretsVariable = "LLM_OBSERVABILITY_CHECKS_SECRETS";

export function readInput<T>(variable: string): T {
  const text = process.env[variable];
  if (!text) throw new Error(`checks: the variable ${variable} is not set. \`pulumi up\` and \`npm run doctor\` run the checks.`);
  return JSON.parse(text) as T;
}

/** For how many seconds to repeat a check whose credentials were refused: new ones may take effect late. Defaults to 30. */
export const retrySecondsVariable = "LLM_OBSERVABILITY_CHECKS_RETRY_SECONDS";
