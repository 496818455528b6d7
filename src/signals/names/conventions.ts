/**
 * OpenTelemetry's semantic conventions for generative AI up to 1.41, which most SDKs and gateways export. The number of requests is the count of a duration.
 * The names of the releases: test/recorded/conventions.json.
 */
import type { NameSet } from "./translate";

export const conventions = {
  metrics: {
    operations: { name: "gen_ai.client.operation.duration", unit: "s", kind: "histogram" },
    tokens: { name: "gen_ai.client.token.usage", unit: "{token}", kind: "histogram" },
    /** With another unit: of Microsoft's Agent Framework. */
    tokensInTokens: { name: "gen_ai.client.token.usage", unit: "tokens", kind: "histogram" },
    /** Of gateways: requests of their clients, as Envoy AI Gateway counts them. */
    serverRequests: { name: "gen_ai.server.request.duration", unit: "s", kind: "histogram" },
    /** Measured by OpenLIT and OpenLLMetry in the client, although named after the server. */
    firstToken: { name: "gen_ai.server.time_to_first_token", unit: "s", kind: "histogram" },
    firstChunk: { name: "gen_ai.client.operation.time_to_first_chunk", unit: "s", kind: "histogram" },
    /** Not in the conventions: of Grafana's SDK. */
    clientFirstToken: { name: "gen_ai.client.time_to_first_token", unit: "s", kind: "histogram" },
    /** Not in the conventions: the former is of OpenLIT and LiteLLM, the latter of Pydantic AI. */
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
    /** The provider up to version 1.36. */
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
 * Matches the operations that are no requests to models: steps of agents, tools, workflows and retrieval, which contain requests that are counted themselves. All
 * others are requests, also those of tomorrow. `framework` and `vectordb` are those of OpenLIT.
 */
export const otherOperations = ".*(agent|memory|plan|retriev|task|tool|workflow).*|framework|vectordb";

/** Values of `tokenType` that add up to all tokens. Others, such as `cache_read` and `reasoning`, are subsets of these. */
export const tokenTypes = { input: "input", output: "output" } as const;

/** Matches the values of `tokenType` for input that the provider reads from its cache, or writes to it: each SDK and gateway has its own. */
export const cachedTypes = { cached: "(input_)?cache(d|_read).*", written: "(input_)?cache_(creation|write).*" } as const;
