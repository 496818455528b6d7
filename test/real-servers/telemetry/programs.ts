/** Programs that make calls: the type, and the programs of the tests, which have all difficult cases. */
import { type DatabaseOperation, databaseOperations, type Operation, operations } from "./operations";
import type { Random } from "./random";

/** The texts of one call. */
export interface Conversation {
  prompt: string;
  completion?: string;
}

/** A program with its runs. Hours are relative to `now`: the past is negative. */
export interface Program {
  application: string;
  environment: string;
  instance: string;
  /** Start of each run, and the end of the last one. Numbers in between are restarts. */
  runs: number[];
  callsPerHour: number;
  /** Each call picks one of them. One that is in the list twice is picked twice as often. */
  operations: Operation[];
  databases?: DatabaseOperation[];
  costs?: false;
  types?: false;
  /** Start and end of a time in which nothing reaches the platform. */
  outage?: [number, number];
  /** Start and end of a time without calls. */
  idle?: [number, number];
  /** The part of the calls that happens, from 0 to 1, by the hour of the day in UTC. Defaults to all. */
  rhythm?: (hourOfDay: number) => number;
  /** Prompts and completions. Defaults to texts that are hard to quote. */
  texts?: (operation: Operation, random: Random) => Conversation;
}

const { gpt4o, gpt4oMini, instruct, claude, summarize, generate, cohereChat, embeddings, embed, image, speech, fineTuning, ocr } =
  operations;
const { chromaAdd, chromaQuery, pineconeUpsert, pineconeQuery, qdrantSearch } = databaseOperations;

/** Their figures are in test/real-servers/README.md. */
export const testPrograms: Program[] = [
  // Two replicas.
  ...["shop-1", "shop-2"].map(
    (instance): Program => ({
      application: "shop",
      environment: "production",
      instance,
      runs: [-27, 0.5],
      callsPerHour: 60,
      operations: [gpt4o, gpt4oMini, claude, embeddings, image],
      databases: [chromaQuery, chromaAdd],
    }),
  ),
  // An outage across the start of the last 24 hours.
  {
    application: "shop",
    environment: "staging",
    instance: "shop-staging",
    runs: [-27, 0.5],
    callsPerHour: 15,
    operations: [gpt4o, speech, fineTuning],
    databases: [chromaQuery],
    outage: [-25, -23],
  },
  // Restarts, one of them within the last hour, and an outage of two hours.
  {
    application: "assistant",
    environment: "production",
    instance: "assistant-1",
    runs: [-27, -10.1, -0.52, 0.5],
    callsPerHour: 40,
    operations: [claude, cohereChat, generate, embed],
    databases: [pineconeQuery, pineconeUpsert],
    outage: [-14.5, -12.5],
  },
  // Starts in the middle of the day, with a restart soon after.
  {
    application: "assistant",
    environment: "development",
    instance: "assistant-dev",
    runs: [-11.3, -9.6, 0.5],
    callsPerHour: 12,
    operations: [cohereChat, ocr],
  },
  // No costs, no types; a name with special characters of regular expressions.
  {
    application: "docs+search.v2",
    environment: "production",
    instance: "docs-1",
    runs: [-27, 0.5],
    callsPerHour: 20,
    operations: [instruct, summarize, embeddings],
    databases: [qdrantSearch],
    costs: false,
    types: false,
  },
  // Idle for most of the time.
  {
    application: "archive",
    environment: "development",
    instance: "archive-1",
    runs: [-27, 0.5],
    callsPerHour: 20,
    operations: [instruct, embeddings],
    databases: [pineconeUpsert],
    idle: [-25.5, -1.8],
  },
  // Short jobs, each a process: most of their series are exported once or twice.
  ...Array.from(
    { length: 80 },
    (_, run): Program => ({
      application: "batch",
      environment: run % 3 === 0 ? "staging" : "production",
      instance: `batch-${run}`,
      runs: [-26.6 + run / 3, -26.6 + run / 3 + 0.022],
      callsPerHour: 200,
      operations: [gpt4oMini, summarize, embed],
      databases: [qdrantSearch],
    }),
  ),
  // Started recently: a few calls first, then more per minute than those.
  {
    application: "assistant",
    environment: "production",
    instance: "assistant-2",
    runs: [-0.4, 0.5],
    callsPerHour: 900,
    operations: [claude, cohereChat],
    databases: [pineconeQuery],
    idle: [-0.396, -0.35],
  },
];
