/** Titles of the dashboards (spec 2.2, 2.3, and one for the telemetry of current SDKs). */
export const genaiObservabilityTitle = "GenAI Observability";
export const openTelemetryTitle = "GenAI Observability (OpenTelemetry)";
export const llmMonitoringTitle = (service: string) => `${service} - LLM Monitoring`;
