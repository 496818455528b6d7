/**
 * The models of the dashboards. The first call loads the SDK's builders, about 300 files: in a deployment that is after the declaration of all
 * resources, while the engine starts its plugins.
 */
type GenaiObservability = typeof import("./genai-observability");
type OpenTelemetry = typeof import("./opentelemetry");
type LlmMonitoring = typeof import("./llm-monitoring");

/** The model of "GenAI Observability" (spec 2.3). */
export const genaiObservability: GenaiObservability["genaiObservability"] = (config) =>
  (require("./genai-observability") as GenaiObservability).genaiObservability(config);

/** The model of "LLM Monitoring" (spec 2.2). */
export const llmMonitoring: LlmMonitoring["llmMonitoring"] = (config) =>
  (require("./llm-monitoring") as LlmMonitoring).llmMonitoring(config);

/** The model of "GenAI Observability (OpenTelemetry)". */
export const openTelemetry: OpenTelemetry["openTelemetry"] = (config) =>
  (require("./opentelemetry") as OpenTelemetry).openTelemetry(config);
