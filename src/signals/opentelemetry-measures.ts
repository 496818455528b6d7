/** What "GenAI Observability (OpenTelemetry)" measures: the series that recording rules write, and the queries of panels. */
import { type Counter, fromRules, recordedIncrease } from "./counters";
import { type Identity, modelIdentity, processIdentity } from "./identity";
import { conventions } from "./names/conventions";
import { type HistogramPart, labelName } from "./names/translate";
import { equals, matchesVariable, quantile, select, type Window } from "./promql";
import { queryTypeOf, units } from "./signal";

type Attribute = keyof typeof conventions.attributes;

export const conventionLabel = (attribute: Attribute) => labelName(conventions.attributes[attribute]);

/** Tells the rules of a measure apart: histograms with different bounds must not be added. */
export const sourceLabel = "source";

/** A counter, or the buckets of a histogram. */
export interface Measure extends Counter {
  /** The part of the histograms that the rules read. Counters have one series only. */
  part: HistogramPart;
  /** What identifies a call, and the other labels by which panels group and filter it. */
  identities: readonly Identity[];
  labels: readonly string[];
}

/** The name of recorded series, `level:metric:operation`: https://prometheus.io/docs/practices/rules/ */
export const recordedName = (metric: string) => `application:${metric}:increase1m`;

/** A recorded series, of what is selected in the variables of its identities. */
export const recordedCounter = (series: string, identities = modelIdentity): Counter => {
  return { ...fromRules, series, filters: identities.map((name) => matchesVariable(name, name)) };
};

const by =
  (identities: readonly Identity[]) =>
  (metric: string, part: HistogramPart, ...attributes: Attribute[]): Measure => ({
    ...{ ...recordedCounter(recordedName(metric), identities), part, identities },
    labels: [...attributes.map(conventionLabel), ...(part === "bucket" ? ["le"] : [])],
  });
const [ofModels, ofProcesses] = [by(modelIdentity), by(processIdentity)];

export const measures = {
  requests: ofModels("gen_ai_requests_count", "count", "operation", "error"),
  /** The requests of the side that does not count, SDKs or gateways: see the setting `gateways`. */
  uncounted: ofModels("gen_ai_uncounted_requests_count", "count"),
  latency: ofModels("gen_ai_requests_bucket", "bucket"),
  firstToken: ofModels("gen_ai_first_token_bucket", "bucket"),
  tokens: ofModels("gen_ai_tokens", "sum", "tokenType", "responseModel"),
  /** The requests with tokens. Only histograms of tokens count them. */
  tokenRequests: ofModels("gen_ai_token_requests_count", "count"),
  /** By the types `cached` and `written`. */
  cachedTokens: ofModels("gen_ai_cached_tokens", "sum", "tokenType", "responseModel"),
  /** The cost that SDKs measure. Panels show the cost of costs.ts. */
  measuredCost: ofModels("gen_ai_cost_sum", "sum", "error"),
  agents: ofProcesses("gen_ai_agents_count", "count", "agent"),
  agentSeconds: ofProcesses("gen_ai_agents_sum", "sum", "agent"),
  tools: ofProcesses("gen_ai_tools_count", "count", "tool", "error"),
  mcp: ofProcesses("mcp_operations_count", "count", "mcpMethod"),
  databases: ofProcesses("db_requests_count", "count", "databaseSystem", "databaseOperation"),
  databaseLatency: ofProcesses("db_requests_bucket", "bucket", "databaseSystem"),
} satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

/** The requests that SDKs and that gateways report, by the side that counts. */
export const requestsOfSides = (countedBy: "sdks" | "gateways") => {
  const [sdks, gateways] = countedBy === "sdks" ? (["requests", "uncounted"] as const) : (["uncounted", "requests"] as const);
  return { sdks: measures[sdks], gateways: measures[gateways] };
};

/** Fewer than ten requests have no percentile and no share. Sums of increases have rounding errors. */
export const few = 9.5;
export const fewNote = " None below 10 requests.";

/** The 95th percentile, in total or by labels. Histograms with different bounds cannot be added: of several sources, the highest counts. */
export function p95Of({ series, filters: own }: Measure, window: Window, by: readonly string[]) {
  const count = (filters: readonly string[], ...labels: readonly string[]) =>
    recordedIncrease(select(series, ...own, ...filters), window, ...labels, sourceLabel, ...by);
  const value = quantile(0.95, count([], "le"));
  // A native histogram has no bucket "+Inf", so it always has a percentile.
  const tooFew = ` unless ${count([equals("le", "+Inf")])} < ${few}`;
  return {
    ...units.seconds,
    calculation:
      "By the buckets of the histogram, exact to one of them, such as 20 to 41 s, and at most its last bound. Of sources with different " +
      `bounds, the highest counts. Applications that set bounds of their own can distort it.${fewNote}`,
    series: [series],
    query: `max${by.length > 0 ? ` by (${by.join(", ")})` : ""} (${value}${tooFew})`,
    queryType: queryTypeOf(window),
  } as const;
}
