/** Rules between settings, which no single key can check. */
import { datasourceTypes, defaultUids, type FlatSettings, type KeyName, llmMonitoringUid, settingsKeys } from "./keys";

/** A rule about a key: if it applies, the key must be set, or must not be set. */
interface SettingsRule {
  key: KeyName;
  applies: boolean;
  fix: "set" | "rm";
  /** To follow the key in the message. */
  reason: string;
}

/** Settings that passed their own check. A rule does not apply if a choice that it depends on is invalid. */
export type CheckedSettings = Partial<FlatSettings>;

/** Whether the config has a key, valid or not. */
export type IsSet = (key: KeyName) => boolean;

const ofDatasources = /^(prometheus|loki|tempo)(?!Uid)|^datasource(CaCert|Tenant|NamePrefix)$/;

/** Settings that have an effect only with these values of another one. */
const requirements: [keys: RegExp, other: KeyName, values: string[]][] = [
  [/^folder(?!Uid)|^(recordingRules|environmentAttribute|prices|alertErrorRate|alertBudgets)$/, "managedResources", ["all"]],
  [/^alert(?!ErrorRate|Budgets)/, "managedResources", ["all", "service-dashboard"]],
  [ofDatasources, "managedResources", ["all"]],
  [ofDatasources, "datasources", ["managed", "kept"]],
  [/^alert[A-Z]/, "alerts", ["on"]],
  [/^(otelDashboardUid|environmentAttribute|prices|alertErrorRate|alertBudgets)$/, "telemetry", ["otel", "both"]],
  [/^(sdkName|genaiDashboardUid)$/, "telemetry", ["spec", "both"]],
  [/^(prices|alertErrorRate|alertBudgets)$/, "recordingRules", ["grafana", "external"]],
  [/^environmentAttribute$/, "recordingRules", ["off"]],
];

/** Set keys without effect. `severity`: an error if the stack does not manage the resource; a warning if a switch is off, maybe for a while. */
export function ineffective(settings: CheckedSettings, isSet: IsSet, severity: "error" | "warning"): { key: KeyName; requires: string }[] {
  const unmet = requirements.filter(([, other, values]) => {
    const isError = other === "managedResources" || other === "datasources";
    return isError === (severity === "error") && settings[other] !== undefined && !values.includes(String(settings[other]));
  });
  return (Object.keys(settingsKeys) as KeyName[]).filter(isSet).flatMap((key) => {
    const required = unmet.filter(([keys]) => keys.test(key)).map(([, other, values]) => `${other} ${values.join(" or ")}`);
    return required.length > 0 ? [{ key, requires: `requires ${required.join(" and ")}` }] : [];
  });
}

/** The broken rules, with their fix. */
export function brokenRules(settings: CheckedSettings, isSet: IsSet): SettingsRule[] {
  const withoutEffect = ineffective(settings, isSet, "error").map(({ key, requires }) =>
    forbidden(key, true, `has no effect: it ${requires}.`),
  );
  const rules = [...pushToken(isSet), ...resources(settings, isSet), ...withoutEffect, ...uids(settings)];
  return rules.filter(({ key, applies, fix }) => applies && isSet(key) === (fix === "rm"));
}

const required = (key: KeyName, applies: boolean, reason: string): SettingsRule => ({ key, applies, fix: "set", reason });

const forbidden = (key: KeyName, applies: boolean, reason: string): SettingsRule => ({ key, applies, fix: "rm", reason });

/** The token of the push is either set or created with an access policy. */
function pushToken(isSet: IsSet): SettingsRule[] {
  const isCreated = isSet("cloudAccessPolicyToken");
  return [
    required("otlpToken", !isCreated, "is not set. Set it, or set cloudAccessPolicyToken to create the token of the push."),
    forbidden("otlpToken", isCreated, "and cloudAccessPolicyToken are both set. Remove one of them."),
    required("cloudRegion", isCreated, "is not set, but cloudAccessPolicyToken requires it."),
    forbidden("cloudRegion", !isCreated, "has no effect without cloudAccessPolicyToken."),
  ];
}

/** What the stack creates has an address, and a uid that Grafana does not reserve. */
function resources({ managedResources, datasources, recordingRules, folderUid = "" }: CheckedSettings, isSet: IsSet): SettingsRule[] {
  const isOwner = managedResources === "all";
  const isCreated = isOwner && datasources !== undefined && datasources !== "existing";
  const records = isCreated && recordingRules === "grafana";
  return [
    ...datasourceTypes.flatMap((type) => [
      required(`${type}Url`, isCreated, "is not set, but managed datasources require it. Set it, or set datasources to existing."),
      required(`${type}Password`, isCreated && isSet(`${type}Username`), `is not set, but ${type}Username requires it.`),
    ]),
    required("prometheusType", records, "is not set, but recordingRules grafana requires it for a managed datasource."),
    forbidden("folderUid", isOwner && /^(general|sharedwithme)$/.test(folderUid), `is ${folderUid}, which Grafana reserves.`),
  ];
}

/** Datasources share one namespace of uids, dashboards and folders another one. */
function uids({ service, datasources, ...settings }: CheckedSettings): SettingsRule[] {
  const { prometheusUid, lokiUid, tempoUid, folderUid, folderParentUid, genaiDashboardUid, otelDashboardUid } = settings;
  const { prometheus, loki, tempo } = defaultUids[datasources ?? "managed"];
  const ofService = { "the dashboard of service (<service>-llm-monitoring)": service && llmMonitoringUid(service) };
  return [
    ...sharedUids("datasource", { prometheusUid: prometheusUid ?? prometheus, lokiUid: lokiUid ?? loki, tempoUid: tempoUid ?? tempo }),
    ...sharedUids("dashboard or folder", { ...ofService, folderUid, genaiDashboardUid, otelDashboardUid, folderParentUid }),
  ];
}

/** A set uid that another setting also has, set or by default. */
function sharedUids(what: string, all: Readonly<Record<string, string | undefined>>): SettingsRule[] {
  return Object.entries(all).flatMap(([key, uid]) => {
    const [other] = Object.entries(all).find(([name, each]) => name !== key && each === uid) ?? [];
    const reason = `has the same uid as ${other}. In Grafana, the uid of a ${what} is unique.`;
    return uid && other ? [forbidden(key as KeyName, true, reason)] : [];
  });
}
