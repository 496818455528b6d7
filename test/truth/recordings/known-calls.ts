/** The calls that the recorded exports contain, as the server counted that answered them. */
import { embed, gpt4o, gpt4oMini, type Model, vector } from "../world/models";
import { type Call, costOf, hour, type Process, type World } from "../world/world";

/** Calls, each with their number. */
export interface Known {
  models: readonly (readonly [model: Model, input: number, output: number | undefined, calls: number, error?: string])[];
  /** Of the input tokens of a chat that succeeded. */
  cached?: number;
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

/** The calls of an application, with an SDK that sends everything. */
export function knownWorld(
  application: string,
  { models, cached = 0, agents = [], tools = [], databases = [] }: Known,
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
  const repeated = (calls: number, call: Call) => Array.from({ length: calls }, () => call);
  const calls: Call[] = [
    ...models.flatMap(([model, inputTokens, outputTokens, calls, error]) =>
      repeated(calls, {
        ...base,
        kind: "model",
        ...{ model, inputTokens, outputTokens, error },
        cachedTokens: model === embed ? 0 : cached,
        prompt: model === embed ? "hello" : "2+2?",
        // Cached tokens have half the price.
        cost: costOf(model.price ?? {}, inputTokens - (model === embed ? 0 : cached / 2), outputTokens),
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
