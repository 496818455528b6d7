/**
 * The programs of a made-up company, for the demo and for pictures: four applications in production, staging and development, with quiet nights, a dip at noon,
 * a batch of invoices at night, deployments, half an hour in which one application is down, and an incident: for an hour, half of one application's requests to
 * one model fail. Some processes have the SDK of 2024 still, the others those of today. Times of a day are UTC.
 */
import { claude, commandR, embed, gpt4o, gpt4oMini, image, qwen, vector } from "./models";
import type { Program } from "./programs";
import { documentTexts, invoiceTexts, salesTexts, supportTexts } from "./texts";
import { createWorld, hour, type World } from "./world";

const seed = 7;

/** The part of the calls in each hour of a day, in percent, as in an office. */
const office = [4, 3, 3, 3, 4, 8, 22, 48, 78, 96, 100, 92, 58, 74, 94, 98, 86, 62, 38, 24, 16, 11, 8, 5];

/** With straight lines between the full hours. */
const rhythm = (hourOfDay: number) => {
  const at = (full: number) => office[full % 24] as number;
  const [before, after] = [at(Math.floor(hourOfDay)), at(Math.ceil(hourOfDay))];
  return (before + (after - before) * (hourOfDay % 1)) / 100;
};

/** Hours from `now`. The end is later than any run of the demo. */
const [start, end] = [-25.5, 14 * 24];

const common = { environment: "production", instance: "run", runs: [start, end], rhythm, historyPerExport: 5 };
const old = { ...common, sdk: "spec", callsPerError: 30, sharedTraces: true } as const;

const supportBot = {
  application: "support-bot",
  models: [gpt4oMini, gpt4oMini, gpt4oMini, gpt4o, embed],
  databases: [vector("pinecone", "query"), vector("pinecone", "query"), vector("pinecone", "upsert")],
  texts: supportTexts,
};
const docSearch = {
  application: "doc-search",
  models: [embed, embed, commandR, commandR, gpt4oMini],
  databases: [vector("qdrant", "query"), vector("qdrant", "query"), vector("qdrant", "upsert"), vector("qdrant", "delete")],
  texts: documentTexts,
};
const salesCopilot = {
  application: "sales-copilot",
  models: [claude, claude, gpt4o, gpt4o, gpt4oMini, gpt4oMini, embed, image],
  databases: [vector("chroma", "query"), vector("chroma", "query"), vector("chroma", "upsert")],
  texts: salesTexts,
};
const invoiceReader = { application: "invoice-reader", models: [gpt4oMini, gpt4oMini, gpt4o, claude], texts: invoiceTexts };

/** Its requests go through the gateway only. */
const withoutSdk: Program = { ...common, ...invoiceReader, application: "mail-sorter", sdk: "none", callsPerHour: 40 };

function companyPrograms(now: number): Program[] {
  /** The hours from `now` back to a time of the day. */
  const last = (hourOfDay: number) => -((now / hour - hourOfDay) % 24);
  return [
    { ...old, ...supportBot, callsPerHour: 50 },
    { ...old, ...docSearch, runs: [start, last(9.7), end], callsPerHour: 60 },
    { ...old, ...salesCopilot, callsPerHour: 42, idle: [last(14.1), last(14.1) + 0.5] },
    { ...old, ...invoiceReader, callsPerHour: 16 },
    { ...old, ...invoiceReader, runs: [last(2), last(2) + 0.7], callsPerHour: 220, rhythm: () => 1 },
    { ...old, ...docSearch, environment: "staging", callsPerHour: 10 },
    { ...old, ...salesCopilot, environment: "development", runs: [last(8.2), last(8.2) + 10], callsPerHour: 16 },
    // A load test, which has just started, so that a refresh always shows something new.
    { ...old, ...supportBot, environment: "staging", runs: [-0.15, end], callsPerHour: 300, rhythm: () => 1 },

    { ...common, ...supportBot, sdk: "openlit", callsPerHour: 90, callsPerError: 60 },
    { ...common, ...supportBot, sdk: "openlit", environment: "staging", callsPerHour: 12, callsPerError: 60 },
    { ...common, ...docSearch, sdk: "contrib", runs: [start, last(15.5), end], callsPerHour: 80, callsPerError: 90 },
    {
      ...common,
      ...salesCopilot,
      sdk: "agento11y",
      callsPerHour: 45,
      models: [claude, claude, gpt4o],
      agents: [
        { name: "account-planner", tools: ["search_crm", "read_mail"], methods: ["tools/call", "tools/list"] },
        { name: "quote-writer", tools: ["get_price"] },
      ],
      callsPerError: 40,
    },
    // The incident, in which answers are slow, too.
    {
      ...common,
      ...salesCopilot,
      sdk: "agento11y",
      models: [{ ...claude, duration: [2, 75] }],
      runs: [last(12.8), last(12.8) + 1.2],
      callsPerHour: 90,
      callsPerError: 2,
    },
    {
      ...common,
      ...invoiceReader,
      environment: "development",
      sdk: "openllmetry",
      models: [gpt4oMini, gpt4o, claude, qwen],
      callsPerHour: 20,
      callsPerError: 25,
    },
  ];
}

/**
 * The company's calls of the day before `now`, and those of the next hours.
 *
 * @param now milliseconds since 1970; the same time of another day gives the same calls
 * @param ahead hours after `now`, at most two weeks
 * @param gateway the requests of the SDKs of today, and those of one more program, go through it. Defaults to none.
 */
export function companyWorld(now: number, ahead = 0, gateway?: string): World {
  const programs = companyPrograms(now);
  const all = gateway
    ? [...programs.map((program) => (program.sdk === "spec" ? program : { ...program, gateway })), { ...withoutSdk, gateway }]
    : programs;
  return createWorld(now, seed, all, now + ahead * hour);
}
