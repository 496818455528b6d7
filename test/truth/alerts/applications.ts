/** The applications whose telemetry the alerts watch, and the models that they call. */

const chat = (provider: string, model: string, input = 0, output = 0) => ({
  ...{ provider, model, type: "chat", endpoint: `${provider}.chat.completions` },
  /** USD for a million tokens. */
  price: { input, output },
});

export type Model = ReturnType<typeof chat>;

// Prices of the providers' lists in 2025. Sixty, thirty and ten percent of the calls by provider, with the shares of the applications below.
const gpt = chat("openai", "gpt-4.1", 2, 8);
const sonnet = chat("anthropic", "claude-sonnet-4", 3, 15);
const haiku = chat("anthropic", "claude-3.5-haiku", 0.8, 4);
const llama = chat("ollama", "llama3.1:8b");
const qwen = chat("ollama", "qwen2.5:14b");

/** A model that the story of the missing price brings. Its price is known to nobody yet. */
export const newModel = chat("openai", "gpt-5.9");

export interface Application {
  application: string;
  environment: string;
  /** Its part of the calls while it runs as the others do, relative to theirs. */
  weight: number;
  models: readonly [Model, Model];
  /** The part of the calls to the first one. */
  first: number;
  /** Whether a job makes the calls, not people. */
  isJob?: true;
  /** Hours of a day (UTC) in which a process runs, from and to. Undefined: all of them. */
  hours?: readonly [from: number, to: number];
  /** Costs that its SDK sends: none, those of successful calls, or those of failed calls as 0, too, as OpenLIT does. */
  costs: "none" | "succeeded" | "all";
}

const common = { environment: "production", costs: "succeeded" } as const;

export const applications: readonly Application[] = [
  { ...common, application: "shop-assistant", weight: 40, models: [gpt, sonnet], first: 0.6, costs: "all" },
  { ...common, application: "support-chat", weight: 25, models: [gpt, haiku], first: 0.7 },
  { ...common, application: "docs-search", weight: 15, models: [gpt, llama], first: 0.5 },
  // Scales to zero at night.
  { ...common, application: "office-helper", environment: "internal", weight: 10, models: [gpt, qwen], first: 0.7, hours: [6, 20] },
  { ...common, application: "agent", weight: 10, models: [gpt, haiku], first: 0.5, costs: "none" },
  { ...common, application: "nightly-report", weight: 40, models: [gpt, gpt], first: 1, isJob: true, hours: [2, 3] },
];
