/** What "GenAI Observability (OpenTelemetry)" measures: series that recording rules write, whichever names SDKs send, and the queries of panels. */
import { counterQueries, fromRules } from "./counters";
import { type Identity, modelIdentity, processIdentity } from "./identity";
import { conventions } from "./names/conventions";
import { labelName } from "./names/translate";
import { equals, matchesVariable, quantile, select, sum, type Window } from "./promql";
import { queryTypeOf, units } from "./signal";

type Attribute = keyof typeof conventions.attributes;

export const conventionLabel = (attribute: Attribute) => labelName(conventions.attributes[attribute]);

/** The label that tells the rules of a measure apart: histograms of two sources can have different bounds. */
export const sourceLabel = "source";

/** A counter, or the buckets of a histogram. */
export interface Measure {
  /** The recorded series: the increase in a minute. */
  recorded: string;
  /** What identifies a call, and the other labels by which panels group and filter it. */
  identities: readonly Identity[];
  labels: readonly string[];
}

/** The name of recorded series, `level:metric:operation`: https://prometheus.io/docs/practices/rules/ */
export const recordedName = (metric: string) => `application:${metric}:increase1m`;

const by =
  (identities: readonly Identity[]) =>
  (metric: string, ...attributes: Attribute[]): Measure => ({
    recorded: recordedName(metric),
    identities,
    labels: attributes.map(conventionLabel),
  });
const [ofModels, ofProcesses] = [by(modelIdentity), by(processIdentity)];

/** The label with the upper bound of a bucket. */
const bucket = (measure: Measure): Measure => ({ ...measure, labels: [...measure.labels, "le"] });

export const measures = {
  requests: ofModels("gen_ai_requests_count", "operation", "error"),
  /** What gateways saw, if SDKs count, or the other way round: see the setting `gateways`. */
  uncounted: ofModels("gen_ai_uncounted_requests_count"),
  latency: bucket(ofModels("gen_ai_requests_bucket")),
  firstToken: bucket(ofModels("gen_ai_first_token_bucket")),
  tokens: ofModels("gen_ai_tokens", "tokenType", "responseModel"),
  /** The requests whose tokens are known, if the SDK sends tokens as histograms: counters of tokens do not count requests. */
  tokenRequests: ofModels("gen_ai_token_requests_count"),
  /** By the types `cached` and `written`. */
  cachedTokens: ofModels("gen_ai_cached_tokens", "tokenType", "responseModel"),
  /** What SDKs measure. The cost that panels show is made of it and of tokens: see costs.ts. */
  measuredCost: ofModels("gen_ai_cost_sum", "error"),
  agents: ofProcesses("gen_ai_agents_count", "agent"),
  agentSeconds: ofProcesses("gen_ai_agents_sum", "agent"),
  tools: ofProcesses("gen_ai_tools_count", "tool", "error"),
  mcp: ofProcesses("mcp_operations_count", "mcpMethod"),
  databases: ofProcesses("db_requests_count", "databaseSystem", "databaseOperation"),
  databaseLatency: bucket(ofProcesses("db_requests_bucket", "databaseSystem")),
} satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

/** The requests that SDKs and that gateways report, by the side that counts. */
export const requestsOfSides = (countedBy: "sdks" | "gateways") => {
  const [sdks, gateways] = countedBy === "sdks" ? (["requests", "uncounted"] as const) : (["uncounted", "requests"] as const);
  return { sdks: measures[sdks], gateways: measures[gateways] };
};

const filtersOf = ({ identities = modelIdentity }: Partial<Measure>) => identities.map((name) => matchesVariable(name, name));

/** Of measures, and of series that have all of `modelIdentity`. */
export const openTelemetryQueries = {
  ...counterQueries<Pick<Measure, "recorded"> & Partial<Measure>>(fromRules, filtersOf),

  /**
   * A percentile, in total or by labels. Histograms of different sources can have different bounds and not be added: the highest one counts.
   *
   * @param few a source with not more requests has none
   */
  quantileOf: (share: number, measure: Measure, window: Window, by: readonly string[] = [], few = 0) => {
    const count = (filters: readonly string[], ...labels: readonly string[]) =>
      sum(`sum_over_time(${select(measure.recorded, ...filtersOf(measure), ...filters)}[${window}])`, ...labels, sourceLabel, ...by);
    const value = quantile(share, count([], "le"));
    // A native histogram has no bucket of all.
    const tooFew = few > 0 ? ` unless ${count([equals("le", "+Inf")])} < ${few}` : "";
    return {
      ...units.seconds,
      calculation:
        "By the buckets of the histogram, exact to the width of one: with OpenTelemetry's default bounds, several seconds. Of sources with different " +
        `bounds, the highest counts.${few > 0 ? ` None below ${Math.ceil(few)} requests.` : ""}`,
      series: [measure.recorded],
      query: `max${by.length > 0 ? ` by (${by.join(", ")})` : ""} (${value}${tooFew})`,
      queryType: queryTypeOf(window),
    } as const;
  },
};
