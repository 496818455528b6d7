/** The calls that all recorded exports contain (test/recorded/otlp), and what each panel would show if the SDK recorded all of them. */

/** The calls that succeeded, by what was called; a streamed one and one of the Responses API among those to gpt-4o. */
const models = {
  "gpt-4o": { calls: 5, input: 11, output: 3, usd: 5.75e-5 },
  "gpt-4o-mini": { calls: 2, input: 11, output: 3, usd: 3.45e-6 },
  "text-embedding-3-small": { calls: 2, input: 5, output: 0, usd: 1e-7 },
};

type Of = (typeof models)[keyof typeof models];

const byModel = (value: (of: Of) => number): Record<string, number> =>
  Object.fromEntries(Object.entries(models).map(([model, of]) => [model, of.calls * value(of)]));
const total = (value: (of: Of) => number) => Object.values(byModel(value)).reduce((sum, each) => sum + each, 0);
const [succeeded, cost] = [total(() => 1), total(({ usd }) => usd)];
const tokens = byModel(({ input, output }) => input + output);

/** Numbers by the names of slices, bars or series; a single number has the name "". In a graph, the sum of its points. */
export const knownNumbers: Record<string, Record<string, number>> = {
  Requests: { "": succeeded + 1 },
  "Error Rate": { "": 1 / (succeeded + 1) },
  Tokens: { "": total(({ input, output }) => input + output) },
  Cost: { "": cost },
  "Cost / Request": { "": cost / succeeded },
  "Requests by Outcome": { Successful: succeeded, Failed: 1 },
  "Tokens by Type": { input: total(({ input }) => input), output: total(({ output }) => output) },
  "Cost by Model": byModel(({ usd }) => usd),
  "Top Models by Requests": { ...byModel(() => 1), "gpt-bad": 1 },
  "Top Models by Tokens": tokens,
  "Top Models by Cost": byModel(({ usd }) => usd),
  "Requests by Provider": { openai: succeeded + 1 },
  "Requests by Operation": {
    chat: succeeded - models["text-embedding-3-small"].calls + 1,
    embeddings: models["text-embedding-3-small"].calls,
  },
  "Requests by Environment": { prod: succeeded + 1 },
  "Requests by Application": { shop: succeeded + 1 },
  "Errors by Type": { NotFoundError: 1 },
};

/** Those that only the recording of OpenLIT for Python contains. */
export const knownDatabaseNumbers: Record<string, Record<string, number>> = {
  "Requests by System": { qdrant: 4 },
  "Requests by DB Operation": { create_collection: 1, UPSERT: 1, QUERY: 2 },
};

/** A recording contains one span for each name, status and set of attributes, so that equal calls are one row. */
export const knownRows: readonly string[] = [
  "chat gpt-4o 11+3 $0.000058 2+2? Four.",
  "chat gpt-4o-mini 11+3 $0.000003 2+2? Four.",
  "chat gpt-bad failed NotFoundError 2+2?",
  "embeddings text-embedding-3-small 5 $0.000000 hello",
];

export const knownDatabaseRows: readonly string[] = ["qdrant QUERY", "qdrant UPSERT", "qdrant create_collection"];
