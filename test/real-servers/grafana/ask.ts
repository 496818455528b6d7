/** Asks Prometheus, Loki and Tempo as Grafana's backends do: the same requests, and errors with the server's words. */
import type { Range } from "./interval";

export interface PrometheusResult {
  resultType: "vector" | "matrix" | "scalar";
  result: { metric: Record<string, string>; value?: Sample; values?: Sample[] }[] | Sample;
}

/** Seconds, and a number as text: `NaN` and `+Inf` too. */
export type Sample = [time: number, value: string];

/** One point in time (QueryInstant in pkg/promlib/client/client.go): the end of the range as it is. */
export function askInstant(server: string, query: string, at: number): Promise<PrometheusResult> {
  return prometheus(`${server}/api/v1/query`, query, { query, time: seconds(at) });
}

/** Points at equal distances (QueryRange in pkg/promlib/client/client.go). */
export function askRange(server: string, query: string, { from, to }: Range, step: number): Promise<PrometheusResult> {
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

/** Labels of one line that are not its stream's. */
export interface LokiLabels {
  structuredMetadata?: Record<string, string>;
  parsed?: Record<string, string>;
}

/** Log lines (makeDataRequest in pkg/tsdb/loki/api.go): times in nanoseconds; Grafana asks to keep the kinds of labels apart. */
export async function askLoki(
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

/** Traces with the spans that match (createSearchRequest in grafana-tempo-datasource, pkg/tempo/search.go): whole seconds, rounded down. */
export async function askTempo(
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

/** A query that its server refused or could not answer. In Grafana, the panel shows a red corner with these words. */
export class QueryError extends Error {}

async function json<T>(url: string, query: string, init: RequestInit): Promise<T> {
  const { origin, pathname } = new URL(url);
  const response = await fetch(url, { ...init, headers: { Accept: "application/json", ...init.headers } }).catch((error: Error) => {
    throw new QueryError(`${origin}${pathname} does not answer: ${error.cause ?? error}\n${query}`, { cause: error });
  });
  const text = await response.text();
  if (!response.ok) throw new QueryError(`${origin}${pathname} answers ${response.status}: ${words(text)}\n${query}`);
  const answer: T & { status?: string } = JSON.parse(text);
  if (answer.status === "error") throw new QueryError(`${origin}${pathname} answers: ${words(text)}\n${query}`);
  return answer;
}

/** Prometheus and newer Loki put their words into JSON, others send them as they are. */
function words(text: string): string {
  try {
    const { errorType, error, message }: { errorType?: string; error?: string; message?: string } = JSON.parse(text);
    return error ? `${errorType ? `${errorType}: ` : ""}${error}` : (message ?? text);
  } catch {
    return text.trim();
  }
}
