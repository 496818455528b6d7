/** The spec's mappings of label values to names (spec 2.2). The first matching rule applies. */
import type { Rule } from "./promql";

const prefixes = (...texts: string[]) => `(${texts.map((text) => text.replaceAll(".", "\\.")).join("|")}).*`;

/** Categories by `endpoint`, which has the form `<provider>.<operation>`. The spec says "any containing embed", so that rule comes first. */
export const endpointCategories: readonly Rule[] = [
  { name: "Embeddings", pattern: ".*embed.*" },
  {
    name: "Chat",
    pattern: prefixes("openai.chat", "openai.completions", "anthropic.messages", "cohere.summarize", "cohere.generate", "cohere.chat"),
  },
  { name: "Image", pattern: prefixes("openai.images") },
  { name: "Audio", pattern: prefixes("openai.audio") },
  { name: "Fine Tuning", pattern: prefixes("openai.fine_tuning") },
];

/** The category of all other endpoints. */
export const otherCategory = "Other";

/** Names of providers by `platform`, in upper or lower case. Other providers keep the label's value. */
export const providerNames: readonly Rule[] = ["OpenAI", "Cohere", "Anthropic"].map((name) => ({
  name,
  pattern: `(?i)${name.toLowerCase()}`,
}));
