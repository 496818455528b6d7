/** What stops a deployment: each check reads Grafana, and describes a problem with its fix. Names from Grafana can contain anything. */
import { coerce, lt } from "semver";
import type { DashboardDefinition } from "../dashboards/definitions";
import type { GrafanaResponse } from "../network/grafana";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { shell, visible } from "../text/sanitize";
import { datasourceOwner, holderOf, managerOf } from "./ownership";

export interface Grafana {
  /** Sends a GET request. The response has the status 200 or one of `statuses`. @throws GrafanaUnreachable, UnexpectedResponse */
  read(path: string, statuses?: readonly number[]): Promise<GrafanaResponse>;
  stack: string;
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
  /** Dashboards of other stacks. */
  foreign?: ForeignDashboard[];
}

/** A dashboard with the mark of another stack: the owner in the mark. */
type ForeignDashboard = { dashboard: Pick<DashboardDefinition, "part" | "uid" | "title">; manager: string };

export type PlannedDatasources = Readonly<Record<DatasourceType, { uid: string; url?: string | undefined }>>;

/** A list for a terminal, which could execute control sequences in names. */
const listOf = (names: Iterable<string>, none = "none") => [...names].map((name) => `  ${visible(name)}`).join("\n") || `  ${none}`;

/** @param version as Grafana reports it, such as `12.3.0-pre`; an unknown version counts as new */
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
  { read, stack }: Pick<Grafana, "read" | "stack">,
  readers: readonly DashboardDefinition[],
  prometheus: string | undefined,
): Promise<Findings> {
  const [health, page] = await Promise.all([read("/api/health"), readers.length > 0 ? read("/api/frontend/settings") : undefined]);
  const { version } = health.body as { version?: string };
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

export async function checkDatasources({ read, stack, identity }: Grafana, datasources: PlannedDatasources): Promise<Findings> {
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
  const { owner } = await identity;
  const isUsed = ({ uid }: Datasource) => referred.some((each) => each.uid === uid);
  const usedOf = (holder: string) => existing.filter((each) => isUsed(each) && holderOf(datasourceOwner(each.jsonData), owner) === holder);
  const [own, others] = [usedOf("this stack"), usedOf("another stack")];
  const unknown = [
    `The settings name datasources that Grafana does not have:\n${listOf(missing)}\nExisting datasources:`,
    listOf(existing.map(({ uid, type, name }) => `${uid}  ${type}  ${name}`)),
    "If another stack creates them, deploy it first. To let this stack create them, set their addresses and:",
    shell`  npx pulumi config set datasources managed --stack ${stack}`,
  ];
  const deleted = [
    "datasources is existing, but this stack created these datasources, and would delete them:",
    listOf(own.map(({ uid }) => uid)),
    "To leave them in Grafana, deploy once with datasources kept, and then with existing:",
    shell`  npx pulumi config set datasources kept --stack ${stack} && npx pulumi up --stack ${stack}`,
    shell`  npx pulumi config set datasources existing --stack ${stack} && npx pulumi up --stack ${stack}`,
  ];
  const shared = [
    "Other stacks manage datasources that this stack reads:",
    listOf(others.map(({ uid, jsonData }) => `${uid}  ${datasourceOwner(jsonData)}`)),
    "If such a stack is destroyed, the panels of this stack show errors until it is deployed again.",
  ];
  return {
    infos: others.length > 0 ? [shared.join("\n")] : [],
    problems: [...(missing.length > 0 ? [unknown.join("\n")] : []), ...(own.length > 0 ? [deleted.join("\n")] : [])],
    existing: created.filter(({ uid }) => existing.some((each) => each.uid === uid)).map(({ uid }) => `datasource ${uid}`),
  };
}

export async function checkFolder(
  { read, stack }: Pick<Grafana, "read" | "stack">,
  { uid, parentUid, isCreated, isFilled }: { uid: string; parentUid?: string | undefined; isCreated: boolean; isFilled: boolean },
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
  const lacksParent = parentUid !== undefined && !(await readFolder(parentUid));
  return { ...(lacksParent && missing("folderParentUid", parentUid)), existing: folder ? [`folder ${uid}`] : [] };
}

export async function checkDashboard(
  { read, stack, identity }: Grafana,
  dashboard: DashboardDefinition,
  folderUid: string,
): Promise<Findings> {
  const { uid, title } = dashboard;
  const { owner, isNew } = await identity;
  // Some releases answer 403 for a missing dashboard without the role Admin.
  const readHolder = async (one: string) => {
    const { status, body } = await read(`/api/dashboards/uid/${encodeURIComponent(one)}`, [403, 404]);
    const manager = status === 200 ? managerOf((body as { dashboard: object }).dashboard) : undefined;
    return { exists: status === 200, manager, holder: holderOf(manager, owner) };
  };
  const [{ exists, manager = "", holder }, search] = await Promise.all([
    readHolder(uid),
    read(`/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(title)}`),
  ]);
  const found = search.body as { uid: string; title: string; folderUid?: string }[];
  const other = found.find((each) => each.title === title && each.folderUid === folderUid && each.uid !== uid);
  // A dashboard of this stack that gets a new uid is deleted before it is created again.
  const isTaken = other && (await readHolder(other.uid)).holder !== "this stack";
  const unmarked =
    `Grafana has a dashboard with the uid of "${title}" (${uid}), which no stack manages according to its description.\nIf this ` +
    shell`stack has not imported it, Grafana refuses it (412). To let it manage it, with its history: npm run adopt -- --stack ${stack}`;
  const taken =
    `Folder ${folderUid} contains another dashboard with the title "${title}" (uid ${visible(other?.uid ?? "")}). ` +
    `Some releases of Grafana would overwrite it with the dashboard ${uid}. Rename or move it in Grafana.`;
  return {
    problems: isTaken ? [taken] : [],
    // The first preview names it among those that exist.
    warnings: exists && holder === "nobody" && !isNew ? [unmarked] : [],
    foreign: holder === "another stack" ? [{ dashboard, manager }] : [],
    existing: exists ? [`dashboard "${title}" (${uid})`] : [],
  };
}

/** The problem that a stack would create resources that Grafana has. */
export function describeExisting(found: readonly string[], stack: string): string[] {
  if (found.length === 0) return [];
  const list = `Grafana already has resources that this stack would create:\n${listOf(new Set(found))}`;
  return [`${list}\n${shell`To let this stack manage them, with their history and links: npm run adopt -- --stack ${stack}`}`];
}

/** The problems that other stacks manage dashboards. All recommend one value: the one that leaves out all of these dashboards. */
export function managedByOtherStacks(foreign: readonly ForeignDashboard[], stack: string): string[] {
  const managedResources = foreign.some(({ dashboard }) => dashboard.part === "llm-monitoring") ? "none" : "service-dashboard";
  return foreign.map(({ dashboard: { uid, title }, manager }) =>
    [
      `Stack ${visible(manager)} manages the dashboard "${title}" (uid ${uid}), according to the dashboard's description in Grafana. The ` +
        "id after @ tells stacks of one name apart.",
      "  If that stack is in use, let this stack only refer to the dashboard. Then check a preview: it shows whether resources of " +
        "this stack are deleted.",
      shell`    npx pulumi config set managedResources ${managedResources} --stack ${stack}`,
      "  If that stack no longer exists, such as this one before a destroy that left the dashboard in Grafana, adopt the dashboard:",
      shell`    npm run adopt -- --stack ${stack} --from ${manager}`,
    ].join("\n"),
  );
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
