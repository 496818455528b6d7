/**
 * Who made a call. SDKs and platforms put it into different attributes: recording rules write the first one that is there, or "(none)", to one label. Queries
 * that read directly take one attribute of each.
 */
import { conventions } from "./names/conventions";
import { labelName } from "./names/translate";
import { group, indent, isOneOf, isPresent, relabel, select, sum } from "./promql";
import type { CounterMode } from "./signal";

const { attributes } = conventions;

/** The attributes of a resource that name its environment, the preferred one first. */
export const environmentAttributes = ["deployment.environment.name", "deployment.environment"] as const;

/** The environment of a process in `target_info`, for SDKs that have it as an attribute of the resource only. */
const infoLabel = "info_environment";

/** The application whose collector Prometheus scrapes without `honor_labels`: `job` is then that of the collector. */
export const exportedJob = "exported_job";

/** The labels that rules write, each with the attributes of SDKs and platforms, the preferred one first. */
const sources = {
  application: ["service.name", exportedJob, "job"],
  environment: [...environmentAttributes, infoLabel],
  provider: [attributes.provider, attributes.system],
  model: [attributes.model, attributes.responseModel],
} as const satisfies Record<string, readonly string[]>;

export type Identity = keyof typeof sources;

/** Of requests to models, and of other operations. */
export const modelIdentity: readonly Identity[] = ["application", "environment", "provider", "model"];
export const processIdentity: readonly Identity[] = ["application", "environment"];

/** The labels by which panels select and group calls: those that rules write, or those of the SDKs. `job` is what all series have. */
export function identityLabels(mode: CounterMode, environment: string): Record<Identity, string> {
  if (mode === "recorded") return { application: "application", environment: "environment", provider: "provider", model: "model" };
  const { provider, model } = attributes;
  return { application: "job", environment: labelName(environment), provider: labelName(provider), model: labelName(model) };
}

/** Of a process. Prometheus sets the first two for telemetry that it receives by OTLP. */
export const processLabels = ["job", "instance", exportedJob, "exported_instance"];

/** Steps that set a label to the first of the attributes that is there. */
export const firstOf = (label: string, from: readonly string[]) =>
  [...from].reverse().map((name) => `"${label}", "$1", "${labelName(name)}", "(.+)"`);

/** The labels by which a query has to group, so that `identify` finds the sources. */
export const identifyingLabels = (identities: readonly Identity[]) => {
  const names = identities.flatMap((identity) => sources[identity].filter((name) => name !== infoLabel));
  return [...new Set([...processLabels, ...names.map(labelName)])];
};

/**
 * Adds the labels of identities.
 *
 * @param query series with the labels of a process and of its calls
 * @param series names of series that the processes send
 * @param further steps that add other labels
 */
export function identify(query: string, identities: readonly Identity[], series: readonly string[], further: string[] = []) {
  const steps = identities.flatMap((identity) => [`"${identity}", "(none)", "", ""`, ...firstOf(identity, sources[identity])]);
  const [process, infoLabels] = [processLabels.join(", "), environmentAttributes.map(labelName)];
  // As long as the last value of a counter: a process that ended keeps its environment.
  const infos = infoLabels.map((label) => `count_over_time(${select("target_info", isPresent(label))}[3h])`);
  const resources = relabel(sum(infos.join(" or "), ...processLabels, ...infoLabels), firstOf(infoLabel, environmentAttributes));
  const identified = `(
${indent(query)}
)
# The environment in the resource of a process; if there are several, the one with most samples in three hours. Other processes have none.
* on (${process}) group_left (${infoLabel}) (
  group by (${process}, ${infoLabel}) (topk by (${process}) (1,
${indent(indent(resources))}
  ))
  or on (${process}) ${group(`last_over_time(${select("", isOneOf("__name__", series))}[3h])`, ...processLabels)}
)`;
  return `# Of the lines for one label, the last one that finds a value counts.\n${relabel(identified, [...steps, ...further])}`;
}
