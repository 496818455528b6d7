/** Operations of models and of vector databases that the made-up applications call: all of the spec's mapping tables (2.2), and those of today. */

/** An operation of a model, and the ranges of its calls. */
export interface Model {
  /** `gen_ai.operation.name` of today's SDKs. */
  operation: string;
  /** As all telemetry names it. */
  provider: string;
  /** As requested. */
  model: string;
  /** As the provider names it in its response. */
  answeredBy: string;
  /** `<provider>.<operation>`, as the service and the SDK of 2024 name it. */
  endpoint: string;
  /** The type of the call, as these two name it. Empty if they do not. */
  type: string;
  /** The spec's category of the endpoint: the expected slice. */
  category: string;
  /** Minimum and maximum, log-uniform, as all ranges. Undefined if calls have no such tokens. */
  inputTokens?: [number, number];
  outputTokens?: [number, number];
  /** USD of a million tokens, or of a call. Undefined if nobody knows what calls cost. */
  price?: { input?: number; output?: number; call?: [number, number] };
  /** Seconds. */
  duration: [number, number];
  /** The part of the calls that is streamed. */
  streamed?: number;
  /** The part of the input tokens that the provider has cached, at most. Above 1, they are beside the input. */
  cached?: number;
}

export interface Database {
  system: string;
  operation: string;
  /** Whether it is a vector database. */
  vector: boolean;
  duration: [number, number];
}

export const vector = (system: string, operation: string): Database => ({ system, operation, vector: true, duration: [0.002, 0.4] });
export const other = (system: string, operation: string): Database => ({ ...vector(system, operation), vector: false });

const chat = { operation: "chat", type: "chat", category: "Chat", duration: [0.2, 30] as [number, number], streamed: 0.4 };

export const gpt4o: Model = {
  ...chat,
  provider: "openai",
  model: "gpt-4o",
  answeredBy: "gpt-4o-2024-08-06",
  endpoint: "openai.chat.completions",
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
  endpoint: "anthropic.messages",
  inputTokens: [50, 9000],
  outputTokens: [20, 2000],
  price: { input: 3, output: 15 },
  cached: 0.8,
};
export const cachedBeside: Model = { ...claude, inputTokens: [1, 40], cached: 300 };
/** Such a number makes all sums with it NaN. */
export const uncounted: Model = { ...gpt4oMini, inputTokens: [Number.NaN, Number.NaN] };
export const gemini: Model = {
  ...claude,
  operation: "generate_content",
  provider: "gcp.gemini",
  model: "gemini-2.5-flash",
  answeredBy: "gemini-2.5-flash",
  endpoint: "gcp.gemini.generate_content",
  category: "Other",
  price: { input: 0.3, output: 2.5 },
};
export const complete: Model = {
  ...gpt4oMini,
  operation: "text_completion",
  model: "davinci-002",
  answeredBy: "davinci-002",
  endpoint: "openai.completions",
  streamed: 0,
};
export const embed: Model = {
  operation: "embeddings",
  provider: "openai",
  model: "text-embedding-3-small",
  answeredBy: "text-embedding-3-small",
  endpoint: "openai.embeddings",
  type: "embedding",
  category: "Embeddings",
  inputTokens: [1, 500],
  price: { input: 0.02 },
  duration: [0.02, 0.5],
};

/** A model without a price, on a server of the company that speaks OpenAI's protocol. */
const { price: _price, cached: _cached, ...unpriced } = gpt4oMini;
export const qwen: Model = { ...unpriced, provider: "ollama", model: "qwen3-32b", answeredBy: "qwen3-32b" };

const cohere = (model: string, operation: string, price: NonNullable<Model["price"]>): Model => ({
  ...gpt4o,
  provider: "cohere",
  model,
  answeredBy: model,
  endpoint: `cohere.${operation}`,
  price,
});
export const commandR = cohere("command-r", "chat", { input: 0.15, output: 0.6 });
export const summarize = cohere("command-r", "summarize", { call: [1e-4, 1e-2] });
export const generate = cohere("command", "generate", { call: [1e-4, 1e-2] });
export const cohereEmbed: Model = { ...embed, provider: "cohere", model: "embed-english-v3.0", endpoint: "cohere.embed" };

const media = (type: string, category: string, endpoint: string, model: string, call: [number, number]): Model => ({
  ...{ type, category, endpoint, model, answeredBy: model, operation: type, provider: "openai" },
  price: { call },
  duration: [4, 20],
});
export const image = media("image", "Image", "openai.images.create", "dall-e-3", [0.04, 0.12]);
export const speech = media("audio", "Audio", "openai.audio.speech.create", "tts-1", [1e-4, 0.02]);
export const fineTuning = media("fine_tuning", "Fine Tuning", "openai.fine_tuning.jobs.create", "gpt-4o-mini", [5, 90]);
/** An unknown provider and endpoint. */
export const ocr: Model = { ...gpt4o, provider: "mistral", model: "mistral-ocr", endpoint: "mistral.ocr", type: "ocr", category: "Other" };
