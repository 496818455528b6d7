/** The spec's mappings of label values to what people read (spec 2.2). Where two rules fit, the first one holds. */
import type { Rule } from "./promql";

const startingWith = (...prefixes: string[]) => `(${prefixes.map((prefix) => prefix.replaceAll(".", "\\.")).join("|")}).*`;

/** Categories of `endpoint`, whose form is `<provider>.<operation>`. "Any containing embed" is the widest rule, so it comes first. */
export const endpointCategories: readonly Rule[] = [
  { name: "Embeddings", pattern: ".*embed.*" },
  {
    name: "Chat",
    pattern: startingWith("openai.chat", "openai.completions", "anthropic.messages", "cohere.summarize", "cohere.generate", "cohere.chat"),
  },
  { name: "Image", pattern: startingWith("openai.images") },
  { name: "Audio", pattern: startingWith("openai.audio") },
  { name: "Fine Tuning", pattern: startingWith("openai.fine_tuning") },
];

/** The category of an endpoint outside of the table: it stays visible. */
export const otherCategory = "Other";

/** Names of providers by `platform`, in whatever case the service writes it. Any other provider keeps its own name. */
export const providerNames: readonly Rule[] = ["OpenAI", "Cohere", "Anthropic"].map((name) => ({
  name,
  pattern: `(?i)${name.toLowerCase()}`,
}));
