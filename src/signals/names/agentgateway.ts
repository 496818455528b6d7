/**
 * The names of agentgateway on its `/metrics`, from its source code of August 2026: there is no recorded export. It uses the labels of the
 * conventions. Failed requests have no mark.
 * https://github.com/agentgateway/agentgateway/blob/main/crates/agentgateway/src/telemetry/metrics.rs
 */
import { type NameSet, scraped } from "./translate";

export const agentgateway = {
  metrics: {
    requests: scraped("agentgateway_gen_ai_server_request_duration", "histogram"),
    firstToken: scraped("agentgateway_gen_ai_server_time_to_first_token", "histogram"),
    tokens: scraped("agentgateway_gen_ai_client_token_usage", "histogram"),
    /** With a catalog of prices. */
    cost: scraped("agentgateway_gen_ai_client_cost_usd_total", "counter"),
  },
} as const satisfies NameSet;
