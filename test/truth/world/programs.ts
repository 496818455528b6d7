/** Programs that make calls: the type, and the programs of the tests, which have all cases in which SDKs differ or telemetry is difficult. */
import type { SdkName } from "../telemetry/sdks";
import * as models from "./models";
import { type Database, type Model, other, vector } from "./models";
import type { Random } from "./random";

/** An agent, which calls the program's models and these tools. */
export interface Agent {
  name: string;
  tools: string[];
  /** Methods of the Model Context Protocol (MCP) that it calls. */
  methods?: string[];
}

/** The texts of one call. */
export type Conversation = { prompt: string; completion?: string };

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
  /** Each call picks one of them. One that is in the list twice is picked twice as often. */
  models: Model[];
  databases?: Database[];
  agents?: Agent[];
  /** Whether every fifth call follows the one before at once, in its trace; or whether all calls of a run have one trace, as those of an agent at work. */
  sharedTraces?: true | "one";
  /** Its metrics come from a collector that is scraped without `honor_labels`: its own labels are `exported_job` and `exported_instance`. */
  scraped?: true;
  /** The gateway through which its requests to models go, and which reports them once more. */
  gateway?: string;
  /** Types of errors. Defaults to `errors`. */
  errors?: string[];
  /** Start and end of a time in which nothing reaches the platform. */
  outage?: [number, number];
  /** Start and end of a time without calls. */
  idle?: [number, number];
  /** The part of `callsPerHour` in an hour of the day, UTC. Defaults to 1. */
  rhythm?: (hourOfDay: number) => number;
  /** Of the exports before the last hour, one of so many is made: fewer samples to push. Defaults to 1, all of them. */
  historyPerExport?: number;
  /** One call of so many fails. Defaults to 9. */
  callsPerError?: number;
  /** Prompts and completions. Defaults to texts that are hard to quote. */
  texts?: (model: Model, random: Random) => Conversation;
}

/** Types of errors, as in `error.type`. */
export const errors = ["RateLimitError", "NotFoundError", "timeout"];

const { gpt4o, gpt4oMini, claude, embed, gemini, complete } = models;

const production = { environment: "production", instance: "run", runs: [-7, 0.1] };

/** Short jobs, each a process: most of their series are exported once or twice. */
const jobs = (number: number, first: number, every: number, part: Omit<Program, "application" | "instance" | "runs">): Program[] =>
  Array.from({ length: number }, (_, run) => ({
    ...production,
    ...part,
    application: "batch",
    environment: run % 3 === 0 ? "staging" : "production",
    runs: [first + run * every, first + run * every + 0.022],
  }));

/** With SDKs of today. */
const current: Program[] = [
  // Two replicas, which restart with new ids.
  ...[0, 1].map(
    (replica): Program => ({
      ...production,
      application: "shop",
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
    ...production,
    application: "shop",
    environment: "staging",
    instance: "none",
    sdk: "openlit-node",
    callsPerHour: 25,
    models: [gpt4o, claude],
    outage: [-4.2, -3.7],
  },
  // The same id after a restart, as in a pod of a stateful set, and as many calls since then as before the last 6 h; other databases beside a vector
  // database. A restart hides what a series counted before it if the series starts with as much (see src/signals/README.md): so each series counts more than
  // a few calls.
  {
    ...production,
    application: "assistant",
    instance: "assistant-0",
    sdk: "contrib",
    runs: [-7, -1, 0.1],
    callsPerHour: 120,
    models: [claude],
    databases: [vector("qdrant", "search"), other("postgresql", "SELECT"), other("redis", "GET")],
    agents: [{ name: "planner", tools: ["get_weather"] }],
    errors: ["RateLimitError"],
  },
  // The name has special characters of regular expressions.
  {
    ...production,
    application: "docs+search.v2",
    instance: "docs-1",
    sdk: "openllmetry",
    callsPerHour: 40,
    models: [gpt4o, embed, complete],
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
  { ...production, application: "gateway", instance: "gateway-0", sdk: "both", callsPerHour: 60, models: [gpt4o, claude, gemini] },
  // Parts of the tokens as further types of tokens.
  {
    ...production,
    application: "writer",
    environment: "development",
    sdk: "agento11y",
    callsPerHour: 30,
    models: [
      { ...gpt4o, operation: "generateText", streamed: 0 },
      { ...gpt4o, operation: "streamText", streamed: 1 },
    ],
  },
  ...jobs(14, -6.6, 1 / 2, { sdk: "openlit", callsPerHour: 300, models: [gpt4oMini, embed], databases: [vector("pinecone", "upsert")] }),
];

const old = { ...production, runs: [-27, 0.1], sdk: "spec" as const, sharedTraces: true as const };

/** With the SDK of 2024, for a day. */
const former: Program[] = [
  // An outage across the start of the last 24 hours.
  {
    ...old,
    application: "shop",
    callsPerHour: 90,
    models: [gpt4o, gpt4oMini, claude, embed, models.image, models.speech, models.fineTuning],
    databases: [vector("chroma", "query"), vector("chroma", "add")],
    outage: [-25, -23],
  },
  // Restarts with the same id, one of them within the last hour.
  {
    ...old,
    application: "assistant",
    instance: "assistant-1",
    runs: [-27, -10.1, -0.52, 0.1],
    callsPerHour: 60,
    models: [claude, models.commandR, models.generate, models.cohereEmbed],
    databases: [vector("pinecone", "query"), vector("pinecone", "upsert")],
    outage: [-7.5, -5.5],
  },
  // No costs, no types. Starts in the middle of the day.
  {
    ...old,
    application: "help+desk",
    environment: "development",
    runs: [-11.3, -9.6, 0.1],
    callsPerHour: 20,
    models: [complete, models.summarize, embed, models.ocr].map(({ price, ...model }) => ({ ...model, type: "" })),
    databases: [vector("qdrant", "search")],
  },
  // Starts recently: a few calls first, then more per minute than those.
  {
    ...old,
    application: "assistant",
    runs: [-0.4, 0.1],
    callsPerHour: 900,
    models: [claude, models.commandR],
    databases: [vector("pinecone", "query")],
    idle: [-0.396, -0.35],
  },
  ...jobs(40, -26.6, 1 / 1.5, {
    ...old,
    callsPerHour: 200,
    models: [gpt4oMini, models.summarize, models.cohereEmbed],
    databases: [vector("qdrant", "search")],
  }),
  // Names with signs that mean something in queries; a model named like a missing one, and a missing one, which Prometheus drops: too few calls for a list of
  // the top models.
  ...Object.values({ quote: 'say "hi"', backslash: "back\\slash", lineBreak: "two\nlines", backtick: "tick`tock" }).map(
    (application): Program => ({
      ...old,
      application,
      environment: "test",
      runs: [-5.9, -2],
      callsPerHour: 10,
      models: [gpt4o, { ...gpt4o, model: "(none)" }, { ...gpt4o, model: "" }],
      databases: [vector("chroma", "query")],
    }),
  ),
];

/** The application whose SDK counts cached tokens beside the input, as Anthropic does. */
export const countsCachedBeside = "coder";

/** Agents at work, for the last seconds: more requests than a table has rows. */
const atWork = { application: "researcher", runs: [-0.005, 0.1], callsPerHour: 12_000, models: [embed], sharedTraces: "one" as const };

/** With an operation of a name that no convention has. */
const responses = { ...gpt4o, operation: "responses" };

const few = { ...production, runs: [-5, 0.1], callsPerHour: 20 };

/** What silences, hides or mixes up others. */
const difficult: Program[] = [
  { ...old, ...atWork },
  { ...production, ...atWork, sdk: "agento11y" },
  // Neither input tokens nor costs are numbers.
  { ...old, ...few, application: "proxy", models: [models.uncounted] },
  { ...few, application: "proxy", sdk: "openlit", models: [models.uncounted] },
  { ...few, application: countsCachedBeside, sdk: "agento11y", models: [models.cachedBeside] },
  { ...few, application: "search", instance: "a", sdk: "agento11y", models: [gpt4o], scraped: true },
  { ...few, environment: "staging", application: "chatbot", instance: "b", sdk: "inference", models: [claude], scraped: true },
  { ...few, application: "notes", sdk: "text", models: [gpt4o] },
  { ...few, application: "studio", sdk: "openlit", callsPerHour: 40, models: [models.image, models.speech, responses] },
];

export const testPrograms: Program[] = [...current, ...former, ...difficult];
