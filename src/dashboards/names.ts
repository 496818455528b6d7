/** Titles of the dashboards and of the rules in Grafana. */
export const genaiObservabilityTitle = "GenAI Observability";
export const openTelemetryTitle = "GenAI Observability (OpenTelemetry)";
export const llmMonitoringTitle = (service: string) => `${service} - LLM Monitoring`;

/** The name of the group of recording rules in Grafana. */
export const recordingGroup = "Recording rules";
