/** What Grafana has under the uids and titles of a stack, whose it is, and what to do about it. */
import type { DashboardDefinition } from "../dashboards/definitions";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { configSet, shell, textAbout, visible } from "../text/sanitize";
import type { ManagedResources } from "./dashboard";
import { datasourceOwner, holderOf, managerOf } from "./ownership";
import { type Findings, type Foreign, type Grafana, isOlder } from "./requirements";

export type PlannedFolder = { uid: string; title: string; parentUid?: string | undefined; access?: string | undefined };
/** `kept`: without a mark, so that the stack can leave them in Grafana. */
export type PlannedDatasources = Readonly<
  Record<DatasourceType, { uid: string; url?: string | undefined }> & { kept?: boolean | undefined }
>;

/** A list for a terminal, which could execute control sequences in names. */
const listOf = (names: Iterable<string>) => [...names].map((name) => `  ${visible(name)}`).join("\n") || "  none";

export async function checkDatasources({ read, stack, identity }: Grafana, planned: PlannedDatasources, managed: ManagedResources) {
  const referred = datasourceTypes.filter((type) => planned[type].url === undefined);
  type Datasource = { uid: string; type: string; name: string; jsonData?: Record<string, unknown> };
  // A token that can create datasources need not be able to list them.
  const existing = (await read<Datasource[]>("/api/datasources", referred.length === 0 ? [403] : [])) ?? [];
  const missing = referred.flatMap((type) => {
    const { uid } = planned[type];
    const found = existing.find((each) => each.uid === uid);
    if (found?.type === type) return [];
    const [other, ...more] = existing.filter((each) => each.type === type);
    return {
      reason: `${type}Uid: ${found ? `the datasource ${uid} has the type ${found.type}, not ${type}` : `no datasource has the uid ${uid}`}`,
      cure: `  ${configSet(`${type}Uid`, other && more.length === 0 ? other.uid : "UID", stack)}`,
    };
  });
  const { owner, isNew } = await identity;
  const foundOf = (isReferred: boolean) =>
    existing.flatMap(({ uid, jsonData }) => {
      const manager = datasourceOwner(jsonData);
      const type = datasourceTypes.find((each) => planned[each].uid === uid && referred.includes(each) === isReferred);
      return type ? [{ uid, type, what: `datasource ${uid}`, manager: manager ?? "", holder: holderOf(manager, owner) }] : [];
    });
  const [used, taken] = [foundOf(true), foundOf(false)];
  const own = used.filter(({ holder }) => holder === "this stack");
  const others = used.filter(({ holder }) => holder === "another stack");
  const foreign = taken.filter(({ holder }) => holder === "another stack");
  const isOwner = managed === "all";
  const [key, value] = isOwner ? ["datasources", "existing"] : ["managedResources", managed];
  const up = shell`npx pulumi up --stack ${stack}`;
  const keep = shell`npx pulumi config set-all --plaintext managedResources=all --plaintext datasources=kept --stack ${stack}`;
  const uids = "Set folderUid, genaiDashboardUid and otelDashboardUid to those of another stack, because this one deletes its own:";
  const unknown = textAbout(
    missing,
    `The settings name datasources that Grafana does not have:\n${listOf(missing.map(({ reason }) => reason))}\nExisting datasources:`,
    listOf(existing.map(({ uid, type, name }) => `${uid}  ${type}  ${name}`)),
    "If another stack creates them, deploy it first. To refer to others:",
    ...missing.map(({ cure }) => cure),
    "To let this stack create them, set their addresses and:",
    `  ${configSet("datasources", "managed", stack)}`,
  );
  const deleted = textAbout(
    own,
    `${key} is ${value}, but this stack created these datasources, and would delete them:`,
    listOf(own.map(({ uid }) => uid)),
    `To leave them in Grafana, deploy once with datasources kept, and then with ${key} ${value}:`,
    `  ${keep} && ${up}`,
    ...(isOwner ? [] : [uids]),
    `  ${configSet(key, value, stack)} && ${up}`,
  );
  return {
    infos: textAbout(
      others,
      "Other stacks manage datasources that this stack reads:",
      listOf(others.map(({ uid, manager }) => `${uid}  ${manager}`)),
      "If such a stack is destroyed, the panels and alerts of this stack show errors until it is deployed again.",
    ),
    problems: [...unknown, ...deleted],
    // A stack that is not new may have imported them: the next deployment changes the marks. Otherwise, Grafana refuses to create them.
    ...(isNew ? { foreign } : { warnings: managedByOtherStacks(foreign, stack) }),
    existing: taken.flatMap((each) => (foreign.includes(each) ? [] : each.what)),
    unmarked: planned.kept ? [] : taken.flatMap(({ holder, what }) => (holder === "nobody" ? what : [])),
  };
}

/** Another dashboard or folder with the title in the folder above; without one, at the top level. */
async function namesake({ read }: Pick<Grafana, "read">, type: "dash-db" | "dash-folder", { uid, title, parentUid = "" }: PlannedFolder) {
  type Found = { uid: string; title: string; folderUid?: string };
  const found = await read<Found[]>(`/api/search?type=${type}&limit=5000&query=${encodeURIComponent(title)}`);
  return found?.find((each) => each.title === title && (each.folderUid ?? "") === parentUid && each.uid !== uid);
}

/** @param isCreated whether the stack creates it; @param isFilled whether the stack puts something into it */
export async function checkFolder(grafana: Grafana, folder: PlannedFolder, isCreated: boolean, isFilled: boolean): Promise<Findings> {
  const { stack, release } = grafana;
  const { uid, title, parentUid, access } = folder;
  // Without the role Admin, Grafana answers alike for a missing folder and for one that may not be read. The stack can use neither.
  const readFolder = (one: string) => grafana.read<{ managedBy?: string }>(`/api/folders/${one}`, [403, 404]);
  const missing = (key: string, uid: string) => {
    const cause = `${key}: Grafana has no folder with the uid ${uid}, or grafanaAuth may not read it. This stack does not create it:`;
    const cure = "deploy the stack that creates it first, or set the uid of an existing folder:";
    return { problems: [`${cause} ${cure} ${configSet(key, "UID", stack)}`] };
  };
  const found = await readFolder(uid);
  // Grafana refuses dashboards and, after 12.3.0, alert rules in it, but only once other resources exist. Other managers accept them.
  if (found?.managedBy === "repo" && isFilled) {
    const cause = `folderUid: Git Sync manages the folder ${uid}, and Grafana accepts no dashboards and alert rules of others in it.`;
    return { problems: [`${cause} Set the uid of another folder: ${configSet("folderUid", "UID", stack)}`] };
  }
  if (!isCreated) return found ? {} : missing("folderUid", uid);
  const existing = found ? [`folder ${uid}`] : [];
  const { isNew } = await grafana.identity;
  // The state may still have it: then Grafana refuses each change in it, with 404.
  const gone = shell`Grafana has no folder ${uid}. If it was deleted there, create it again: npx pulumi up --refresh --stack ${stack}`;
  const inherited = `folderAccess ${access} does not limit who may view or edit the folder above, ${parentUid}: they keep that here.`;
  const infos = [...(found || isNew ? [] : [gone]), ...(access && parentUid ? [inherited] : [])];
  if (parentUid !== undefined && !(await readFolder(parentUid))) return { ...missing("folderParentUid", parentUid), existing };
  const version = await release;
  // Also this stack's own one, whose uid changes: the new folder is created before the former one is deleted.
  const other = isOlder(version, "11.3.0") ? await namesake(grafana, "dash-folder", folder) : undefined;
  if (!other) return { existing, infos };
  const cause = `Grafana ${version} has another folder with the title "${title}" (uid ${visible(other.uid)}) in the same place`;
  const cure = `Rename that folder, or set another title: ${configSet("folderTitle", "TITLE", stack)}`;
  return { problems: [`folderTitle: ${cause}, and accepts a second one only from 11.3 on. ${cure}`], existing };
}

export async function checkDashboard({ read, identity }: Grafana, { uid, title, part }: DashboardDefinition, folderUid: string) {
  const { owner } = await identity;
  // Some releases answer 403 for a missing dashboard without the role Admin.
  const readDashboard = async (one: string) => {
    const found = await read<{ dashboard: object }>(`/api/dashboards/uid/${encodeURIComponent(one)}`, [403, 404]);
    const manager = managerOf(found?.dashboard);
    return { exists: found !== undefined, manager, holder: holderOf(manager, owner) };
  };
  const searched = namesake({ read }, "dash-db", { uid, title, parentUid: folderUid });
  const [{ exists, manager = "", holder }, other] = await Promise.all([readDashboard(uid), searched]);
  // A dashboard of this stack that gets a new uid is deleted before it is created again.
  const isTaken = other && (await readDashboard(other.uid)).holder !== "this stack";
  const taken =
    `Folder ${folderUid} contains another dashboard with the title "${title}" (uid ${visible(other?.uid ?? "")}). ` +
    `Some releases of Grafana would overwrite it with the dashboard ${uid}. Rename or move it in Grafana.`;
  const what = `dashboard "${title}" (${uid})`;
  const problems = isTaken ? [taken] : [];
  if (!exists) return { problems };
  if (holder === "another stack") return { problems, foreign: [{ what, manager, isOfService: part === "llm-monitoring" }] };
  return { problems, unmarked: holder === "nobody" ? [what] : [], existing: [what] };
}

/** The problem that a stack would create resources that Grafana has. */
export const describeExisting = (found: readonly string[], foreign: readonly Foreign[], stack: string) =>
  textAbout(
    found,
    `Grafana already has resources that this stack would create:\n${listOf(new Set(found))}`,
    // While another stack manages some, `adopt` refuses.
    ...(foreign.length > 0 ? [] : [shell`To let this stack manage them, with their history and links: npm run adopt -- --stack ${stack}`]),
    // A folder has no mark.
    "If another stack created the folder, set another folderUid, or let this stack only refer to what that stack manages:",
    `  ${configSet("managedResources", valueWithout(foreign), stack)}`,
  );

/** The value of `managedResources` that leaves out all of these resources. */
const valueWithout = (foreign: readonly Foreign[]) => (foreign.some(({ isOfService }) => isOfService) ? "none" : "service-dashboard");

/** The warning of a stack that has deployed before: it may have imported them. Then the next deployment marks them. */
export const describeUnmarked = (found: readonly string[], stack: string) =>
  textAbout(
    found,
    `Grafana has these resources, and according to their marks, no stack manages them:\n${listOf(found)}`,
    "If this stack has not imported them, Grafana refuses to create them (409, 412). " +
      shell`To let it manage them, with their history: npm run adopt -- --stack ${stack}`,
  );

/** The problems that other stacks manage resources. All recommend one value. */
export function managedByOtherStacks(foreign: readonly Foreign[], stack: string): string[] {
  return [...new Set(foreign.map(({ manager }) => manager))].flatMap((owner) => {
    const theirs = foreign.filter(({ manager }) => manager === owner);
    const uids = theirs.flatMap(({ type, uid = "" }) => (type ? shell` --plaintext ${type}Uid=${uid}` : []));
    return textAbout(
      theirs,
      `Stack ${visible(owner)} manages these resources, according to their marks in Grafana. The id after @ tells stacks of one name ` +
        "apart.",
      listOf(theirs.map(({ what }) => what)),
      "If that stack is in use, let this stack only refer to them, with the uids of that stack. Then check a preview: it shows whether " +
        "resources of this stack are deleted.",
      `  ${configSet("managedResources", valueWithout(foreign), stack)}`,
      ...textAbout(
        uids,
        "To refer only to the datasources:",
        `  npx pulumi config set-all --plaintext datasources=existing${uids.join("")}${shell` --stack ${stack}`}`,
      ),
      "If that stack no longer exists, such as this one before a destroy that left them in Grafana, adopt them:",
      shell`  npm run adopt -- --stack ${stack} --from ${owner}`,
    );
  });
}

/** The problems that Grafana lets nobody change a resource, which an import would take for manageable. @param found Grafana's responses */
export const unchangeable = (found: readonly { name: string; id: string; body: unknown }[], stack: string): string[] =>
  found.flatMap(({ name, id, body }) => {
    const { meta, readOnly } = body as { meta?: { provisioned?: boolean }; readOnly?: boolean };
    const provisioned = `The dashboard with the uid ${id} comes from a file of Grafana's provisioning, which alone can change it.`;
    const key = name.endsWith("-otel") ? "otelDashboardUid" : "genaiDashboardUid";
    // The uid of the dashboard of a service follows from its name, which its metrics have, too.
    const cure = name.endsWith("llm-monitoring") ? "." : `, or set another uid: ${configSet(key, "UID", stack)}`;
    if (meta?.provisioned) return `${provisioned} Remove it there${cure}`;
    const fixed =
      "is read-only: it comes from a file of Grafana's provisioning, or is Grafana Cloud's own. Let the stack only refer to it:";
    return readOnly ? `The datasource with the uid ${id} ${fixed} ${configSet("datasources", "existing", stack)}` : [];
  });
