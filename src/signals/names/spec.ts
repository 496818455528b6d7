/** The names that "GenAI Observability" reads. OpenLIT exported them in 2024: test/recorded/otlp/openlit-python-1.10.0.json. */
import type { NameSet } from "./translate";

export const spec = {
  metrics: {
    requests: { name: "gen_ai.total.requests", unit: "1", kind: "counter" },
    databaseRequests: { name: "db.total.requests", unit: "1", kind: "counter" },
    tokens: { name: "gen_ai.usage.total_tokens", unit: "1", kind: "counter" },
    promptTokens: { name: "gen_ai.usage.prompt_tokens", unit: "1", kind: "counter" },
    completionTokens: { name: "gen_ai.usage.completion_tokens", unit: "1", kind: "counter" },
    /** The cost of each request. The lowest bound is 5 USD. */
    cost: { name: "gen_ai.usage.cost", unit: "USD", kind: "histogram" },
  },
  attributes: {
    sdk: "telemetry.sdk.name",
    application: "gen_ai.application_name",
    environment: "gen_ai.environment",
    model: "gen_ai.request.model",
    provider: "gen_ai.system",
    /** `chat`, `embedding` and others; `vectordb` for requests to vector databases. */
    type: "gen_ai.type",
    databaseSystem: "db.system",
    databaseOperation: "db.operation",
  },
} as const satisfies NameSet;
