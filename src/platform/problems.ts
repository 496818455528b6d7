/** What stops a deployment: each check reads Grafana, and describes a problem with its fix. Names from Grafana can contain anything. */
import { coerce, lt } from "semver";
import type { DashboardDefinition } from "../dashboards/definitions";
import type { GrafanaResponse } from "../network/grafana";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { shell, visible } from "../text/sanitize";
import type { ManagedResources } from "./dashboard";
import { datasourceOwner, holderOf, managerOf } from "./ownership";

export interface Grafana {
  /** Sends a GET request. The response has the status 200 or one of `statuses`. @throws GrafanaUnreachable, UnexpectedResponse */
  read(path: string, statuses?: readonly number[]): Promise<GrafanaResponse>;
  stack: string;
  /** As Grafana reports it, such as `12.3.0-pre`; an unknown release counts as new. */
  release: Promise<string | undefined>;
  /** Known once the provider is registered, which takes longer than the requests. `isNew`: the stack has created nothing. */
  identity: Promise<{ owner: string; isNew: boolean }>;
}

export interface Findings {
  problems?: string[];
  warnings?: string[];
  /** Shown in a preview. */
  infos?: string[];
  /** Resources with the uids of those that the stack creates. */
  existing?: string[];
  /** Resources of other stacks. */
  foreign?: Foreign[];
}

/** A resource with the mark of another stack: the owner in the mark, and whether it is the dashboard of a service. */
type Foreign = { what: string; manager: string; isOfService?: boolean };

type Named = { uid: string; title: string };
export type PlannedFolder = Named & { parentUid?: string | undefined };
export type PlannedDatasources = Readonly<Record<DatasourceType, { uid: string; url?: string | undefined }>>;

/** A list for a terminal, which could execute control sequences in names. */
const listOf = (names: Iterable<string>, none = "none") => [...names].map((name) => `  ${visible(name)}`).join("\n") || `  ${none}`;

function isOlder(version: string | undefined, than: string): boolean {
  const known = coerce(version);
  return known !== null && lt(known, than);
}

/**
 * The settings of Grafana's page, which all tokens can read. Releases from 12.0 on have these fields. They are part of no documented API: a
 * field that is absent says nothing.
 */
interface PageSettings {
  buildInfo?: { version?: string };
  unifiedAlerting?: { recordingRulesEnabled?: boolean };
  /** By name, without those that the token may not read. `directUrl` is the address of the server. */
  datasources?: Record<string, { uid?: string; jsonData?: { prometheusType?: string; directUrl?: string } }>;
}

/**
 * Checks whether this program can use this Grafana, and whether Grafana can evaluate the recording rules.
 *
 * @param readers the dashboards that read what Grafana is to record
 * @param prometheus the uid of the datasource, if the stack does not create it
 */
export async function checkRelease(
  { read, stack, release }: Omit<Grafana, "identity">,
  readers: readonly DashboardDefinition[],
  prometheus: string | undefined,
): Promise<Findings> {
  const [version, page] = await Promise.all([release, readers.length > 0 ? read("/api/frontend/settings") : undefined]);
  if (isOlder(version, "10.4.0")) return { problems: [`Grafana ${version} is too old: the oldest supported release is 10.4.`] };
  const obstacles = page ? obstaclesToRecording(page.body as PageSettings, prometheus) : [];
  if (obstacles.length === 0) return {};
  const without = readers.map(({ sdk, title }) =>
    sdk?.telemetry === "otel" ? [`leave "${title}" out`, "telemetry spec"] : [`let "${title}" read samples`, "genaiReads samples"],
  );
  const lines = [
    `Grafana cannot evaluate the recording rules of ${readers.map(({ title }) => `"${title}"`).join(" and ")}:`,
    ...obstacles.map(([obstacle]) => `  ${visible(obstacle)}`),
    `Let Grafana record: ${obstacles.map(([, cure]) => cure).join("; ")}.`,
    "Or let Prometheus or Mimir record: load the files that the first command writes (src/settings/README.md#recording-rules).",
    shell`  npm run rules -- --stack ${stack}`,
    shell`  npx pulumi config set recordingRules external --stack ${stack}`,
    `Or ${without.map(([way]) => way).join(", and ")}.`,
    ...without.map(([, setting]) => `  npx pulumi config set ${setting}${shell` --stack ${stack}`}`),
  ];
  return { problems: [lines.join("\n")] };
}

function obstaclesToRecording({ buildInfo, unifiedAlerting, datasources }: PageSettings, uid: string | undefined) {
  const found: [obstacle: string, cure: string][] = [];
  const version = buildInfo?.version;
  if (isOlder(version, "12.1.0"))
    found.push([`Its release is ${version}, which has none that write to a datasource.`, "update it to 12.1 or later"]);
  else if (unifiedAlerting?.recordingRulesEnabled === false)
    found.push(["Its recording rules are switched off.", "set enabled = true in [recording_rules] of its configuration, and restart it"]);
  const [name, datasource] = Object.entries(datasources ?? {}).find(([, each]) => uid !== undefined && each.uid === uid) ?? [];
  const { prometheusType, directUrl = "" } = datasource?.jsonData ?? {};
  // `getRemoteWriteURL` in Grafana's `pkg/services/ngalert/writer`. /api/prom, as in Grafana Cloud, is an address of Mimir only.
  if (datasource && !prometheusType && !/\/api\/prom\/*$/.test(directUrl)) {
    const obstacle = `The datasource ${name} (uid ${uid}) does not say its Prometheus type: Grafana takes it for a Mimir, and writes to`;
    const cure = "set the Prometheus type of this datasource (Connections > Data sources)";
    found.push([`${obstacle} /api/v1/push, which a Prometheus does not have.`, cure]);
  }
  return found;
}

/** With an unknown contact point, the plugin would repeat its request for two minutes. Without one, alerts can notify nobody. */
export async function checkContactPoint({ read, stack }: Pick<Grafana, "read" | "stack">, name: string | undefined): Promise<Findings> {
  const path = name === undefined ? "policies" : `contact-points?name=${encodeURIComponent(name)}`;
  // Without the permission to read them, and in the first minute of an organization, there is no answer.
  const { status, body } = await read(`/api/v1/provisioning/${path}`, [403, 404, 500]);
  const command = shell`  npx pulumi config set alertContactPoint NAME --stack ${stack}`;
  const create = "Set one that Grafana has, or create one there (Alerting > Contact points):";
  if (name === undefined) {
    // The only policy of a new Grafana 12.4. Policies below it can select the rules.
    const { receiver, routes = [] } = body as { receiver?: string; routes?: unknown[] };
    if (status !== 200 || receiver !== "empty" || routes.length > 0) return {};
    const cause = "alertContactPoint is not set, and the default notification policy of Grafana has the receiver empty.";
    return { warnings: [`alerts is on, but notifies nobody: ${cause} ${create}\n${command}`] };
  }
  if (status !== 200) {
    const cause = `Grafana did not list contact points, so that alertContactPoint "${visible(name)}" is not checked.`;
    const effect = "With a name that Grafana does not know, the deployment of the alert rules fails after two minutes.";
    return { warnings: [`${cause} ${effect} grafanaAuth may lack the permission alert.provisioning:read.`] };
  }
  if ((body as unknown[]).length > 0) return {};
  return { problems: [`alertContactPoint: Grafana has no contact point with the name "${visible(name)}". ${create}\n${command}`] };
}

export async function checkDatasources(
  { read, stack, identity }: Grafana,
  datasources: PlannedDatasources,
  managedResources: ManagedResources,
): Promise<Findings> {
  const all = datasourceTypes.map((type) => ({ ...datasources[type], type }));
  const referred = all.filter(({ url }) => url === undefined);
  const created = all.filter(({ url }) => url !== undefined);
  // A token that can create datasources need not be able to list them.
  const { status, body } = await read("/api/datasources", referred.length === 0 ? [403] : []);
  type Datasource = { uid: string; type: string; name: string; jsonData?: Record<string, unknown> };
  const existing = status === 200 ? (body as Datasource[]) : [];
  const missing = referred.flatMap(({ uid, type }) => {
    const found = existing.find((each) => each.uid === uid);
    if (found?.type === type) return [];
    return `${type}Uid: ${found ? `the datasource ${uid} has the type ${found.type}, not ${type}` : `no datasource has the uid ${uid}`}`;
  });
  const { owner, isNew } = await identity;
  const foundOf = (planned: readonly { uid: string }[], holder: string) =>
    existing.filter(
      ({ uid, jsonData }) => planned.some((each) => each.uid === uid) && holderOf(datasourceOwner(jsonData), owner) === holder,
    );
  const [own, others, taken] = [foundOf(referred, "this stack"), foundOf(referred, "another stack"), foundOf(created, "another stack")];
  const foreign = taken.map(({ uid, jsonData }) => ({ what: `datasource ${uid}`, manager: datasourceOwner(jsonData) ?? "" }));
  const unknown = [
    `The settings name datasources that Grafana does not have:\n${listOf(missing)}\nExisting datasources:`,
    listOf(existing.map(({ uid, type, name }) => `${uid}  ${type}  ${name}`)),
    "If another stack creates them, deploy it first. To let this stack create them, set their addresses and:",
    shell`  npx pulumi config set datasources managed --stack ${stack}`,
  ];
  const isOwner = managedResources === "all";
  const [key, value] = isOwner ? ["datasources", "existing"] : ["managedResources", managedResources];
  const setKept = shell`npx pulumi config set-all --plaintext managedResources=all --plaintext datasources=kept --stack ${stack}`;
  const uids = "Set folderUid, genaiDashboardUid and otelDashboardUid to those of another stack, because this one deletes its own:";
  const deleted = [
    `${key} is ${value}, but this stack created these datasources, and would delete them:`,
    listOf(own.map(({ uid }) => uid)),
    `To leave them in Grafana, deploy once with datasources kept, and then with ${key} ${value}:`,
    `  ${setKept}${shell` && npx pulumi up --stack ${stack}`}`,
    ...(isOwner ? [] : [uids]),
    shell`  npx pulumi config set ${key} ${value} --stack ${stack} && npx pulumi up --stack ${stack}`,
  ];
  const shared = [
    "Other stacks manage datasources that this stack reads:",
    listOf(others.map(({ uid, jsonData }) => `${uid}  ${datasourceOwner(jsonData)}`)),
    "If such a stack is destroyed, the panels of this stack show errors until it is deployed again.",
  ];
  return {
    infos: others.length > 0 ? [shared.join("\n")] : [],
    problems: [...(missing.length > 0 ? [unknown.join("\n")] : []), ...(own.length > 0 ? [deleted.join("\n")] : [])],
    // A stack that is not new may have imported them: the next deployment changes the marks. Otherwise, Grafana refuses to create them.
    ...(isNew ? { foreign } : { warnings: managedByOtherStacks(foreign, stack) }),
    existing: created.flatMap(({ uid }) => (existing.some((each) => each.uid === uid && !taken.includes(each)) ? `datasource ${uid}` : [])),
  };
}

/** Another dashboard or folder with the title in the folder above; without one, at the top level. */
async function namesake({ read }: Pick<Grafana, "read">, type: "dash-db" | "dash-folder", { uid, title }: Named, above = "") {
  const { body } = await read(`/api/search?type=${type}&limit=5000&query=${encodeURIComponent(title)}`);
  const found = body as (Named & { folderUid?: string })[];
  return found.find((each) => each.title === title && (each.folderUid ?? "") === above && each.uid !== uid);
}

export async function checkFolder(
  { read, stack, release }: Omit<Grafana, "identity">,
  { uid, title, parentUid, isCreated, isFilled }: PlannedFolder & { isCreated: boolean; isFilled: boolean },
): Promise<Findings> {
  const readFolder = async (one: string) => {
    // Without the role Admin, Grafana answers alike for a missing folder and for one that may not be read. The stack can use neither.
    const { status, body } = await read(`/api/folders/${one}`, [403, 404]);
    return status === 200 ? (body as { managedBy?: string }) : undefined;
  };
  const missing = (key: string, uid: string) => {
    const cause = `${key}: Grafana has no folder with the uid ${uid}, or grafanaAuth may not read it. This stack does not create it:`;
    const cure = "deploy the stack that creates it first, or set the uid of an existing folder:";
    return { problems: [`${cause} ${cure} ${shell`npx pulumi config set ${key} UID --stack ${stack}`}`] };
  };
  const folder = await readFolder(uid);
  // Grafana refuses dashboards and, after 12.3.0, alert rules in it, but only once other resources exist. Other managers accept them.
  if (folder?.managedBy === "repo" && isFilled) {
    const cause = `folderUid: Git Sync manages the folder ${uid}, and Grafana accepts no dashboards and alert rules of others in it.`;
    return { problems: [`${cause} Set the uid of another folder: ${shell`npx pulumi config set folderUid UID --stack ${stack}`}`] };
  }
  if (!isCreated) return folder ? {} : missing("folderUid", uid);
  const existing = folder ? [`folder ${uid}`] : [];
  if (parentUid !== undefined && !(await readFolder(parentUid))) return { ...missing("folderParentUid", parentUid), existing };
  const version = await release;
  // Also this stack's own one, whose uid changes: the new folder is created before the former one is deleted.
  const other = isOlder(version, "11.3.0") ? await namesake({ read }, "dash-folder", { uid, title }, parentUid) : undefined;
  const taken =
    `folderTitle: Grafana ${version} has another folder with the title "${title}" (uid ${visible(other?.uid ?? "")}) in the same place, ` +
    "and accepts a second one only from 11.3 on. Rename that folder, or set another title: " +
    shell`npx pulumi config set folderTitle TITLE --stack ${stack}`;
  return { problems: other ? [taken] : [], existing };
}

export async function checkDashboard(
  { read, stack, identity }: Grafana,
  { uid, title, part }: DashboardDefinition,
  folderUid: string,
): Promise<Findings> {
  const { owner, isNew } = await identity;
  // Some releases answer 403 for a missing dashboard without the role Admin.
  const readHolder = async (one: string) => {
    const { status, body } = await read(`/api/dashboards/uid/${encodeURIComponent(one)}`, [403, 404]);
    const manager = status === 200 ? managerOf((body as { dashboard: object }).dashboard) : undefined;
    return { exists: status === 200, manager, holder: holderOf(manager, owner) };
  };
  const [{ exists, manager = "", holder }, other] = await Promise.all([
    readHolder(uid),
    namesake({ read }, "dash-db", { uid, title }, folderUid),
  ]);
  // A dashboard of this stack that gets a new uid is deleted before it is created again.
  const isTaken = other && (await readHolder(other.uid)).holder !== "this stack";
  const unmarked =
    `Grafana has a dashboard with the uid of "${title}" (${uid}), which no stack manages according to its description.\nIf this ` +
    shell`stack has not imported it, Grafana refuses it (412). To let it manage it, with its history: npm run adopt -- --stack ${stack}`;
  const taken =
    `Folder ${folderUid} contains another dashboard with the title "${title}" (uid ${visible(other?.uid ?? "")}). ` +
    `Some releases of Grafana would overwrite it with the dashboard ${uid}. Rename or move it in Grafana.`;
  const what = `dashboard "${title}" (${uid})`;
  return {
    problems: isTaken ? [taken] : [],
    // The first preview names it among those that exist.
    warnings: exists && holder === "nobody" && !isNew ? [unmarked] : [],
    foreign: holder === "another stack" ? [{ what, manager, isOfService: part === "llm-monitoring" }] : [],
    existing: exists && holder !== "another stack" ? [what] : [],
  };
}

/** The problem that a stack would create resources that Grafana has. */
export function describeExisting(found: readonly string[], stack: string): string[] {
  if (found.length === 0) return [];
  const lines = [
    `Grafana already has resources that this stack would create:\n${listOf(new Set(found))}`,
    shell`To let this stack manage them, with their history and links: npm run adopt -- --stack ${stack}`,
    // A folder has no mark.
    "If another stack created the folder, set another folderUid, or let this stack only refer to what that stack manages:",
    shell`  npx pulumi config set managedResources service-dashboard --stack ${stack}`,
  ];
  return [lines.join("\n")];
}

/** The problems that other stacks manage resources. All recommend one value: the one that leaves out all of these resources. */
export function managedByOtherStacks(foreign: readonly Foreign[], stack: string): string[] {
  const managedResources = foreign.some(({ isOfService }) => isOfService) ? "none" : "service-dashboard";
  const datasources = [
    "To refer only to datasources, set their uids, such as lokiUid, and:",
    shell`  npx pulumi config set datasources existing --stack ${stack}`,
  ];
  return [...new Set(foreign.map(({ manager }) => manager))].map((owner) => {
    const theirs = foreign.flatMap(({ what, manager }) => (manager === owner ? what : []));
    const lines = [
      `Stack ${visible(owner)} manages these resources, according to their marks in Grafana. The id after @ tells stacks of one name ` +
        "apart.",
      listOf(theirs),
      "If that stack is in use, let this stack only refer to them, with the uids of that stack. Then check a preview: it shows whether " +
        "resources of this stack are deleted.",
      shell`  npx pulumi config set managedResources ${managedResources} --stack ${stack}`,
      ...(theirs.some((what) => what.startsWith("datasource ")) ? datasources : []),
      "If that stack no longer exists, such as this one before a destroy that left them in Grafana, adopt them:",
      shell`  npm run adopt -- --stack ${stack} --from ${owner}`,
    ];
    return lines.join("\n");
  });
}

/** The problems that Grafana lets nobody change a resource, which an import would take for manageable. @param found Grafana's responses */
export const unchangeable = (found: readonly { id: string; body: unknown }[], stack: string): string[] =>
  found.flatMap(({ id, body }) => {
    const { meta, readOnly } = body as { meta?: { provisioned?: boolean }; readOnly?: boolean };
    if (meta?.provisioned) {
      const cause = `The dashboard with the uid ${id} comes from a file of Grafana's provisioning, which alone can change it.`;
      const cure = "Remove it there, or set another uid, with genaiDashboardUid, otelDashboardUid or service:";
      return `${cause} ${cure} ${shell`npx pulumi config set genaiDashboardUid UID --stack ${stack}`}`;
    }
    const cause =
      "is read-only: it comes from a file of Grafana's provisioning, or is Grafana Cloud's own. Let the stack only refer to it:";
    const command = shell`npx pulumi config set datasources existing --stack ${stack}`;
    return readOnly ? `The datasource with the uid ${id} ${cause} ${command}` : [];
  });
