/** The requests of the checks of what arrives. An answer that fails is an error with its message; nothing throws. */
import type { GrafanaAccess } from "../network/grafana";
import type { DatasourceType } from "../settings/keys";
import type { SdkTelemetry } from "../signals/signal";
import { recentMinutes, tooManyResets } from "./arrival";
import type { CheckTargets } from "./input";
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
import { type Answer, ask, isError, queryPrometheus, type Sample } from "./query";
import type { Arrivals } from "./sdk-series";
import { distinctNames, isOfConventions, withoutEnvironment } from "./sent-conventions";

const dayMs = 24 * 3_600_000;

const uidOf = ({ datasources }: CheckTargets, wanted: DatasourceType) => datasources.find(({ type }) => type === wanted)?.uid ?? "";

const query = (access: GrafanaAccess, targets: CheckTargets, expr: string) => queryPrometheus(access, uidOf(targets, "prometheus"), expr);

/** The list in a field of a response of a datasource's own API. */
async function askList(
  access: GrafanaAccess,
  targets: CheckTargets,
  type: "loki" | "tempo",
  path: string,
  parameters: Record<string, string>,
  field: string,
): Promise<Answer<unknown[]>> {
  const body = await ask(access, `/api/datasources/proxy/uid/${uidOf(targets, type)}${path}?${new URLSearchParams(parameters)}`);
  if (isError(body)) return body;
  const list = (body as Record<string, unknown> | null)?.[field];
  return Array.isArray(list) ? list : [];
}

/** The names of related series. */
export const askNames = (access: GrafanaAccess, targets: CheckTargets) => query(access, targets, namesQuery(relatedNames, "24h"));

/** Who sends the telemetry of SDKs; nobody if no dashboard reads it. */
export async function askSenders(access: GrafanaAccess, targets: CheckTargets): Promise<Answer<Pick<Arrivals, "senders" | "environment">>> {
  const { dashboards, sdk } = targets;
  if (!sdk) return { senders: [], environment: "label" };
  const series = new Set([...dashboards.flatMap((dashboard) => (dashboard.sdk ? dashboard.series : [])), ...distinctNames]);
  const samples = await query(access, targets, sendersQuery([...series], sdk));
  if (isError(samples)) return samples;
  const senders = readSenders(samples, sdk);
  const environment = await askEnvironment(access, targets, sdk, senders.filter(isOfConventions));
  return isError(environment) ? environment : { senders, environment };
}

/** Reads the resources only of applications that panels show without an environment: `target_info` has a series for each process of the platform. */
async function askEnvironment(
  access: GrafanaAccess,
  targets: CheckTargets,
  settings: LabelSettings,
  senders: readonly Sender[],
): Promise<Answer<Arrivals["environment"]>> {
  const isRecorded = settings.environmentAttribute === undefined;
  const missing = isRecorded && senders.some(({ otel }) => otel.environments.length > 0) ? [] : withoutEnvironment(senders);
  if (missing.length === 0) return "label";
  const jobs = [...new Set(missing.map(({ job }) => job))];
  const resources = await query(access, targets, resourcesQuery(jobs, settings));
  if (isError(resources)) return resources;
  if (resources.length === 0) return "nowhere";
  const [resource] = resources.flatMap((sample) => environmentsOf(sample, settings));
  return resource ? { resource } : "not sent";
}

export const askResets = (access: GrafanaAccess, targets: CheckTargets) =>
  targets.sdk && query(access, targets, resetsQuery(targets.sdk.counters, tooManyResets));

/** The names of counters and recorded series in the last minutes, and the largest number of samples of a recorded series. */
export async function askRecording(
  access: GrafanaAccess,
  targets: CheckTargets,
): Promise<Answer<{ samples: Sample[]; times: number }> | undefined> {
  const rules = targets.recording?.rules ?? [];
  const [first] = rules;
  if (!first) return undefined;
  const names = rules.flatMap(({ name, reads }) => [name, reads]).join("|");
  const [samples, counted] = await Promise.all([
    query(access, targets, namesQuery(names, `${recentMinutes}m`)),
    query(access, targets, `max(count_over_time(${first.name}[${recentMinutes}m]))`),
  ]);
  return isError(samples) ? samples : { samples, times: isError(counted) ? 0 : (counted[0]?.value ?? 0) };
}

/** Reads only Loki's index: values of the label `type`, which the dashboard's panels select. */
export async function askStreams(access: GrafanaAccess, targets: CheckTargets): Promise<Answer<unknown[]> | undefined> {
  if (targets.streams === undefined) return undefined;
  const parameters = { query: targets.streams, start: `${Date.now() - dayMs}000000` };
  return askList(access, targets, "loki", "/loki/api/v1/label/type/values", parameters, "data");
}

/** Searches one span of each dashboard of SDKs' telemetry. Tempo has no index: a longer time than an hour costs more. */
export async function askSpans(access: GrafanaAccess, targets: CheckTargets): Promise<Answer<Partial<Record<SdkTelemetry, boolean>>>> {
  const end = Math.floor(Date.now() / 1000);
  const found: Partial<Record<SdkTelemetry, boolean>> = {};
  for (const { sdk } of targets.dashboards) {
    if (!sdk) continue;
    const parameters = { q: sdk.spans, limit: "1", start: String(end - 3600), end: String(end) };
    const traces = await askList(access, targets, "tempo", "/api/search", parameters, "traces");
    if (isError(traces)) return traces;
    found[sdk.telemetry] = traces.length > 0;
  }
  return found;
}
