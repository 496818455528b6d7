/**
 * OpenTelemetry's semantic conventions for generative AI up to 1.41, which most SDKs and gateways follow. The number of requests is the
 * count of the histogram of durations. test/recorded/conventions.json has the names of each release.
 */
import type { NameSet } from "./translate";

export const conventions = {
  metrics: {
    operations: { name: "gen_ai.client.operation.duration", unit: "s", kind: "histogram" },
    tokens: { name: "gen_ai.client.token.usage", unit: "{token}", kind: "histogram" },
    /** Microsoft's Agent Framework uses another unit. */
    tokensInTokens: { name: "gen_ai.client.token.usage", unit: "tokens", kind: "histogram" },
    /** The requests of a gateway's clients, of Envoy AI Gateway. */
    serverRequests: { name: "gen_ai.server.request.duration", unit: "s", kind: "histogram" },
    /** OpenLIT and OpenLLMetry measure it in the client, although the name says server. */
    firstToken: { name: "gen_ai.server.time_to_first_token", unit: "s", kind: "histogram" },
    firstChunk: { name: "gen_ai.client.operation.time_to_first_chunk", unit: "s", kind: "histogram" },
    /** Grafana's SDK. Not in the conventions. */
    clientFirstToken: { name: "gen_ai.client.time_to_first_token", unit: "s", kind: "histogram" },
    /** OpenLIT and LiteLLM send the first one, Pydantic AI the second one. Not in the conventions. */
    cost: { name: "gen_ai.usage.cost", unit: "USD", kind: "histogram" },
    operationCost: { name: "operation.cost", unit: "{USD}", kind: "histogram" },
    agents: { name: "gen_ai.invoke_agent.duration", unit: "s", kind: "histogram" },
    tools: { name: "gen_ai.execute_tool.duration", unit: "s", kind: "histogram" },
    mcpClient: { name: "mcp.client.operation.duration", unit: "s", kind: "histogram" },
    mcpServer: { name: "mcp.server.operation.duration", unit: "s", kind: "histogram" },
    database: { name: "db.client.operation.duration", unit: "s", kind: "histogram" },
  },
  attributes: {
    operation: "gen_ai.operation.name",
    provider: "gen_ai.provider.name",
    /** The provider, up to version 1.36. */
    system: "gen_ai.system",
    model: "gen_ai.request.model",
    responseModel: "gen_ai.response.model",
    tokenType: "gen_ai.token.type",
    error: "error.type",
    agent: "gen_ai.agent.name",
    tool: "gen_ai.tool.name",
    mcpMethod: "mcp.method.name",
    databaseSystem: "db.system.name",
    databaseOperation: "db.operation.name",
    databaseCollection: "db.collection.name",
  },
} as const satisfies NameSet;

/**
 * Matches operations that are no requests to models: steps of agents, tools, workflows and retrieval, whose requests are counted anyway,
 * and what generates nothing, such as `count_tokens`, `fetch_response` and `create_conversation`. All other operations are requests, also
 * unknown ones. OpenLIT uses `framework` and `vectordb`. `work` stands for `framework` and `workflow`: Tempo limits the length of queries.
 */
export const otherOperations = ".*(agent|_conv|cycle|fetch|guard|memory|plan|retriev|task|token|tool|vect|work).*";

/** The values of `tokenType` that add up to all tokens. Other types, such as `cache_read` and `reasoning`, are parts of these. */
export const tokenTypes = { input: "input", output: "output" } as const;

/** Matches the types of input tokens that the provider reads from its cache, or writes to it. SDKs and gateways have different names. */
export const cachedTypes = { cached: "(input_)?cache(d|_read).*", written: "(input_)?cache_(creation|write).*" } as const;
