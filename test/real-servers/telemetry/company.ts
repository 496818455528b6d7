/**
 * The programs of a made-up company: four applications in production, staging and development, with quiet nights, a dip at noon, a batch of invoices at
 * night, a deployment in the morning, and half an hour in the afternoon in which one application is down. Times of a day are UTC.
 */
import type { DatabaseOperation, Operation } from "./operations";
import type { Program } from "./programs";
import { documentTexts, invoiceTexts, salesTexts, supportTexts } from "./texts";
import { createWorld, hour, type World } from "./world";

/** The seed of the demo and of pictures. */
const seed = 7;

const chat = { generation: "Chat", type: "chat", category: "Chat" };
const openai = { platform: "openai", provider: "OpenAI" };

/** Models with their prices of 2025, and ranges of tokens and durations as in such applications. */
const gpt4o: Operation = {
  ...openai,
  ...chat,
  endpoint: "openai.chat.completions",
  model: "gpt-4o",
  promptTokens: [180, 2200],
  completionTokens: [60, 600],
  cost: { prompt: 2.5, completion: 10 },
  duration: [0.9, 9],
};
const gpt4oMini: Operation = {
  ...gpt4o,
  model: "gpt-4o-mini",
  promptTokens: [120, 1400],
  completionTokens: [30, 350],
  cost: { prompt: 0.15, completion: 0.6 },
  duration: [0.4, 4],
};
const claude: Operation = {
  platform: "anthropic",
  provider: "Anthropic",
  ...chat,
  endpoint: "anthropic.messages",
  model: "claude-sonnet-4",
  promptTokens: [300, 4800],
  completionTokens: [120, 1100],
  cost: { prompt: 3, completion: 15 },
  duration: [1.6, 16],
};
const commandR: Operation = {
  platform: "cohere",
  provider: "Cohere",
  ...chat,
  endpoint: "cohere.chat",
  model: "command-r",
  promptTokens: [250, 2600],
  completionTokens: [40, 320],
  cost: { prompt: 0.15, completion: 0.6 },
  duration: [0.7, 6],
};
const embeddings: Operation = {
  ...openai,
  endpoint: "openai.embeddings",
  generation: "Embeddings",
  type: "embedding",
  category: "Embeddings",
  model: "text-embedding-3-small",
  promptTokens: [6, 90],
  cost: { prompt: 0.02 },
  duration: [0.06, 0.5],
};
const image: Operation = {
  ...openai,
  endpoint: "openai.images.create",
  generation: "Image",
  type: "image",
  category: "Image",
  model: "dall-e-3",
  cost: [0.04, 0.08],
  duration: [7, 19],
};

const database = (system: string, operation: string, ...duration: [number, number]): DatabaseOperation => ({ system, operation, duration });
const pineconeQuery = database("pinecone", "query", 0.03, 0.25);
const pineconeUpsert = database("pinecone", "upsert", 0.05, 0.4);
const qdrantQuery = database("qdrant", "query", 0.008, 0.12);
const qdrantUpsert = database("qdrant", "upsert", 0.01, 0.2);
const qdrantDelete = database("qdrant", "delete", 0.005, 0.05);
const chromaQuery = database("chroma", "query", 0.004, 0.06);
const chromaUpsert = database("chroma", "upsert", 0.006, 0.09);

/** The part of the calls in each hour of a day, as in an office. */
export const office = [4, 3, 3, 3, 4, 8, 22, 48, 78, 96, 100, 92, 58, 74, 94, 98, 86, 62, 38, 24, 16, 11, 8, 5];
/** The same for customers, who also write in the evening. */
export const customers = [12, 8, 6, 5, 6, 10, 22, 42, 66, 84, 92, 86, 60, 70, 82, 88, 84, 78, 80, 90, 82, 60, 38, 20];

/** A rhythm from the percentages of the full hours, with straight lines between them. */
export const rhythm = (percentages: readonly number[]) => (hourOfDay: number) => {
  const [before, after] = [Math.floor(hourOfDay) % 24, Math.ceil(hourOfDay) % 24].map((full) => percentages[full] as number) as [
    number,
    number,
  ];
  return (before + (after - before) * (hourOfDay % 1)) / 100;
};

/** Hours from `now`. The end is later than any run of the demo. */
const [start, end] = [-25.5, 14 * 24];

const supportBot = {
  application: "support-bot",
  callsPerHour: 40,
  operations: [gpt4oMini, gpt4oMini, gpt4oMini, gpt4o, embeddings],
  databases: [pineconeQuery, pineconeQuery, pineconeQuery, pineconeUpsert],
  rhythm: rhythm(customers),
  texts: supportTexts,
};
const docSearch = {
  application: "doc-search",
  operations: [embeddings, embeddings, commandR, commandR, gpt4oMini],
  databases: [qdrantQuery, qdrantQuery, qdrantQuery, qdrantQuery, qdrantQuery, qdrantUpsert, qdrantDelete],
  rhythm: rhythm(office),
  texts: documentTexts,
};
const salesCopilot = {
  application: "sales-copilot",
  operations: [claude, claude, gpt4o, gpt4o, gpt4oMini, gpt4oMini, embeddings, image],
  databases: [chromaQuery, chromaQuery, chromaUpsert],
  rhythm: rhythm(office),
  texts: salesTexts,
};
const invoiceReader = { application: "invoice-reader", operations: [gpt4oMini, gpt4oMini, gpt4o, claude], texts: invoiceTexts };

function companyPrograms(now: number): Program[] {
  /** The hours from `now` back to a time of the day. */
  const last = (hourOfDay: number) => -((now / hour - hourOfDay) % 24);
  return [
    { ...supportBot, environment: "production", instance: "support-bot-1", runs: [start, end] },
    { ...supportBot, environment: "production", instance: "support-bot-2", runs: [start, end] },
    { ...docSearch, environment: "production", instance: "doc-search-1", runs: [start, last(9.7), end], callsPerHour: 72 },
    {
      ...salesCopilot,
      environment: "production",
      instance: "sales-copilot-1",
      runs: [start, end],
      callsPerHour: 42,
      idle: outage(last(14.1)),
    },
    {
      ...invoiceReader,
      environment: "production",
      instance: "invoice-reader-1",
      runs: [start, end],
      callsPerHour: 16,
      rhythm: rhythm(office),
    },
    { ...invoiceReader, environment: "production", instance: "invoice-reader-batch", runs: [last(2), last(2) + 0.7], callsPerHour: 220 },
    // A restart with another id: of the same series, more than three hours after its last value, queries do not see it (see src/signals/README.md).
    { ...supportBot, environment: "staging", instance: "support-bot-staging-1", runs: [start, last(15.5)], callsPerHour: 12 },
    { ...supportBot, environment: "staging", instance: "support-bot-staging-2", runs: [last(15.5), end], callsPerHour: 12 },
    { ...docSearch, environment: "staging", instance: "doc-search-staging", runs: [start, end], callsPerHour: 10 },
    { ...salesCopilot, environment: "development", instance: "sales-copilot-dev", runs: [last(8.2), last(8.2) + 10], callsPerHour: 16 },
    // A load test, which has just started, so that a refresh always shows something new.
    { ...supportBot, environment: "staging", instance: "support-bot-load-test", runs: [-0.15, end], callsPerHour: 300, rhythm: () => 1 },
  ];
}

const outage = (from: number): [number, number] => [from, from + 0.5];

/**
 * The company's calls of the day before `now`, and those of the next hours.
 *
 * @param now milliseconds since 1970; the same time of another day gives the same calls
 * @param ahead hours after `now`, at most two weeks
 */
export const companyWorld = (now: number, ahead = 0): World => createWorld(now, seed, companyPrograms(now), now + ahead * hour);
