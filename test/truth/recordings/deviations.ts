/**
 * The recorded exports of SDKs (test/recorded/otlp): their calls, and why panels show something else. The tests hold that a panel which shows something else has a
 * reason, and the table in dashboards/sdks.md what it shows.
 */
import {
  agentCalls,
  anthropicCalls,
  bedrockCalls,
  type Known,
  retriedCalls,
  shortCalls,
  tenCalls,
  thirtyCalls,
  withoutEmbeddings,
  withoutTimeout,
} from "./known-calls";

interface Reason {
  text: string;
  /** The panels that it can concern. Undefined for all panels. */
  panels?: readonly string[];
}

/** The table by model has a column of each. */
const byModel = "By $by";
const errors = ["Error Rate", "Error Rate by $by", "Errors by Type"];
const names = [byModel, "Requests by $by", "Error Rate by $by", "Requests by Operation"];
const counts = ["Requests", "Error Rate", ...names];
const tokens = ["Tokens", byModel, "Tokens by Type"];
const costs = ["Cost", byModel, "Cost by $by", "Cost of the Period", "Tokens without Cost"];
/** Computed by the tokens. */
const spent = [...tokens, ...costs];
const costNames = [byModel, "Cost by $by", "Tokens without Cost"];
const times = ["p95 Latency", "p95 Latency by $by", byModel];
const firstToken = ["p95 First Token", "p95 First Token by $by"];
const agents = ["Invocations by Agent", "Mean Duration by Agent", "Tool Calls by Tool"];
const newest = ["Newest Requests"];
const tables = ["Failed Requests", "Slow Requests", ...newest];

export const reasons = {
  failures: { text: "Failed requests are spans only: no metric counts them.", panels: [...counts, "Errors by Type"] },
  noErrors: { text: "Failed requests have neither an error nor a model.", panels: [...errors, byModel, "Requests by $by"] },
  errorTypes: {
    text: "Several failures are one type of error, or types have names of the SDK's own.",
    panels: ["Errors by Type", "Failed Requests"],
  },
  durations: {
    text: "The SDK sends no durations. Rules count requests by their tokens, without failed ones.",
    panels: [...counts, ...times],
  },
  operationNames: { text: "Operations have names of the SDK's own, or none.", panels: ["Requests by Operation"] },
  modelNames: {
    text: "Models have names of the SDK's own: with the provider in them, or without the vendor and the region.",
    panels: [...names, ...costNames, ...tables],
  },
  noNames: { text: "Points of most requests name no model.", panels: [...names, ...costs] },
  reasoning: { text: "The SDK adds reasoning tokens to the output, which contains them.", panels: spent },
  someCosts: { text: "Costs only of models whose price the SDK knows by their full name.", panels: [...costs, ...newest] },
  trimmed: { text: "The recording has no such span.", panels: tables },
  failuresWithoutNames: { text: "Points of failed requests have the type of the error only.", panels: names },
  responses: { text: "The SDK does not record the Responses API.", panels: [...counts, ...spent] },
  responsesAsSpan: { text: "The Responses API is a span only: no metric counts it.", panels: [...counts, ...spent] },
  embeddings: { text: "No metric counts embeddings.", panels: [...counts, ...spent] },
  streamedTokens: { text: "No tokens of streamed requests.", panels: spent },
  tokens: { text: "The SDK sends no tokens.", panels: spent },
  cachedTokens: { text: "The SDK sends no cached tokens, so computed costs have no discount.", panels: ["Tokens by Type", ...costs] },
  spanCosts: { text: "Spans have no costs.", panels: newest },
  exponential: {
    text: "Percentiles of exponential histograms are recorded by Prometheus and Mimir only, not by Grafana or promtool, as here.",
    panels: times,
  },
  firstToken: { text: "The SDK sends no time to first token.", panels: firstToken },
  answered: { text: "Points and spans name the model that answered, not the requested one.", panels: [...names, ...costNames, ...tables] },
  agentNames: { text: "Points do not name the agent or the tool.", panels: agents },
  agents: { text: "Agents and tools are spans only: no metric counts them.", panels: agents },
  ownTools: { text: "The metric of tools has a name of the SDK's own.", panels: agents },
  spanErrors: { text: "Spans of failed requests have no type of the error.", panels: ["Failed Requests"] },
  prompts: { text: "The span of a failed request has no prompt.", panels: newest },
  contents: { text: "Prompts and completions are log events.", panels: newest },
  contentEvents: { text: "Prompts and completions are events of spans.", panels: newest },
  noMetrics: { text: "The SDK sends no metrics.", panels: [...counts, ...spent, ...times, "Errors by Type"] },
  ownNames: { text: "Metrics have names of the SDK's own.", panels: [...counts, ...spent, ...times, "Errors by Type"] },
  ownAttributes: { text: "Spans have attributes of the SDK's own, unless a variable adds those of the conventions.", panels: tables },
  retries: { text: "A request and its retries count as one.", panels: [...counts, "Errors by Type"] },
  noBuckets: { text: "The SDK sends buckets only if `percentiles-histogram` is switched on.", panels: times },
  cachedApart: { text: "Input tokens are those that were not cached.", panels: spent },
  embeddedTexts: { text: "The span of embeddings has no prompt.", panels: newest },
} satisfies Record<string, Reason>;

const ofSpring = ["retries", "operationNames", "errorTypes", "cachedTokens", "spanCosts", "firstToken", "ownTools", "contents"] as const;

export const recordings = {
  "openlit-python-1.45.0": {
    known: {
      ...tenCalls,
      databases: [
        ["qdrant", "create_collection", 1],
        ["qdrant", "UPSERT", 1],
        ["qdrant", "QUERY", 2],
      ],
    },
    reasons: ["prompts"],
  },
  "openlit-node-1.15.0": { known: tenCalls, reasons: ["failures", "prompts"] },
  "opentelemetry-instrumentation-openai-v2-2.4b0": {
    known: tenCalls,
    reasons: ["responses", "streamedTokens", "spanCosts", "firstToken", "contents"],
  },
  "opentelemetry-instrumentation-openai-v2-2.4b0-gen_ai_latest_experimental": {
    known: tenCalls,
    reasons: ["responses", "spanCosts", "firstToken", "embeddedTexts"],
  },
  "opentelemetry-instrumentation-genai-openai-1.3b0": {
    known: shortCalls,
    reasons: ["errorTypes", "cachedTokens", "spanCosts", "contents"],
  },
  "openllmetry-openai-0.62.4": { known: tenCalls, reasons: ["responsesAsSpan", "answered", "failuresWithoutNames", "spanCosts"] },
  "openai-agents-0.24.0": {
    known: { ...withoutEmbeddings, agents: [["helper", 26]], tools: [["weather", 1]] },
    reasons: ["noErrors", "answered", "cachedTokens", "spanCosts", "firstToken", "agentNames"],
  },
  "ai-sdk-7.0.173": {
    known: { ...thirtyCalls, tools: [["weather", 1]] },
    reasons: ["embeddings", "errorTypes", "tokens", "spanCosts", "firstToken", "agents"],
  },
  "agento11y-0.21.0": {
    known: { ...thirtyCalls, tools: [["weather", 1]] },
    reasons: ["operationNames", "errorTypes", "streamedTokens", "spanCosts", "firstToken", "contents"],
  },
  "google-adk-2.13.0": {
    known: { ...withoutEmbeddings, agents: [["helper", 26]], tools: [["weather", 1]] },
    reasons: ["operationNames", "modelNames", "errorTypes", "reasoning", "cachedTokens", "spanCosts", "firstToken", "contents"],
  },
  "langchain-openllmetry-0.62.4": {
    known: { ...thirtyCalls, tools: [["weather", 1]] },
    reasons: [
      ...(["failures", "embeddings", "operationNames", "answered", "cachedTokens", "spanCosts"] as const),
      ...(["firstToken", "agents"] as const),
    ],
  },
  "litellm-1.106.2": { known: thirtyCalls, reasons: ["failures", "operationNames", "cachedTokens", "trimmed"] },
  "pydantic-ai-2.68.0": {
    known: { ...thirtyCalls, agents: [["helper", 26]], tools: [["weather", 1]] },
    reasons: ["failures", "durations", "cachedTokens", "someCosts", "agents", "spanErrors"],
  },
  "opentelemetry-instrumentation-openai-v2-2.4b0-exponential": {
    known: withoutTimeout,
    reasons: ["exponential", "streamedTokens", "spanCosts", "firstToken", "contents"],
  },
  "strands-agents-1.62.0": { known: agentCalls, reasons: ["ownNames", "spanCosts", "firstToken", "agents", "contentEvents", "spanErrors"] },
  "agent-framework-1.23.0": { known: agentCalls, reasons: ["answered", "errorTypes", "cachedTokens", "spanCosts", "firstToken", "agents"] },
  "spring-ai-2.0.1": { known: retriedCalls, reasons: [...ofSpring, "noBuckets"] },
  "spring-ai-percentiles-histogram-2.0.1": { known: retriedCalls, reasons: ofSpring },
  "openllmetry-bedrock-0.62.4": {
    known: bedrockCalls,
    reasons: ["failures", "operationNames", "modelNames", "noNames", "cachedTokens", "cachedApart", "firstToken"],
  },
  "genai-bedrock-1.3b0": { known: bedrockCalls, reasons: ["errorTypes", "cachedTokens", "cachedApart", "spanCosts", "contents"] },
  "genai-anthropic-1.3b0": { known: anthropicCalls, reasons: ["errorTypes", "cachedTokens", "spanCosts", "contents"] },
  "openinference-openai-0.1.66": { known: shortCalls, reasons: ["noMetrics", "spanCosts", "firstToken", "ownAttributes"] },
} satisfies Record<string, { known: Known; reasons: readonly (keyof typeof reasons)[] }>;
