/** What current SDKs measure, by the semantic conventions for generative AI: the measures of "GenAI Observability (OpenTelemetry)". */
import { type Bounds, databaseBounds, firstTokenBounds, onlyBound, requestBounds, withoutDropped } from "./bounds";
import { modelIdentity, processIdentity } from "./identity";
import type { Measure, Source } from "./measures";
import { conventions, inferenceOperations, tokenTypes } from "./names/conventions";
import { inference } from "./names/inference";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { differs, equals, isOneOf } from "./promql";

const { metrics, attributes } = conventions;

export type ConventionAttribute = keyof typeof attributes;

/** The label of an attribute of the conventions. */
export const conventionLabel = (attribute: ConventionAttribute, naming: Naming) => labelName(attributes[attribute], naming);

/** Values of `db.system.name` that are vector databases. The metric is that of any database. */
export const vectorDatabases = [
  ...["astra_db", "astradb", "chroma", "chromadb", "lancedb", "marqo", "milvus", "pgvector", "pinecone", "qdrant", "vespa", "weaviate"],
] as const;

/** A histogram with the filters of one generation. */
type Histogram = readonly [metric: Metric, ...filters: readonly string[]];

/** Buckets are read with the bounds of the conventions. */
function sourcesOf(series: string, filters: readonly string[], bounds?: Bounds): Source[] {
  if (!bounds) return [{ series, filters }];
  const [from, to] = bounds.copied ?? [];
  const copy: Source[] = from && to ? [{ series, filters: [...filters, onlyBound(from)], label: ["le", to] }] : [];
  return [{ series, filters: [...filters, withoutDropped(bounds)] }, ...copy];
}

export function openTelemetryMeasures(naming: Naming) {
  const label = (attribute: ConventionAttribute) => conventionLabel(attribute, naming);
  const ofModels = (...by: readonly ConventionAttribute[]) => ({ identities: modelIdentity, labels: by.map(label), naming });
  const ofProcesses = (...by: readonly ConventionAttribute[]) => ({ identities: processIdentity, labels: by.map(label), naming });

  /** A part of a histogram, for each generation. */
  const part = (
    name: string,
    part: HistogramPart,
    by: Pick<Measure, "identities" | "labels" | "naming">,
    histograms: readonly Histogram[],
    bounds?: Bounds,
  ): Measure => ({
    name: `${name}_${part}`,
    generations: histograms.map(([metric, ...filters]) => sourcesOf(seriesName(metric, naming, part), filters, bounds)),
    presence: histograms.map(([metric]) => seriesName(metric, naming, "count")),
    ...(bounds && { bounds }),
    ...by,
  });
  const counter = (metric: Metric, filters: readonly string[] = [], own?: Source["label"]): Source => ({
    series: seriesName(metric, naming),
    filters,
    ...(own && { label: own }),
  });

  // OpenLLMetry's failed requests have no operation. Other operations, such as `invoke_agent`, contain requests that are counted themselves.
  const ofRequests = isOneOf(label("operation"), ["", ...inferenceOperations]);
  const operationIs = (operation: string) => equals(label("operation"), operation);
  const ofVectorDatabases = isOneOf(label("databaseSystem"), vectorDatabases);

  const requests: readonly Histogram[] = [[metrics.operations, ofRequests], [inference.metrics.operations]];
  // OpenLIT sends the last one for all requests, the second one for those that are streamed.
  const notOpenLit = differs(labelName(spec.attributes.sdk, naming), "openlit");
  const firstToken: readonly Histogram[] = [[inference.metrics.firstChunk], [metrics.firstChunk], [metrics.firstToken, notOpenLit]];
  // OpenLIT until June 2024 has the same name without an operation: another dashboard counts its requests and their costs.
  const cost: readonly Histogram[] = [[metrics.cost, isOneOf(label("operation"), inferenceOperations)]];
  const agents: readonly Histogram[] = [[metrics.agents], [metrics.operations, operationIs("invoke_agent")]];
  const tools: readonly Histogram[] = [[metrics.tools], [metrics.operations, operationIs("execute_tool")]];
  const mcp: readonly Histogram[] = [[metrics.mcpClient], [metrics.mcpServer]];
  const databases: readonly Histogram[] = [[metrics.database, ofVectorDatabases]];
  const databaseRequests = part("db_requests", "count", ofProcesses("databaseSystem", "databaseOperation"), databases);

  return {
    requests: part("gen_ai_requests", "count", ofModels("operation", "error"), requests),
    latency: part("gen_ai_requests", "bucket", ofModels(), requests, requestBounds),
    firstToken: part("gen_ai_first_token", "bucket", ofModels(), firstToken, firstTokenBounds),
    tokens: {
      name: "gen_ai_tokens",
      generations: [
        // Other types are subsets of these.
        [
          {
            series: seriesName(metrics.tokens, naming, "sum"),
            filters: [isOneOf(label("tokenType"), Object.values(tokenTypes)), ofRequests],
          },
        ],
        [
          counter(inference.metrics.inputTokens, [], [label("tokenType"), tokenTypes.input]),
          counter(inference.metrics.outputTokens, [], [label("tokenType"), tokenTypes.output]),
        ],
      ],
      presence: [
        seriesName(metrics.tokens, naming, "count"),
        ...[inference.metrics.inputTokens, inference.metrics.outputTokens].map((metric) => seriesName(metric, naming)),
      ],
      ...ofModels("tokenType"),
    },
    cachedTokens: {
      name: "gen_ai_cached_tokens",
      generations: [
        [{ series: seriesName(metrics.tokens, naming, "sum"), filters: [equals(label("tokenType"), "cache_read"), ofRequests] }],
        [counter(inference.metrics.cacheReadTokens)],
      ],
      presence: [seriesName(metrics.tokens, naming, "count"), seriesName(inference.metrics.cacheReadTokens, naming)],
      ...ofModels(),
    },
    cost: part("gen_ai_cost", "sum", ofModels("error"), cost),
    costs: part("gen_ai_cost", "count", ofModels("error"), cost),
    agents: part("gen_ai_agents", "count", ofProcesses("agent"), agents),
    agentSeconds: part("gen_ai_agents", "sum", ofProcesses("agent"), agents),
    tools: part("gen_ai_tools", "count", ofProcesses("tool", "error"), tools),
    mcp: part("mcp_operations", "count", ofProcesses("mcpMethod"), mcp),
    databases: {
      ...databaseRequests,
      // OpenLIT for Node.js sends no durations.
      generations: [...databaseRequests.generations, [counter(spec.metrics.databaseRequests, [ofVectorDatabases])]],
      presence: [...databaseRequests.presence, seriesName(spec.metrics.databaseRequests, naming)],
    },
    databaseLatency: part("db_requests", "bucket", ofProcesses("databaseSystem"), databases, databaseBounds),
  } satisfies Record<string, Measure>;
}
