/** The calls that the recorded exports contain, as the server counted that answered them. */
import { embed, gpt4o, gpt4oMini, type Model, vector } from "../world/models";
import { type Call, costOf, hour, type Process, type World } from "../world/world";

/** Calls, each with their number. */
export interface Known {
  models: readonly (readonly [model: Model, input: number, output: number | undefined, calls: number, error?: string])[];
  /** Of the input tokens of a chat that succeeded, and the only model with them. */
  cached?: number;
  cachedOf?: Model;
  agents?: readonly (readonly [agent: string, calls: number])[];
  tools?: readonly (readonly [tool: string, calls: number])[];
  databases?: readonly (readonly [system: string, operation: string, calls: number])[];
}

const named = (model: string): Model => ({ ...gpt4o, model, answeredBy: model });

/** One of those to gpt-4o is streamed, and one is of the Responses API. */
export const tenCalls: Known = {
  models: [
    [gpt4o, 11, 3, 5],
    [gpt4oMini, 11, 3, 2],
    [embed, 5, undefined, 2],
    [named("gpt-bad"), 11, 0, 1, "NotFoundError"],
  ],
};

const chats: Known["models"] = [
  [gpt4o, 100, 20, 19],
  [gpt4oMini, 100, 20, 4],
  [named("gpt-limit"), 100, 0, 2, "RateLimitError"],
  [named("gpt-slow"), 100, 0, 1, "APITimeoutError"],
  [named("gpt-bad"), 100, 0, 1, "NotFoundError"],
];

/** Five of those to gpt-4o are streamed, and two are a round with a tool. */
export const thirtyCalls: Known = { models: [...chats, [embed, 7, undefined, 3]], cached: 40 };
export const withoutTimeout: Known = {
  models: [...chats.filter(([, , , , error]) => error !== "APITimeoutError"), [embed, 7, undefined, 3]],
};
export const withoutEmbeddings: Known = { models: chats, cached: 40 };

/** Each by an agent, and streamed. */
export const agentCalls: Known = {
  models: [
    [gpt4o, 100, 20, 3],
    [gpt4oMini, 100, 20, 2],
    [named("gpt-bad"), 100, 0, 1, "NotFoundError"],
  ],
  cached: 40,
  agents: [["helper", 6]],
};

/** Two of those to gpt-4o are streamed. */
export const shortCalls: Known = {
  models: [
    [gpt4o, 100, 20, 5],
    [gpt4oMini, 100, 20, 1],
    [embed, 7, undefined, 1],
    [named("gpt-limit"), 100, 0, 1, "RateLimitError"],
    [named("gpt-slow"), 100, 0, 1, "APITimeoutError"],
    [named("gpt-bad"), 100, 0, 1, "NotFoundError"],
  ],
  cached: 40,
};

/** Five of those to gpt-4o found 64 tokens in the cache: a model of its own. The provider counted retries. */
const withCache: Model = { ...gpt4o };
export const retriedCalls: Known = {
  models: [
    [gpt4o, 100, 20, 16],
    [withCache, 100, 20, 5],
    [gpt4oMini, 50, 10, 5],
    [embed, 14, undefined, 2],
    [embed, 7, undefined, 1],
    [named("text-embedding-3-small-err429"), 7, undefined, 4, "RateLimitError"],
    [named("gpt-4o-err401"), 100, 0, 1, "AuthenticationError"],
    [named("gpt-4o-err404"), 100, 0, 1, "NotFoundError"],
    [named("gpt-4o-err429"), 100, 0, 8, "RateLimitError"],
    [named("gpt-4o-err500"), 100, 0, 4, "InternalServerError"],
  ],
  cached: 64,
  cachedOf: withCache,
  tools: [["get_weather", 2]],
};

/** USD of a million tokens. */
const priced = (model: string, provider: string, input: number, output: number): Model => ({
  ...named(model),
  ...{ provider, price: { input, output } },
});

/** Of the 100 input tokens of some, 50 are read from a cache and 20 written to it: a model of its own, with the mean price. */
function claudeCalls(provider: string, names: Record<"sonnet" | "haiku" | "failed", string>, plain: number, cached: number): Known {
  const { sonnet, haiku } = names;
  const failed = (part: string) => names.failed.replace("PART", part);
  const cachedOf = priced(sonnet, provider, (30 * 3 + 50 * 0.3 + 20 * 3.75) / 100, 15);
  const failing = (model: string, calls: number, error: string) => [priced(model, provider, 3, 15), 100, 0, calls, error] as const;
  return {
    models: [
      [cachedOf, 100, 20, cached],
      [priced(sonnet, provider, 3, 15), 100, 20, plain],
      [priced(haiku, provider, 1, 5), 50, 10, 5],
      failing(failed("err401"), 1, "AuthenticationError"),
      failing(failed("err404"), 1, "NotFoundError"),
      failing(failed("err429"), 2, "RateLimitError"),
      failing(failed("err500"), 1, "InternalServerError"),
      failing(`${sonnet}-slow`, 1, "APITimeoutError"),
    ],
    ...{ cached: 50, cachedOf },
  };
}

const ofAnthropic = { sonnet: "claude-sonnet-4-5", haiku: "claude-haiku-4-5", failed: "claude-sonnet-4-5-PART" };
export const anthropicCalls = claudeCalls("anthropic", ofAnthropic, 13, 6);
const ofBedrock = {
  sonnet: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  haiku: "us.anthropic.claude-haiku-4-5-20251001-v1:0",
  failed: "us.anthropic.claude-sonnet-4-5-PART-v1:0",
};
const chatsOfBedrock = claudeCalls("aws.bedrock", ofBedrock, 14, 7);
/** Without a price. */
const titan: Model = { ...embed, model: "amazon.titan-embed-text-v2:0", provider: "aws.bedrock", price: {} };
export const bedrockCalls: Known = { ...chatsOfBedrock, models: [...chatsOfBedrock.models, [titan, 7, undefined, 3]] };

/** The calls of an application, with an SDK that sends everything. */
export function knownWorld(
  application: string,
  { models, cached = 0, cachedOf, agents = [], tools = [], databases = [] }: Known,
  now: number,
): World {
  const times = { start: now - 1000, end: now };
  const process: Process = {
    ...times,
    application,
    environment: "prod",
    instance: "1",
    version: "1",
    sdk: "complete",
    exports: [now],
    scraped: false,
  };
  const base = { ...times, process, traceId: "", spanId: "", arrived: true, exportedAt: now };
  const cachedIn = (model: Model) => (model.operation === "embeddings" || (cachedOf && model !== cachedOf) ? 0 : cached);
  const repeated = (calls: number, call: Call) => Array.from({ length: calls }, () => call);
  const calls: Call[] = [
    ...models.flatMap(([model, inputTokens, outputTokens, calls, error]) =>
      repeated(calls, {
        ...base,
        kind: "model",
        ...{ model, inputTokens, outputTokens, error },
        cachedTokens: cachedIn(model),
        prompt: model.operation === "embeddings" ? "hello" : "2+2?",
        // Cached tokens of OpenAI have half the price.
        cost: costOf(model.price ?? {}, inputTokens - (model.provider === "openai" ? cachedIn(model) / 2 : 0), outputTokens),
        completion: outputTokens === undefined || error ? undefined : "Four.",
      }),
    ),
    ...agents.flatMap(([name, calls]) => repeated(calls, { ...base, kind: "agent", name })),
    ...tools.flatMap(([name, calls]) => repeated(calls, { ...base, kind: "tool", name })),
    ...databases.flatMap(([system, operation, calls]) =>
      repeated(calls, { ...base, kind: "database", database: vector(system, operation) }),
    ),
  ];
  return { now: now + hour, processes: [process], calls };
}
