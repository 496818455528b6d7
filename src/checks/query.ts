/** Requests to Grafana, and through it to the stores. No error contains a secret. */
import { type GrafanaAccess, messageOf, requestGrafana, secretsOf } from "../network/grafana";
import type { DatasourceType } from "../settings/keys";
import { holdsSecret, redactText } from "../text/redact";

/** Grafana, with the datasources of the stores. */
export type Stores = GrafanaAccess & { datasources: readonly { type: DatasourceType; uid: string }[] };

/** A series in the result of an instant query. */
export type Sample = { labels: Readonly<Record<string, string>>; value: number };

/** A text from telemetry; empty if it contains a secret. */
export const withoutSecret = (text: string, access: GrafanaAccess) => (holdsSecret(text, secretsOf(access)) ? "" : text);

const uidOf = ({ datasources }: Stores, wanted: DatasourceType) => datasources.find(({ type }) => type === wanted)?.uid ?? "";

/** A list in the response of Loki's or Tempo's own API. @param path with its parameters; @param field of the response, with the list */
export async function queryList(stores: Stores, type: "loki" | "tempo", path: string, field: string): Promise<unknown[]> {
  const response = await requestGrafana(stores, `/api/datasources/proxy/uid/${uidOf(stores, type)}${path}`);
  if (response.status !== 200) throw new Error(messageOf(response, stores));
  const list = (response.body as Record<string, unknown>)[field];
  return Array.isArray(list) ? list : [];
}

export async function queryPrometheus(stores: Stores, expr: string): Promise<Sample[]> {
  const datasource = { type: "prometheus", uid: uidOf(stores, "prometheus") };
  const query = { refId: "A", datasource, expr, instant: true, range: false, intervalMs: 60_000, maxDataPoints: 1 };
  const response = await requestGrafana(stores, "/api/ds/query", { queries: [query], from: "now-5m", to: "now" });
  type Frame = { schema?: { fields?: { labels?: Record<string, string> }[] }; data?: { values?: unknown[][] } };
  const result = (response.body as { results?: { A?: { error?: string; frames?: Frame[] } } } | null)?.results?.A;
  if (response.status !== 200 || !result || result.error) {
    throw new Error(result?.error ? redactText(String(result.error), secretsOf(stores)) : messageOf(response, stores));
  }
  return (result.frames ?? []).flatMap(({ schema, data }) =>
    (schema?.fields ?? []).flatMap(({ labels }, field) => (labels ? [{ labels, value: Number(data?.values?.[field]?.[0]) }] : [])),
  );
}
