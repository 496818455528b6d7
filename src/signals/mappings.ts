/** The spec's mappings of label values to names (spec 2.2). */
import { quote } from "./promql";

/** Maps a label value to a name. The regular expression matches the whole value. */
type Mapping = readonly [name: string, pattern: string];

const prefixes = (...texts: string[]) => `(${texts.map((text) => text.replaceAll(".", "\\.")).join("|")}).*`;

/** Categories by `endpoint`, which has the form `<provider>.<operation>`. The spec says "any containing embed", so that rule comes first. */
export const endpointCategories: readonly Mapping[] = [
  ["Embeddings", ".*embed.*"],
  ["Chat", prefixes("openai.chat", "openai.completions", "anthropic.messages", "cohere.summarize", "cohere.generate", "cohere.chat")],
  ["Image", prefixes("openai.images")],
  ["Audio", prefixes("openai.audio")],
  ["Fine Tuning", prefixes("openai.fine_tuning")],
];

/** The category of all other endpoints. */
export const otherCategory = "Other";

/** Names of providers by `platform`, in upper or lower case. Other providers keep the label's value. */
export const providerNames: readonly Mapping[] = ["OpenAI", "Cohere", "Anthropic"].map((name) => [name, `(?i)${name.toLowerCase()}`]);

/** Sets `label` to the name of the first rule that matches the label `from`. If none matches, sets it to `otherwise`; `$1` is the value of `from`. */
export function mapLabel(query: string, label: string, from: string, rules: readonly Mapping[], otherwise: string): string {
  const fallback = `label_replace(${query}, "${label}", "${otherwise}", "${from}", "(.*)")`;
  // An outer call overwrites the inner ones, so the first rule is the outermost.
  return rules.reduceRight(
    (inner, [name, pattern]) => `label_replace(${inner}, "${label}", "${name}", "${from}", ${quote(pattern)})`,
    fallback,
  );
}
