/** Names in Grafana: titles of the dashboards (spec 2.2, 2.3, and one for the telemetry of current SDKs), and of the rules. */
export const genaiObservabilityTitle = "GenAI Observability";
export const openTelemetryTitle = "GenAI Observability (OpenTelemetry)";
export const llmMonitoringTitle = (service: string) => `${service} - LLM Monitoring`;

/** The name of the group of recording rules in Grafana. */
export const recordingGroup = "Recording rules";
