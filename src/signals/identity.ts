/**
 * Who made a call. SDKs and platforms use different attributes for it. Recording rules write the first attribute with a value to one label,
 * or "(none)".
 */
import { conventions } from "./names/conventions";
import { labelName } from "./names/translate";
import { group, indent, sum } from "./promql";

const { attributes } = conventions;

/** The attributes of a resource that name its environment, the preferred one first. */
export const environmentAttributes = ["deployment.environment.name", "deployment.environment"] as const;

/** The label with the environment in `target_info`. Some SDKs send the environment only there. */
const resource = "resource";

/** The application, where Prometheus scrapes a collector without `honor_labels`. The label `job` then names the collector. */
export const exportedJob = "exported_job";

/** Whether an application has one of the names. `job` can have its namespace in front. */
export const isNamed = (application: string, names: readonly string[] = []) => names.some((name) => `/${application}`.endsWith(`/${name}`));

/** The labels that rules write and panels read. Each has its attributes, the preferred one first. */
const sources = {
  application: ["service.name", exportedJob, "job"],
  environment: [...environmentAttributes, resource],
  provider: [attributes.provider, attributes.system],
  model: [attributes.model, attributes.responseModel],
} as const satisfies Record<string, readonly string[]>;

export type Identity = keyof typeof sources;

/**
 * The attributes with the application that called a gateway. Envoy AI Gateway and agentgateway have a label for a header, LiteLLM has the
 * name of the application's key or team.
 */
const clients = ["app.name", "metadata.user_api_key_alias", "api_key_alias", "metadata.user_api_key_team_alias", "team_alias"];

/** What identifies a request to a model, and another operation. */
export const modelIdentity: readonly Identity[] = ["application", "environment", "provider", "model"];
export const processIdentity: readonly Identity[] = ["application", "environment"];

/** The labels of a process, as a list of PromQL. Prometheus sets `job` and `instance` for telemetry by OTLP. */
export const processLabels = ["job", "instance", exportedJob, "exported_instance"].join(", ");

/** The labels that `identify` reads: a query that groups has to keep them. */
export const identifyingLabels = (identities: readonly Identity[], isGateway = false) => {
  const names = [...identities.flatMap((identity): readonly string[] => sources[identity]), ...(isGateway ? clients : [])];
  return [...new Set([processLabels, ...names.filter((name) => name !== resource).map(labelName)])];
};

/** What rules write where an attribute is missing, and the label that has this value. */
export const missing = "(none)";
const none = "none";

/** The label with the former value of a label that a step replaces. */
const sent = "sent";
/** A step that comes before it: two series that become one fail the rule for all. */
export const keeps = (label: string) => `"${sent}", "$1", "${label}", "(.+)"`;

/** The labels that rules write, as a list of PromQL. Series of SDKs can have labels with these names, too. */
export const writtenLabels = [...Object.keys(sources), none, resource, sent].join(", ");

/** Arguments of `label_join` and `label_replace` that set a label to the first of several labels with a value. */
const first = (label: string, from: readonly string[]) => {
  const names = [...from.map(labelName), none].map((name) => `"${name}"`).join(", ");
  // Up to a quote or a backslash: in a link to Explore, the rest would become a part of its JSON.
  return `"${label}", ";", ${names}), "${label}", "$1", "${label}", ";*([^;\\"\`\\\\\\\\]*).*")`;
};

interface IdentifyOptions {
  identities: readonly Identity[];
  /** A selector of series of the same processes. */
  series: string;
  /** Select series: `unless …`. */
  conditions?: readonly string[] | undefined;
  /** Arguments of `label_replace` after the query that set other labels. */
  steps?: readonly string[] | undefined;
  /** The application is the one that called the gateway. */
  isGateway?: boolean | undefined;
}

/** Adds the labels of identities to series with the labels of a process and of its calls. */
export function identify(query: string, { identities, series, conditions = [], steps = [], isGateway }: IdentifyOptions): string {
  const [name, former] = environmentAttributes.map(labelName);
  const byEnvironment = sum("count_over_time(target_info[3h])", processLabels, `${name}`, `${former}`);
  const identified = [
    // Two series that differ only in these labels would become one, which fails the rule for all series.
    `sum without (${writtenLabels}) (`,
    indent(query),
    ")",
    // The environment with the most samples in three hours. With ^ 0, it is a factor of 1.
    `* on (${processLabels}) group_left (${resource}) (`,
    `  topk by (${processLabels}) (1, label_join(${byEnvironment}, "${resource}", ";", "${name}", "${former}"))`,
    `  or on (${processLabels}) ${group(`last_over_time(${series}[3h])`, processLabels)}`,
    ") ^ 0",
    ...conditions,
  ].join("\n");
  const labels = [
    `"${none}", "${missing}", "", "")`,
    ...steps.map((step) => `${step})`),
    ...identities.map((each) => first(each, isGateway && each === "application" ? [...clients, ...sources[each]] : sources[each])),
  ];
  const functions = "label_replace(label_join(".repeat(identities.length) + "label_replace(".repeat(1 + steps.length);
  return `${functions}\n${indent(identified)},\n${labels.map((each) => `  ${each}`).join(",\n")}`;
}
