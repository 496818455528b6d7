/** Operations that the made-up applications call: all of the spec's mapping tables (2.2), and some others. */

/** An operation of an LLM provider with one model, and the ranges of its calls. */
export interface Operation {
  /** `<provider>.<operation>`, as the service labels it. */
  endpoint: string;
  /** The provider, as the service and the SDK label it. */
  platform: string;
  /** The service's name of the type. */
  generation: string;
  /** The SDK's name of the type. */
  type: string;
  model: string;
  /** The spec's category of the endpoint, and the name of its provider: the expected slices. */
  category: string;
  provider: string;
  /** Minimum and maximum. Undefined if calls have no such tokens. */
  promptTokens?: [number, number];
  completionTokens?: [number, number];
  /** Minimum and maximum in USD, log-uniform; or the prices in USD of a million tokens. */
  cost: [number, number] | { prompt: number; completion?: number };
  /** Minimum and maximum in seconds, log-uniform. */
  duration: [number, number];
}

/** An operation of a vector database. */
export interface DatabaseOperation {
  system: string;
  operation: string;
  duration: [number, number];
}

const chat = { generation: "Chat", type: "chat", category: "Chat", duration: [0.2, 30] as [number, number] };
const embedding = { generation: "Embeddings", type: "embedding", category: "Embeddings", duration: [0.02, 0.5] as [number, number] };
const openai = { platform: "openai", provider: "OpenAI" };
const cohere = { platform: "cohere", provider: "Cohere" };

export const operations = {
  gpt4o: {
    ...openai,
    ...chat,
    endpoint: "openai.chat.completions",
    model: "gpt-4o",
    promptTokens: [20, 4000],
    completionTokens: [1, 900],
    cost: [1e-4, 0.04],
  },
  gpt4oMini: {
    ...openai,
    ...chat,
    endpoint: "openai.chat.completions",
    model: "gpt-4o-mini",
    promptTokens: [20, 900],
    completionTokens: [1, 400],
    cost: [1e-6, 1e-3],
  },
  instruct: {
    ...openai,
    ...chat,
    endpoint: "openai.completions",
    model: "gpt-3.5-turbo-instruct",
    promptTokens: [5, 300],
    completionTokens: [1, 200],
    cost: [1e-5, 1e-3],
  },
  claude: {
    platform: "anthropic",
    provider: "Anthropic",
    ...chat,
    endpoint: "anthropic.messages",
    model: "claude-sonnet-4",
    promptTokens: [50, 9000],
    completionTokens: [20, 2000],
    cost: [1e-3, 0.3],
  },
  summarize: {
    ...cohere,
    ...chat,
    endpoint: "cohere.summarize",
    model: "command-r",
    promptTokens: [300, 5000],
    completionTokens: [50, 300],
    cost: [1e-4, 1e-2],
  },
  generate: {
    ...cohere,
    ...chat,
    endpoint: "cohere.generate",
    model: "command",
    promptTokens: [10, 400],
    completionTokens: [10, 400],
    cost: [1e-4, 1e-2],
  },
  cohereChat: {
    ...cohere,
    ...chat,
    endpoint: "cohere.chat",
    model: "command-r",
    promptTokens: [10, 2000],
    completionTokens: [10, 500],
    cost: [1e-4, 1e-2],
  },
  embeddings: {
    ...openai,
    ...embedding,
    endpoint: "openai.embeddings",
    model: "text-embedding-3-small",
    promptTokens: [1, 500],
    cost: [1e-8, 1e-5],
  },
  embed: { ...cohere, ...embedding, endpoint: "cohere.embed", model: "embed-english-v3.0", promptTokens: [1, 500], cost: [1e-7, 1e-5] },
  image: {
    ...openai,
    endpoint: "openai.images.create",
    generation: "Image",
    type: "image",
    category: "Image",
    model: "dall-e-3",
    cost: [0.04, 0.12],
    duration: [4, 20],
  },
  speech: {
    ...openai,
    endpoint: "openai.audio.speech.create",
    generation: "Audio",
    type: "audio",
    category: "Audio",
    model: "tts-1",
    cost: [1e-4, 0.02],
    duration: [0.5, 4],
  },
  fineTuning: {
    ...openai,
    endpoint: "openai.fine_tuning.jobs.create",
    generation: "FineTuning",
    type: "fine_tuning",
    category: "Fine Tuning",
    model: "gpt-4o-mini",
    promptTokens: [10_000, 900_000],
    cost: [5, 90],
    duration: [60, 900],
  },
  ocr: {
    platform: "mistral",
    provider: "mistral",
    endpoint: "mistral.ocr",
    generation: "Unknown",
    type: "ocr",
    category: "Other",
    model: "mistral-ocr",
    promptTokens: [100, 1000],
    completionTokens: [100, 1000],
    cost: [1e-3, 1e-2],
    duration: [1, 9],
  },
} satisfies Record<string, Operation>;

export const databaseOperations = {
  chromaAdd: { system: "chroma", operation: "add", duration: [0.002, 0.05] },
  chromaQuery: { system: "chroma", operation: "query", duration: [0.002, 0.05] },
  pineconeUpsert: { system: "pinecone", operation: "upsert", duration: [0.02, 0.2] },
  pineconeQuery: { system: "pinecone", operation: "query", duration: [0.02, 0.2] },
  qdrantSearch: { system: "qdrant", operation: "search", duration: [0.005, 0.1] },
} satisfies Record<string, DatabaseOperation>;
