/** Where a panel shows something else than the known calls of a recording, and why. The tests hold both against what the panels show. */

export const reasons = {
  failures: "Failed requests are spans only: no metric counts them.",
  responses: "The SDK does not record the Responses API.",
  responsesAsSpan: "The Responses API is a span only: no metric counts it.",
  streamedTokens: "No tokens of streamed requests.",
  costs: "The SDK sends no costs.",
  firstToken: "The SDK sends no time to first token.",
  answered: "Points name the model that answered, not the requested one.",
  failuresWithoutNames: "Points of failed requests have the type of the error only.",
  bounds: "The histogram has OpenTelemetry's default bounds: all requests are in the bucket from 0 to 5 seconds.",
  prompts: "The span of a failed request has no prompt.",
  contents: "Prompts and completions are log events.",
  embeddings: "The span of embeddings has no prompt.",
} as const;

export type Why = keyof typeof reasons;

export interface Deviation {
  shows: string;
  why: readonly [Why, ...Why[]];
  /** What the table says, if `shows` is long. */
  cell?: string;
}

type Deviations = Record<string, Deviation>;

const noCosts: Deviations = Object.fromEntries(
  ["Cost", "Cost / Request", "Cost by Model", "Top Models by Cost"].map((title) => [title, { shows: "no data", why: ["costs"] }]),
);

/** One request less than there were. */
const oneLess = (why: Why): Deviations => ({
  Requests: { shows: "9", why: [why] },
  "Requests by Environment": { shows: "prod 9", why: [why] },
  "Requests by Application": { shows: "shop 9", why: [why] },
});

const withoutResponses = (why: Why): Deviations => ({
  ...oneLess(why),
  "Error Rate": { shows: "0.111111", why: [why], cell: "11.1 %" },
  "Requests by Outcome": { shows: "Failed 1, Successful 8", why: [why] },
});

const contrib: Deviations = {
  ...noCosts,
  ...withoutResponses("responses"),
  "Requests by Provider": { shows: "openai 9", why: ["responses"] },
  "Requests by Operation": { shows: "chat 7, embeddings 2", why: ["responses"] },
  "Top Models by Requests": {
    shows: "gpt-4o 4, gpt-4o-mini 2, gpt-bad 1, text-embedding-3-small 2",
    why: ["responses"],
    cell: "gpt-4o 4",
  },
  "Time to First Token": { shows: "no data", why: ["firstToken"] },
};

/** By recording and panel. */
export const deviations: Record<string, Deviations> = {
  "openlit-python-1.45.0": {
    "GenAI Requests, table": {
      shows:
        "chat gpt-4o 11+3 $0.000058 2+2? Four.; chat gpt-4o-mini 11+3 $0.000003 2+2? Four.; chat gpt-bad failed NotFoundError; " +
        "embeddings text-embedding-3-small 5 $0.000000 hello",
      why: ["prompts"],
      cell: "one prompt less",
    },
  },
  "openlit-node-1.15.0": {
    ...oneLess("failures"),
    "Error Rate": { shows: "0", why: ["failures"], cell: "0 %" },
    "Requests by Outcome": { shows: "Successful 9", why: ["failures"] },
    "Requests by Provider": { shows: "openai 9", why: ["failures"] },
    "Requests by Operation": { shows: "chat 7, embeddings 2", why: ["failures"] },
    "Top Models by Requests": { shows: "gpt-4o 5, gpt-4o-mini 2, text-embedding-3-small 2", why: ["failures"], cell: "without gpt-bad" },
    "Errors by Type": { shows: "no data", why: ["failures"] },
    "GenAI Requests, table": {
      shows:
        "chat gpt-4o 11+3 $0.000058 2+2? Four.; chat gpt-4o-mini 11+3 $0.000003 2+2? Four.; chat gpt-bad failed NotFoundError; " +
        "embeddings text-embedding-3-small 5 $0.000000 hello",
      why: ["prompts"],
      cell: "one prompt less",
    },
  },
  "opentelemetry-instrumentation-openai-v2-2.4b0": {
    ...contrib,
    Tokens: { shows: "80", why: ["responses", "streamedTokens"] },
    "Tokens by Type": { shows: "input 65, output 15", why: ["responses", "streamedTokens"] },
    "Top Models by Tokens": {
      shows: "gpt-4o 42, gpt-4o-mini 28, text-embedding-3-small 10",
      why: ["responses", "streamedTokens"],
      cell: "gpt-4o 42",
    },
    "GenAI Requests, table": {
      shows: "chat gpt-4o 11+3; chat gpt-4o-mini 11+3; chat gpt-bad failed NotFoundError; embeddings text-embedding-3-small 5",
      why: ["contents", "costs"],
      cell: "without texts and costs",
    },
  },
  "opentelemetry-instrumentation-openai-v2-2.4b0-gen_ai_latest_experimental": {
    ...contrib,
    Tokens: { shows: "94", why: ["responses"] },
    "Tokens by Type": { shows: "input 76, output 18", why: ["responses"] },
    "Top Models by Tokens": {
      shows: "gpt-4o 56, gpt-4o-mini 28, text-embedding-3-small 10",
      why: ["responses"],
      cell: "gpt-4o 56",
    },
    "GenAI Requests, table": {
      shows:
        "chat gpt-4o 11+3 2+2? Four.; chat gpt-4o-mini 11+3 2+2? Four.; chat gpt-bad failed NotFoundError 2+2?; " +
        "embeddings text-embedding-3-small 5",
      why: ["embeddings", "costs"],
      cell: "one prompt less, without costs",
    },
  },
  "openllmetry-openai-0.62.4": {
    ...noCosts,
    ...withoutResponses("responsesAsSpan"),
    "p95 Latency": { shows: "4.864", why: ["bounds"], cell: "4.86 s" },
    Latency: { shows: "p50 2.56, p95 4.864, p99 5.0688", why: ["bounds"], cell: "2.56 s to 5.07 s" },
    "Time to First Token": { shows: "p95 4.864", why: ["bounds"], cell: "4.86 s" },
    Tokens: { shows: "94", why: ["responsesAsSpan"] },
    "Tokens by Type": { shows: "input 76, output 18", why: ["responsesAsSpan"] },
    "Top Models by Requests": {
      shows: "(none) 1, gpt-4o-2024-08-06 4, gpt-4o-mini-2024-08-06 2, text-embedding-3-small 2",
      why: ["answered", "responsesAsSpan", "failuresWithoutNames"],
      cell: "gpt-4o-2024-08-06 4, (none) 1",
    },
    "Top Models by Tokens": {
      shows: "gpt-4o-2024-08-06 56, gpt-4o-mini-2024-08-06 28, text-embedding-3-small 10",
      why: ["answered", "responsesAsSpan"],
      cell: "gpt-4o-2024-08-06 56",
    },
    "Requests by Provider": { shows: "(none) 1, openai 8", why: ["responsesAsSpan", "failuresWithoutNames"] },
    "Requests by Operation": { shows: "(none) 1, chat 6, embeddings 2", why: ["responsesAsSpan", "failuresWithoutNames"] },
    "GenAI Requests, table": {
      shows:
        "chat gpt-4o 11+3 2+2? Four.; chat gpt-4o-mini 11+3 2+2? Four.; chat gpt-bad failed NotFoundError 2+2?; " +
        "embeddings text-embedding-3-small 5 hello",
      why: ["costs"],
      cell: "without costs",
    },
  },
};
