/** What current SDKs measure, by the semantic conventions for generative AI: the measures of "GenAI Observability (OpenTelemetry)". */
import { type Bounds, databaseBounds, firstTokenBounds, onlyBound, requestBounds, withoutDropped } from "./bounds";
import { type Counter, recordedName } from "./counters";
import { type Identity, modelIdentity, processIdentity } from "./identity";
import { conventions, inferenceOperations, otherOperations, tokenTypes } from "./names/conventions";
import { inference } from "./names/inference";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { differs, equals, isOneOf, isPresent, matchesNot } from "./promql";

const { metrics, attributes } = conventions;
const latest = inference.metrics;

export type ConventionAttribute = keyof typeof attributes;

export const conventionLabel = (attribute: ConventionAttribute) => labelName(attributes[attribute]);

/** A series with a measurement, which a rule reads. */
export interface Source {
  series: string;
  filters: readonly string[];
  /** Filters of those that do not count. */
  except?: readonly string[] | undefined;
  /** A label that the series lacks, with its value. */
  label?: readonly [name: string, value: string];
}

/** A counter, or a part of a histogram. Read directly, it is one series; recorded, all that SDKs send for it. */
export interface Measure extends Counter {
  /** The series of each set of names, the preferred one first: a process counts with the first one that it sends. */
  nameSets: readonly (readonly Source[])[];
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

/** A metric with filters, and with those of what does not count. */
type FilteredMetric = readonly [metric: Metric, filters?: readonly string[], except?: readonly string[]];

const bounded = (source: Source, bounds: Bounds): Source[] => [
  { ...source, filters: [...source.filters, withoutDropped(bounds)] },
  ...(bounds.copied ?? []).map(([from, to]): Source => ({ ...source, filters: [...source.filters, onlyBound(from)], label: ["le", to] })),
];

export function openTelemetryMeasures(naming: Naming) {
  const label = conventionLabel;
  const ofModels = (...by: readonly ConventionAttribute[]) => ({ identities: modelIdentity, labels: by.map(label) });
  const ofProcesses = (...by: readonly ConventionAttribute[]) => ({ identities: processIdentity, labels: by.map(label) });
  type By = ReturnType<typeof ofModels>;

  const source = ([metric, filters = [], except]: FilteredMetric, part?: HistogramPart): Source => {
    return { series: seriesName(metric, naming, part), filters, except };
  };
  /** Panels that read directly read `read`. */
  const measure = (name: string, by: By, { series, filters }: Source, nameSets: Measure["nameSets"], bounds?: Bounds): Measure => {
    return { ...by, recorded: recordedName(name), series, filters, nameSets, bounds };
  };
  const part = (
    name: string,
    part: HistogramPart,
    by: By,
    all: readonly [FilteredMetric, ...FilteredMetric[]],
    bounds?: Bounds,
    read = all[0],
  ) => {
    const sources = all.map((each) => source(each, part));
    return measure(
      `${name}_${part}`,
      by,
      source(read, part),
      sources.map((each) => (bounds ? bounded(each, bounds) : [each])),
      bounds,
    );
  };

  // OpenLLMetry's failed requests have no operation, and those by LangChain never one. A turn of an agent has neither operation nor model, and contains
  // requests that are counted themselves, as other operations do.
  const isRequest = isOneOf(label("operation"), ["", ...inferenceOperations]);
  const turns = [label("operation"), label("error"), label("model"), label("responseModel")].map((name) => equals(name, ""));
  const requests = [[metrics.operations, [isRequest], turns], [latest.operations]] as const;
  const readRequests: FilteredMetric = [metrics.operations, [matchesNot(label("operation"), otherOperations)]];
  // OpenLIT sends the last one for all requests, the first one of the conventions for those that are streamed.
  const notOpenLit = differs(labelName(spec.attributes.sdk), "openlit");
  const firstToken = [[latest.firstChunk], [metrics.firstChunk], [metrics.firstToken, [notOpenLit]]] as const;
  // OpenLIT until June 2024 has the same name without an operation: another dashboard counts its requests and their costs.
  const cost = [[metrics.cost, [isPresent(label("operation"))]]] as const;
  const agents = [[metrics.agents], [metrics.operations, [equals(label("operation"), "invoke_agent")]]] as const;
  const tools = [[metrics.tools], [metrics.operations, [equals(label("operation"), "execute_tool")]]] as const;
  const databases = [[metrics.database, [isOneOf(label("databaseSystem"), vectorDatabases)]]] as const;
  const databaseRequests = part("db_requests", "count", ofProcesses("databaseSystem", "databaseOperation"), databases);
  const tokens = (name: string, by: By, filter: string, ...others: readonly Source[]) => {
    const ofRequests = source([metrics.tokens, [filter, isRequest]], "sum");
    return measure(name, by, source([metrics.tokens, [filter]], "sum"), [[ofRequests], others]);
  };
  const ofType = (type: string, metric: Metric): Source => ({ ...source([metric]), label: [label("tokenType"), type] });
  // Other types are subsets of these.
  const isToken = isOneOf(label("tokenType"), Object.values(tokenTypes));
  const [input, output] = [ofType(tokenTypes.input, latest.inputTokens), ofType(tokenTypes.output, latest.outputTokens)];

  return {
    requests: part("gen_ai_requests", "count", ofModels("operation", "error"), requests, undefined, readRequests),
    latency: part("gen_ai_requests", "bucket", ofModels(), requests, requestBounds, readRequests),
    firstToken: part("gen_ai_first_token", "bucket", ofModels(), firstToken, firstTokenBounds, firstToken[1]),
    tokens: tokens("gen_ai_tokens", ofModels("tokenType"), isToken, input, output),
    cachedTokens: tokens("gen_ai_cached_tokens", ofModels(), equals(label("tokenType"), "cache_read"), source([latest.cacheReadTokens])),
    cost: part("gen_ai_cost", "sum", ofModels("error"), cost),
    pricedRequests: part("gen_ai_cost", "count", ofModels("error"), cost),
    agents: part("gen_ai_agents", "count", ofProcesses("agent"), agents),
    agentSeconds: part("gen_ai_agents", "sum", ofProcesses("agent"), agents),
    tools: part("gen_ai_tools", "count", ofProcesses("tool", "error"), tools),
    mcp: part("mcp_operations", "count", ofProcesses("mcpMethod"), [[metrics.mcpClient], [metrics.mcpServer]]),
    // OpenLIT for Node.js sends no durations.
    databases: {
      ...databaseRequests,
      nameSets: [...databaseRequests.nameSets, [source([spec.metrics.databaseRequests, databases[0][1]])]],
    },
    databaseLatency: part("db_requests", "bucket", ofProcesses("databaseSystem"), databases, databaseBounds),
  } satisfies Record<string, Measure>;
}
