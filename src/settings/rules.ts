/** What settings mean together: rules that no single key can check. */
import type { AdoptablePart, KeyName, Settings } from "./keys";

/** A rule that a config breaks: the key to point at, the reason, and what to do with the key. */
export interface BrokenRule {
  key: KeyName;
  reason: string;
  mend: "set" | "rm";
}

/** Kinds of datasources, each with the prefix of its keys. */
export const datasourceKinds = ["prometheus", "loki", "tempo"] as const;

/** Settings of keys that passed their own check; the others are missing here and are reported elsewhere. */
type Checked = Partial<Settings>;

/**
 * @param present whether a key stands in the config at all, valid or not
 */
export function brokenRules(settings: Checked, present: (key: KeyName) => boolean): BrokenRule[] {
  return [...pushToken(present), ...datasources(settings, present), ...folder(settings, present), ...adoption(settings)];
}

/** The token of the push is given, or made with an access policy of its own. */
function pushToken(present: (key: KeyName) => boolean): BrokenRule[] {
  const cloud = ["cloudRegion", "cloudStackId"] as const;
  if (present("otlpToken") && present("cloudAccessPolicyToken")) {
    return [
      {
        key: "otlpToken",
        reason: "and cloudAccessPolicyToken are both set: give the push's token, or let one be made, not both. Remove one of them.",
        mend: "rm",
      },
    ];
  }
  if (present("cloudAccessPolicyToken")) {
    const missing = cloud.filter((key) => !present(key));
    return missing.map((key) => ({
      key,
      reason: "is not set, but cloudAccessPolicyToken needs it to make the push's token.",
      mend: "set",
    }));
  }
  const unused = cloud
    .filter(present)
    .map((key): BrokenRule => ({ key, reason: "has no effect without cloudAccessPolicyToken.", mend: "rm" }));
  if (present("otlpToken")) return unused;
  const reason = "is not set, nor is cloudAccessPolicyToken. Give the push's token, or let one be made.";
  return [...unused, { key: "otlpToken", reason, mend: "set" }];
}

/** Managed datasources need their addresses; of existing ones, and of another stack's, only the uid counts. */
function datasources({ datasources, owns }: Checked, present: (key: KeyName) => boolean): BrokenRule[] {
  if (datasources === undefined || owns === undefined) return [];
  if (datasources === "managed" && owns === "all") {
    const missing = datasourceKinds.map((kind) => `${kind}Url` as const).filter((key) => !present(key));
    const reason = "is not set, but datasources is managed. Set it, or set datasources to existing.";
    return [...missing.map((key): BrokenRule => ({ key, reason, mend: "set" })), ...credentials(present)];
  }
  const own = datasourceKinds.flatMap(
    (kind) => [`${kind}Url`, `${kind}Username`, `${kind}Password`, `${kind}Token`, `${kind}Tenant`] as const,
  );
  const unused = [...own, "datasourceCaCert" as const].filter(present);
  const where = owns === "all" ? "datasources is existing" : `owns is ${owns}`;
  return unused.map((key) => ({ key, reason: `has no effect where ${where}.`, mend: "rm" }));
}

/** The folder of another stack is as that one has it. */
function folder({ owns }: Checked, present: (key: KeyName) => boolean): BrokenRule[] {
  if (owns === undefined || owns === "all") return [];
  const unused = (["folderTitle", "folderParentUid", "folderViewers", "folderEditors"] as const).filter(present);
  return unused.map((key) => ({ key, reason: `has no effect where owns is ${owns}: the folder is another stack's.`, mend: "rm" }));
}

/** Only what this stack has can be adopted, and once. */
function adoption({ owns, datasources, adopting = [], adopted = [] }: Checked): BrokenRule[] {
  if (owns === undefined || datasources === undefined) return [];
  const owned = (part: AdoptablePart) => {
    if (part === "llm-monitoring") return owns !== "connection";
    return owns === "all" && (datasources === "managed" || !datasourceKinds.some((kind) => kind === part));
  };
  return (["adopting", "adopted"] as const).flatMap((key): BrokenRule[] => {
    const list = key === "adopting" ? adopting : adopted;
    const foreign = list.filter((part) => !owned(part));
    const twice = key === "adopting" ? adopting.filter((part) => adopted.includes(part)) : [];
    if (twice.length > 0) return [{ key, reason: `names ${twice.join(", ")}, which adopted names as done.`, mend: "rm" }];
    return foreign.length > 0 ? [{ key, reason: `names ${foreign.join(", ")}, which is not this stack's.`, mend: "rm" }] : [];
  });
}

/** A user name with its password, or a bearer token, or neither. */
function credentials(present: (key: KeyName) => boolean): BrokenRule[] {
  return datasourceKinds.flatMap((kind): BrokenRule[] => {
    const [username, password, token] = [`${kind}Username`, `${kind}Password`, `${kind}Token`] as const;
    if (present(token) && (present(username) || present(password))) {
      return [{ key: token, reason: `is set beside ${username} or ${password}: a datasource has either.`, mend: "rm" }];
    }
    if (present(username) === present(password)) return [];
    const [missing, other] = present(username) ? [password, username] : [username, password];
    return [{ key: missing, reason: `is not set, but ${other} is: they go together.`, mend: "set" }];
  });
}
