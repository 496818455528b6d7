/** A name of Envoy AI Gateway's `/metrics`, of former releases. All other names are those of the conventions. No export is recorded. */
import { type NameSet, scraped } from "./translate";

export const envoy = { metrics: { tokens: scraped("gen_ai_client_token_usage_token", "histogram") } } as const satisfies NameSet;
