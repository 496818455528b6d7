/** What current SDKs measure, by the semantic conventions for generative AI: the measures of "GenAI Observability (OpenTelemetry)". */
import { type Bounds, databaseBounds, firstTokenBounds, onlyBound, requestBounds, withoutDropped } from "./bounds";
import { type Counter, recorded } from "./counters";
import { type Identity, modelIdentity, processIdentity } from "./identity";
import { conventions, inferenceOperations, otherOperations, tokenTypes } from "./names/conventions";
import { inference } from "./names/inference";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { differs, equals, isOneOf, isPresent, matchesNot } from "./promql";

const { metrics, attributes } = conventions;

export type ConventionAttribute = keyof typeof attributes;

/** The label of an attribute of the conventions. */
export const conventionLabel = (attribute: ConventionAttribute, naming: Naming) => labelName(attributes[attribute], naming);

/** A series with a measurement, which a rule reads. */
export interface Source {
  series: string;
  filters: readonly string[];
  /** Filters of those that do not count. */
  except?: readonly string[];
  /** A label that the series lacks, with its value. */
  label?: readonly [name: string, value: string];
}

/** A counter, or a part of a histogram. Read directly, it is one series; recorded, all that SDKs send for it. */
export interface Measure extends Counter {
  /** The series of each generation of names, the preferred one first: a process counts with the first one that it sends. */
  generations: readonly (readonly Source[])[];
  /** What identifies a call. */
  identities: readonly Identity[];
  /** The labels by which panels group and filter it, apart from the identities and from `le`. */
  labels: readonly string[];
  /** Of buckets. */
  bounds?: Bounds;
}

/** Values of `db.system.name` that are vector databases. The metric is that of any database. */
export const vectorDatabases = [
  ...["astra_db", "astradb", "chroma", "chromadb", "lancedb", "marqo", "milvus", "pgvector", "pinecone", "qdrant", "vespa", "weaviate"],
] as const;

/** A histogram with the filters of one generation, and those of what does not count. */
type Histogram = readonly [metric: Metric, filters?: readonly string[], except?: readonly string[]];

/** Buckets are recorded with the bounds of the conventions. */
function sourcesOf(source: Source, bounds?: Bounds): Source[] {
  if (!bounds) return [source];
  const [from, to] = bounds.copied ?? [];
  const copy: Source[] = from && to ? [{ ...source, filters: [...source.filters, onlyBound(from)], label: ["le", to] }] : [];
  return [{ ...source, filters: [...source.filters, withoutDropped(bounds)] }, ...copy];
}

export function openTelemetryMeasures(naming: Naming) {
  const label = (attribute: ConventionAttribute) => conventionLabel(attribute, naming);
  const ofModels = (...by: readonly ConventionAttribute[]) => ({ identities: modelIdentity, labels: by.map(label) });
  const ofProcesses = (...by: readonly ConventionAttribute[]) => ({ identities: processIdentity, labels: by.map(label) });

  /**
   * A part of a histogram.
   *
   * @param read the metric and the filters of panels that read directly
   */
  const part = (
    name: string,
    part: HistogramPart,
    by: Pick<Measure, "identities" | "labels">,
    [read, filters = []]: Histogram,
    histograms: readonly Histogram[],
    bounds?: Bounds,
  ): Measure => ({
    recorded: recorded(`${name}_${part}`),
    series: seriesName(read, naming, part),
    filters,
    generations: histograms.map(([metric, filters = [], except]) =>
      sourcesOf({ series: seriesName(metric, naming, part), filters, ...(except && { except }) }, bounds),
    ),
    ...(bounds && { bounds }),
    ...by,
  });
  const counter = (metric: Metric, filters: readonly string[] = [], own?: Source["label"]): Source => ({
    series: seriesName(metric, naming),
    filters,
    ...(own && { label: own }),
  });
  const tokens = (name: string, filters: readonly string[], ...latest: readonly Source[]) => {
    const series = seriesName(metrics.tokens, naming, "sum");
    const ofRequests = isOneOf(label("operation"), ["", ...inferenceOperations]);
    return { recorded: recorded(name), series, filters, generations: [[{ series, filters: [...filters, ofRequests] }], latest] };
  };

  // OpenLLMetry's failed requests have no operation, and those with LangChain never one. A turn of an agent has neither an operation nor a model, and
  // contains requests that are counted themselves, as other operations do.
  const requestOperations = isOneOf(label("operation"), ["", ...inferenceOperations]);
  const turns = [label("operation"), label("error"), label("model"), label("responseModel")].map((name) => equals(name, ""));
  const requests: readonly Histogram[] = [[metrics.operations, [requestOperations], turns], [inference.metrics.operations]];
  const readRequests: Histogram = [metrics.operations, [matchesNot(label("operation"), otherOperations)]];
  // OpenLIT sends the last one for all requests, the second one for those that are streamed.
  const notOpenLit = differs(labelName(spec.attributes.sdk, naming), "openlit");
  const firstToken: readonly Histogram[] = [[inference.metrics.firstChunk], [metrics.firstChunk], [metrics.firstToken, [notOpenLit]]];
  // OpenLIT until June 2024 has the same name without an operation: another dashboard counts its requests and their costs.
  const cost: Histogram = [metrics.cost, [isPresent(label("operation"))]];
  const operationIs = (operation: string) => [equals(label("operation"), operation)];
  const agents: readonly Histogram[] = [[metrics.agents], [metrics.operations, operationIs("invoke_agent")]];
  const tools: readonly Histogram[] = [[metrics.tools], [metrics.operations, operationIs("execute_tool")]];
  const mcp: readonly Histogram[] = [[metrics.mcpClient], [metrics.mcpServer]];
  const databases: Histogram = [metrics.database, [isOneOf(label("databaseSystem"), vectorDatabases)]];
  const databaseRequests = part("db_requests", "count", ofProcesses("databaseSystem", "databaseOperation"), databases, [databases]);

  return {
    requests: part("gen_ai_requests", "count", ofModels("operation", "error"), readRequests, requests),
    latency: part("gen_ai_requests", "bucket", ofModels(), readRequests, requests, requestBounds),
    firstToken: part("gen_ai_first_token", "bucket", ofModels(), [metrics.firstChunk], firstToken, firstTokenBounds),
    tokens: {
      // Other types are subsets of these.
      ...tokens(
        "gen_ai_tokens",
        [isOneOf(label("tokenType"), Object.values(tokenTypes))],
        counter(inference.metrics.inputTokens, [], [label("tokenType"), tokenTypes.input]),
        counter(inference.metrics.outputTokens, [], [label("tokenType"), tokenTypes.output]),
      ),
      ...ofModels("tokenType"),
    },
    cachedTokens: {
      ...tokens("gen_ai_cached_tokens", [equals(label("tokenType"), "cache_read")], counter(inference.metrics.cacheReadTokens)),
      ...ofModels(),
    },
    cost: part("gen_ai_cost", "sum", ofModels("error"), cost, [cost]),
    costs: part("gen_ai_cost", "count", ofModels("error"), cost, [cost]),
    agents: part("gen_ai_agents", "count", ofProcesses("agent"), [metrics.agents], agents),
    agentSeconds: part("gen_ai_agents", "sum", ofProcesses("agent"), [metrics.agents], agents),
    tools: part("gen_ai_tools", "count", ofProcesses("tool", "error"), [metrics.tools], tools),
    mcp: part("mcp_operations", "count", ofProcesses("mcpMethod"), [metrics.mcpClient], mcp),
    databases: {
      ...databaseRequests,
      // OpenLIT for Node.js sends no durations.
      generations: [...databaseRequests.generations, [counter(spec.metrics.databaseRequests, databases[1])]],
    },
    databaseLatency: part("db_requests", "bucket", ofProcesses("databaseSystem"), databases, [databases], databaseBounds),
  } satisfies Record<string, Measure>;
}
