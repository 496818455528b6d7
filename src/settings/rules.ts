/** What settings mean together: rules that no single key can check. */
import { llmMonitoringUid } from "../dashboards/names";
import { type AdoptablePart, defaultUids, type KeyName, type Settings } from "./keys";

/** A rule that a config breaks: the key to point at, the reason, and what to do with the key. */
export interface BrokenRule {
  key: KeyName;
  reason: string;
  mend: "set" | "rm";
  /** The value to set, where the key's example would not do. */
  value?: string;
}

/** Kinds of datasources, each with the prefix of its keys. */
export const datasourceKinds = ["prometheus", "loki", "tempo"] as const;

/** Settings of keys that passed their own check, and choices as the commands correct them. Other keys are missing here. */
export type Checked = Partial<Settings> & Pick<Settings, "managedResources" | "datasources" | "imports" | "retainOnDelete">;

type Present = (key: KeyName) => boolean;

/**
 * Every rule that is broken, whatever else is wrong.
 *
 * @param present whether a key stands in the config at all, valid or not
 */
export function brokenRules(settings: Checked, present: Present): BrokenRule[] {
  return [
    ...pushToken(present),
    ...datasources(settings, present),
    ...folder(settings, present),
    ...adoption(settings),
    ...uids(settings, present),
  ];
}

/** The token of the push is given, or made with an access policy of its own. */
function pushToken(present: Present): BrokenRule[] {
  const cloud = ["cloudRegion", "cloudStackId"] as const;
  const [given, made] = [present("otlpToken"), present("cloudAccessPolicyToken")];
  const unfit = cloud.filter((key) => present(key) !== made);
  const broken = unfit.map((key): BrokenRule => {
    if (made) return { key, reason: "is not set, but cloudAccessPolicyToken needs it to make the push's token.", mend: "set" };
    return { key, reason: "has no effect without cloudAccessPolicyToken.", mend: "rm" };
  });
  if (given !== made) return broken;
  const both = "and cloudAccessPolicyToken are both set: give the push's token, or let one be made, not both. Remove one of them.";
  const neither = "is not set, nor is cloudAccessPolicyToken. Give the push's token, or let one be made.";
  return [{ key: "otlpToken", reason: given ? both : neither, mend: given ? "rm" : "set" }, ...broken];
}

/** Managed datasources need their addresses; of existing ones, and of another stack's, only the uid counts. */
function datasources({ datasources, managedResources }: Checked, present: Present): BrokenRule[] {
  if (datasources === "managed" && managedResources === "all") {
    const missing = datasourceKinds.map((kind) => `${kind}Url` as const).filter((key) => !present(key));
    const reason = "is not set, but managed datasources require it. Set it, or set datasources to existing.";
    return [...missing.map((key): BrokenRule => ({ key, reason, mend: "set" })), ...credentials(present)];
  }
  const own = datasourceKinds.flatMap(
    (kind) => [`${kind}Url`, `${kind}Username`, `${kind}Password`, `${kind}Token`, `${kind}Tenant`] as const,
  );
  const unused = [...own, "datasourceCaCert" as const].filter(present);
  const where = managedResources === "all" ? "datasources is existing" : `managedResources is ${managedResources}`;
  return unused.map((key) => ({ key, reason: `has no effect where ${where}.`, mend: "rm" }));
}

/** The folder of another stack is as that one has it. */
function folder({ managedResources }: Checked, present: Present): BrokenRule[] {
  if (managedResources === "all") return [];
  const unused = (["folderTitle", "folderParentUid", "folderViewers", "folderEditors"] as const).filter(present);
  return unused.map((key) => ({
    key,
    reason: `has no effect where managedResources is ${managedResources}: the folder is another stack's.`,
    mend: "rm",
  }));
}

/** Only the resources of this stack can be adopted, each once. */
function adoption({ managedResources, datasources, imports, retainOnDelete }: Checked): BrokenRule[] {
  const foreign = (part: AdoptablePart) => {
    if (part === "llm-monitoring") return managedResources === "none";
    return managedResources !== "all" || (datasources === "existing" && datasourceKinds.some((kind) => kind === part));
  };
  const done = (part: AdoptablePart) => retainOnDelete.includes(part);
  return [
    ...listWithout("imports", imports, { "which retainOnDelete names as done": done, "which is not this stack's": foreign }),
    ...listWithout("retainOnDelete", retainOnDelete, { "which is not this stack's": foreign }),
  ];
}

/** One problem for all parts that a list must not name, and the list without them. */
function listWithout(
  key: "imports" | "retainOnDelete",
  list: readonly AdoptablePart[],
  refused: Record<string, (part: AdoptablePart) => boolean>,
): BrokenRule[] {
  const named = [...new Set(list)];
  const wrong = Object.entries(refused).flatMap(([why, isRefused]) => {
    const parts = named.filter(isRefused);
    return parts.length > 0 ? [`${parts.join(", ")}, ${why}`] : [];
  });
  if (wrong.length === 0) return [];
  const rest = named.filter((part) => !Object.values(refused).some((isRefused) => isRefused(part)));
  return [
    { key, reason: `names ${wrong.join("; and ")}.`, ...(rest.length > 0 ? { mend: "set", value: rest.join(",") } : { mend: "rm" }) },
  ];
}

/** A user name with its password, or a bearer token, or neither. */
function credentials(present: Present): BrokenRule[] {
  return datasourceKinds.flatMap((kind): BrokenRule[] => {
    const [username, password, token] = [`${kind}Username`, `${kind}Password`, `${kind}Token`] as const;
    const broken: BrokenRule[] = [];
    if (present(token) && (present(username) || present(password))) {
      broken.push({ key: token, reason: `is set beside ${username} or ${password}: a datasource has either.`, mend: "rm" });
    }
    if (present(username) !== present(password)) {
      const [missing, other] = present(username) ? [password, username] : [username, password];
      broken.push({ key: missing, reason: `is not set, but ${other} is: they go together.`, mend: "set" });
    }
    return broken;
  });
}

/** What has a uid in Grafana. */
interface Uid {
  key: KeyName;
  /** Undefined where it is not known or there is none. */
  uid: string | undefined;
  /** The uid that it has without the setting. */
  fallback?: string | undefined;
  /** What it is called at another setting; its key by default. */
  name?: string;
}

/** Datasources share one space of uids, dashboards and folders another one: Grafana 9.4 refuses what would become the other. */
function uids(settings: Checked, present: Present): BrokenRule[] {
  const { service, folderUid, folderParentUid, genaiDashboardUid } = settings;
  const board = service && llmMonitoringUid(service);
  const datasources = datasourceKinds.map((kind): Uid => {
    const [key, fallback] = [`${kind}Uid` as const, defaultUids[settings.datasources][kind]];
    return { key, uid: present(key) ? settings[key] : fallback, fallback };
  });
  return [
    ...sharedUids("datasource", datasources),
    ...sharedUids("dashboard or folder", [
      { key: "service", uid: board, fallback: board, name: "the dashboard of service (<service>-llm-monitoring)" },
      { key: "folderUid", uid: folderUid, fallback: defaultUids.folder },
      { key: "genaiDashboardUid", uid: genaiDashboardUid, fallback: defaultUids.genaiDashboard },
      { key: "folderParentUid", uid: folderParentUid },
    ]),
  ];
}

/** Of settings with one uid, all but one have to go: that one stays which has it by default, as no removal would change it. */
function sharedUids(what: string, all: readonly Uid[]): BrokenRule[] {
  return [...new Set(all.flatMap(({ uid }) => uid ?? []))].flatMap((shared) => {
    const having = all.filter(({ uid }) => uid === shared);
    const kept = having.find(({ fallback }) => fallback === shared) ?? having[0];
    const others = having.filter((each) => each !== kept);
    const reason = `has the same uid as ${kept?.name ?? kept?.key}: Grafana has only one ${what} with a uid.`;
    return others.map(({ key }): BrokenRule => ({ key, reason, mend: "rm" }));
  });
}
