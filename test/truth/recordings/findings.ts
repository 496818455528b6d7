/** What the checks say about the recorded export of each SDK, alone on a Prometheus and a Tempo. */

interface Findings {
  /** About the series of "GenAI Observability (OpenTelemetry)". */
  series: string;
  /** About spans, if it is not that they arrive for this dashboard. */
  spans?: string;
}

const arrive = (words = "OpenTelemetry's conventions up to 1.41") => `arrive (${words})`;
const noFirstToken = (application: string) => `No time to first token from ${application}: nothing in "p95 First Token"`;
const neither = (application: string, words?: string) => `ok: ${[arrive(words), noFirstToken(application)].join(". ")}`;
const nothing = "note: no data yet: no gen_ai_client_operation_duration_seconds_count and 2 more in the last 24 hours";
const tracesOnly = (application: string, why = "") =>
  `Spans of ${application} arrive, but no metrics: either the application exports traces only${why}, or its metrics are refused, as Prometheus refuses ` +
  "delta temporality. Set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does";
const after141 = "OpenTelemetry's conventions after 1.41";

export const findings: Record<string, Findings> = {
  "openlit-python-1.45.0": { series: `ok: ${arrive()}` },
  "openlit-node-1.15.0": { series: `ok: ${arrive()}` },
  "opentelemetry-instrumentation-openai-v2-2.4b0": { series: neither("shop") },
  "opentelemetry-instrumentation-openai-v2-2.4b0-gen_ai_latest_experimental": { series: neither("shop") },
  "opentelemetry-instrumentation-openai-v2-2.4b0-exponential": {
    series: neither("exponential", "exponential histograms"),
  },
  "opentelemetry-instrumentation-genai-openai-1.3b0": { series: `ok: ${arrive()}` },
  "openllmetry-openai-0.62.4": {
    series: `ok: ${arrive()}`,
  },
  "openai-agents-0.24.0": {
    series: neither("openai-agents"),
  },
  "ai-sdk-7.0.173": {
    series: `note: ${[arrive(after141), "No tokens from ai-sdk: nothing in the panels of tokens", noFirstToken("ai-sdk")].join(". ")}`,
  },
  "ai-sdk-legacy-7.0.173": {
    series: `${nothing}. ${tracesOnly("ai-sdk-legacy")}`,
    spans:
      "note: Spans of ai-sdk-legacy lack gen_ai.operation.name, by which the tables find requests: use a later release of its instrumentation",
  },
  "agento11y-0.21.0": { series: neither("agento11y") },
  "google-adk-2.13.0": { series: neither("google-adk") },
  "langchain-openllmetry-0.62.4": { series: neither("langchain-openllmetry") },
  "litellm-1.106.2": { series: `ok: ${arrive()}` },
  "litellm-1.106.2, only traces": {
    series: `${nothing}. ${tracesOnly("litellm-metrics", ", as LiteLLM does without LITELLM_OTEL_INTEGRATION_ENABLE_METRICS=true")}`,
  },
  "pydantic-ai-2.68.0": {
    series: `note: ${arrive()}. No durations from pydantic-ai: nothing in "p95 Latency" and its graph`,
  },
  "strands-agents-1.62.0": {
    series:
      `${nothing}. strands sends metrics under other names, which no panel reads: strands_event_loop_cache_read_input_tokens_token, ` +
      "strands_event_loop_cycle_count_Count, strands_event_loop_cycle_duration_seconds and 6 more. Use an instrumentation that follows OpenTelemetry's " +
      "conventions for generative AI",
  },
  "agent-framework-1.23.0": { series: neither("agent-framework") },
  "spring-ai-2.0.1": { series: neither("spring-ai-app", "Spring AI's names") },
  "spring-ai-percentiles-histogram-2.0.1": { series: neither("spring-ai-hist-app", "Spring AI's names") },
  "openllmetry-bedrock-0.62.4": { series: neither("traceloop-bedrock-app") },
  "genai-bedrock-1.3b0": { series: `ok: ${arrive()}` },
  "genai-anthropic-1.3b0": { series: `ok: ${arrive()}` },
  "openinference-openai-0.1.66": {
    series: `${nothing}. phoenix sends spans of OpenInference, whose instrumentations send no metrics, which panels read`,
    spans:
      "note: Spans of phoenix lack gen_ai.operation.name, by which the tables find requests: OpenInference adds it with " +
      "OPENINFERENCE_ENABLE_GENAI_SEMCONV=true",
  },
};
