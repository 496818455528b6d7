/** The facts about what arrives: what Prometheus, Tempo and Loki are asked. What they mean is in `series.ts` and `arrival.ts`. */
import { type GrafanaAccess, secretsOf } from "../network/grafana";
import { genaiLabel } from "../signals/genai";
import { environmentAttributes } from "../signals/identity";
import { labelName } from "../signals/names/translate";
import { group, isOneOf, quote, select, withLabel } from "../signals/promql";
import type { SdkTelemetry } from "../signals/signal";
import { holdsSecret } from "../text/redact";
import { recentMinutes, tooManyResets } from "./arrival";
import type { CheckTargets, RecordingTargets, SdkTargets } from "./input";
import { queryList, queryPrometheus, type Sample } from "./query";
import { type Convention, conventionOf, recognizedNames } from "./sent-conventions";

/** What arrived in the last 24 hours, for all dashboards; spans in the last hour. */
export interface Facts {
  /** Names of related series. */
  names: readonly string[];
  /** Of the telemetry of SDKs; nobody if no dashboard reads it. */
  senders: readonly Sender[];
  /** Whether a span arrives that the dashboard of this telemetry shows. */
  spans: Readonly<Partial<Record<SdkTelemetry, boolean>>>;
}

/** Who sends the series of a name: an application with these labels, however many series it has. */
export interface Sender {
  name: string;
  /** Undefined if several conventions have the name. */
  convention: Convention | undefined;
  /** Empty if no label has it, or if it contains a secret. */
  application: string;
  /** The attributes of its environment that are labels, the one that panels read first. */
  environments: readonly string[];
  /** Those in its `target_info`; undefined if there is none. Only asked for if no label has them. */
  resource?: readonly string[] | undefined;
  /** Empty values are missing labels. */
  labels: Readonly<Record<string, string>>;
}

/** Matches the names that the dashboards read, those of later or other SDKs, and their OTLP forms with dots. */
export const relatedNames = "gen_ai[._].+|db[._].+|.+_llm_.+|llm_.+";

/** The combinations of the labels' values: names and senders, not the buckets of all models. `last_over_time` is a function that keeps names. */
const combinations = (selector: string, window: string, ...labels: readonly string[]) =>
  group(`last_over_time(${selector}[${window}])`, ...labels);

const namesIn = (samples: readonly Sample[]) => samples.flatMap(({ labels }) => labels.__name__ ?? []);

const isHidden = (text: string, access: GrafanaAccess) => holdsSecret(text, secretsOf(access));

/** @param spans the answer of `askSpans`; without one, nothing is known of spans */
export async function askFacts(access: GrafanaAccess, targets: CheckTargets, spans: Promise<Facts["spans"]>): Promise<Facts> {
  const [named, senders, found] = await Promise.all([
    queryPrometheus(access, targets, combinations(select("", `__name__=~${quote(relatedNames)}`), "24h", "__name__")),
    askSenders(access, targets),
    spans.catch(() => ({})),
  ]);
  // The names of the dashboards are no secrets, even if a password has the same text.
  const read = targets.dashboards.flatMap(({ series }) => series);
  return { names: namesIn(named).filter((name) => read.includes(name) || !isHidden(name, access)), senders, spans: found };
}

/** The labels of the name of an application, the preferred one first. */
const applicationLabels = [genaiLabel("application"), labelName("service.name"), "job"];

async function askSenders(access: GrafanaAccess, targets: CheckTargets): Promise<Sender[]> {
  const { dashboards, sdk } = targets;
  if (!sdk) return [];
  const names = new Set([...dashboards.flatMap((dashboard) => (dashboard.sdk ? dashboard.series : [])), ...recognizedNames]);
  const attributes = new Set([...(sdk.environmentAttribute ? [sdk.environmentAttribute] : []), ...environmentAttributes]);
  const environmentLabels = [...attributes].map(labelName);
  const environmentsOf = ({ labels }: Sample) => [...attributes].filter((attribute) => labels[labelName(attribute)]);

  const labels = ["__name__", ...applicationLabels, ...environmentLabels, genaiLabel("sdk"), genaiLabel("environment")];
  const samples = await queryPrometheus(access, targets, combinations(select("", isOneOf("__name__", [...names])), "24h", ...labels));
  const senders = samples.map((sample): Sender => {
    const { __name__: name = "", ...labels } = sample.labels;
    const application = applicationLabels.map((label) => labels[label]).find(Boolean) ?? "";
    const shown = isHidden(application, access) ? "" : application;
    return { name, convention: conventionOf(name), application: shown, environments: environmentsOf(sample), labels };
  });

  // `target_info` has a series for each process of the platform: only those of applications without such a label are read.
  const lacking = senders.filter(({ convention, environments }) => convention?.telemetry === "otel" && environments.length === 0);
  if (lacking.length === 0) return senders;
  const jobs = new Set(lacking.map(({ labels }) => labels.job ?? ""));
  const resources = select("target_info", isOneOf("job", [...jobs]));
  const infos = await queryPrometheus(access, targets, combinations(resources, "24h", "job", ...environmentLabels));
  return senders.map((sender) => {
    const own = infos.filter(({ labels }) => (labels.job ?? "") === (sender.labels.job ?? ""));
    return { ...sender, resource: own.length > 0 ? own.flatMap(environmentsOf) : undefined };
  });
}

/** Searches one span of each dashboard of SDKs' telemetry. Tempo has no index: a longer time than an hour costs more. */
export async function askSpans(access: GrafanaAccess, targets: CheckTargets): Promise<Facts["spans"]> {
  const end = Math.floor(Date.now() / 1000);
  const found: Partial<Record<SdkTelemetry, boolean>> = {};
  for (const { sdk } of targets.dashboards) {
    if (!sdk) continue;
    const parameters = { q: sdk.spans, limit: "1", start: String(end - 3600), end: String(end) };
    found[sdk.telemetry] = (await queryList(access, targets, ["tempo", "/api/search", "traces"], parameters)).length > 0;
  }
  return found;
}

/** Values of the label `type`, which the panels select, of log streams. Reads only Loki's index. */
export async function askStreams(access: GrafanaAccess, targets: CheckTargets, streams: string): Promise<string[]> {
  const parameters = { query: streams, start: `${Date.now() - 24 * 3_600_000}000000` };
  const types = await queryList(access, targets, ["loki", "/loki/api/v1/label/type/values", "data"], parameters);
  return types.map(String).filter((type) => !isHidden(type, access));
}

/** The jobs with the most resets of a counter in an hour, of those with more than `tooManyResets`. */
export async function askResets(access: GrafanaAccess, targets: CheckTargets, { counters }: SdkTargets): Promise<Sample[]> {
  const resets = counters.map(({ series, selector }) => withLabel(`max by (job) (resets(${selector}[1h]))`, "series", series));
  const samples = await queryPrometheus(access, targets, `topk(3, (${resets.join(" or ")}) > ${tooManyResets})`);
  return samples.map(({ labels, value }) => ({ labels: isHidden(labels.job ?? "", access) ? { ...labels, job: "" } : labels, value }));
}

/** The names of counters and recorded series in the last minutes, and the largest number of samples of a recorded series. */
export async function askRecording(access: GrafanaAccess, targets: CheckTargets, { rules }: RecordingTargets) {
  const names = rules.flatMap(({ name, reads }) => [name, reads]);
  const [samples, counted] = await Promise.all([
    queryPrometheus(access, targets, combinations(select("", isOneOf("__name__", names)), `${recentMinutes}m`, "__name__")),
    queryPrometheus(access, targets, `max(count_over_time(${rules[0]?.name}[${recentMinutes}m]))`),
  ]);
  return { names: namesIn(samples), times: counted[0]?.value ?? 0 };
}
