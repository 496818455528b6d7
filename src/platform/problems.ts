/** The problems that stop a deployment, found in Grafana's responses and described with their fix. */
import { coerce, lt } from "semver";
import type { DashboardDefinition } from "../dashboards/definitions";
import type { DatasourceType } from "../settings/keys";
import { shell, visible } from "../text/sanitize";
import { nameOf, ruleOwner } from "./ownership";

/** A folder in Grafana. `managedBy` is the kind of its manager, from unified storage (`dtos.Folder` in Grafana's `pkg/api/dtos/folder.go`). */
export type ExistingFolder = { managedBy?: string };

/** A datasource in Grafana. */
export type ExistingDatasource = { uid: string; type: string; name: string; jsonData?: Record<string, unknown> };

/** A dashboard that the stack creates. */
type PlannedDashboard = Pick<DashboardDefinition, "part" | "uid" | "title">;

/** A dashboard in Grafana's search results. */
export type ExistingDashboard = { uid: string; title: string; folderUid?: string | undefined };

/** A dashboard that the stack creates, and the owner of the mark that it has in Grafana. */
export type MarkedDashboard = { dashboard: PlannedDashboard; manager: string };

/** A contact point in Grafana's list: one integration of a receiver, which usually has the receiver's name. */
export type ExistingContactPoint = { uid: string; name: string };

/** Grafana's notification policies: the receiver of the default one, and those below it. */
export type NotificationPolicies = { receiver?: string; routes?: readonly unknown[] };

/** A rule in Grafana. */
export type ExistingRule = { title: string; labels?: Record<string, string> };

/** A list of names from Grafana. Its users choose them: a terminal could execute control sequences in them. */
const listOf = (names: Iterable<string>, none = "none") => [...names].map((name) => `  ${visible(name)}`).join("\n") || `  ${none}`;

/** The problem that a stack would create resources that Grafana has. */
export const describeExisting = (found: readonly string[], stack: string) =>
  `Grafana already has resources that this stack would create:\n${listOf(new Set(found))}\n` +
  shell`To let this stack manage them, with their history and links: npm run adopt -- --stack ${stack}`;

/** @param version as Grafana reports it, such as `12.3.0-pre`; an unknown version counts as new */
function isOlder(version: string | undefined, than: string): boolean {
  const [known, limit] = [coerce(version), coerce(than)];
  return known !== null && limit !== null && lt(known, limit);
}

/** The problem of a release that is older than the oldest one with which this program is tested, if it is. */
export const oldRelease = (version: string | undefined) =>
  isOlder(version, "10.4") ? `Grafana ${version} is too old: the oldest supported release is 10.4.` : undefined;

/**
 * The settings of Grafana's page, as far as recording rules depend on them. All tokens can read them. A field that is absent says nothing: releases from
 * 12.0 on have it, but it is of the page and not of a documented API, so that a later one can move it.
 */
export type PageSettings = {
  buildInfo?: { version?: string };
  unifiedAlerting?: { recordingRulesEnabled?: boolean };
  /** By name. Without those that the token may not read. `directUrl` is the address of the server. */
  datasources?: Record<string, { uid?: string; jsonData?: { prometheusType?: string; directUrl?: string } }>;
};

/** How Grafana is to change so that it can record: for each obstacle the sentence that names it, and the cure. */
function obstacles({ buildInfo, unifiedAlerting, datasources }: PageSettings, uid: string | undefined): [obstacle: string, cure: string][] {
  const version = buildInfo?.version;
  const [name, datasource] = Object.entries(datasources ?? {}).find(([, each]) => uid !== undefined && each.uid === uid) ?? [];
  const { prometheusType, directUrl = "" } = datasource?.jsonData ?? {};
  const found: [string, string][] = [];
  // Older releases have no recording rules with a target datasource of their own.
  if (isOlder(version, "12.1"))
    found.push([`Its release is ${version}, which has none that write to a datasource.`, "update it to 12.1 or later"]);
  else if (unifiedAlerting?.recordingRulesEnabled === false)
    found.push(["Its recording rules are switched off.", "set enabled = true in [recording_rules] of its configuration, and restart it"]);
  // `getRemoteWriteURL` in Grafana's `pkg/services/ngalert/writer`. /api/prom, as in Grafana Cloud, is an address of Mimir only.
  if (datasource && !prometheusType && !/\/api\/prom\/*$/.test(directUrl)) {
    found.push([
      `The datasource ${name} (uid ${uid}) does not say its Prometheus type: Grafana takes it for a Mimir, and writes to /api/v1/push, which a Prometheus ` +
        "does not have.",
      "set the Prometheus type of this datasource (Connections > Data sources)",
    ]);
  }
  return found;
}

/**
 * The problem that Grafana cannot evaluate the recording rules, with the ways out; undefined if nothing says so.
 *
 * @param readers the dashboards that read what the rules record
 * @param prometheus the uid of the datasource, if the stack does not create it
 */
export function cannotRecord(page: PageSettings, readers: readonly DashboardDefinition[], prometheus: string | undefined, stack: string) {
  const found = obstacles(page, prometheus);
  if (found.length === 0) return undefined;
  const without = readers.map(({ sdk, title }) =>
    sdk?.telemetry === "otel" ? [`leave "${title}" out`, "telemetry spec"] : [`let "${title}" read samples`, "genaiReads samples"],
  );
  return [
    `Grafana cannot evaluate the recording rules of ${readers.map(({ title }) => `"${title}"`).join(" and ")}:`,
    ...found.map(([obstacle]) => `  ${visible(obstacle)}`),
    `Let Grafana record: ${found.map(([, cure]) => cure).join("; ")}.`,
    "Or let Prometheus or Mimir record: load the files that the first command writes (src/settings/README.md#recording-rules).",
    shell`  npm run rules -- --stack ${stack}`,
    shell`  npx pulumi config set recordingRules external --stack ${stack}`,
    `Or ${without.map(([way]) => way).join(", and ")}.`,
    ...without.map(([, setting]) => `  npx pulumi config set ${setting}${shell` --stack ${stack}`}`),
  ].join("\n");
}

/** The problem that datasources of the settings do not exist; undefined if all exist. */
export function missingDatasources(
  referred: readonly { uid: string; type: DatasourceType }[],
  existing: readonly ExistingDatasource[],
  stack: string,
): string | undefined {
  const missing = referred.flatMap(({ uid, type }) => {
    const found = existing.find((datasource) => datasource.uid === uid);
    if (found?.type === type) return [];
    return `${type}Uid: ${found ? `the datasource ${uid} has the type ${found.type}, not ${type}` : `no datasource has the uid ${uid}`}`;
  });
  if (missing.length === 0) return undefined;
  const list = listOf(existing.map(({ uid, type, name }) => `${uid}  ${type}  ${name}`));
  return (
    `The settings name datasources that Grafana does not have:\n${listOf(missing)}\nExisting datasources:\n${list}\n` +
    "If another stack creates them, deploy it first. To let this stack create them, set their addresses and:\n" +
    shell`  npx pulumi config set datasources managed --stack ${stack}`
  );
}

/** The problem that other datasources have the names of those that the stack creates. Grafana's names are unique. */
export const takenNames = (taken: readonly ExistingDatasource[], stack: string) =>
  `Grafana has other datasources with the names of those that this stack would create:\n${listOf(taken.map(({ uid, name }) => `${name} (uid ${uid})`))}\n` +
  shell`Set another beginning of the names: npx pulumi config set datasourceNamePrefix ${`LLM Observability ${stack}`} --stack ${stack}`;

/** Whose the existing datasources are. */
export const datasourcesOfOthers = (others: readonly { uid: string; manager?: string | undefined }[]) =>
  `Other stacks manage datasources that this stack reads:\n${listOf(others.map(({ uid, manager }) => `${uid}  ${manager}`))}\n` +
  "If such a stack is destroyed, the panels of this stack show errors until it is deployed again.";

/** The problem that a stack would delete datasources that it created, and now is to refer to. */
export const handedOver = (own: readonly { uid: string }[], stack: string) =>
  `datasources is existing, but this stack created these datasources, and would delete them:\n${listOf(own.map(({ uid }) => uid))}\n` +
  "To leave them in Grafana, deploy once with datasources kept, and then with existing:\n" +
  shell`  npx pulumi config set datasources kept --stack ${stack} && npx pulumi up --stack ${stack}\n` +
  shell`  npx pulumi config set datasources existing --stack ${stack} && npx pulumi up --stack ${stack}`;

/** The problem that a folder does not exist. @param key the setting with its uid */
export const missingFolder = (key: "folderUid" | "folderParentUid", uid: string, stack: string) =>
  `${key}: Grafana has no folder with the uid ${uid}, or grafanaAuth may not read it. This stack does not create it: deploy the stack that creates ` +
  shell`it first, or set the uid of an existing folder: npx pulumi config set ${key} UID --stack ${stack}`;

/**
 * The problems that Grafana lets nobody change resources, which an import would take for manageable.
 *
 * @param found with Grafana's response
 */
export const unchangeable = (found: readonly { id: string; body: unknown }[], stack: string): string[] =>
  found.flatMap(({ id, body }) => {
    const { meta, readOnly } = body as { meta?: { provisioned?: boolean }; readOnly?: boolean };
    const provisioned =
      `The dashboard with the uid ${id} comes from a file of Grafana's provisioning, which alone can change it. Remove it there, or set another uid, ` +
      shell`with genaiDashboardUid, otelDashboardUid or service: npx pulumi config set genaiDashboardUid UID --stack ${stack}`;
    const fixed =
      `The datasource with the uid ${id} is read-only: it comes from a file of Grafana's provisioning, or is Grafana Cloud's own. Let the stack only ` +
      shell`refer to it: npx pulumi config set datasources existing --stack ${stack}`;
    return meta?.provisioned ? provisioned : readOnly ? fixed : [];
  });

/** The warning that dashboards have no mark: Grafana refuses to create others in their place. */
export const unmarkedDashboards = (dashboards: readonly string[], stack: string) =>
  `Grafana has dashboards with the uids of this stack, which no stack manages according to their descriptions:\n${listOf(dashboards)}\n` +
  shell`If this stack has not imported them, Grafana refuses it (412). To let it manage them, with their history: npm run adopt -- --stack ${stack}`;

/** Whether Git Sync manages a folder. Folders of other managers accept dashboards and rules. */
export const isSynced = ({ managedBy }: ExistingFolder) => managedBy === "repo";

/**
 * The problem that Git Sync manages the folder: Grafana refuses dashboards in it (`ensureSameRepoManager` in `pkg/storage/unified/apistore`) and,
 * after 12.3.0, alert rules ("cannot store rules in folder managed by Git Sync"), but only once other resources exist.
 */
export const syncedFolder = (uid: string, stack: string) =>
  `folderUid: Git Sync manages the folder ${uid}, and Grafana accepts no dashboards and alert rules of others in it. Set the uid of another folder: ` +
  shell`npx pulumi config set folderUid UID --stack ${stack}`;

/**
 * The problems that other stacks manage dashboards. All recommend one value: the one that leaves out all of these dashboards.
 *
 * @param owner this stack. A mark with its name and another id is of a stack that was destroyed, or of another backend's.
 */
export function managedByOtherStacks(marked: readonly MarkedDashboard[], owner: string, stack: string): string[] {
  const managedResources = marked.some(({ dashboard }) => dashboard.part === "llm-monitoring") ? "none" : "service-dashboard";
  return marked.map(({ dashboard: { uid, title }, manager }) => {
    const adopt = shell`    npm run adopt -- --stack ${stack} --from ${manager}`;
    const refer =
      "  If that stack is in use, let this stack only refer to the dashboard. Then check a preview: it shows whether resources of this stack are deleted.\n" +
      shell`    npx pulumi config set managedResources ${managedResources} --stack ${stack}`;
    const [what, first, second] =
      nameOf(manager) === nameOf(owner)
        ? [
            "The id after @ is of another state than this stack's.",
            `  If this stack was destroyed and left the dashboard in Grafana, adopt it:\n${adopt}`,
            refer.replace("that stack is", "a stack of this name in another backend is"),
          ]
        : ["", refer, `  If that stack no longer exists, adopt the dashboard:\n${adopt}`];
    const mark = `Stack ${visible(manager)} manages the dashboard "${title}" (uid ${uid}), according to the dashboard's description in Grafana. ${what}`;
    return [mark.trim(), first, second].join("\n");
  });
}

/** Another dashboard with the same title in the same folder; undefined if there is none. */
export const sameTitle = ({ uid, title }: PlannedDashboard, folderUid: string, found: readonly ExistingDashboard[]) =>
  found.find((dashboard) => dashboard.title === title && dashboard.folderUid === folderUid && dashboard.uid !== uid);

/** The problem that another dashboard has the title. */
export const takenTitle = ({ uid, title }: PlannedDashboard, folderUid: string, other: ExistingDashboard) =>
  `Folder ${folderUid} contains another dashboard with the title "${title}" (uid ${visible(other.uid)}). ` +
  `Some releases of Grafana would overwrite it with the dashboard ${uid}. Rename or move it in Grafana.`;

/** The contact points to choose from. The default of an organization has no uid, and is listed with another name than its own. */
function contactPointAdvice(existing: readonly ExistingContactPoint[], stack: string): string {
  const names = existing.flatMap(({ uid, name }) => (uid && name !== "empty" ? [name] : []));
  const list = listOf(new Set(names), "none: create one in Grafana (Alerting > Contact points)");
  const command = shell`npx pulumi config set alertContactPoint ${names[0] ?? "NAME"} --stack ${stack}`;
  return `Existing contact points:\n${list}\n  ${command}`;
}

/** The problem that the contact point does not exist. */
export const missingContactPoint = (name: string, existing: readonly ExistingContactPoint[], stack: string) =>
  `alertContactPoint: Grafana has no contact point with the name "${visible(name)}".\n${contactPointAdvice(existing, stack)}`;

/** The warning that alerts without a contact point notify nobody, as with the only policy of a new Grafana 12.4. Policies below it can select the rules. */
export function unnotified({ receiver, routes = [] }: NotificationPolicies, existing: readonly ExistingContactPoint[], stack: string) {
  if (receiver !== "empty" || routes.length > 0) return undefined;
  const cause = "alertContactPoint is not set, and the default notification policy of Grafana has the receiver empty.";
  return `alerts is on, but notifies nobody: ${cause}\n${contactPointAdvice(existing, stack)}`;
}

/** The warning that the contact point cannot be checked. */
export const uncheckedContactPoint = (name: string) =>
  `Grafana did not list contact points, so that alertContactPoint "${visible(name)}" is not checked. With a name that Grafana does not know, the ` +
  "deployment of the alert rules fails after two minutes. grafanaAuth may lack the permission alert.provisioning:read.";

/** The problem that the group of an alert rule contains only rules without the label of a stack; undefined if a stack created it. */
export function unmanagedRules(folderUid: string, title: string, rules: readonly ExistingRule[]): string | undefined {
  if (rules.some(({ labels }) => ruleOwner(labels))) return undefined;
  return (
    `Folder ${folderUid} contains an evaluation group "${title}" that no stack created, with the rules ` +
    `${rules.map((rule) => visible(rule.title)).join(", ")}. The stack would create a group with this name. Rename that group in Grafana (Alerting > Alert rules).`
  );
}
