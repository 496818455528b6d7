/** Rules between settings, which no single key can check. */
import { type AdoptablePart, datasourceTypes, defaultUids, type FlatSettings, type KeyName, llmMonitoringUid, settingsKeys } from "./keys";

/** A rule that a config breaks: the key, the reason, and the command that fixes it. */
export interface BrokenRule {
  key: KeyName;
  reason: string;
  fix: "set" | "rm";
  /** The value to set. Defaults to the key's example. */
  value?: string;
}

/** Settings that passed their own check, and choices as their commands correct them. */
export type Checked = Partial<FlatSettings> &
  Pick<FlatSettings, "managedResources" | "datasources" | "telemetry" | "imports" | "retainOnDelete" | "recordingRules">;

/** Whether the config has a key, valid or not. */
type IsSet = (key: KeyName) => boolean;

const remove = (key: KeyName, reason: string): BrokenRule => ({ key, reason, fix: "rm" });

const setMissing = (keys: readonly KeyName[], isSet: IsSet, reason: string) =>
  keys.filter((key) => !isSet(key)).map((key): BrokenRule => ({ key, reason, fix: "set" }));

const removePresent = (keys: RegExp, isSet: IsSet, reason: string) =>
  (Object.keys(settingsKeys) as KeyName[]).filter((key) => keys.test(key) && isSet(key)).map((key) => remove(key, reason));

/** All broken rules, independent of other problems. */
export function brokenRules(settings: Checked, isSet: IsSet): BrokenRule[] {
  const { managedResources, folderUid = "" } = settings;
  const isOwner = managedResources === "all";
  const foreign = (what: string) => `has no effect if managedResources is ${managedResources}: another stack manages the ${what}.`;
  const reserved = /^(general|sharedwithme)$/.test(folderUid) ? [remove("folderUid", `is ${folderUid}, which Grafana reserves.`)] : [];
  return [
    ...pushToken(isSet),
    ...datasources(settings, isSet),
    ...(isOwner ? reserved : removePresent(/^folder(?!Uid)/, isSet, foreign("folder"))),
    ...(isOwner ? [] : removePresent(/^(recordingRules|environmentAttribute)$/, isSet, foreign("dashboards of SDKs"))),
    ...(managedResources === "none" ? removePresent(/^alert/, isSet, foreign("dashboards and their alert rules")) : []),
    ...adoption(settings),
    ...uids(settings, isSet),
  ];
}

/** The token of the push is either set or created with an access policy. */
function pushToken(isSet: IsSet): BrokenRule[] {
  return isSet("cloudAccessPolicyToken")
    ? [
        ...removePresent(/^otlpToken$/, isSet, "and cloudAccessPolicyToken are both set. Remove one of them."),
        ...setMissing(["cloudRegion"], isSet, "is not set, but cloudAccessPolicyToken requires it."),
      ]
    : [
        ...setMissing(["otlpToken"], isSet, "is not set. Set it, or set cloudAccessPolicyToken to create the token of the push."),
        ...removePresent(/^cloudRegion$/, isSet, "has no effect without cloudAccessPolicyToken."),
      ];
}

/** Managed datasources require their addresses. Of other datasources, only the uid has an effect. */
function datasources({ datasources, managedResources, recordingRules }: Checked, isSet: IsSet): BrokenRule[] {
  if (datasources === "managed" && managedResources === "all") {
    const addresses = datasourceTypes.map((type) => `${type}Url` as const);
    const reason = "is not set, but managed datasources require it. Set it, or set datasources to existing.";
    const written = "is not set, but recordingRules grafana requires it for a managed datasource.";
    return [
      ...setMissing(addresses, isSet, reason),
      ...(recordingRules === "grafana" ? setMissing(["prometheusType"], isSet, written) : []),
      ...datasourceTypes.flatMap((type) => {
        const required = `is not set, but ${type}Username requires it.`;
        return isSet(`${type}Username`) ? setMissing([`${type}Password`], isSet, required) : [];
      }),
    ];
  }
  const condition = managedResources === "all" ? "datasources is existing" : `managedResources is ${managedResources}`;
  return removePresent(/^(prometheus|loki|tempo)(?!Uid)|^datasource(CaCert|Tenant)$/, isSet, `has no effect if ${condition}.`);
}

/** A stack can import only the resources that it manages, each once. The fix is the list without the other parts. */
function adoption({ managedResources, datasources, telemetry, imports, retainOnDelete }: Checked): BrokenRule[] {
  const isUnmanaged = (part: AdoptablePart) => {
    if (part === "llm-monitoring") return managedResources === "none";
    if (part === "genai-observability" && telemetry === "otel") return true;
    if (part === "genai-observability-otel" && telemetry === "spec") return true;
    return managedResources !== "all" || (datasources === "existing" && datasourceTypes.some((type) => type === part));
  };
  return (["imports", "retainOnDelete"] as const).flatMap((key) => {
    const parts = [...new Set(key === "imports" ? imports : retainOnDelete)];
    const retained = parts.filter((part) => key === "imports" && retainOnDelete.includes(part));
    const unmanaged = parts.filter(isUnmanaged);
    const value = parts.filter((part) => !retained.includes(part) && !unmanaged.includes(part)).join(",");
    const reasons = [
      ...(retained.length > 0 ? [`${retained.join(", ")}, which retainOnDelete already contains`] : []),
      ...(unmanaged.length > 0 ? [`${unmanaged.join(", ")}, which this stack does not manage`] : []),
    ];
    const reason = `contains ${reasons.join("; and ")}.`;
    if (reasons.length === 0) return [];
    return value ? { key, reason, fix: "set", value } : remove(key, reason);
  });
}

/** A setting with a uid in Grafana, and its uid without the setting. */
type Uid = [key: KeyName, uid: string | undefined, defaultUid?: string | undefined];

/** Datasources share one namespace of uids, dashboards and folders another one. */
function uids(settings: Checked, isSet: IsSet): BrokenRule[] {
  const { service, folderUid, folderParentUid, genaiDashboardUid, otelDashboardUid } = settings;
  const dashboard = service && llmMonitoringUid(service);
  const datasources = datasourceTypes.map((type): Uid => {
    const [key, defaultUid] = [`${type}Uid` as const, defaultUids[settings.datasources][type]];
    return [key, isSet(key) ? settings[key] : defaultUid, defaultUid];
  });
  const others: Uid[] = [
    ["service", dashboard, dashboard],
    ["folderUid", folderUid, defaultUids.folder],
    ["genaiDashboardUid", genaiDashboardUid, defaultUids.genaiDashboard],
    ["otelDashboardUid", otelDashboardUid, defaultUids.otelDashboard],
    ["folderParentUid", folderParentUid],
  ];
  return [...sharedUids("datasource", datasources), ...sharedUids("dashboard or folder", others)];
}

/** Settings with the same uid: all but one are removed. The one whose default is that uid stays, since its removal would change nothing. */
function sharedUids(what: string, all: readonly Uid[]): BrokenRule[] {
  return [...new Set(all.flatMap(([, uid]) => uid ?? []))].flatMap((shared) => {
    const sharing = all.filter(([, uid]) => uid === shared);
    const [kept] = sharing.find(([, , defaultUid]) => defaultUid === shared) ?? sharing[0] ?? [];
    const name = kept === "service" ? "the dashboard of service (<service>-llm-monitoring)" : kept;
    const reason = `has the same uid as ${name}. In Grafana, the uid of a ${what} is unique.`;
    return sharing.filter(([key]) => key !== kept).map(([key]) => remove(key, reason));
  });
}
