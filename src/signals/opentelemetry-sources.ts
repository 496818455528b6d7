/**
 * What SDKs and gateways send for each measure. Each source is one recording rule. To read an SDK with other names, add a file of its names
 * to `names/`, and its sources here.
 */

import { keeps } from "./identity";
import { cachedTypes, conventions, otherOperations, tokenTypes } from "./names/conventions";
import { agentgateway, litellm } from "./names/gateways";
import { inference } from "./names/inference";
import { spec } from "./names/spec";
import { spring } from "./names/spring";
import { type HistogramPart, labelName, type Metric } from "./names/translate";
import { conventionLabel as label, type MeasureName } from "./opentelemetry-measures";
import { equals, isOneOf, isPresent, matchesNot } from "./promql";

/** Series of a metric. */
export interface MetricSelection {
  metric: Metric;
  filters?: readonly string[];
  /** Each step sets a label. It is the list of arguments that `label_replace` takes after the query. */
  steps?: readonly string[];
  /** No SDK sends this histogram in the exponential form. */
  isClassic?: true;
}

/** Compares series with others that a process sends at the same time. */
export interface Condition {
  metrics: readonly Metric[];
  part: HistogramPart;
  filters: readonly string[];
  /** What the series have in common: the process, the operation of a process, or all labels but `le`. */
  on: "process" | "operation" | "series";
}

/** What one recording rule reads. */
export interface Source {
  /** The value of the label `source`. */
  name: string;
  /** Who sends it. */
  from: string;
  /** Of each process, the rule reads the first selection that has series; with `all`, it reads all selections. */
  metrics: readonly MetricSelection[];
  all?: true;
  /** The rule reads series that meet a condition, or that do not. */
  only?: readonly Condition[];
  except?: readonly Condition[];
  /** Labels that the rule adds. */
  labels?: Readonly<Record<string, string>>;
  /** See `MetricSelection`. */
  steps?: readonly string[];
  /** The rule records a native histogram. Prometheus and Mimir can do that, Grafana cannot. */
  isNative?: true;
  /** Only gateways and servers of models send it. */
  ofGateways?: true;
}

/** Values of `db.system.name` that are vector databases. The metric has all databases: a list of the other ones would be longer. */
export const vectorDatabases = [
  ...["astra_db", "astradb", "chroma", "chromadb", "lancedb", "marqo", "milvus", "pgvector", "pinecone", "qdrant", "vespa", "weaviate"],
] as const;

const { metrics } = conventions;
const latest = inference.metrics;

/** Selects requests to models. Series without the label `operation` are requests. */
export const isRequest = matchesNot(label("operation"), otherOperations);
/** OpenLLMetry for Agno sends the durations of agents and tools without an operation. */
const durations: MetricSelection = { metric: metrics.operations, filters: [isRequest, equals("traceloop_span_kind", "")] };
const laterDurations = [{ metric: latest.operations }, { metric: latest.embeddings }];
const serverRequests: MetricSelection[] = [metrics.serverRequests, agentgateway.metrics.requests].map((metric) => ({
  metric,
  filters: [isRequest],
}));
const conventional = "OpenTelemetry's conventions up to 1.41: most SDKs.";
const later = "OpenTelemetry's conventions after 1.41, of operations that a process sends by no other name.";

/** Turns of agents. OpenLLMetry reports their requests, too. */
const turns: Condition = {
  metrics: [metrics.operations],
  part: "count",
  filters: [
    ...(["operation", "error", "model", "responseModel"] as const).map((name) => equals(label(name), "")),
    isPresent("server_address"),
  ],
  on: "series",
};
const withDurations: Condition = { metrics: [metrics.operations], part: "count", filters: [isRequest], on: "operation" };
/** By any name, for any operation: two instrumentations of a process can use different operations. */
const withAnyDurations: Condition = {
  ...{ ...withDurations, on: "process" },
  metrics: [
    ...[metrics.operations, latest.operations, latest.embeddings],
    ...[spring.metrics.operations, spring.metrics.durations, spring.metrics.scrapedOperations],
  ],
};
const withTokens: Condition = { metrics: [metrics.tokens, metrics.tokensInTokens], part: "sum", filters: [isRequest], on: "operation" };

/**
 * Histograms with OpenTelemetry's default bounds: 0, 5, 10, 25 … They are made for milliseconds; SDKs without own bounds use them for
 * seconds.
 */
const withDefaultBounds = ({ metric, filters = [] }: MetricSelection): Condition => ({
  metrics: [metric],
  part: "bucket",
  filters: [...filters, 'le=~"25([.]0)?"'],
  on: "series",
});

const { metrics: proxy, attributes: proxied } = litellm;
const tokenType = label("tokenType");
/** A step for a metric with one type of tokens. */
const setsType = (type: string) => `"${tokenType}", "${type}", "", ""`;

/** LiteLLM's label for the model that answered is `model`, which rules overwrite. So this step comes first. */
const typed = (metric: Metric, type: string): MetricSelection => ({
  metric,
  steps: [setsType(type), `"${label("responseModel")}", "$1", "${proxied.responseModel}", "(.+)"`],
});
const ofFrameworks = "Frameworks that follow the conventions for agents.";
const ofServers = { name: "server", from: "Envoy AI Gateway and agentgateway.", ofGateways: true } as const;
const ofAgentgateway = { name: "agentgateway", from: "agentgateway, scraped.", ofGateways: true } as const;
const litellmSteps = [
  `"${label("model")}", "$1", "${proxied.model}", "(.+)"`,
  `"${label("provider")}", "$1", "${proxied.provider}", "(.+)"`,
  ...[label("provider"), proxied.key, proxied.team].map((name) => `"${name}", "", "${name}", "None"`),
];
const ofLitellm = { name: "litellm", from: "LiteLLM's proxy, scraped.", ofGateways: true, steps: litellmSteps } as const;

/** OpenLIT sends this metric for all requests, and another one for streamed requests. */
const serverFirstToken: MetricSelection = { metric: metrics.firstToken, filters: [matchesNot(labelName(spec.attributes.sdk), "openlit")] };

/** Without an error, the label has one of these values. */
const withoutNone = `"${label("error")}", "", "${label("error")}", "(?i:none|false)"`;
/** Micrometer has the class of the error in a label of its own, also where LangChain4j sends the durations of the conventions. */
const springError = [`"${label("error")}", "$1", "${spring.attributes.error}", "(.+)"`, withoutNone];
/** Milliseconds as seconds: 1500.25 as 1.50025. */
const inSeconds = [`"le", "000$1.$2", "le", "([0-9]+)[.]?([0-9]*)"`, `"le", "$1.$2$3", "le", "([0-9]+)([0-9]{3})[.]([0-9]*)"`];
const springDurations = (steps: readonly string[] = []): MetricSelection[] => [
  { metric: spring.metrics.operations, filters: [isRequest], steps, isClassic: true },
  { metric: spring.metrics.scrapedOperations, filters: [isRequest], isClassic: true },
];
/** Without percentiles-histogram, there is the last bucket only. */
const withBounds: Condition = {
  ...{ metrics: springDurations().map(({ metric }) => metric), part: "bucket", filters: ['le!="+Inf"'], on: "series" },
};

/** Other types of tokens are subsets of these. */
const isToken = isOneOf(tokenType, Object.values(tokenTypes));
const isInput = equals(tokenType, tokenTypes.input);
const isCached = `${tokenType}=~"${Object.values(cachedTypes).join("|")}"`;
const tokens = (...filters: string[]): MetricSelection[] => [
  { metric: metrics.tokens, filters },
  { metric: metrics.tokensInTokens, filters, isClassic: true },
];
/** Azure's SDK for AI Foundry names the output `completion`. */
const isUsage = isOneOf(tokenType, [...Object.values(tokenTypes), "completion"]);
const asTypes = (patterns: Readonly<Record<string, string>>) => [
  keeps(tokenType),
  ...Object.entries(patterns).map(([type, pattern]) => `"${tokenType}", "${type}", "${tokenType}", "${pattern}"`),
];
const cachedSteps = asTypes(cachedTypes);
const ofType = (type: string) => ({ labels: { [tokenType]: type } });
// Without an operation, the metric is that of OpenLIT until June 2024: "GenAI Observability" shows its costs.
const costs = [metrics.cost, metrics.operationCost].map(
  (metric): MetricSelection => ({ metric, filters: [isPresent(label("operation"))], isClassic: true }),
);
const named = (operation: string): MetricSelection => ({ metric: metrics.operations, filters: [equals(label("operation"), operation)] });
const agents: MetricSelection[] = [{ metric: metrics.agents }, named("invoke_agent")];
const database: MetricSelection = { metric: metrics.database, filters: [isOneOf(label("databaseSystem"), vectorDatabases)] };

export const sources: Readonly<Partial<Record<MeasureName, readonly Source[]>>> = {
  requests: [
    { name: "durations", from: conventional, metrics: [durations], steps: [keeps(label("error")), ...springError], except: [turns] },
    { name: "inference", from: later, metrics: laterDurations, all: true, except: [withDurations] },
    {
      ...{ name: "spring", from: "Micrometer: Spring AI, which retries within one call, and LangChain4j by OTLP." },
      metrics: [...springDurations(), { metric: spring.metrics.durations, filters: [isRequest], isClassic: true }],
      ...{ steps: springError, except: [withDurations] },
    },
    {
      ...{ name: "tokens", from: "SDKs and gateways without durations: each request has input tokens. Failed ones are missing." },
      metrics: tokens(isInput, isRequest),
      except: [withAnyDurations],
    },
    { ...ofServers, metrics: serverRequests, except: [{ ...withDurations, on: "process" }] },
    {
      ...ofLitellm,
      metrics: [{ metric: proxy.requests, filters: [matchesNot(proxied.route, "/metrics/?")] }],
      // The status of a failed request is its error.
      steps: [...ofLitellm.steps, `"${label("error")}", "$1", "${proxied.status}", "([45].*)"`],
    },
  ],
  latency: [
    { name: "durations", from: conventional, metrics: [durations], except: [turns, withDefaultBounds(durations)] },
    {
      ...{ name: "default-bounds", from: "The same with OpenTelemetry's default bounds.", metrics: [durations] },
      ...{ only: [withDefaultBounds(durations)], except: [turns] },
    },
    { name: "exponential", from: "The same as exponential histograms.", metrics: [durations], except: [turns], isNative: true },
    { name: "inference", from: later, metrics: laterDurations, all: true, except: [withDurations] },
    {
      ...{ name: "spring", from: "Spring AI with percentiles-histogram.", metrics: springDurations(inSeconds) },
      ...{ only: [withBounds], except: [withDurations] },
    },
    { ...ofServers, metrics: serverRequests },
    { ...ofLitellm, metrics: [{ metric: proxy.latency }] },
  ],
  firstToken: [
    { name: "first-chunk", from: "OpenTelemetry's conventions.", metrics: [{ metric: latest.firstChunk }, { metric: metrics.firstChunk }] },
    {
      ...{ name: "first-token", from: "Grafana's SDK, and servers." },
      ...{ metrics: [{ metric: metrics.clientFirstToken }, serverFirstToken], except: [withDefaultBounds(serverFirstToken)] },
    },
    {
      ...{ name: "default-bounds", from: "OpenLLMetry, with OpenTelemetry's default bounds." },
      ...{ metrics: [serverFirstToken], only: [withDefaultBounds(serverFirstToken)] },
    },
    { ...ofAgentgateway, metrics: [{ metric: agentgateway.metrics.firstToken }] },
    { ...ofLitellm, metrics: [{ metric: proxy.firstToken }] },
  ],
  tokens: [
    { name: "usage", from: conventional, metrics: tokens(isUsage, isRequest), steps: asTypes({ [tokenTypes.output]: "completion" }) },
    {
      ...{ name: "inference", from: later, ...ofType(tokenTypes.input), all: true, except: [withTokens] },
      metrics: [{ metric: latest.inputTokens }, { metric: latest.embeddingTokens }],
    },
    { name: "inference", from: later, ...ofType(tokenTypes.output), metrics: [{ metric: latest.outputTokens }], except: [withTokens] },
    {
      ...{ name: "spring", from: "Micrometer, by OTLP or scraped.", except: [withTokens] },
      metrics: [spring.metrics.tokens, spring.metrics.scrapedTokens].map((metric) => ({ metric, filters: [isToken, isRequest] })),
    },
    { ...ofAgentgateway, metrics: [{ metric: agentgateway.metrics.tokens, filters: [isToken] }] },
    { ...ofLitellm, metrics: [typed(proxy.inputTokens, tokenTypes.input), typed(proxy.outputTokens, tokenTypes.output)], all: true },
  ],
  tokenRequests: [{ name: "usage", from: conventional, metrics: tokens(isInput, isRequest) }],
  cachedTokens: [
    {
      ...{ name: "usage", from: "Few SDKs, and gateways.", steps: cachedSteps },
      metrics: [{ metric: metrics.tokens, filters: [isCached, isRequest] }],
    },
    { ...ofAgentgateway, metrics: [{ metric: agentgateway.metrics.tokens, filters: [isCached] }], steps: cachedSteps },
    { ...ofLitellm, metrics: [typed(proxy.cachedTokens, "cached"), typed(proxy.writtenTokens, "written")], all: true },
    {
      ...{ name: "inference", from: later, all: true, except: [{ ...withTokens, filters: [isCached, isRequest], on: "process" }] },
      metrics: [
        { metric: latest.cacheReadTokens, steps: [setsType("cached")] },
        { metric: latest.cacheWriteTokens, steps: [setsType("written")] },
      ],
    },
  ],
  measuredCost: [
    { name: "cost", from: "OpenLIT and LiteLLM, or Pydantic AI.", metrics: costs },
    { ...ofAgentgateway, metrics: [{ metric: agentgateway.metrics.cost }] },
    { ...ofLitellm, metrics: [{ metric: proxy.cost }] },
  ],
  agents: [{ name: "agents", from: ofFrameworks, metrics: agents }],
  agentSeconds: [{ name: "agents", from: "The same.", metrics: agents }],
  tools: [{ name: "tools", from: ofFrameworks, metrics: [{ metric: metrics.tools }, named("execute_tool")] }],
  mcp: [
    {
      ...{ name: "mcp", from: "Clients, else servers, that follow the conventions for MCP." },
      metrics: [{ metric: metrics.mcpClient }, { metric: metrics.mcpServer }],
    },
  ],
  databases: [
    {
      ...{ name: "databases", from: "OpenLIT. For Node.js, it sends a counter only." },
      metrics: [database, { ...database, metric: spec.metrics.databaseRequests }],
    },
  ],
  databaseLatency: [{ name: "databases", from: "OpenLIT.", metrics: [database] }],
};
