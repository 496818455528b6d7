/** The name of tokens on the page `/metrics` of former releases of Envoy AI Gateway. No export is recorded. */
import { type NameSet, scraped } from "./translate";

export const envoy = { metrics: { tokens: scraped("gen_ai_client_token_usage_token", "histogram") } } as const satisfies NameSet;
