/** Applications of November 2026: what they call, and the SDK that records it. They have all cases in which SDKs differ. */
import type { Conversation } from "../telemetry/programs";
import type { Random } from "../telemetry/random";
import type { SdkName } from "./sdks";

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

export interface Database {
  system: string;
  operation: string;
  /** Whether it is a vector database. */
  vector: boolean;
  duration: [number, number];
}

/** An agent, which calls the program's models and these tools. */
export interface Agent {
  name: string;
  tools: string[];
  /** Methods of the Model Context Protocol (MCP) that it calls. */
  methods?: string[];
}

/** A program with its runs. Hours are relative to `now`: the past is negative. */
export interface Program {
  application: string;
  /** Undefined if no telemetry has it. */
  environment?: string;
  /** `service.instance.id`: `run` is a new one for each run, `none` is none, others are those of a place, which stay. */
  instance: string;
  sdk: SdkName;
  /** Start of each run, and the end of the last one. Numbers in between are restarts. */
  runs: number[];
  callsPerHour: number;
  models: Model[];
  databases?: Database[];
  agents?: Agent[];
  /** Types of errors. Defaults to `errors`. */
  errors?: string[];
  /** Start and end of a time in which nothing reaches the platform. */
  outage?: [number, number];
  /** Start and end of a time without calls. */
  idle?: [number, number];
  /** The part of `callsPerHour` in an hour of the day, UTC. Defaults to 1. */
  rhythm?: (hourOfDay: number) => number;
  /** One call of so many fails. Defaults to 9. */
  callsPerError?: number;
  /** Prompts and completions. Defaults to texts that are hard to quote. */
  texts?: (random: Random) => Conversation;
}

/** Types of errors, as in `error.type`. */
export const errors = ["RateLimitError", "NotFoundError", "timeout"];

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
const gemini: Model = {
  ...claude,
  operation: "generate_content",
  provider: "gcp.gemini",
  model: "gemini-2.5-flash",
  answeredBy: "gemini-2.5-flash",
  price: { input: 0.3, output: 2.5 },
};
const complete: Model = { ...gpt4oMini, operation: "text_completion", model: "davinci-002", answeredBy: "davinci-002", streamed: 0 };
export const embed: Model = {
  operation: "embeddings",
  provider: "openai",
  model: "text-embedding-3-small",
  answeredBy: "text-embedding-3-small",
  inputTokens: [1, 500],
  price: { input: 0.02 },
  duration: [0.02, 0.5],
};

export const vector = (system: string, operation: string): Database => ({ system, operation, vector: true, duration: [0.002, 0.4] });
const other = (system: string, operation: string): Database => ({ ...vector(system, operation), vector: false });

export const testPrograms: Program[] = [
  // Two replicas, which restart with new ids.
  ...[0, 1].map(
    (replica): Program => ({
      application: "shop",
      environment: "production",
      instance: "run",
      sdk: "openlit",
      runs: [-7, -3.4 + replica, 0.1],
      callsPerHour: 50,
      models: [gpt4o, gpt4oMini, embed],
      databases: [vector("chroma", "query"), vector("chroma", "add")],
      agents: [{ name: "advisor", tools: ["search_products", "get_price"] }],
    }),
  ),
  // Node.js: no id, failed calls are spans only.
  {
    application: "shop",
    environment: "staging",
    instance: "none",
    sdk: "openlit-node",
    runs: [-7, 0.1],
    callsPerHour: 25,
    models: [gpt4o, claude],
    outage: [-4.2, -3.7],
  },
  // The same id after a restart, as in a pod of a stateful set; other databases beside a vector database. A restart hides what a series counted before it
  // if the series starts with as much (see src/signals/README.md): so each series counts more than a few calls.
  {
    application: "assistant",
    environment: "production",
    instance: "assistant-0",
    sdk: "contrib",
    runs: [-7, -0.52, 0.1],
    callsPerHour: 120,
    models: [claude],
    databases: [vector("qdrant", "search"), other("postgresql", "SELECT"), other("redis", "GET")],
    agents: [{ name: "planner", tools: ["get_weather"] }],
    errors: ["RateLimitError"],
  },
  // The name has special characters of regular expressions.
  {
    application: "docs+search.v2",
    environment: "production",
    instance: "docs-1",
    sdk: "openllmetry",
    runs: [-7, 0.1],
    callsPerHour: 40,
    models: [gpt4o, embed],
  },
  // Newest names, without any environment.
  {
    application: "web",
    instance: "run",
    sdk: "inference",
    runs: [-7, -2.2, 0.1],
    callsPerHour: 40,
    models: [gpt4oMini, gemini],
    agents: [{ name: "helper", tools: ["search"], methods: ["tools/call", "tools/list"] }],
  },
  // Newest names beside those of before: each call is sent twice.
  {
    application: "gateway",
    environment: "production",
    instance: "gateway-0",
    sdk: "both",
    runs: [-5.5, 0.1],
    callsPerHour: 60,
    models: [gpt4o, claude, gemini],
  },
  // Parts of the tokens as further types of tokens.
  {
    application: "writer",
    environment: "development",
    instance: "run",
    sdk: "agento11y",
    runs: [-6, 0.1],
    callsPerHour: 30,
    models: [
      { ...gpt4o, operation: "generateText", streamed: 0 },
      { ...gpt4o, operation: "streamText", streamed: 1 },
    ],
  },
  // Idle for most of the time.
  {
    application: "archive",
    environment: "development",
    instance: "archive-0",
    sdk: "contrib",
    runs: [-7, 0.1],
    callsPerHour: 30,
    models: [complete, embed],
    databases: [other("postgresql", "INSERT")],
    idle: [-6.5, -0.8],
  },
  // Short jobs, each a process.
  ...Array.from(
    { length: 14 },
    (_, run): Program => ({
      application: "batch",
      environment: run % 3 === 0 ? "staging" : "production",
      instance: "run",
      sdk: "openlit",
      runs: [-6.6 + run / 2, -6.6 + run / 2 + 0.022],
      callsPerHour: 300,
      models: [gpt4oMini, embed],
      databases: [vector("pinecone", "upsert")],
    }),
  ),
];
