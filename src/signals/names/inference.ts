/**
 * OpenTelemetry's semantic conventions for generative AI after 1.41. Requests to models and embeddings have different names, and tokens of
 * requests are counters. All other names are still those of `conventions.ts`. https://github.com/open-telemetry/semantic-conventions-genai
 */
import type { NameSet } from "./translate";

export const inference = {
  metrics: {
    operations: { name: "gen_ai.client.inference.duration", unit: "s", kind: "histogram" },
    embeddings: { name: "gen_ai.client.embeddings.duration", unit: "s", kind: "histogram" },
    firstChunk: { name: "gen_ai.client.inference.time_to_first_chunk", unit: "s", kind: "histogram" },
    inputTokens: { name: "gen_ai.client.inference.usage.input_tokens", unit: "{token}", kind: "counter" },
    outputTokens: { name: "gen_ai.client.inference.usage.output_tokens", unit: "{token}", kind: "counter" },
    embeddingTokens: { name: "gen_ai.client.embeddings.operation.input_tokens", unit: "{token}", kind: "histogram" },
    /** Subsets of the input tokens. */
    cacheReadTokens: { name: "gen_ai.client.inference.usage.cache_read.input_tokens", unit: "{token}", kind: "counter" },
    cacheWriteTokens: { name: "gen_ai.client.inference.usage.cache_write.input_tokens", unit: "{token}", kind: "counter" },
  },
} as const satisfies NameSet;
