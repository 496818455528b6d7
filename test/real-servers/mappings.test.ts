/** The spec's mappings of label values to names, evaluated by a real Prometheus. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpointCategories, mapLabel, otherCategory, providerNames } from "../../src/signals/llm-monitoring";
import { nameMissing, quote } from "../../src/signals/promql";
import { queryInstant } from "../view/reading/client";
import { type RunningPrometheus, startPrometheus } from "./servers";

let servers: RunningPrometheus;

beforeAll(async () => {
  servers = await startPrometheus();
}, 180_000);

afterAll(() => servers?.stop());

/** A series with this label; without it if the value is empty. */
const series = (label: string, value: string) => `label_replace(vector(1), "${label}", ${quote(value)}, "", "")`;

async function labelsOf(query: string): Promise<unknown> {
  const { result } = await queryInstant(servers.prometheus, query, Date.now());
  return result.map((each) => (each as { metric: object }).metric);
}

describe("categories of endpoints", () => {
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
  ])("%s is %s", async (endpoint, category) => {
    const query = mapLabel(series("endpoint", endpoint), "category", "endpoint", endpointCategories, otherCategory);
    expect(await labelsOf(query)).toEqual([{ ...(endpoint && { endpoint }), category }]);
  });
});

describe("names of providers", () => {
  it.each([
    ["openai", "OpenAI"],
    ["OpenAI", "OpenAI"],
    ["OPENAI", "OpenAI"],
    ["cohere", "Cohere"],
    ["anthropic", "Anthropic"],
    ["mistral", "mistral"],
    ["azure-openai", "azure-openai"],
  ])("%s is %s", async (platform, provider) => {
    expect(await labelsOf(named(platform))).toEqual([{ platform, provider }]);
  });

  it("a missing one has a name of its own", async () => {
    expect(await labelsOf(named(""))).toEqual([{ missing: "(none)" }]);
  });

  const named = (platform: string) =>
    nameMissing("provider", mapLabel(series("platform", platform), "provider", "platform", providerNames, "$1"));
});
