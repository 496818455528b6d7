/** Asks who sends what: which applications sent which series in the last 24 hours. What follows from it is in `series.ts`. */
import { genaiLabel } from "../signals/genai";
import { environmentAttributes, exportedJob, isNamed } from "../signals/identity";
import { labelName } from "../signals/names/translate";
import { group, isOneOf, quote, select } from "../signals/promql";
import { type Convention, conventionOf, isRecognized } from "./conventions";
import { queryPrometheus, type Sample, type Stores, withoutSecret } from "./query";
import type { SpanSender } from "./spans";
import type { CheckedDashboard } from "./targets";

export type Telemetry = Awaited<ReturnType<typeof askTelemetry>>;

/** An application that sends the series `name`. */
export interface Sender {
  name: string;
  /** Undefined if no convention has the name. */
  convention: Convention | undefined;
  /** Empty if no label has it, or if it contains a secret. */
  application: string;
  labels: Sample["labels"];
  /** Whether its environment is known, by a label or by `target_info`. `untold`: neither a label nor a `target_info` is stored. */
  environment: "known" | "missing" | "untold";
}

/** Matches the names that the dashboards read, the names of later or other SDKs and of gateways, and their OTLP forms with dots. */
export const relatedNames = "gen_ai[._].+|db[._].+|.+_llm_.+|llm_.+|(litellm|agentgateway)_.+";
/** Of a histogram, most series are buckets: to search all of them takes five times as long. */
export const oneBucket = isOneOf("le", ["", "+Inf"]);

/** The labels that can have the name of an application, the preferred one first. */
const applicationLabels = [genaiLabel("application"), labelName("service.name"), exportedJob, "job"];
const environmentLabels = environmentAttributes.map(labelName);
/** By these labels, panels select the samples of a service. */
const serviceLabels = ["applicationName", "environment"];
const senderLabels = [...applicationLabels, ...environmentLabels, genaiLabel("sdk"), genaiLabel("environment"), ...serviceLabels];

/** The values of these labels, one sample for each combination. `last_over_time` is a function that keeps names. */
const ask = (stores: Stores, selector: string, ...labels: readonly string[]) =>
  queryPrometheus(stores, group(`last_over_time(${selector}[24h])`, ...labels));

const hasEnvironment = ({ labels }: Pick<Sample, "labels">) => environmentLabels.some((label) => labels[label]);

/**
 * The names of all series about calls to models, those of a service that panels do not select (`hidden`), and who sends the series that
 * dashboards for SDKs read (`senders`), only other metrics about calls to models (`unread`), or spans, but no such metrics (`silent`).
 *
 * @param spans if Tempo did not answer, nothing is known of spans
 * @param read the names of the series that panels and rules read
 */
export async function askTelemetry(
  stores: Stores,
  dashboards: readonly CheckedDashboard[],
  spans: Promise<readonly SpanSender[]>,
  read: ReadonlySet<string>,
) {
  const [samples, spanSenders] = await Promise.all([
    ask(stores, select("", `__name__=~${quote(relatedNames)}`, oneBucket), "__name__", ...senderLabels),
    spans.catch(() => []),
  ]);
  // The names of the dashboards are no secrets, even if a password has the same text.
  const found = new Set(samples.flatMap(({ labels }) => labels.__name__ ?? []));
  const names = [...found].filter((name) => read.has(name) || withoutSecret(name, stores));
  const isShown = ({ __name__: name = "", job, ...labels }: Sample["labels"]) =>
    name.startsWith(`${job}_llm_`) && serviceLabels.every((label) => labels[label]);
  const selected = new Set(samples.flatMap(({ labels }) => (isShown(labels) ? labels.__name__ : [])));
  const hidden = names.filter((name) => dashboards.some(({ sdk, series }) => !sdk && series.includes(name)) && !selected.has(name));
  if (!dashboards.some(({ sdk }) => sdk)) return { names, hidden, senders: [], unread: [], silent: [] };

  const all = samples.map(({ labels: { __name__: name = "", ...labels } }): Sender => {
    const application = withoutSecret(applicationLabels.map((label) => labels[label]).find(Boolean) ?? "", stores);
    return { name, convention: conventionOf(name), application, labels, environment: hasEnvironment({ labels }) ? "known" : "untold" };
  });
  const readable = all.filter(({ name }) => isRecognized(name) || read.has(name));
  const senders = await withResources(stores, readable);
  // One resource can have several applications by OpenLIT's label, which its other metrics lack.
  const [, ...ofResource] = applicationLabels;
  const isKnown = ({ application, labels }: Sender) =>
    senders.some((other) => other.application === application || ofResource.every((name) => other.labels[name] === labels[name]));
  const unread = all.filter((sender) => names.includes(sender.name) && isUnread(sender.name) && !isKnown(sender));
  // Only the dashboard of today's names tells of metrics that no panel reads.
  const known = dashboards.some(({ sdk }) => sdk?.telemetry === "otel") ? [...senders, ...unread] : senders;
  const silent = spanSenders.filter(({ application }) => application && !known.some((sender) => isOf(application, sender)));
  return { names, hidden, senders, unread, silent };
}

/** Names that no panel reads, without servers of models, agents and tools. Of a histogram, the name of its count. */
const isUnread = (name: string) =>
  !isRecognized(name) && /^gen_ai_(?!(server|agent|invoke_agent|workflow|tool|execute_tool|evaluation)_).*(?<!_bucket|_sum)$/.test(name);

/** Adds what `target_info` says. It has a series for each process of the platform, so it is read only for applications without a label. */
async function withResources(stores: Stores, senders: readonly Sender[]): Promise<readonly Sender[]> {
  const jobOf = ({ labels }: Pick<Sample, "labels">) => labels.job ?? "";
  const unlabeled = senders.filter(({ convention, environment }) => convention?.telemetry === "otel" && environment !== "known");
  if (unlabeled.length === 0) return senders;
  const infos = await ask(stores, select("target_info", isOneOf("job", [...new Set(unlabeled.map(jobOf))])), "job", ...environmentLabels);
  return senders.map((sender) => {
    const own = infos.filter((info) => jobOf(info) === jobOf(sender));
    if (sender.environment === "known" || own.length === 0) return sender;
    return { ...sender, environment: own.some(hasEnvironment) ? "known" : "missing" };
  });
}

/** Whether an application sends a series. */
const isOf = (application: string, { application: sender, labels: { job, service_name } }: Sender) =>
  [sender, job, service_name].some((name) => name !== undefined && isNamed(name, [application]));
