/** Who made a call. SDKs and platforms put it into different attributes: recording rules write the first one that is there, or "(none)", to one label. */
import { conventions } from "./names/conventions";
import { labelName } from "./names/translate";
import { group, indent } from "./promql";

const { attributes } = conventions;

/** The attributes of a resource that name its environment, the preferred one first. */
export const environmentAttributes = ["deployment.environment.name", "deployment.environment"] as const;

/** The environment of a process in `target_info`, for SDKs that have it as an attribute of the resource only. */
const resource = "resource";

/** The application whose collector Prometheus scrapes without `honor_labels`: `job` is then that of the collector. */
export const exportedJob = "exported_job";

/** The labels that rules write and panels read, each with the attributes of SDKs and platforms, the preferred one first. */
const sources = {
  application: ["service.name", exportedJob, "job"],
  environment: [...environmentAttributes, resource],
  provider: [attributes.provider, attributes.system],
  model: [attributes.model, attributes.responseModel],
} as const satisfies Record<string, readonly string[]>;

export type Identity = keyof typeof sources;

/** The application that called a gateway: of Envoy AI Gateway and agentgateway a label for a header, of LiteLLM the name of its key, or of its team. */
const clients = ["app.name", "metadata.user_api_key_alias", "api_key_alias", "metadata.user_api_key_team_alias", "team_alias"];

/** Of requests to models, and of other operations. */
export const modelIdentity: readonly Identity[] = ["application", "environment", "provider", "model"];
export const processIdentity: readonly Identity[] = ["application", "environment"];

/** The labels of a process. Prometheus sets the first two for telemetry that it receives by OTLP. */
export const process = ["job", "instance", exportedJob, "exported_instance"].join(", ");

/** The labels by which a query has to group, so that `identify` finds the sources. */
export const identifyingLabels = (identities: readonly Identity[]) => [
  ...new Set([process, ...identities.flatMap((identity) => sources[identity].filter((name) => name !== resource).map(labelName))]),
];

/** The value of a label that no attribute gives. */
const none = "none";

/** The labels that rules write. Series can have labels of these names, too. */
export const written = [...Object.keys(sources), none, resource].join(", ");

/** The arguments after the series that set a label to the first of others with a value. */
const first = (label: string, from: readonly string[]) =>
  `"${label}", ";", ${[...from.map(labelName), none].map((name) => `"${name}"`).join(", ")}), "${label}", "$1", "${label}", ";*([^;]*).*")`;

/**
 * Adds the labels of identities.
 *
 * @param query series with the labels of a process and of its calls
 * @param series a selector of series that the processes send
 * @param conditions select the series: `unless …`
 * @param steps set other labels: the rest of the arguments of `label_replace`
 * @param isGateway whether the application is the one that called
 */
export function identify(
  query: string,
  identities: readonly Identity[],
  series: string,
  conditions: readonly string[] = [],
  steps: readonly string[] = [],
  isGateway = false,
): string {
  // The environment in the resource of a process is the one with most samples in three hours; ^ 0 makes it a factor of 1.
  const [name, former] = environmentAttributes.map(labelName);
  const identified = [
    // Two series that differ in these labels only would have the same labels at last, which fails the rule for all.
    `sum without (${written}) (`,
    indent(query),
    ")",
    `* on (${process}) group_left (${resource}) (`,
    `  topk by (${process}) (1, label_join(sum by (${process}, ${name}, ${former}) (count_over_time(target_info[3h])), "${resource}", ";", "${name}", "${former}"))`,
    `  or on (${process}) ${group(`last_over_time(${series}[3h])`, process)}`,
    ") ^ 0",
    ...conditions,
  ].join("\n");
  const labels = [
    `"${none}", "(none)", "", "")`,
    ...steps.map((step) => `${step})`),
    ...identities.map((each) => first(each, isGateway && each === "application" ? [...clients, ...sources[each]] : sources[each])),
  ];
  const functions = "label_replace(label_join(".repeat(identities.length) + "label_replace(".repeat(1 + steps.length);
  return `${functions}\n${indent(identified)},\n${labels.map((each) => `  ${each}`).join(",\n")}`;
}
