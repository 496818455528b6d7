/** Titles of the dashboards (spec 2.2, 2.3, and one for the telemetry of current SDKs). */

/** Title of "GenAI Observability". */
export const genaiObservabilityTitle = "GenAI Observability";

/** Title of the dashboard for the telemetry of current SDKs. */
export const openTelemetryTitle = "GenAI Observability (OpenTelemetry)";

/** Title of a service's "LLM Monitoring". */
export const llmMonitoringTitle = (service: string) => `${service} - LLM Monitoring`;
