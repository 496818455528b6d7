/** Requests to Grafana, and queries of Prometheus through Grafana. */
import {
  type GrafanaAccess,
  type GrafanaResponse,
  grafanaUrlHint,
  isGrafanaResponse,
  messageOf,
  requestGrafana,
  secretsOf,
} from "../network/grafana";
import { redactText } from "../text/redact";

/** @throws Error if another server, or a login page, responds with 200 in Grafana's place */
export async function request(access: GrafanaAccess, path: string, body?: unknown): Promise<GrafanaResponse> {
  const response = await requestGrafana(access, path, body);
  if (response.status !== 200 || isGrafanaResponse(response)) return response;
  throw new Error(`${access.url} returned 200 without JSON: check ${grafanaUrlHint}`);
}

/** A series in the result of an instant query. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** What was asked for, or the reason that there is no answer. */
export type Answer<T> = T | { error: string };

export const isError = (answer: unknown): answer is { error: string } => typeof answer === "object" && answer !== null && "error" in answer;

/** The response to a request, whatever its status. */
const answerOf = (access: GrafanaAccess, path: string, body?: unknown): Promise<Answer<GrafanaResponse>> =>
  request(access, path, body).catch((error: Error) => ({ error: error.message }));

/** The body of a response with 200. */
export async function ask(access: GrafanaAccess, path: string): Promise<unknown> {
  const response = await answerOf(access, path);
  if (isError(response)) return response;
  return response.status === 200 ? response.body : { error: messageOf(response, access) };
}

/** Runs an instant query. */
export async function queryPrometheus(access: GrafanaAccess, uid: string, expr: string): Promise<Answer<Sample[]>> {
  const datasource = { type: "prometheus", uid };
  const query = { refId: "A", datasource, expr, instant: true, range: false, intervalMs: 60_000, maxDataPoints: 1 };
  const response = await answerOf(access, "/api/ds/query", { queries: [query], from: "now-5m", to: "now" });
  if (isError(response)) return response;
  type Frame = { schema?: { fields?: { labels?: Record<string, string> }[] }; data?: { values?: unknown[][] } };
  const result = (response.body as { results?: { A?: { error?: string; frames?: Frame[] } } } | null)?.results?.A;
  if (response.status !== 200 || !result || result.error) {
    return { error: result?.error ? redactText(String(result.error), secretsOf(access)) : messageOf(response, access) };
  }
  return (result.frames ?? []).flatMap(({ schema, data }) =>
    (schema?.fields ?? []).flatMap(({ labels }, field) => (labels ? [{ labels, value: Number(data?.values?.[field]?.[0]) }] : [])),
  );
}
