/** The requests of the checks of what arrives. An answer that fails is an error with its message; nothing throws. */
import { type GrafanaAccess, messageOf } from "../network/grafana";
import { recentMinutes, tooManyResets } from "./arrival";
import type { CheckTargets, SdkTelemetry } from "./input";
import {
  environmentsOf,
  type LabelSettings,
  namesQuery,
  readSenders,
  relatedNames,
  resetsQuery,
  resourcesQuery,
  type Sender,
  sendersQuery,
} from "./queries";
import { type Answer, isError, queryPrometheus, request, type Sample } from "./query";
import type { Arrivals } from "./sdk-series";
import { distinctNames, isOfConventions, withoutEnvironment } from "./sent-conventions";

const dayMs = 24 * 3_600_000;

/** Runs an instant query. */
async function querySamples(access: GrafanaAccess, { datasources }: CheckTargets, expr: string): Promise<Answer<Sample[]>> {
  const uid = datasources.find(({ type }) => type === "prometheus")?.uid ?? "";
  return queryPrometheus(access, uid, expr).catch((error: Error) => ({ error: error.message }));
}

/** The names of related series. */
export const askNames = (access: GrafanaAccess, targets: CheckTargets) => querySamples(access, targets, namesQuery(relatedNames, "24h"));

/** Who sends the telemetry of SDKs; nobody if no dashboard reads it. */
export async function askSenders(access: GrafanaAccess, targets: CheckTargets): Promise<Answer<Pick<Arrivals, "senders" | "environment">>> {
  const { dashboards, sdk } = targets;
  if (!sdk) return { senders: [], environment: "label" };
  const series = new Set([...dashboards.flatMap((dashboard) => (dashboard.sdk ? dashboard.series : [])), ...distinctNames]);
  const samples = await querySamples(access, targets, sendersQuery([...series], sdk));
  if (isError(samples)) return samples;
  const senders = readSenders(samples, sdk);
  const environment = await askEnvironment(access, targets, sdk, senders.filter(isOfConventions));
  return isError(environment) ? environment : { senders, environment: environment.place };
}

/** Reads the resources only of applications that panels show without an environment: `target_info` has a series for each process of the platform. */
async function askEnvironment(
  access: GrafanaAccess,
  targets: CheckTargets,
  settings: LabelSettings,
  senders: readonly Sender[],
): Promise<Answer<{ place: Arrivals["environment"] }>> {
  const isRecorded = settings.environmentAttribute === undefined;
  const missing = isRecorded && senders.some(({ otel }) => otel.environments.length > 0) ? [] : withoutEnvironment(senders);
  if (missing.length === 0) return { place: "label" };
  const jobs = [...new Set(missing.map(({ job }) => job))];
  const resources = await querySamples(access, targets, resourcesQuery(jobs, settings));
  if (isError(resources)) return resources;
  if (resources.length === 0) return { place: "nowhere" };
  const [resource] = resources.flatMap((sample) => environmentsOf(sample, settings));
  return { place: resource ? { resource } : "not sent" };
}

export const askResets = (access: GrafanaAccess, targets: CheckTargets) =>
  targets.sdk && querySamples(access, targets, resetsQuery(targets.sdk.counters, tooManyResets));

/** The names of counters and recorded series in the last minutes, and the largest number of samples of a recorded series. */
export async function askRecording(
  access: GrafanaAccess,
  targets: CheckTargets,
): Promise<Answer<{ samples: Sample[]; times: number }> | undefined> {
  const rules = targets.recording?.rules;
  if (!rules) return undefined;
  const query = (expr: string) => querySamples(access, targets, expr);
  const [samples, counted] = await Promise.all([
    query(namesQuery(rules.flatMap(({ name, reads }) => [name, reads]).join("|"), `${recentMinutes}m`)),
    rules[0] ? query(`max(count_over_time(${rules[0].name}[${recentMinutes}m]))`) : [],
  ]);
  return isError(samples) ? samples : { samples, times: isError(counted) ? 0 : (counted[0]?.value ?? 0) };
}

/** Reads only Loki's index: values of the label `type`, which the dashboard's panels select. */
export async function askStreams(access: GrafanaAccess, targets: CheckTargets): Promise<Answer<string[]> | undefined> {
  const { streams } = targets;
  if (streams === undefined) return undefined;
  const parameters = { query: streams, start: `${Date.now() - dayMs}000000` };
  const body = await askDatasource(access, targets, "loki", "/loki/api/v1/label/type/values", parameters);
  return isError(body) ? body : listOf((body as { data?: unknown } | null)?.data).map(String);
}

/** Searches one span of each dashboard of SDKs' telemetry. Tempo has no index: a longer time than an hour costs more. */
export async function askSpans(access: GrafanaAccess, targets: CheckTargets): Promise<Answer<Partial<Record<SdkTelemetry, boolean>>>> {
  const end = Math.floor(Date.now() / 1000);
  const search = async (query: string) => {
    const parameters = { q: query, limit: "1", start: String(end - 3600), end: String(end) };
    const body = await askDatasource(access, targets, "tempo", "/api/search", parameters);
    return isError(body) ? body : { found: listOf((body as { traces?: unknown } | null)?.traces).length > 0 };
  };
  const found: Partial<Record<SdkTelemetry, boolean>> = {};
  for (const { sdk } of targets.dashboards) {
    if (!sdk) continue;
    const answer = await search(sdk.spans);
    if (isError(answer)) return answer;
    found[sdk.telemetry] = answer.found;
  }
  return found;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The body of a response of a datasource's own API. */
async function askDatasource(
  access: GrafanaAccess,
  { datasources }: CheckTargets,
  type: "loki" | "tempo",
  path: string,
  parameters: Record<string, string>,
): Promise<unknown> {
  const { uid } = datasources.find((datasource) => datasource.type === type) ?? {};
  if (uid === undefined) return { error: "no datasource" };
  const address = `/api/datasources/proxy/uid/${uid}${path}?${new URLSearchParams(parameters)}`;
  const response = await request(access, address).catch((error: Error) => error);
  if (response instanceof Error) return { error: response.message };
  return response.status === 200 ? response.body : { error: messageOf(response, access) };
}
