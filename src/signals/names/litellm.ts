/**
 * The names of LiteLLM's proxy on its `/metrics`, up to 1.110. By OTLP, it uses the names of the conventions. The value "None" means a
 * missing label. https://docs.litellm.ai/docs/proxy/prometheus
 */
import { type NameSet, scraped } from "./translate";

export const litellm = {
  metrics: {
    /** The requests of clients, not tries. Requests of the page `/metrics` count, too. */
    requests: scraped("litellm_proxy_total_requests_metric_total", "counter"),
    /** Of successful requests. */
    latency: scraped("litellm_request_total_latency_metric", "histogram"),
    firstToken: scraped("litellm_llm_api_time_to_first_token_metric", "histogram"),
    inputTokens: scraped("litellm_input_tokens_metric_total", "counter"),
    outputTokens: scraped("litellm_output_tokens_metric_total", "counter"),
    /** Parts of the input. */
    cachedTokens: scraped("litellm_input_cached_tokens_metric_total", "counter"),
    writtenTokens: scraped("litellm_input_cache_creation_tokens_metric_total", "counter"),
    cost: scraped("litellm_spend_metric_total", "counter"),
  },
  attributes: {
    ...{ provider: "api_provider", model: "requested_model", responseModel: "model", status: "status_code", route: "route" },
    ...{ key: "api_key_alias", team: "team_alias" },
  },
} as const satisfies NameSet;
