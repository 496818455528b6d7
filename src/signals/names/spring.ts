/**
 * The names of Spring AI, Quarkus LangChain4j and LangChain4j, which use Micrometer. Durations are milliseconds by OTLP, and seconds if
 * Prometheus scrapes them. Tokens are a counter. https://docs.spring.io/spring-ai/reference/observability/index.html
 */
import type { NameSet } from "./translate";

export const spring = {
  metrics: {
    /** Buckets require `management.metrics.distribution.percentiles-histogram.gen_ai.client.operation=true`. */
    operations: { name: "gen_ai.client.operation", unit: "milliseconds", kind: "histogram" },
    /** That of the conventions, of Quarkus and LangChain4j. */
    durations: { name: "gen_ai.client.operation.duration", unit: "milliseconds", kind: "histogram" },
    tokens: { name: "gen_ai.client.token.usage", unit: "", kind: "counter" },
    /** The names that Micrometer gives them for Prometheus. */
    scrapedOperations: { name: "gen_ai_client_operation_seconds", unit: "1", kind: "histogram" },
    scrapedTokens: { name: "gen_ai_client_token_usage_total", unit: "", kind: "counter" },
  },
  /** The class of an error; `none` without one. */
  attributes: { error: "error" },
} as const satisfies NameSet;
