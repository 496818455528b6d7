/** Rules between settings, which no single key can check: broken ones are problems, others cause warnings. */
import { shell, textAbout } from "../text/sanitize";
import { type DatasourceType, datasourceTypes, defaultUids, type FlatSettings, type KeyName, keyNames, llmMonitoringUid } from "./keys";

/** If a rule applies, the key must be set, or must be removed. The reason follows the key in the message. */
type Rule = [key: KeyName, fix: "set" | "rm", applies: boolean, reason: string];
/** Whether the config has a key, valid or not. */
type IsSet = (key: KeyName) => boolean;
/** Settings that have an effect only with these values of another one, or if that one is set. */
type Requirement = [keys: RegExp, other: KeyName, values?: string[]];

const ofDatasources = /^(prometheus|loki|tempo)(?!Uid)|^datasource(CaCert|Tenant)$/;

const requirements: Requirement[] = [
  [/^folder(?!Uid)|^(recordingRules|genaiReads|prices|gateways|countedBy|alertErrorRate|alertBudgets)$/, "managedResources", ["all"]],
  [/^alert(?!ErrorRate|Budgets)/, "managedResources", ["all", "service-dashboard"]],
  [ofDatasources, "managedResources", ["all"]],
  [ofDatasources, "datasources", ["managed", "kept"]],
  // Panels have the limits.
  [/^alertContactPoint$/, "alerts", ["on"]],
  [/^(otelDashboardUid|prices|gateways|countedBy|alertErrorRate|alertBudgets)$/, "telemetry", ["otel", "both"]],
  [/^(sdkName|genaiDashboardUid|genaiReads)$/, "telemetry", ["spec", "both"]],
  [/^countedBy$/, "gateways"],
  [/^cloudRegion$/, "cloudAccessPolicyToken"],
];

/** A line for each set key that the requirements leave without effect. */
function ineffective(settings: FlatSettings, isSet: IsSet): string[] {
  const isRecorded = settings.telemetry !== "spec" || settings.genaiReads === "rules";
  // The files of `npm run rules` have the alerts whether alerts is on or off. They are for rules that Grafana does not record.
  const recorded: Requirement[] = settings.recordingRules === "grafana" ? [[/^alert(Budget|Runbooks)$/, "alerts", ["on"]]] : [];
  const ofRules: Requirement[] = isRecorded ? recorded : [[/^recordingRules$/, "telemetry", ["otel", "both"]]];
  const unmet = [...requirements, ...ofRules].filter(([, other, values]) =>
    values ? !values.includes(String(settings[other])) : !isSet(other),
  );
  return keyNames.filter(isSet).flatMap((key) => {
    const required = unmet.flatMap(([keys, other, values = []]) => (keys.test(key) ? `${other} ${values.join(" or ")}`.trim() : []));
    return required.length > 0 ? [`  ${key.padEnd(22)} requires ${required.join(" and ")}`] : [];
  });
}

/** @param settings those that passed their own check. A rule does not apply if a choice that it depends on is invalid. */
export function brokenRules(settings: Partial<FlatSettings>, isSet: IsSet): Rule[] {
  const { service, managedResources, datasources, folderUid = "", folderParentUid } = settings;
  const { genaiDashboardUid, otelDashboardUid } = settings;
  const createsToken = isSet("cloudAccessPolicyToken");
  const isOwner = managedResources === "all";
  const createsDatasources = isOwner && datasources !== undefined && datasources !== "existing";
  const defaults = defaultUids[datasources ?? "managed"];
  /** An invalid one is unknown. */
  const uidOf = (type: DatasourceType) => settings[`${type}Uid`] ?? (isSet(`${type}Uid`) ? undefined : defaults[type]);
  const ofService = { "the dashboard of service (<service>-llm-monitoring)": service && llmMonitoringUid(service) };
  const missingAddress = "is not set, but managed datasources require it. Set it, or set datasources to existing.";
  const rules: Rule[] = [
    ["otlpToken", "set", !createsToken, "is not set. Set it, or set cloudAccessPolicyToken to create the token of the push."],
    ["otlpToken", "rm", createsToken, "and cloudAccessPolicyToken are both set. Remove one of them."],
    ["cloudRegion", "set", createsToken, "is not set, but cloudAccessPolicyToken requires it."],
    ...datasourceTypes.map((type): Rule => [`${type}Url`, "set", createsDatasources, missingAddress]),
    ["folderUid", "rm", isOwner && /^(general|sharedwithme)$/.test(folderUid), `is ${folderUid}, which Grafana reserves.`],
    // Datasources share one namespace of uids, dashboards and folders another one.
    ...sharedUids("datasource", Object.fromEntries(datasourceTypes.map((type) => [`${type}Uid`, uidOf(type)]))),
    ...sharedUids("dashboard or folder", { ...ofService, folderUid, genaiDashboardUid, otelDashboardUid, folderParentUid }),
  ];
  return rules.filter(([key, fix, applies]) => applies && isSet(key) === (fix === "rm"));
}

/** A set uid that another setting also has, set or by default. */
function sharedUids(what: string, all: Readonly<Record<string, string | undefined>>): Rule[] {
  return Object.entries(all).flatMap(([key, uid]): Rule[] => {
    const [other] = Object.entries(all).find(([name, each]) => name !== key && each === uid) ?? [];
    const reason = `has the same uid as ${other}. In Grafana, the uid of a ${what} is unique.`;
    return uid && other ? [[key as KeyName, "rm", true, reason]] : [];
  });
}

/** The warnings about valid settings, each a text for the user. @param stack the stack's name, for the command */
export function warnings(settings: FlatSettings, isSet: IsSet, stack: string): string[] {
  const plain = "These addresses start with http://, so the listed keys are sent unencrypted. Use https:// except on trusted networks.";
  const idle = shell`These settings have no effect. To remove one of them: npx pulumi config rm KEY --stack ${stack}`;
  const [open, unused] = [unencrypted(settings), ineffective(settings, isSet)];
  return [...textAbout(open, plain, ...open), ...textAbout(unused, idle, ...unused)];
}

/** Addresses, with the secrets that the program, Grafana, the service or applications send there. */
const secretsByAddress: [address: KeyName, secrets: KeyName[]][] = [
  ["grafanaUrl", ["grafanaAuth"]],
  ...datasourceTypes.map((type): [KeyName, KeyName[]] => [`${type}Url`, [`${type}Auth`]]),
  ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
  ["metricsUrl", ["platformApiKey"]],
  ["logsUrl", ["platformApiKey"]],
  ["otlpEndpoint", ["otlpToken", "cloudAccessPolicyToken"]],
];

/** The addresses of other machines to which secrets are sent without TLS, with the secrets. */
const unencrypted = (settings: FlatSettings) =>
  secretsByAddress.flatMap(([address, keys]) => {
    const secrets = keys.filter((key) => settings[key] !== undefined).join(", ");
    if (secrets === "" || settings[address] === undefined) return [];
    const { protocol, hostname } = new URL(String(settings[address]));
    if (protocol !== "http:" || /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return [];
    return `  ${address.padEnd(14)} ${secrets.replace(/^cloud/, "the token created with cloud")}`;
  });
