/** What the dashboards are known by (spec 2.2, 2.3). */

/** Title of "GenAI Observability"; its uid is a setting. */
export const genaiObservabilityTitle = "GenAI Observability";

/** Uid of the "LLM Monitoring" dashboard of one service. */
export const llmMonitoringUid = (service: string) => `${service}-llm-monitoring`;

/** Title of the "LLM Monitoring" dashboard of one service. */
export const llmMonitoringTitle = (service: string) => `${service} - LLM Monitoring`;
