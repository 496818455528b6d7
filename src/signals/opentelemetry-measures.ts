/** What current SDKs measure, by the semantic conventions for generative AI: the measures of "GenAI Observability (OpenTelemetry)". */
import { type Bounds, databaseBounds, firstTokenBounds, onlyBound, requestBounds, withoutDropped } from "./bounds";
import { type Counter, recordedName } from "./counters";
import { type Identity, modelIdentity, processIdentity } from "./identity";
import { conventions, inferenceOperations, otherOperations, tokenTypes } from "./names/conventions";
import { inference } from "./names/inference";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { equals, isOneOf, isPresent, matchesNot } from "./promql";

const { metrics, attributes } = conventions;
const latest = inference.metrics;

type ConventionAttribute = keyof typeof attributes;

export const conventionLabel = (attribute: ConventionAttribute) => labelName(attributes[attribute]);

/** A series with a measurement, which a rule reads. */
export interface Source {
  series: string;
  /** The part of an exponential histogram, which Prometheus stores as one series. */
  ofNative?: "count" | "sum";
  filters: readonly string[];
  /** Filters of those that do not count. */
  except?: readonly string[] | undefined;
  /** A label that the series lacks, with its value. */
  label?: readonly [name: string, value: string];
}

/** The series of a set of names. They count for a process, or for its calls of each `label`, that sends nothing by an earlier set. */
export interface SentSet {
  sources: readonly Source[];
  label?: string | undefined;
}

/** A counter, or a part of a histogram. Read directly, it is one series; recorded, all that SDKs send for it. */
export interface Measure extends Counter {
  /** What SDKs send, the preferred names first. */
  sets: readonly SentSet[];
  /** The series as an exponential histogram, which percentiles read directly. */
  native: string;
  /** What identifies a call, and the other labels by which panels group and filter it, apart from `le`. */
  identities: readonly Identity[];
  labels: readonly string[];
  /** Of buckets, which are recorded with the bounds of the conventions. */
  bounds?: Bounds | undefined;
}

/** Values of `db.system.name` that are vector databases. The metric is that of any database. */
export const vectorDatabases = [
  ...["astra_db", "astradb", "chroma", "chromadb", "lancedb", "marqo", "milvus", "pgvector", "pinecone", "qdrant", "vespa", "weaviate"],
] as const;

/** Filters of turns of agents, which contain requests that are counted themselves. Panels that read directly count them. */
export const turns = (["operation", "error", "model", "responseModel"] as const).map((name) => equals(conventionLabel(name), ""));

/** A metric that SDKs send, with the filters of what counts. `part` differs from that of the measure if the number of one stands for that of another. */
type Sent = Partial<Omit<Source, "series" | "ofNative">> & { metric: Metric; part?: HistogramPart };

/** Metrics of one set of names. `by`: a process can send some operations by this set, and others by an earlier one. */
type SentTogether = Sent | { all: readonly Sent[]; by?: ConventionAttribute };

const bounded = (source: Source, bounds: Bounds): Source[] => [
  { ...source, filters: [...source.filters, withoutDropped(bounds)] },
  ...(bounds.copied ?? []).map(([from, to]): Source => ({ ...source, filters: [...source.filters, onlyBound(from)], label: ["le", to] })),
];

export function openTelemetryMeasures(naming: Naming) {
  const label = conventionLabel;
  type Labels = readonly ConventionAttribute[];
  /** `sent` has what SDKs send by each set of names, the preferred one first, `read` what panels read directly. */
  const measuresBy =
    (identities: readonly Identity[]) =>
    (name: string, part: HistogramPart, by: Labels, sent: readonly SentTogether[], read: Sent, bounds?: Bounds): Measure => {
      const source = ({ metric, part: own = part, ...others }: Sent): Source => ({
        filters: [],
        ...others,
        series: seriesName(metric, naming, own),
      });
      const sources = (each: Sent): Source[] => {
        if (bounds) return bounded(source(each), bounds);
        const { metric, part: ofNative = part } = each;
        if (metric.kind === "counter" || ofNative === "bucket") return [source(each)];
        return [source(each), { ...source(each), series: seriesName(metric, naming), ofNative }];
      };
      const together = sent.map((set) => ("all" in set ? set : { all: [set] }));
      return {
        ...source(read),
        recorded: recordedName(name),
        sets: together.map(({ all, by }) => ({ sources: all.flatMap(sources), label: by && label(by) })),
        native: seriesName(read.metric, naming),
        identities,
        labels: by.map(label),
        bounds,
      };
    };
  const [ofModels, ofProcesses] = [measuresBy(modelIdentity), measuresBy(processIdentity)];

  // OpenLLMetry's failed requests have no operation, and those by LangChain never one.
  const isRequest = isOneOf(label("operation"), ["", ...inferenceOperations]);
  const latestRequests: SentTogether = { all: [{ metric: latest.operations }, { metric: latest.embeddings }], by: "operation" };
  const requests = [{ metric: metrics.operations, filters: [isRequest], except: turns }, latestRequests];
  const readRequests = { metric: metrics.operations, filters: [matchesNot(label("operation"), otherOperations)] };
  // An SDK with a name of its own, such as OpenLIT, sends the last one for all requests, those before it for streamed ones.
  const ofOpenTelemetry = isOneOf(labelName(spec.attributes.sdk), ["", "opentelemetry"]);
  const firstChunk = { metric: metrics.firstChunk };
  const firstToken = [
    ...[latest.firstChunk, metrics.firstChunk, metrics.clientFirstToken].map((metric) => ({ metric })),
    { metric: metrics.firstToken, filters: [ofOpenTelemetry] },
  ];
  const tokens = (...filters: string[]) => ({ metric: metrics.tokens, filters });
  const allTokens = (...filters: string[]) => ({ all: [tokens(...filters), { metric: metrics.tokensInTokens, filters }] });
  const ofType = (type: string, metric: Metric): Sent => ({ metric, label: [label("tokenType"), type] });
  const latestTokens: SentTogether = {
    all: [
      ofType(tokenTypes.input, latest.inputTokens),
      ofType(tokenTypes.output, latest.outputTokens),
      ofType(tokenTypes.input, latest.embeddingTokens),
    ],
    by: "operation",
  };
  // Each request has input tokens: how those of an SDK without durations are counted.
  const withTokens: Sent = { ...tokens(equals(label("tokenType"), tokenTypes.input), isRequest), part: "count" };
  // Other types are subsets of these.
  const isToken = isOneOf(label("tokenType"), Object.values(tokenTypes));
  const isCached = equals(label("tokenType"), "cache_read");
  // OpenLIT until June 2024 has the same name without an operation: another dashboard counts its requests and their costs.
  const cost = { metric: metrics.cost, filters: [isPresent(label("operation"))] };
  const costs = [cost, { ...cost, metric: metrics.operationCost }];
  const operations = (name: string) => ({ metric: metrics.operations, filters: [equals(label("operation"), name)] });
  const agents = [{ metric: metrics.agents }, operations("invoke_agent")] as const;
  const tools = [{ metric: metrics.tools }, operations("execute_tool")] as const;
  const mcp = [{ metric: metrics.mcpClient }, { metric: metrics.mcpServer }] as const;
  const database = { metric: metrics.database, filters: [isOneOf(label("databaseSystem"), vectorDatabases)] };
  // OpenLIT for Node.js sends no durations.
  const databases = [database, { ...database, metric: spec.metrics.databaseRequests }];

  return {
    requests: ofModels("gen_ai_requests_count", "count", ["operation", "error"], [...requests, withTokens], readRequests),
    latency: ofModels("gen_ai_requests_bucket", "bucket", [], requests, readRequests, requestBounds),
    firstToken: ofModels("gen_ai_first_token_bucket", "bucket", [], firstToken, firstChunk, firstTokenBounds),
    tokens: ofModels("gen_ai_tokens", "sum", ["tokenType"], [allTokens(isToken, isRequest), latestTokens], tokens(isToken)),
    cachedTokens: ofModels(
      "gen_ai_cached_tokens",
      "sum",
      [],
      [allTokens(isCached, isRequest), { metric: latest.cacheReadTokens }],
      tokens(isCached),
    ),
    cost: ofModels("gen_ai_cost_sum", "sum", ["error"], costs, cost),
    pricedRequests: ofModels("gen_ai_cost_count", "count", ["error"], costs, cost),
    agents: ofProcesses("gen_ai_agents_count", "count", ["agent"], agents, agents[0]),
    agentSeconds: ofProcesses("gen_ai_agents_sum", "sum", ["agent"], agents, agents[0]),
    tools: ofProcesses("gen_ai_tools_count", "count", ["tool", "error"], tools, tools[0]),
    mcp: ofProcesses("mcp_operations_count", "count", ["mcpMethod"], mcp, mcp[0]),
    databases: ofProcesses("db_requests_count", "count", ["databaseSystem", "databaseOperation"], databases, database),
    databaseLatency: ofProcesses("db_requests_bucket", "bucket", ["databaseSystem"], [database], database, databaseBounds),
  } satisfies Record<string, Measure>;
}
