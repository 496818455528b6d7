/** The checks that send requests to Grafana: datasources, folder, dashboards, and whether their data arrives. */
import {
  type GrafanaAccess,
  type GrafanaResponse,
  grafanaUrlHint,
  isGrafanaResponse,
  isRefusal,
  messageOf,
  requestGrafana,
  secretsOf,
} from "../network/grafana";
import { holdsSecret, redacted, redactText } from "../text/redact";
import { classifyArrival, relatedNames } from "./arrival";
import type { CheckTargets } from "./input";
import { type CheckResult, type Finding, failed, note, ok } from "./table";

/** @throws Error if another server, or a login page, responds with 200 in Grafana's place */
async function request(access: GrafanaAccess, path: string, body?: unknown): Promise<GrafanaResponse> {
  const response = await requestGrafana(access, path, body);
  if (response.status !== 200 || isGrafanaResponse(response)) return response;
  throw new Error(`${access.url} returned 200 without JSON: check ${grafanaUrlHint}`);
}

/** The finding for a response with another status than 200. */
const unreadable = (response: GrafanaResponse, access: GrafanaAccess, uid: string) =>
  failed(`Grafana returned ${messageOf(response, access)} for the uid ${uid}`, isRefusal(response.status));

export async function checkDatasource(access: GrafanaAccess, { type, uid }: CheckTargets["datasources"][number]): Promise<Finding> {
  const datasource = await request(access, `/api/datasources/uid/${uid}`);
  if (datasource.status !== 200) return unreadable(datasource, access, uid);
  const unhealthy = (reason: string) => failed(`${type} does not respond to Grafana (${reason}): check its address and credentials`);
  const health = await request(access, `/api/datasources/uid/${uid}/health`);
  if (health.status === 200) return ok(`${type} responds`);
  if (health.status !== 404) return unhealthy(messageOf(health, access));
  // Older releases of Grafana have no health check for these types.
  if (type !== "prometheus") return note(`exists; this release of Grafana cannot check the health of ${type}`);
  const result = await queryPrometheus(access, uid, "vector(1)");
  return "error" in result ? unhealthy(result.error) : ok(`${type} responds`);
}

/** A Grafana without nested folders creates the folder at the top level, and refuses to move it in the next deployment. */
export async function checkFolder(access: GrafanaAccess, { uid, parentUid }: NonNullable<CheckTargets["folder"]>): Promise<Finding> {
  const response = await request(access, `/api/folders/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const { parentUid: actual } = response.body as { parentUid?: string };
  if (actual === parentUid) return ok(`is in the folder ${parentUid}`);
  const disabled = "this Grafana has nested folders disabled: enable them, or remove the setting folderParentUid";
  return failed(`is ${describeLocation(actual, access)}, not in ${parentUid}: ${actual ? "pulumi up --refresh moves it" : disabled}`);
}

export async function checkDashboard(access: GrafanaAccess, { uid, folderUid }: CheckTargets["dashboards"][number]): Promise<Finding> {
  const response = await request(access, `/api/dashboards/uid/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const actual = (response.body as { meta?: { folderUid?: string } }).meta?.folderUid;
  if (actual === folderUid) return ok(`readable, uid ${uid}`);
  return failed(`is ${describeLocation(actual, access)}, not in ${folderUid}: pulumi up --refresh moves it`);
}

/** The folder by its uid. A uid does not consist of words, so it is shown unless it contains a secret. */
function describeLocation(folderUid: unknown, access: GrafanaAccess): string {
  if (!folderUid) return "at the top level";
  return `in the folder ${holdsSecret(String(folderUid), secretsOf(access)) ? redacted : folderUid}`;
}

/** Checks for each dashboard whether its series exist. */
export async function checkArrival(access: GrafanaAccess, { datasources, dashboards }: CheckTargets): Promise<CheckResult[]> {
  const uid = datasources.find(({ type }) => type === "prometheus")?.uid ?? "";
  const query = `count by (__name__) (last_over_time({__name__=~"${relatedNames}"}[24h]))`;
  const result = await queryPrometheus(access, uid, query).catch((error: Error) => ({ error: error.message }));
  const findingOf = (series: readonly string[]) => {
    if ("error" in result) return note(`unknown: ${result.error}`);
    // The names of the dashboard are no secrets, even if a password has the same text.
    return classifyArrival(
      series,
      result.names.filter((name) => series.includes(name) || !holdsSecret(name, secretsOf(access))),
    );
  };
  return dashboards.map(({ title, series }) => ({ name: `series of "${title}"`, ...findingOf(series) }));
}

/** The names of the series in the result of an instant query. */
async function queryPrometheus(access: GrafanaAccess, uid: string, expr: string): Promise<{ names: string[] } | { error: string }> {
  const datasource = { type: "prometheus", uid };
  const query = { refId: "A", datasource, expr, instant: true, range: false, intervalMs: 60_000, maxDataPoints: 1 };
  const response = await request(access, "/api/ds/query", { queries: [query], from: "now-5m", to: "now" });
  type Frame = { schema?: { fields?: { labels?: Record<string, string> }[] } };
  const result = (response.body as { results?: { A?: { error?: string; frames?: Frame[] } } } | null)?.results?.A;
  if (response.status !== 200 || !result || result.error) {
    return { error: result?.error ? redactText(String(result.error), secretsOf(access)) : messageOf(response, access) };
  }
  const labels = (result.frames ?? []).flatMap((frame) => frame.schema?.fields?.map((field) => field.labels?.__name__) ?? []);
  return { names: labels.filter((name): name is string => typeof name === "string") };
}
