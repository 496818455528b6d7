/** The queries of the checks of what arrives. Each reads few series: names and senders, not buckets of all models. */
import { genaiLabel } from "../signals/genai";
import { environmentAttributes } from "../signals/identity";
import { labelName } from "../signals/names/translate";
import { group, isOneOf, quote, select, withLabel } from "../signals/promql";
import type { CheckTargets } from "./input";
import type { Sample } from "./query";

/** The setting on which labels depend, if panels read counters directly. */
export type LabelSettings = Pick<NonNullable<CheckTargets["sdk"]>, "environmentAttribute">;

/** Matches the names that the dashboards read, those of later or other SDKs, and their OTLP forms with dots. */
export const relatedNames = "gen_ai[._].+|db[._].+|.+_llm_.+|llm_.+";

/** The names of series in a window, with the number of series of each. `last_over_time` is a function that keeps names. */
export const namesQuery = (regex: string, window: string) => `count by (__name__) (last_over_time({__name__=~${quote(regex)}}[${window}]))`;

/** Who sends the series of a name, as the dashboards read it. A label that a series lacks is empty. */
export interface Sender {
  name: string;
  job: string;
  /** For "GenAI Observability (OpenTelemetry)": its application, and the attributes in which it has an environment. */
  otel: { application: string; environments: readonly string[] };
  /** For "GenAI Observability". */
  spec: { sdk: string; application: string; environment: string };
}

/** The attributes in which an environment is looked for, the one that panels read first. */
const attributesOf = ({ environmentAttribute: read }: LabelSettings) => [...new Set([...(read ? [read] : []), ...environmentAttributes])];

const environmentLabels = (settings: LabelSettings) => attributesOf(settings).map(labelName);

/** The attributes in which a series has an environment. */
export const environmentsOf = ({ labels }: Sample, settings: LabelSettings) =>
  attributesOf(settings).filter((name) => labels[labelName(name)]);

/** The labels of a sender; of its application, the preferred one first. */
const otel = { application: [labelName("service.name"), "job"] };
const spec = { sdk: genaiLabel("sdk"), application: genaiLabel("application"), environment: genaiLabel("environment") };

/** Who sends series of these names. One result for each name and application, however many series there are. */
export function sendersQuery(series: readonly string[], settings: LabelSettings): string {
  const labels = [...otel.application, ...environmentLabels(settings), ...Object.values(spec)];
  return group(`last_over_time(${select("", isOneOf("__name__", series))}[24h])`, "__name__", ...labels);
}

export function readSenders(samples: readonly Sample[], settings: LabelSettings): Sender[] {
  return samples.map((sample) => {
    const { labels } = sample;
    const value = (name: string) => labels[name] ?? "";
    return {
      name: labels.__name__ ?? "",
      job: labels.job ?? "",
      otel: { application: otel.application.map(value).find(Boolean) ?? "", environments: environmentsOf(sample, settings) },
      spec: { sdk: value(spec.sdk), application: value(spec.application), environment: value(spec.environment) },
    };
  });
}

/** The environments in the resources of applications, by the name in `job`. */
export const resourcesQuery = (jobs: readonly string[], settings: LabelSettings) =>
  group(`last_over_time(${select("target_info", isOneOf("job", jobs))}[24h])`, ...environmentLabels(settings));

/** The jobs with the most resets in an hour of a series, of those with more than `limit`. */
export function resetsQuery(counters: NonNullable<CheckTargets["sdk"]>["counters"], limit: number): string {
  const resets = counters.map(({ series, selector }) => withLabel(`max by (job) (resets(${selector}[1h]))`, "series", series));
  return `topk(3, (${resets.join(" or ")}) > ${limit})`;
}
