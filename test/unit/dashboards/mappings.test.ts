/** What the pies of categories and providers name: their queries' `label_replace` calls, evaluated as Prometheus does. */
import { describe, expect, it } from "vitest";
import { exampleA, panelsOf } from "../../support/models";
import { type LabelReplace, PromQL } from "./promql";

/** Go's regular expressions match the whole value, and have flags in front. */
function matchAll(regex: string, value: string): RegExpExecArray | null {
  const [, flags = "", pattern = regex] = /^\(\?(\w+)\)(.*)$/s.exec(regex) ?? [];
  return new RegExp(`^(?:${pattern})$`, `s${flags}`).exec(value);
}

/** One call: where the value of `from` matches, `to` is written; an empty value is a missing label. */
function apply(labels: Record<string, string>, { to, replacement, from, regex }: LabelReplace): Record<string, string> {
  const match = matchAll(regex, labels[from] ?? "");
  if (!match) return labels;
  return { ...labels, [to]: replacement.replace(/\$(?:(\d+)|\{(\d+)\})/g, (_all, plain, curly) => match[Number(plain ?? curly)] ?? "") };
}

/** What the legend of a panel shows for series with these labels. */
function legend(title: string, labels: Record<string, string>): string {
  const target = panelsOf(exampleA).find((panel) => panel.title === title)?.targets?.[0];
  const result = new PromQL(target?.expr ?? "").labelReplaces().reduce(apply, labels);
  return (target?.legendFormat ?? "").replace(/\{\{(\w+)\}\}/g, (_all, label: string) => result[label] ?? "");
}

describe("Usage by Category", () => {
  it.each([
    ["openai.chat", "Chat"],
    ["openai.chat.completions", "Chat"],
    ["openai.completions", "Chat"],
    ["anthropic.messages", "Chat"],
    ["cohere.summarize", "Chat"],
    ["cohere.generate", "Chat"],
    ["cohere.chat", "Chat"],
    ["openai.embeddings", "Embeddings"],
    ["cohere.embed", "Embeddings"],
    ["openai.chat.embeddings", "Embeddings"],
    ["mistral.embed", "Embeddings"],
    ["openai.images.generate", "Image"],
    ["openai.images", "Image"],
    ["openai.audio.speech", "Audio"],
    ["openai.fine_tuning.job", "Fine Tuning"],
    ["mistral.chat", "Other"],
    ["anthropic.completions", "Other"],
    ["openaixchat", "Other"],
    ["not.openai.chat", "Other"],
    ["", "Other"],
  ])("%s is %s", (endpoint, category) => {
    expect(legend("Usage by Category", { endpoint })).toBe(category);
  });
});

describe("Usage cost by Provider", () => {
  it.each([
    ["openai", "OpenAI"],
    ["OpenAI", "OpenAI"],
    ["OPENAI", "OpenAI"],
    ["cohere", "Cohere"],
    ["anthropic", "Anthropic"],
    ["mistral", "mistral"],
    ["azure-openai", "azure-openai"],
  ])("%s is %s", (platform, provider) => {
    expect(legend("Usage cost by Provider", { platform })).toBe(provider);
  });

  it("shows a cost without a provider", () => {
    expect(legend("Usage cost by Provider", {})).not.toBe("");
  });
});
