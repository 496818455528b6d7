/** The programs of the made-up company (telemetry/company.ts) with the SDKs of today: for the demo and for pictures. Agents, tools and several SDKs at once. */
import { customers, office, rhythm } from "../telemetry/company";
import { operations } from "../telemetry/operations";
import type { Conversation } from "../telemetry/programs";
import type { Random } from "../telemetry/random";
import { documentTexts, invoiceTexts, salesTexts, supportTexts } from "../telemetry/texts";
import { hour } from "../telemetry/world";
import { claude, embed, gpt4o, gpt4oMini } from "./models";
import { type Program, vector } from "./programs";
import { createWorld, type World } from "./world";

/** Another one than that of telemetry/company.ts: the same random numbers would give some traces the same id. */
const seed = 11;

/** Of answers to chats. */
const chats =
  (texts: typeof supportTexts) =>
  (random: Random): Conversation =>
    texts(operations.gpt4o, random);

/** Hours from `now`. The end is later than any run of the demo. */
const [start, end] = [-25.5, 14 * 24];
const day = [start, end];

const supportBot: Omit<Program, "environment" | "callsPerHour"> = {
  application: "support-bot",
  instance: "run",
  sdk: "openlit",
  runs: day,
  models: [gpt4oMini, gpt4oMini, gpt4o, embed].map((model) => ({ ...model, duration: [0.3, 7] })),
  databases: [vector("pinecone", "query"), vector("pinecone", "query"), vector("pinecone", "upsert")],
  callsPerError: 60,
  rhythm: rhythm(customers),
  texts: chats(supportTexts),
};

const applications: Program[] = [
  { ...supportBot, environment: "production", callsPerHour: 90 },
  { ...supportBot, environment: "staging", callsPerHour: 12 },
  {
    application: "doc-search",
    environment: "production",
    instance: "run",
    sdk: "contrib",
    runs: [start, -5.3, end],
    callsPerHour: 80,
    models: [embed, embed, gpt4oMini],
    databases: [vector("qdrant", "search"), vector("qdrant", "upsert")],
    callsPerError: 90,
    rhythm: rhythm(office),
    texts: chats(documentTexts),
  },
  {
    application: "sales-copilot",
    environment: "production",
    instance: "run",
    sdk: "agento11y",
    runs: day,
    callsPerHour: 45,
    models: [claude, claude, gpt4o],
    agents: [
      { name: "account-planner", tools: ["search_crm", "read_mail"], methods: ["tools/call", "tools/list"] },
      { name: "quote-writer", tools: ["get_price"] },
    ],
    callsPerError: 40,
    rhythm: rhythm(office),
    texts: chats(salesTexts),
  },
  {
    application: "invoice-reader",
    environment: "development",
    instance: "run",
    sdk: "openllmetry",
    runs: day,
    callsPerHour: 20,
    models: [gpt4oMini, claude],
    callsPerError: 25,
    rhythm: rhythm(office),
    texts: chats(invoiceTexts),
  },
];

const programs = applications.map((program) => ({ ...program, historyPerExport: 5 }));

/**
 * The company's calls of the day before `now`, and those of the next hours.
 *
 * @param now milliseconds since 1970; the same time of another day gives the same calls
 * @param ahead hours after `now`, at most two weeks
 */
export const companyWorld = (now: number, ahead = 0): World => createWorld(now, seed, programs, now + ahead * hour);
