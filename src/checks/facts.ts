/** The facts about what arrives: what Prometheus, Tempo and Loki are asked. What they mean is in `series.ts` and `arrival.ts`. */

import { recordingGroup } from "../dashboards/names";
import { type GrafanaAccess, messageOf, secretsOf } from "../network/grafana";
import { genaiLabel } from "../signals/genai";
import { environmentAttributes, exportedJob } from "../signals/identity";
import { labelName } from "../signals/names/translate";
import { isRequest } from "../signals/opentelemetry-sources";
import { group, isOneOf, literally, quote, select, withLabel } from "../signals/promql";
import { redactText } from "../text/redact";
import { lateMinutes, recentMinutes, tooManyResets } from "./arrival";
import type { CheckTargets, RecordingTargets, SdkTargets } from "./input";
import { queryList, queryPrometheus, request, type Sample, withoutSecret } from "./query";
import { type Convention, conventionOf, recognizedNames } from "./sent-conventions";
import type { SpanSender } from "./spans";

/** What arrived in the last 24 hours, for all dashboards; spans in the last hour. */
export interface Facts {
  /** Names of related series. */
  names: readonly string[];
  /** Of the telemetry of SDKs; nobody if no dashboard reads it. */
  senders: readonly Sender[];
  /** Applications whose spans arrive, but none of the metrics that a dashboard reads. */
  silent: readonly SilentSender[];
  /** Applications that send none of the series that a dashboard reads, but others about calls to models; with the name of each, without suffix. */
  unread: readonly { application: string; name: string }[];
}

/** `metrics`: the names of those that it sends, without suffixes, apart from those of runtimes and servers. */
export type SilentSender = SpanSender & { metrics: readonly string[] };

/** Who sends the series of a name: an application with these labels, however many series it has. */
export interface Sender {
  name: string;
  /** Undefined if several conventions have the name. */
  convention: Convention | undefined;
  /** Empty if no label has it, or if it contains a secret. */
  application: string;
  /** The attributes of its environment that are labels. */
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

/** @param spans the answer of `askSpans`; without one, nothing is known of spans */
export async function askFacts(access: GrafanaAccess, targets: CheckTargets, spans: Promise<readonly SpanSender[]>): Promise<Facts> {
  const [named, senders, found] = await Promise.all([
    queryPrometheus(access, targets, combinations(select("", `__name__=~${quote(relatedNames)}`), "24h", "__name__")),
    askSenders(access, targets),
    spans.catch(() => []),
  ]);
  const isSender = (application: string) => senders.some((sender) => isOf(application, sender.application, sender.labels));
  const others = found.filter(({ application }) => application && !isSender(application));
  const silent = await askSilent(access, targets, others);
  // The names of the dashboards are no secrets, even if a password has the same text.
  const read = targets.dashboards.flatMap(({ series }) => series);
  const names = namesIn(named).filter((name) => read.includes(name) || withoutSecret(name, access));
  const unread = targets.sdk ? await askUnread(access, targets, names, senders, silent) : [];
  return { names, senders, silent, unread };
}

/** Names that no panel reads, apart from those of servers of models, agents and tools; of a histogram its count. */
const isUnread = (name: string) =>
  !recognizedNames.includes(name) &&
  /^gen_ai_(?!(server|agent|invoke_agent|workflow|tool|execute_tool|evaluation)_).*(?<!_bucket|_sum)$/.test(name);

/** @param silent whom another finding tells of */
async function askUnread(access: GrafanaAccess, targets: CheckTargets, names: string[], senders: Sender[], silent: SilentSender[]) {
  const unread = names.filter(isUnread);
  if (unread.length === 0) return [];
  const named = combinations(select("", isOneOf("__name__", unread)), "24h", "__name__", ...applicationLabels);
  const found = (await queryPrometheus(access, targets, named)).map(({ labels }) => ({
    labels,
    application: applicationIn(labels, access),
  }));
  // One resource can have several applications by OpenLIT's label, which other metrics lack.
  const [, ...ofResource] = applicationLabels;
  const isKnown = ({ labels, application }: (typeof found)[number]) =>
    silent.some((other) => isOf(other.application, application, labels)) ||
    senders.some((other) => other.application === application || ofResource.every((name) => other.labels[name] === labels[name]));
  const others = found.filter((each) => !isKnown(each));
  return others.map(({ labels, application }) => ({ application, name: withoutSuffix(labels.__name__ ?? "") }));
}

/** Whether an application sends a series. `job` can have its namespace in front. */
const isOf = (application: string, sender: string, { job, service_name }: Sample["labels"]) =>
  [sender, job, service_name].some((name) => name === application || name?.endsWith(`/${application}`));

/** Of what most instrumentations send, apart from calls to models. */
const generalNames =
  /^(target_info|up|(scrape|http|rpc|db|dns|process|system|runtime|c?python|nodejs|v8js|jvm|go|dotnet|aspnetcore|kestrel|messaging|otel|traces)_.*)$/;

/** The name of a metric, from that of a series. */
const withoutSuffix = (name: string) => name.replace(/_(bucket|sum|count|total)$/, "");

async function askSilent(access: GrafanaAccess, targets: CheckTargets, spans: readonly SpanSender[]): Promise<SilentSender[]> {
  if (spans.length === 0) return [];
  const jobs = [...new Set(spans.map(({ application }) => application))].slice(0, 10);
  const selector = select("", `job=~${quote(`(.+/)?(${jobs.map(literally).join("|")})`)}`);
  const samples = await queryPrometheus(access, targets, combinations(selector, "1h", "job", "__name__"));
  return spans.map((span) => {
    const own = samples.filter(({ labels }) => isOf(span.application, "", labels));
    const names = namesIn(own).filter((name) => !generalNames.test(name) && withoutSecret(name, access));
    return { ...span, metrics: [...new Set(names.map(withoutSuffix))].sort() };
  });
}

/** The labels of the name of an application, the preferred one first. */
const applicationLabels = [genaiLabel("application"), labelName("service.name"), exportedJob, "job"];

const applicationIn = (labels: Sample["labels"], access: GrafanaAccess) =>
  withoutSecret(applicationLabels.map((label) => labels[label]).find(Boolean) ?? "", access);

async function askSenders(access: GrafanaAccess, targets: CheckTargets): Promise<Sender[]> {
  const { dashboards, sdk } = targets;
  if (!sdk) return [];
  const names = new Set([...dashboards.flatMap((dashboard) => (dashboard.sdk ? dashboard.series : [])), ...recognizedNames]);
  const environmentLabels = environmentAttributes.map(labelName);
  const environmentsOf = ({ labels }: Sample) => environmentAttributes.filter((attribute) => labels[labelName(attribute)]);

  const labels = ["__name__", ...applicationLabels, ...environmentLabels, genaiLabel("sdk"), genaiLabel("environment")];
  const sent = combinations(select("", isOneOf("__name__", [...names])), "24h", ...labels);
  const samples = await queryPrometheus(access, targets, sent);
  const senders = samples.map((sample): Sender => {
    const { __name__: name = "", ...labels } = sample.labels;
    return {
      name,
      convention: conventionOf(name),
      application: applicationIn(labels, access),
      environments: environmentsOf(sample),
      labels,
    };
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

/** Values of the label `type`, which the panels select, of log streams. Reads only Loki's index. */
export async function askStreams(access: GrafanaAccess, targets: CheckTargets, streams: string): Promise<string[]> {
  const parameters = { query: streams, start: `${Date.now() - 24 * 3_600_000}000000` };
  const types = await queryList(access, targets, ["loki", "/loki/api/v1/label/type/values", "data"], parameters);
  return types.map(String).filter((type) => withoutSecret(type, access));
}

/** The jobs with the most resets of a counter, above `tooManyResets`: in an hour of series with an instance, in ten minutes of others. */
export async function askResets(access: GrafanaAccess, targets: CheckTargets, { counters }: SdkTargets): Promise<Sample[]> {
  const resets = (window: string, limit: number) =>
    counters
      .map(({ series, selector }) => withLabel(`max by (job, instance) (resets(${selector}[${window}])) > ${limit}`, "series", series))
      .join(" or ");
  const [recent, others] = await Promise.all([
    queryPrometheus(access, targets, resets("10m", tooManyResets.unnamed)),
    queryPrometheus(access, targets, resets("1h", tooManyResets.named)),
  ]);
  const found = [...recent.filter(({ labels }) => !labels.instance), ...others.filter(({ labels }) => labels.instance)];
  const shown = found.sort((one, other) => other.value - one.value).slice(0, 3);
  return shown.map(({ labels, value }) => ({ labels: { ...labels, job: withoutSecret(labels.job ?? "", access) }, value }));
}

/** The largest number of series of one counter, which panels add up on each load. */
export async function askLive(access: GrafanaAccess, targets: CheckTargets): Promise<number> {
  const read = targets.dashboards.flatMap(({ sdk, series }) => (sdk?.telemetry === "spec" ? series : []));
  const counters = select("", isOneOf("__name__", read), isOneOf("le", ["", "+Inf"]));
  const [counted] = await queryPrometheus(access, targets, `max(count by (__name__) (${counters}))`);
  return counted?.value ?? 0;
}

/**
 * The names of counters and recorded series in the last minutes, the largest number of samples of a recorded series then and in the minutes before, and
 * why rules fail in Grafana.
 */
export async function askRecording(access: GrafanaAccess, targets: CheckTargets, { by, rules, folderUid, steady }: RecordingTargets) {
  const names = [...rules.flatMap(({ name, reads }) => [name, reads]), ...(steady ? [steady] : [])];
  const most = async (minutesAgo: number) => {
    const window = `[${recentMinutes}m] offset ${minutesAgo}m`;
    return (await queryPrometheus(access, targets, `max(count_over_time(${steady ?? rules[0]?.name}${window}))`))[0]?.value ?? 0;
  };
  const [samples, times, before, failing] = await Promise.all([
    queryPrometheus(access, targets, combinations(select("", isOneOf("__name__", names), isRequest), `${recentMinutes}m`, "__name__")),
    most(lateMinutes),
    most(lateMinutes + recentMinutes),
    by === "grafana" ? askFailing(access, folderUid) : [],
  ]);
  return { names: namesIn(samples), times, before, failing };
}

/** The errors of rules in the group, redacted. Nothing is known with a token that may not read the states of rules. */
async function askFailing(access: GrafanaAccess, folderUid: string): Promise<string[]> {
  const parameters = new URLSearchParams({ folder_uid: folderUid, rule_group: recordingGroup });
  const response = await request(access, `/api/prometheus/grafana/api/v1/rules?${parameters}`);
  if (response.status === 403) return [];
  if (response.status !== 200) throw new Error(messageOf(response, access));
  type Group = { name?: string; folderUid?: string; rules?: { health?: string; lastError?: string }[] };
  const groups = (response.body as { data?: { groups?: Group[] } }).data?.groups ?? [];
  // Grafana ignores the uid of a folder that it does not know.
  const own = groups.filter((group) => group.name === recordingGroup && group.folderUid === folderUid).flatMap(({ rules = [] }) => rules);
  const failing = own.filter(({ health }) => health === "error");
  // The reason of a write can be in the second line.
  return failing.map(({ lastError = "" }) => redactText(lastError.trim().replaceAll("\n", ": "), secretsOf(access)) || "no message");
}
