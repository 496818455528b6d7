/** Queries Prometheus, Loki and Tempo as Grafana's backends do: the same requests, and the servers' error messages. */
import type { Range } from "./panel";

export interface PrometheusResult {
  resultType: "vector" | "matrix" | "scalar";
  result: { metric: Record<string, string>; value?: Sample; values?: Sample[] }[] | Sample;
}

/** Seconds, and a number as text, such as `1.5`, `NaN` or `+Inf`. */
export type Sample = [time: number, value: string];

/** An instant query at the end of the range (QueryInstant in pkg/promlib/client/client.go). */
export function queryInstant(server: string, query: string, at: number): Promise<PrometheusResult> {
  return prometheus(`${server}/api/v1/query`, query, { query, time: seconds(at) });
}

/** A range query (QueryRange in pkg/promlib/client/client.go). */
export function queryRange(server: string, query: string, { from, to }: Range, step: number): Promise<PrometheusResult> {
  return prometheus(`${server}/api/v1/query_range`, query, { query, start: seconds(from), end: seconds(to), step: seconds(step) });
}

const seconds = (milliseconds: number) => `${milliseconds / 1000}`;

async function prometheus(url: string, query: string, parameters: Record<string, string>): Promise<PrometheusResult> {
  const { data } = await json<{ data: PrometheusResult }>(url, query, { method: "POST", body: new URLSearchParams(parameters) });
  return data;
}

export interface LokiResult {
  resultType: string;
  encodingFlags?: string[];
  result: { stream: Record<string, string>; values: [time: string, line: string, categories?: LokiLabels][] }[];
}

/** Labels of a line in addition to those of its stream. */
export interface LokiLabels {
  structuredMetadata?: Record<string, string>;
  parsed?: Record<string, string>;
}

/** Log lines (makeDataRequest in pkg/tsdb/loki/api.go): times in nanoseconds, labels by category. */
export async function queryLoki(
  server: string,
  query: string,
  { from, to }: Range,
  { limit, direction, step }: { limit: number; direction: string; step: number },
): Promise<LokiResult> {
  const nanoseconds = (milliseconds: number) => `${BigInt(milliseconds) * 1_000_000n}`;
  const parameters = { query, direction, limit: `${limit}`, start: nanoseconds(from), end: nanoseconds(to), step: `${step}ms` };
  const url = `${server}/loki/api/v1/query_range?${new URLSearchParams(parameters)}`;
  const { data } = await json<{ data: LokiResult }>(url, query, { headers: { "X-Loki-Response-Encoding-Flags": "categorize-labels" } });
  return data;
}

export interface TempoTrace {
  traceID: string;
  rootServiceName?: string;
  rootTraceName?: string;
  startTimeUnixNano?: string;
  spanSets?: TempoSpanSet[];
}

export interface TempoSpanSet {
  spans?: TempoSpan[];
  attributes?: TempoAttribute[];
}

export interface TempoSpan {
  spanID: string;
  name?: string;
  startTimeUnixNano?: string;
  durationNanos?: string;
  attributes?: TempoAttribute[];
}

export interface TempoAttribute {
  key: string;
  value: { stringValue?: string; intValue?: string | number; doubleValue?: number | string; boolValue?: boolean };
}

/** Traces with the matching spans (createSearchRequest in grafana-tempo-datasource, pkg/tempo/search.go): full seconds, rounded down. */
export async function queryTempo(
  server: string,
  query: string,
  { from, to }: Range,
  { limit, spss }: { limit?: number | undefined; spss?: number | undefined },
): Promise<TempoTrace[]> {
  const parameters = new URLSearchParams({ q: query });
  if (limit) parameters.set("limit", `${limit}`);
  if (spss) parameters.set("spss", `${spss}`);
  parameters.set("start", `${Math.floor(from / 1000)}`);
  parameters.set("end", `${Math.floor(to / 1000)}`);
  const { traces } = await json<{ traces?: TempoTrace[] }>(`${server}/api/search?${parameters}`, query, {});
  return traces ?? [];
}

/** A query that the server rejected or did not answer. In Grafana, the panel shows this message in its red corner. */
export class QueryError extends Error {}

async function json<T>(url: string, query: string, init: RequestInit): Promise<T> {
  const { origin, pathname } = new URL(url);
  const response = await fetch(url, { ...init, headers: { Accept: "application/json", ...init.headers } }).catch((error: Error) => {
    throw new QueryError(`${origin}${pathname} does not respond: ${error.cause ?? error}\n${query}`, { cause: error });
  });
  const text = await response.text();
  if (!response.ok) throw new QueryError(`${origin}${pathname} responds with ${response.status}: ${messageOf(text)}\n${query}`);
  const answer: T & { status?: string } = JSON.parse(text);
  if (answer.status === "error") throw new QueryError(`${origin}${pathname} responds: ${messageOf(text)}\n${query}`);
  return answer;
}

/** The error message: Prometheus and newer Loki send it as JSON, others as text. */
function messageOf(text: string): string {
  try {
    const { errorType, error, message }: { errorType?: string; error?: string; message?: string } = JSON.parse(text);
    return error ? `${errorType ? `${errorType}: ` : ""}${error}` : (message ?? text);
  } catch {
    return text.trim();
  }
}
