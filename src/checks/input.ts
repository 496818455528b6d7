/** What the checks are told: by two environment variables, one that people may read in a diff and one that is secret. */
import type { ConnectionBody } from "../connection/registration";
import type { OtlpData } from "../otlp";
import type { DatasourceType } from "../settings/datasource-types";

/** What is checked. Shown in previews and kept in the state in plain. */
export interface CheckTargets {
  grafana: { url: string; orgId?: number | undefined; caCert?: string | undefined };
  datasources: { type: DatasourceType; uid: string; url?: string | undefined }[];
  /** The folder, where the stack puts it into another one. */
  folder?: { uid: string; parentUid: string } | undefined;
  dashboards: { title: string; uid: string; folderUid: string; series: string[] }[];
  otlp: { endpoint: string; data: readonly OtlpData[] };
  serviceUrl: string;
  serviceCaCert?: string | undefined;
  /** Whether the service is asked which connection is in place. */
  verifyConnection: boolean;
  /** What a failed check does. */
  onFailure: "fail" | "warn";
}

/** With what it is checked. Secret as a whole. */
export interface CheckSecrets {
  grafanaAuth: string;
  /** The value of the `Authorization` header of the push. */
  otlpAuthorization: string;
  /** The connection as it was registered, and the service's own key. */
  connection?: { serviceApiKey: string; body: ConnectionBody } | undefined;
  /** Changes with the credentials of the datasources, so that new ones are checked. */
  datasourceFingerprint: string;
  /** Passwords and tokens of the datasources, which may come back in what Grafana passes on. A stack that was deployed earlier has none here. */
  datasourceSecrets?: string[];
}

export const targetsVariable = "LLM_OBSERVABILITY_CHECKS";
export const secretsVariable = "LLM_OBSERVABILITY_CHECKS_SECRETS";

/** Seconds for which a refusal of new credentials is taken for a delay; 30 where it is not set. */
export const patienceVariable = "LLM_OBSERVABILITY_CHECKS_PATIENCE";
