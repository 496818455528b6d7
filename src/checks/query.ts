/** Requests to Grafana, and through it to the stores. All throw an error whose message contains no secret. */
import {
  type GrafanaAccess,
  type GrafanaResponse,
  grafanaUrlHint,
  isGrafanaResponse,
  messageOf,
  requestGrafana,
  secretsOf,
} from "../network/grafana";
import type { DatasourceType } from "../settings/keys";
import { holdsSecret, redactText } from "../text/redact";
import type { CheckTargets } from "./input";

/** @throws Error if another server, or a login page, responds with 200 in Grafana's place */
export async function request(access: GrafanaAccess, path: string, body?: unknown): Promise<GrafanaResponse> {
  const response = await requestGrafana(access, path, body);
  if (response.status !== 200 || isGrafanaResponse(response)) return response;
  throw new Error(`${access.url} returned 200 without JSON: check ${grafanaUrlHint}`);
}

/** A text from telemetry; empty if it contains a secret. */
export const withoutSecret = (text: string, access: GrafanaAccess) => (holdsSecret(text, secretsOf(access)) ? "" : text);

/** A series in the result of an instant query. */
export type Sample = { labels: Readonly<Record<string, string>>; value: number };

const uidOf = ({ datasources }: CheckTargets, wanted: DatasourceType) => datasources.find(({ type }) => type === wanted)?.uid ?? "";

/** The list in a field of a response of Loki's or Tempo's own API. */
export async function queryList(
  access: GrafanaAccess,
  targets: CheckTargets,
  [type, path, field]: readonly [type: "loki" | "tempo", path: string, field: string],
  parameters: Record<string, string>,
): Promise<unknown[]> {
  const response = await request(access, `/api/datasources/proxy/uid/${uidOf(targets, type)}${path}?${new URLSearchParams(parameters)}`);
  if (response.status !== 200) throw new Error(messageOf(response, access));
  const list = (response.body as Record<string, unknown>)[field];
  return Array.isArray(list) ? list : [];
}

export async function queryPrometheus(access: GrafanaAccess, targets: CheckTargets, expr: string): Promise<Sample[]> {
  const datasource = { type: "prometheus", uid: uidOf(targets, "prometheus") };
  const query = { refId: "A", datasource, expr, instant: true, range: false, intervalMs: 60_000, maxDataPoints: 1 };
  const response = await request(access, "/api/ds/query", { queries: [query], from: "now-5m", to: "now" });
  type Frame = { schema?: { fields?: { labels?: Record<string, string> }[] }; data?: { values?: unknown[][] } };
  const result = (response.body as { results?: { A?: { error?: string; frames?: Frame[] } } } | null)?.results?.A;
  if (response.status !== 200 || !result || result.error) {
    throw new Error(result?.error ? redactText(String(result.error), secretsOf(access)) : messageOf(response, access));
  }
  return (result.frames ?? []).flatMap(({ schema, data }) =>
    (schema?.fields ?? []).flatMap(({ labels }, field) => (labels ? [{ labels, value: Number(data?.values?.[field]?.[0]) }] : [])),
  );
}
