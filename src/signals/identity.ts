/**
 * Who made a call, by the same labels for all SDKs: application, environment, provider and model. SDKs and platforms put them into different attributes. So
 * the queries of "GenAI Observability (OpenTelemetry)" take the first one that is there, or "(none)".
 */
import { conventions } from "./names/conventions";
import { labelName, type Naming } from "./names/translate";
import { indent, isPresent, quote, relabel, select, sum, withLabel } from "./promql";

const { attributes } = conventions;

/** The attributes of a resource that name its environment, the preferred one first. */
export const environmentAttributes = ["deployment.environment.name", "deployment.environment"] as const;

/** The environment of a process in `target_info`, for SDKs that have it as an attribute of the resource only. */
const infoLabel = "info_environment";

/** The common labels, each with the attributes of SDKs and platforms, the preferred one first. */
const sources = {
  application: ["service.name", "job"],
  environment: [...environmentAttributes, infoLabel],
  provider: [attributes.provider, attributes.system],
  model: [attributes.model, attributes.responseModel],
} as const satisfies Record<string, readonly string[]>;

export type Identity = keyof typeof sources;

/** Of requests to models. */
export const modelIdentity: readonly Identity[] = ["application", "environment", "provider", "model"];
/** Of other operations. */
export const processIdentity: readonly Identity[] = ["application", "environment"];

/** The value of a common label without any source. */
export const none = "(none)";

/** The labels of a process. Prometheus sets both for telemetry that it receives by OTLP. */
const processLabels = ["job", "instance"];

/** Metrics in Prometheus of some processes, and the time in which they are searched. */
export interface Processes {
  /** Names of series that each of the processes has. */
  series: readonly string[];
  /** The time in which they send the series. */
  window: string;
  /** The time in which their resource is searched, at least as long. */
  infoWindow: string;
}

/** The labels by which a query has to group, so that `identify` finds them. */
export const identityLabels = (identities: readonly Identity[], naming: Naming): string[] => [
  ...new Set([
    ...processLabels,
    ...identities.flatMap((identity) => sources[identity].filter((name) => name !== infoLabel).map((name) => labelName(name, naming))),
  ]),
];

/**
 * Adds the common labels.
 *
 * @param query series grouped by `identityLabels`
 * @param processes the processes of the series
 * @param furtherSteps steps that add other labels
 */
export function identify(
  query: string,
  identities: readonly Identity[],
  processes: Processes,
  naming: Naming,
  furtherSteps: readonly string[] = [],
): string {
  const steps = [
    ...identities.flatMap((identity) => [
      `"${identity}", "${none}", "", ""`,
      ...[...sources[identity]].reverse().map((name) => `"${identity}", "$1", "${labelName(name, naming)}", "(.+)"`),
    ]),
    ...furtherSteps,
  ];
  const series = identities.includes("environment") ? withEnvironment(query, processes, naming) : query;
  if (steps.length === 0) return series;
  return `# The same labels for all SDKs. Of the lines for one label, the last one that finds a value counts.\n${relabel(series, steps)}`;
}

/** Adds the environment of the resource. */
function withEnvironment(query: string, { series, window, infoWindow }: Processes, naming: Naming): string {
  const info = environmentAttributes.map((attribute) => {
    const label = labelName(attribute, naming);
    return { label, query: `count_over_time(${select("target_info", isPresent(label))}[${infoWindow}])` };
  });
  const labels = info.map(({ label }) => label);
  const steps = [...labels].reverse().map((label) => `"${infoLabel}", "$1", "${label}", "(.+)"`);
  const resources = sum(`\n${indent(info.map((each) => each.query).join("\nor "))}\n`, ...processLabels, ...labels);
  return `(
${indent(query)}
)
# The environment of a process, for SDKs that send it with the resource only. If there are several, the one with most samples.
* on (job, instance) group_left (${infoLabel}) (
  group by (job, instance, ${infoLabel}) (
    topk by (job, instance) (1,
${indent(indent(indent(relabel(resources, steps))))}
    )
  )
  # Other processes.
  or on (job, instance) group by (job, instance) (last_over_time({__name__=~${quote(series.join("|"))}}[${window}]))
)`;
}

/** Of series with the common labels, those that are selected in the dashboard's variables. */
export function selected(query: string, identities: readonly Identity[]): string {
  const names = identities.map((identity) => `"${identity}"`).join(", ");
  const values = identities.map((identity) => `($${identity})`).join("\\t");
  const steps = [`"selected", "yes", "selected", "${values}"`];
  return `# What is selected in the variables.
${relabel(`label_join(\n${indent(query)},\n  "selected", "\\t", ${names})`, steps)}
and on (selected) ${withLabel("vector(1)", "selected", "yes")}`;
}
