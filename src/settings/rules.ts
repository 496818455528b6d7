/** Rules between settings, which no single key can check. */
import { llmMonitoringUid } from "../dashboards/names";
import { type DatasourceType, datasourceTypes } from "./datasource-types";
import { type AdoptablePart, defaultUids, type KeyName, type Settings, settingsKeys } from "./keys";

/** A rule that a config breaks: the key, the reason, and the command that fixes it. */
export interface BrokenRule {
  key: KeyName;
  reason: string;
  fix: "set" | "rm";
  /** The value to set. Defaults to the key's example. */
  value?: string;
}

/** Settings that passed their own check, and choices as their commands correct them. */
export type Checked = Partial<Settings> & Pick<Settings, "managedResources" | "datasources" | "imports" | "retainOnDelete">;

/** Whether the config has a key, valid or not. */
type IsSet = (key: KeyName) => boolean;

const set = (key: KeyName, reason: string): BrokenRule => ({ key, reason, fix: "set" });
const remove = (key: KeyName, reason: string): BrokenRule => ({ key, reason, fix: "rm" });

/** All broken rules, independent of other problems. */
export function brokenRules(settings: Checked, isSet: IsSet): BrokenRule[] {
  return [
    ...pushToken(isSet),
    ...datasources(settings, isSet),
    ...folder(settings, isSet),
    ...adoption(settings),
    ...uids(settings, isSet),
  ];
}

/** The token of the push is either set or created with an access policy. */
function pushToken(isSet: IsSet): BrokenRule[] {
  const creates = isSet("cloudAccessPolicyToken");
  const cloud = (["cloudRegion", "cloudStackId"] as const).filter((key) => isSet(key) !== creates);
  const broken = cloud.map((key) =>
    creates
      ? set(key, "is not set, but cloudAccessPolicyToken requires it.")
      : remove(key, "has no effect without cloudAccessPolicyToken."),
  );
  if (isSet("otlpToken") !== creates) return broken;
  const token = creates
    ? remove("otlpToken", "and cloudAccessPolicyToken are both set. Remove one of them.")
    : set("otlpToken", "is not set. Set it, or set cloudAccessPolicyToken to create the token of the push.");
  return [token, ...broken];
}

/** Managed datasources require their addresses. Of other datasources, only the uid has an effect. */
function datasources({ datasources, managedResources }: Checked, isSet: IsSet): BrokenRule[] {
  if (datasources === "managed" && managedResources === "all") {
    const missing = datasourceTypes.map((type) => `${type}Url` as const).filter((key) => !isSet(key));
    const reason = "is not set, but managed datasources require it. Set it, or set datasources to existing.";
    return [...missing.map((key) => set(key, reason)), ...datasourceTypes.flatMap((type) => credentials(type, isSet))];
  }
  const condition = managedResources === "all" ? "datasources is existing" : `managedResources is ${managedResources}`;
  return removeAll(/^(prometheus|loki|tempo)(?!Uid)|^datasourceCaCert$/, isSet, `has no effect if ${condition}.`);
}

const removeAll = (keys: RegExp, isSet: IsSet, reason: string) =>
  (Object.keys(settingsKeys) as KeyName[]).filter((key) => keys.test(key) && isSet(key)).map((key) => remove(key, reason));

/** A user name with a password, or a bearer token, or neither. */
function credentials(type: DatasourceType, isSet: IsSet): BrokenRule[] {
  const [username, password, token] = [`${type}Username`, `${type}Password`, `${type}Token`] as const;
  const [missing, other] = isSet(username) ? [password, username] : [username, password];
  const both = isSet(token) && (isSet(username) || isSet(password));
  return [
    ...(both ? [remove(token, `and ${username} or ${password} are both set. Set either the token, or user name and password.`)] : []),
    ...(isSet(username) !== isSet(password) ? [set(missing, `is not set, but ${other} requires it.`)] : []),
  ];
}

/** Only the stack that manages the folder sets its properties. */
function folder({ managedResources }: Checked, isSet: IsSet): BrokenRule[] {
  if (managedResources === "all") return [];
  return removeAll(/^folder(?!Uid)/, isSet, `has no effect if managedResources is ${managedResources}: another stack manages the folder.`);
}

/** A stack can import only the resources that it manages, each once. */
function adoption({ managedResources, datasources, imports, retainOnDelete }: Checked): BrokenRule[] {
  const unmanaged = (part: AdoptablePart) => {
    if (part === "llm-monitoring") return managedResources === "none";
    return managedResources !== "all" || (datasources === "existing" && datasourceTypes.some((type) => type === part));
  };
  const imported = (part: AdoptablePart) => retainOnDelete.includes(part);
  return [
    ...withoutParts("imports", imports, {
      "which retainOnDelete already contains": imported,
      "which this stack does not manage": unmanaged,
    }),
    ...withoutParts("retainOnDelete", retainOnDelete, { "which this stack does not manage": unmanaged }),
  ];
}

/** One problem for all parts that a list must not contain; its fix is the list without them. */
function withoutParts(
  key: "imports" | "retainOnDelete",
  list: readonly AdoptablePart[],
  refused: Record<string, (part: AdoptablePart) => boolean>,
): BrokenRule[] {
  const parts = [...new Set(list)];
  const reasons = Object.entries(refused).flatMap(([why, isRefused]) => {
    const wrong = parts.filter(isRefused);
    return wrong.length > 0 ? [`${wrong.join(", ")}, ${why}`] : [];
  });
  if (reasons.length === 0) return [];
  const reason = `contains ${reasons.join("; and ")}.`;
  const value = parts.filter((part) => !Object.values(refused).some((isRefused) => isRefused(part))).join(",");
  return [value ? { ...set(key, reason), value } : remove(key, reason)];
}

/** A setting with a uid in Grafana, and its uid without the setting. */
type Uid = [key: KeyName, uid: string | undefined, defaultUid?: string | undefined];

/** Datasources share one namespace of uids, dashboards and folders another one: Grafana 9.4 refuses a dashboard with the uid of a folder. */
function uids(settings: Checked, isSet: IsSet): BrokenRule[] {
  const { service, folderUid, folderParentUid, genaiDashboardUid } = settings;
  const dashboard = service && llmMonitoringUid(service);
  const datasources = datasourceTypes.map((type): Uid => {
    const [key, defaultUid] = [`${type}Uid` as const, defaultUids[settings.datasources][type]];
    return [key, isSet(key) ? settings[key] : defaultUid, defaultUid];
  });
  const others: Uid[] = [
    ["service", dashboard, dashboard],
    ["folderUid", folderUid, defaultUids.folder],
    ["genaiDashboardUid", genaiDashboardUid, defaultUids.genaiDashboard],
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
