/** Titles and uids of the dashboards (spec 2.2, 2.3, and one for the telemetry of current SDKs). */

/** Title of "GenAI Observability". Its uid is a setting. */
export const genaiObservabilityTitle = "GenAI Observability";

/** Title of the dashboard for the telemetry of current SDKs. Its uid is a setting. */
export const openTelemetryTitle = "GenAI Observability (OpenTelemetry)";

/** Uid of a service's "LLM Monitoring". */
export const llmMonitoringUid = (service: string) => `${service}-llm-monitoring`;

/** Title of a service's "LLM Monitoring". */
export const llmMonitoringTitle = (service: string) => `${service} - LLM Monitoring`;
