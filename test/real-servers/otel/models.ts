/** Models of the made-up applications, and the ranges of their calls. */
/** An operation of a model, and the ranges of its calls. */
export interface Model {
  /** `gen_ai.operation.name`. */
  operation: string;
  provider: string;
  /** As requested. */
  model: string;
  /** As the provider names it in its response. */
  answeredBy: string;
  inputTokens: [number, number];
  /** Undefined for embeddings. */
  outputTokens?: [number, number];
  /** USD of a million tokens. */
  price: { input: number; output?: number };
  /** Seconds. */
  duration: [number, number];
  /** The part of the calls that is streamed. */
  streamed?: number;
  /** The part of the input tokens that the provider has cached. */
  cached?: number;
}

const chat = { operation: "chat", duration: [0.2, 30] as [number, number], streamed: 0.4 };

export const gpt4o: Model = {
  ...chat,
  provider: "openai",
  model: "gpt-4o",
  answeredBy: "gpt-4o-2024-08-06",
  inputTokens: [20, 4000],
  outputTokens: [1, 900],
  price: { input: 2.5, output: 10 },
  cached: 0.5,
};
export const gpt4oMini: Model = {
  ...gpt4o,
  model: "gpt-4o-mini",
  answeredBy: "gpt-4o-mini-2024-07-18",
  price: { input: 0.15, output: 0.6 },
  duration: [0.1, 6],
};
export const claude: Model = {
  ...chat,
  provider: "anthropic",
  model: "claude-sonnet-4",
  answeredBy: "claude-sonnet-4-20250514",
  inputTokens: [50, 9000],
  outputTokens: [20, 2000],
  price: { input: 3, output: 15 },
  cached: 0.8,
};
export const gemini: Model = {
  ...claude,
  operation: "generate_content",
  provider: "gcp.gemini",
  model: "gemini-2.5-flash",
  answeredBy: "gemini-2.5-flash",
  price: { input: 0.3, output: 2.5 },
};
export const complete: Model = { ...gpt4oMini, operation: "text_completion", model: "davinci-002", answeredBy: "davinci-002", streamed: 0 };
export const embed: Model = {
  operation: "embeddings",
  provider: "openai",
  model: "text-embedding-3-small",
  answeredBy: "text-embedding-3-small",
  inputTokens: [1, 500],
  price: { input: 0.02 },
  duration: [0.02, 0.5],
};
