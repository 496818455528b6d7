/** The names of gateways on their pages `/metrics`. */
import { type NameSet, scraped } from "./translate";

/**
 * LiteLLM's proxy up to 1.110. By OTLP, it uses the names of the conventions. The value "None" means a missing label.
 * https://docs.litellm.ai/docs/proxy/prometheus
 */
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

/**
 * agentgateway, from its source code of August 2026: there is no recorded export. It uses the labels of the conventions. Failed requests
 * have no mark. https://github.com/agentgateway/agentgateway/blob/main/crates/agentgateway/src/telemetry/metrics.rs
 */
export const agentgateway = {
  metrics: {
    requests: scraped("agentgateway_gen_ai_server_request_duration", "histogram"),
    firstToken: scraped("agentgateway_gen_ai_server_time_to_first_token", "histogram"),
    tokens: scraped("agentgateway_gen_ai_client_token_usage", "histogram"),
    /** With a catalog of prices. */
    cost: scraped("agentgateway_gen_ai_client_cost_usd_total", "counter"),
  },
} as const satisfies NameSet;
