/**
 * What SDKs send for each measure: the only place that reads several names as one. To read an SDK with names of its own, add them to `names/`, and its sources
 * here.
 */

import { agentgateway } from "./names/agentgateway";
import { cachedTypes, conventions, otherOperations, tokenTypes } from "./names/conventions";
import { inference } from "./names/inference";
import { litellm } from "./names/litellm";
import { spec } from "./names/spec";
import { spring } from "./names/spring";
import { type HistogramPart, labelName, type Metric } from "./names/translate";
import { conventionLabel as label, type MeasureName } from "./opentelemetry-measures";
import { equals, isOneOf, isPresent, matchesNot } from "./promql";

/** A metric with the filters of what counts. */
export interface Sent {
  metric: Metric;
  filters?: readonly string[];
  /** Sets other labels: the rest of the arguments of `label_replace`. */
  steps?: readonly string[];
  /** A histogram that no SDK sends as an exponential one. */
  isClassic?: true;
}

/** Selects or leaves out series that are there with these filters, too. */
export interface Condition {
  metrics: readonly Metric[];
  part: HistogramPart;
  filters: readonly string[];
  /** What both have: the same process, the same operation of a process, or all labels but `le`. */
  on: "process" | "operation" | "series";
}

/** One recording rule. */
export interface Source {
  measure: MeasureName;
  /** The value of the label `source`. */
  name: string;
  /** Who sends it. */
  from: string;
  part: HistogramPart;
  /** A process's calls count with the first of these that it sends; with `all`, each of them counts. */
  sent: readonly Sent[];
  all?: true;
  only?: readonly Condition[];
  except?: readonly Condition[];
  /** Further labels of the recorded series. */
  labels?: Readonly<Record<string, string>>;
  /** Sets other labels: the rest of the arguments of `label_replace`. */
  steps?: readonly string[];
  /** Its result is a native histogram, which Prometheus and Mimir record, and Grafana cannot. */
  isNative?: true;
  /** Only gateways send it. Servers of models do, too. */
  ofGateways?: true;
}

/** Values of `db.system.name` that are vector databases. The metric is that of any database: names of those that are none would be the longer list. */
export const vectorDatabases = [
  ...["astra_db", "astradb", "chroma", "chromadb", "lancedb", "marqo", "milvus", "pgvector", "pinecone", "qdrant", "vespa", "weaviate"],
] as const;

const { metrics } = conventions;
const latest = inference.metrics;

/** Selects requests to models, also in other series: those without the label. */
export const isRequest = matchesNot(label("operation"), otherOperations);
const durations: Sent = { metric: metrics.operations, filters: [isRequest] };
const serverRequests: Sent[] = [metrics.serverRequests, agentgateway.metrics.requests].map((metric) => ({ metric, filters: [isRequest] }));
const conventional = "OpenTelemetry's conventions up to 1.41: most SDKs.";
const later = "OpenTelemetry's conventions after 1.41, of operations that a process sends by no other name.";

/** Turns of agents of OpenLLMetry, which contain requests that are counted themselves. */
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
const withTokens: Condition = { metrics: [metrics.tokens, metrics.tokensInTokens], part: "sum", filters: [isRequest], on: "operation" };

/** OpenTelemetry's default bounds, 0, 5, 10, 25 …, made for milliseconds, of SDKs that know nothing of the conventions' bounds. */
const withDefaultBounds = ({ metric, filters = [] }: Sent): Condition => ({
  metrics: [metric],
  part: "bucket",
  filters: [...filters, 'le=~"25([.]0)?"'],
  on: "series",
});

const ofAgentgateway = "agentgateway, scraped.";
const ofLitellm = "LiteLLM's proxy, scraped.";
const { metrics: proxy, attributes: proxied } = litellm;
const tokenType = label("tokenType");
/** A step for a metric that is of one type of tokens. */
const setsType = (type: string) => `"${tokenType}", "${type}", "", ""`;

/** What only gateways send. */
const gateway = (steps: readonly string[] = [], all = false): Partial<Source> => ({ ofGateways: true, steps, ...(all && { all }) });
/** The model that answered has a label that rules write: it is read first. */
const typed = (metric: Metric, type: string): Sent => ({
  metric,
  steps: [setsType(type), `"${label("responseModel")}", "$1", "${proxied.responseModel}", "(.+)"`],
});
const ofProxy = [
  `"${label("model")}", "$1", "${proxied.model}", "(.+)"`,
  `"${label("provider")}", "$1", "${proxied.provider}", "(.+)"`,
  ...[proxied.key, proxied.team].map((name) => `"${name}", "", "${name}", "None"`),
];

/** OpenLIT sends it for all requests, not only for streamed ones. */
const serverFirstToken: Sent = { metric: metrics.firstToken, filters: [matchesNot(labelName(spec.attributes.sdk), "openlit")] };

/** Spring AI's label is "none" without an error. */
const springError = [
  `"${label("error")}", "$1", "${spring.attributes.error}", "(.+)"`,
  `"${label("error")}", "", "${label("error")}", "none"`,
];
/** Milliseconds as seconds: 1500.25 as 1.50025. */
const inSeconds = [`"le", "000$1.$2", "le", "([0-9]+)[.]?([0-9]*)"`, `"le", "$1.$2$3", "le", "([0-9]+)([0-9]{3})[.]([0-9]*)"`];
const springDurations = (steps: readonly string[] = []): Sent[] => [
  { metric: spring.metrics.operations, filters: [isRequest], steps, isClassic: true },
  { metric: spring.metrics.scrapedOperations, filters: [isRequest], isClassic: true },
];

/** Other types are subsets of these. */
const isToken = isOneOf(tokenType, Object.values(tokenTypes));
const isInput = equals(tokenType, tokenTypes.input);
const isCached = `${tokenType}=~"${Object.values(cachedTypes).join("|")}"`;
const tokens = (...filters: string[]): Sent[] => [
  { metric: metrics.tokens, filters },
  { metric: metrics.tokensInTokens, filters, isClassic: true },
];
const cachedSteps = Object.entries(cachedTypes).map(([type, pattern]) => `"${tokenType}", "${type}", "${tokenType}", "${pattern}"`);
const ofType = (type: string) => ({ labels: { [tokenType]: type } });
// OpenLIT until June 2024 has the same name without an operation: another dashboard counts its requests and their costs.
const costs = [metrics.cost, metrics.operationCost].map(
  (metric): Sent => ({ metric, filters: [isPresent(label("operation"))], isClassic: true }),
);
const named = (operation: string): Sent => ({ metric: metrics.operations, filters: [equals(label("operation"), operation)] });
const agents: Sent[] = [{ metric: metrics.agents }, named("invoke_agent")];
const database: Sent = { metric: metrics.database, filters: [isOneOf(label("databaseSystem"), vectorDatabases)] };
const source = (
  measure: MeasureName,
  name: string,
  from: string,
  part: HistogramPart,
  sent: readonly Sent[],
  more: Partial<Source> = {},
): Source => ({
  ...{ measure, name, from, part, sent },
  ...more,
});

/** All rules that record what SDKs send, those of a measure one after the other. */
export const sources: readonly Source[] = [
  source("requests", "durations", conventional, "count", [durations], { except: [turns] }),
  source("requests", "inference", later, "count", [{ metric: latest.operations }, { metric: latest.embeddings }], {
    all: true,
    except: [withDurations],
  }),
  source("requests", "spring", "Spring AI, by OTLP or scraped. It retries within one call.", "count", springDurations(), {
    steps: springError,
    except: [withDurations],
  }),
  source(
    "requests",
    "tokens",
    "SDKs and gateways without durations: each request has input tokens. Failed ones are missing.",
    "count",
    [{ metric: metrics.tokens, filters: [isInput, isRequest] }],
    { except: [{ ...withDurations, metrics: [metrics.operations, latest.operations, latest.embeddings], on: "process" }] },
  ),
  source("requests", "server", "Envoy AI Gateway and agentgateway.", "count", serverRequests, {
    ofGateways: true,
    except: [{ ...withDurations, on: "process" }],
  }),
  source(
    "requests",
    "litellm",
    ofLitellm,
    "count",
    [{ metric: proxy.requests, filters: [matchesNot(proxied.route, "/metrics/?")] }],
    // The status of a failed request is its error.
    gateway([...ofProxy, `"${label("error")}", "$1", "${proxied.status}", "([45].*)"`]),
  ),

  source("latency", "durations", conventional, "bucket", [durations], { except: [turns, withDefaultBounds(durations)] }),
  source("latency", "default-bounds", "The same with OpenTelemetry's default bounds.", "bucket", [durations], {
    only: [withDefaultBounds(durations)],
    except: [turns],
  }),
  source("latency", "exponential", "The same as exponential histograms.", "count", [durations], { except: [turns], isNative: true }),
  source("latency", "inference", later, "bucket", [{ metric: latest.operations }, { metric: latest.embeddings }], {
    all: true,
    except: [withDurations],
  }),
  source("latency", "spring", "Spring AI with percentiles-histogram.", "bucket", springDurations(inSeconds), { except: [withDurations] }),
  source("latency", "server", "Envoy AI Gateway and agentgateway.", "bucket", serverRequests, gateway()),
  source("latency", "litellm", ofLitellm, "bucket", [{ metric: proxy.latency }], gateway(ofProxy)),

  source("firstToken", "first-chunk", "OpenTelemetry's conventions.", "bucket", [
    { metric: latest.firstChunk },
    { metric: metrics.firstChunk },
  ]),
  source("firstToken", "first-token", "Grafana's SDK, and servers.", "bucket", [{ metric: metrics.clientFirstToken }, serverFirstToken], {
    except: [withDefaultBounds(serverFirstToken)],
  }),
  source("firstToken", "default-bounds", "OpenLLMetry, with OpenTelemetry's default bounds.", "bucket", [serverFirstToken], {
    only: [withDefaultBounds(serverFirstToken)],
  }),
  source("firstToken", "agentgateway", ofAgentgateway, "bucket", [{ metric: agentgateway.metrics.firstToken }], gateway()),
  source("firstToken", "litellm", ofLitellm, "bucket", [{ metric: proxy.firstToken }], gateway(ofProxy)),

  source("tokens", "usage", conventional, "sum", tokens(isToken, isRequest)),
  source("tokens", "inference", later, "sum", [{ metric: latest.inputTokens }, { metric: latest.embeddingTokens }], {
    ...ofType(tokenTypes.input),
    all: true,
    except: [withTokens],
  }),
  source("tokens", "inference", later, "sum", [{ metric: latest.outputTokens }], { ...ofType(tokenTypes.output), except: [withTokens] }),
  source(
    "tokens",
    "spring",
    "Spring AI's tokens, by OTLP or scraped.",
    "sum",
    [
      { metric: spring.metrics.tokens, filters: [isToken, isRequest] },
      { metric: spring.metrics.scrapedTokens, filters: [isToken, isRequest] },
    ],
    { except: [withDurations] },
  ),
  source("tokens", "agentgateway", ofAgentgateway, "sum", [{ metric: agentgateway.metrics.tokens, filters: [isToken] }], gateway()),
  source(
    "tokens",
    "litellm",
    ofLitellm,
    "sum",
    [typed(proxy.inputTokens, tokenTypes.input), typed(proxy.outputTokens, tokenTypes.output)],
    gateway(ofProxy, true),
  ),
  source("tokenRequests", "usage", conventional, "count", tokens(isInput, isRequest)),
  source("cachedTokens", "usage", "Few SDKs, and gateways.", "sum", [{ metric: metrics.tokens, filters: [isCached, isRequest] }], {
    steps: cachedSteps,
  }),
  source(
    "cachedTokens",
    "agentgateway",
    ofAgentgateway,
    "sum",
    [{ metric: agentgateway.metrics.tokens, filters: [isCached] }],
    gateway(cachedSteps),
  ),
  source(
    "cachedTokens",
    "litellm",
    ofLitellm,
    "sum",
    [typed(proxy.cachedTokens, "cached"), typed(proxy.writtenTokens, "written")],
    gateway(ofProxy, true),
  ),
  source(
    "cachedTokens",
    "inference",
    later,
    "sum",
    [
      { metric: latest.cacheReadTokens, steps: [setsType("cached")] },
      { metric: latest.cacheWriteTokens, steps: [setsType("written")] },
    ],
    { all: true, except: [{ ...withTokens, filters: [isCached, isRequest], on: "process" }] },
  ),

  source("measuredCost", "cost", "OpenLIT and LiteLLM, or Pydantic AI.", "sum", costs),
  source("measuredCost", "agentgateway", ofAgentgateway, "sum", [{ metric: agentgateway.metrics.cost }], gateway()),
  source("measuredCost", "litellm", ofLitellm, "sum", [{ metric: proxy.cost }], gateway(ofProxy)),
  source("agents", "agents", "Frameworks that follow the conventions for agents.", "count", agents),
  source("agentSeconds", "agents", "The same.", "sum", agents),
  source("tools", "tools", "Frameworks that follow the conventions for agents.", "count", [
    { metric: metrics.tools },
    named("execute_tool"),
  ]),
  source("mcp", "mcp", "Clients, else servers, that follow the conventions for MCP.", "count", [
    { metric: metrics.mcpClient },
    { metric: metrics.mcpServer },
  ]),
  source("databases", "databases", "OpenLIT. For Node.js, it sends a counter only.", "count", [
    database,
    { ...database, metric: spec.metrics.databaseRequests },
  ]),
  source("databaseLatency", "databases", "OpenLIT.", "bucket", [database]),
];
