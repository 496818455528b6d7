/** The applications whose telemetry the alerts watch, and the models that they call. */

export interface Model {
  provider: string;
  model: string;
  /** USD for a million tokens. */
  price: { input: number; output: number };
}

const free = { input: 0, output: 0 };

// Prices of the providers' lists in 2025. Sixty, thirty and ten percent of the calls by provider, with the shares of the applications below.
const gpt: Model = { provider: "openai", model: "gpt-4.1", price: { input: 2, output: 8 } };
const sonnet: Model = { provider: "anthropic", model: "claude-sonnet-4", price: { input: 3, output: 15 } };
const haiku: Model = { provider: "anthropic", model: "claude-3.5-haiku", price: { input: 0.8, output: 4 } };
const llama: Model = { provider: "ollama", model: "llama3.1:8b", price: free };
const qwen: Model = { provider: "ollama", model: "qwen2.5:14b", price: free };

/** A model that the story of the missing price brings. Its price is known to nobody yet. */
export const newModel: Model = { provider: "openai", model: "gpt-5.9", price: free };

/** Hours of a day (UTC) in which a process runs, from and to. Undefined: all of them. */
type Hours = readonly [from: number, to: number];

export interface Application {
  name: string;
  environment: string;
  /** Its part of the calls while it runs as the others do, relative to theirs. */
  weight: number;
  models: readonly Model[];
  /** The part of the calls to each of these. */
  shares: readonly number[];
  /** By whom calls are made: people, or a job at night. */
  rhythm: "people" | "job";
  hours?: Hours;
  /** Costs that its SDK sends: none, those of successful calls, or those of failed calls as 0, too, as OpenLIT does. */
  costs: "none" | "succeeded" | "all";
}

const common = { rhythm: "people", environment: "production", costs: "succeeded" } as const;

export const applications: readonly Application[] = [
  {
    ...common,
    name: "shop-assistant",
    weight: 40,
    models: [gpt, sonnet],
    shares: [0.6, 0.4],
    costs: "all",
  },
  {
    ...common,
    name: "support-chat",
    weight: 25,
    models: [gpt, haiku],
    shares: [0.7, 0.3],
  },
  {
    ...common,
    name: "docs-search",
    weight: 15,
    models: [gpt, llama],
    shares: [0.5, 0.5],
  },
  // Scales to zero at night.
  {
    ...common,
    name: "office-helper",
    weight: 10,
    models: [gpt, qwen],
    shares: [0.7, 0.3],
    environment: "internal",
    hours: [6, 20],
  },
  {
    ...common,
    name: "agent",
    weight: 10,
    models: [gpt, haiku],
    shares: [0.5, 0.5],
    costs: "none",
  },
  { ...common, name: "nightly-report", weight: 40, models: [gpt], shares: [1], rhythm: "job", hours: [2, 3] },
];

export function applicationOf(name: string): Application {
  const found = applications.find((each) => each.name === name);
  if (!found) throw new Error(`No application ${name}`);
  return found;
}
