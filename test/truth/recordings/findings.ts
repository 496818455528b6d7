/** What the checks say about the recorded export of each SDK, alone on a Prometheus and a Tempo. */

interface Findings {
  /** About the series of "GenAI Observability (OpenTelemetry)", with recording rules. */
  recorded: string;
  /** A part of what they say without. */
  direct?: string;
  /** About spans, if it is not that they arrive for this dashboard. */
  spans?: string;
}

const arrive = (words = "OpenTelemetry's conventions up to 1.41") => `arrive (${words})`;
const noFirstToken = (application: string) => `No time to first token from ${application}: nothing in "p95 Time to First Token"`;
const neither = (application: string) => `ok: ${[arrive(), noFirstToken(application)].join(". ")}`;
const nothing = "note: no data yet: no gen_ai_client_operation_duration_seconds_count and 2 more in the last 24 hours";
const tracesOnly = (application: string, why = "") =>
  `Spans of ${application} arrive, but no metrics: either the application exports traces only${why}, or its metrics are refused, as Prometheus refuses ` +
  "delta temporality. Set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does";
const onlyRules = (what: string) => `Only recording rules read ${what}: npx pulumi config set recordingRules grafana`;
const leftOut = (application: string, words: string) =>
  `note: no data. Panels leave out ${application}, since only recording rules read ${words}: npx pulumi config set recordingRules grafana`;
const after141 = "OpenTelemetry's conventions after 1.41";
const exponential = "exponential histograms";

export const findings: Record<string, Findings> = {
  "openlit-python-1.45.0": { recorded: `ok: ${arrive()}`, direct: `ok: ${arrive()}` },
  "openlit-node-1.15.0": { recorded: `ok: ${arrive()}`, direct: `ok: ${arrive()}` },
  "opentelemetry-instrumentation-openai-v2-2.4b0": { recorded: neither("shop") },
  "opentelemetry-instrumentation-openai-v2-2.4b0-gen_ai_latest_experimental": { recorded: neither("shop") },
  "opentelemetry-instrumentation-openai-v2-2.4b0-exponential": {
    recorded: `ok: ${[arrive(exponential), noFirstToken("exponential")].join(". ")}`,
    direct: leftOut("exponential", exponential),
  },
  "opentelemetry-instrumentation-genai-openai-1.3b0": { recorded: `ok: ${arrive()}` },
  "openllmetry-openai-0.62.4": {
    recorded: `ok: ${arrive()}`,
    direct: onlyRules("the time to first token of shop"),
  },
  "openai-agents-0.24.0": {
    recorded: neither("openai-agents"),
    direct:
      "Panels count turns of agents of openai-agents as requests, and recording rules do not: npx pulumi config set recordingRules grafana",
  },
  "ai-sdk-7.0.173": {
    recorded: `note: ${[arrive(after141), "No tokens from ai-sdk: nothing in the panels of tokens", noFirstToken("ai-sdk")].join(". ")}`,
    direct: leftOut("ai-sdk", after141),
  },
  "ai-sdk-legacy-7.0.173": {
    recorded: `${nothing}. ${tracesOnly("ai-sdk-legacy")}`,
    spans:
      "note: Spans of ai-sdk-legacy lack gen_ai.operation.name, by which the tables find requests: use a later release of its instrumentation",
  },
  "agento11y-0.21.0": { recorded: neither("agento11y") },
  "google-adk-2.13.0": { recorded: neither("google-adk") },
  "langchain-openllmetry-0.62.4": { recorded: neither("langchain-openllmetry") },
  "litellm-1.106.2": { recorded: `ok: ${arrive()}`, direct: onlyRules("the time to first token of litellm-metrics") },
  "litellm-1.106.2, only traces": {
    recorded: `${nothing}. ${tracesOnly("litellm-metrics", ", as LiteLLM does without LITELLM_OTEL_INTEGRATION_ENABLE_METRICS=true")}`,
  },
  "pydantic-ai-2.68.0": {
    recorded: `note: ${arrive()}. No durations from pydantic-ai: nothing in "p95 Latency" and "p95 Latency by Application"`,
    direct: onlyRules("the number of requests of pydantic-ai, the costs of pydantic-ai"),
  },
  "strands-agents-1.62.0": {
    recorded:
      `${nothing}. strands sends spans, and metrics under other names, which no panel reads: strands_event_loop_cache_read_input_tokens_token, ` +
      "strands_event_loop_cycle_count_Count, strands_event_loop_cycle_duration_seconds and 6 more. Use an instrumentation that follows OpenTelemetry's " +
      "conventions for generative AI",
  },
  "agent-framework-1.23.0": { recorded: neither("agent-framework"), direct: onlyRules("the tokens of agent-framework") },
  "openinference-openai-0.1.66": {
    recorded: `${nothing}. phoenix sends spans of OpenInference, whose instrumentations send no metrics, which panels read`,
    spans:
      "note: Spans of phoenix lack gen_ai.operation.name, by which the tables find requests: OpenInference adds it with " +
      "OPENINFERENCE_ENABLE_GENAI_SEMCONV=true",
  },
};
