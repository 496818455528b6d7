/** The problems that stop a deployment, found in Grafana's responses and described with their fix. */
import { distance } from "fastest-levenshtein";
import type { DashboardDefinition } from "../dashboards/definitions";
import type { DatasourceType } from "../settings/keys";
import { shell, visible } from "../text/sanitize";
import { referOnly } from "./dashboard";
import { datasourceName } from "./datasources";
import { stackLabel } from "./ownership";

/** A datasource that the stack creates or refers to. */
export type DatasourceReference = { uid: string; type: DatasourceType };

/** A datasource in Grafana. */
export type ExistingDatasource = { uid: string; type: string; name: string };

/** A dashboard that the stack creates. */
export type PlannedDashboard = Pick<DashboardDefinition, "part" | "uid" | "title">;

/** A dashboard in Grafana's search results. */
export type ExistingDashboard = { uid: string; title: string; folderUid?: string | undefined };

/** A contact point in Grafana's list: one integration of a receiver, which usually has the receiver's name. */
export type ExistingContactPoint = { uid: string; name: string };

/** A rule in Grafana. */
export type ExistingRule = { title: string; labels?: Record<string, string> };

/** The stack as commands name it, and as `project/stack`. */
export type StackNames = { stack: string; qualified: string };

/** A resource of the settings that Grafana has. `id` is the last part of its id in the state. */
export type FoundResource = { id: string; what: string };

/** The problem that a stack would create resources that Grafana has. */
export const describeExisting = (found: readonly FoundResource[], stack: string) =>
  `Grafana already has resources that this stack would create:\n${[...new Set(found.map(({ what }) => `  ${what}\n`))].join("")}` +
  shell`To let this stack manage them, with their history and links: npm run adopt -- --stack ${stack}`;

/** The problem that datasources of the settings do not exist; undefined if all exist. */
export function missingDatasources(
  references: readonly DatasourceReference[],
  existing: readonly ExistingDatasource[],
): string | undefined {
  const problems = references.flatMap(({ uid, type }) => {
    const match = existing.find((datasource) => datasource.uid === uid);
    if (!match) return [`  ${type}Uid: no datasource has the uid ${uid}`];
    return match.type === type ? [] : [`  ${type}Uid: the datasource ${uid} has the type ${visible(match.type)}, not ${type}`];
  });
  if (problems.length === 0) return undefined;
  const width = Math.max(...existing.map(({ uid }) => uid.length), 0);
  // Users of Grafana choose the names: a terminal could execute control sequences in them.
  const list = existing.map(({ uid, type, name }) => visible(`  ${uid.padEnd(width)}  ${type}  ${name}`));
  return `The settings name datasources that Grafana does not have:\n${problems.join("\n")}\nExisting datasources:\n${list.join("\n") || "  none"}`;
}

/** For each datasource to create, the problem that another one has its name. */
export function takenDatasourceNames(
  planned: readonly DatasourceReference[],
  existing: readonly ExistingDatasource[],
  stack: string,
): string[] {
  return planned.flatMap(({ uid, type }) => {
    const name = datasourceName(type);
    const other = existing.find((datasource) => datasource.name === name && datasource.uid !== uid);
    if (!other) return [];
    const adopt = shell`  Or let this stack manage it:\n    npx pulumi config set ${`${type}Uid`} ${other.uid} --stack ${stack}\n    npm run adopt -- --stack ${stack}`;
    return [
      `The datasource ${visible(other.uid)} already has the name "${name}", which must be unique in Grafana.\n` +
        `  Rename it in Grafana (Connections > Data sources).${other.type === type ? `\n${adopt}` : ""}`,
    ];
  });
}

/** A dashboard that the stack creates, and the owner of the mark that it has in Grafana. */
export type MarkedDashboard = { dashboard: PlannedDashboard; manager: string };

/** The problems that other stacks manage dashboards. All recommend one value: the one that leaves out most. */
export function managedByOtherStacks(marked: readonly MarkedDashboard[], stack: string): string[] {
  const values = marked.map(({ dashboard }) => referOnly(dashboard.part));
  return marked.map((each) => managedByAnotherStack(each, values.includes("none") ? "none" : "service-dashboard", stack));
}

const managedByAnotherStack = ({ dashboard: { uid, title }, manager }: MarkedDashboard, managedResources: string, stack: string): string =>
  `Stack ${visible(manager)} manages the dashboard "${title}" (uid ${uid}), according to the dashboard's description in Grafana. The id after @ is ` +
  "that of its state: stacks in several backends can have the same name.\n" +
  "  If that stack is in use, let this stack only refer to the dashboard. Then check a preview: it shows whether resources of this stack are deleted.\n" +
  shell`    npx pulumi config set managedResources ${managedResources} --stack ${stack}\n` +
  "  If that stack was renamed to this one or no longer exists, adopt the dashboard:\n" +
  shell`    npm run adopt -- --stack ${stack} --from ${manager}`;

/** Another dashboard with the same title in the same folder; undefined if there is none. */
export function titleClash(
  { uid, title }: PlannedDashboard,
  folderUid: string,
  found: readonly ExistingDashboard[],
): ExistingDashboard | undefined {
  return found.find((dashboard) => dashboard.title === title && dashboard.folderUid === folderUid && dashboard.uid !== uid);
}

export function describeTitleClash({ uid, title }: PlannedDashboard, folderUid: string, other: ExistingDashboard): string {
  return (
    `Folder ${folderUid} contains another dashboard with the title "${title}" (uid ${visible(other.uid)}). ` +
    `Some releases of Grafana would overwrite it with the dashboard ${uid}. Rename or move it in Grafana.`
  );
}

/** The problem that the folder of another stack does not exist. */
export const missingFolder = (uid: string, stack: string) =>
  `Grafana has no folder with the uid ${uid}, or grafanaAuth may not read it. This stack only refers to the folder: deploy the stack that creates it ` +
  shell`first, or check folderUid. If no other stack creates it: npx pulumi config set managedResources all --stack ${stack}`;

/** The problem that the parent folder does not exist. */
export const missingParent = (uid: string, stack: string) =>
  `Grafana has no folder with the uid ${uid}, which folderParentUid names, or grafanaAuth may not read it. Create the folder, or set the uid of an ` +
  shell`existing one: npx pulumi config set folderParentUid UID --stack ${stack}`;

/** The default of each organization. Grafana lists it by the name of its integration, "email receiver", with an empty uid. */
export const usualContactPoint = "grafana-default-email";

/**
 * The problem that the contact point does not exist.
 *
 * @param hasUsual whether the default of each organization exists
 */
export function missingContactPoint(name: string, existing: readonly ExistingContactPoint[], hasUsual: boolean, stack: string): string {
  const receivers = existing.flatMap(({ uid, name }) => (uid === "" && hasUsual ? [] : [name]));
  const closest = (one: string) => distance(one.toLowerCase(), name.toLowerCase());
  const names = [...new Set([...receivers, ...(hasUsual ? [usualContactPoint] : [])])].sort((one, other) => closest(one) - closest(other));
  return (
    `alertContactPoint: Grafana has no contact point with the name "${visible(name)}".\n` +
    `Existing contact points:\n${names.map((each) => `  ${visible(each)}`).join("\n") || "  none"}\n` +
    (names[0] === undefined
      ? "Create it in Grafana (Alerting > Contact points). To deploy the alert rules without it, although alerts then may notify nobody:\n" +
        shell`  npx pulumi config rm alertContactPoint --stack ${stack}`
      : shell`  npx pulumi config set alertContactPoint ${names[0]} --stack ${stack}`)
  );
}

/** Grafana's notification policies: the receiver of the default one, and those below it. */
export type NotificationPolicies = { receiver?: string; routes?: readonly unknown[] };

/** The warning that alerts without a contact point notify nobody, as with the only policy of a new Grafana 12.4. Policies below it can select the rules. */
export function unnotified({ receiver, routes = [] }: NotificationPolicies, existing: readonly ExistingContactPoint[], stack: string) {
  if (receiver !== "empty" || routes.length > 0) return undefined;
  const names = [...new Set(existing.map(({ name }) => name))].filter((name) => name !== "empty");
  return (
    "alerts is on, but notifies nobody: alertContactPoint is not set, and the default notification policy of Grafana has the receiver empty.\n" +
    `Existing contact points:\n${names.map((name) => `  ${visible(name)}`).join("\n") || "  none: create one in Grafana (Alerting > Contact points)"}\n` +
    shell`  npx pulumi config set alertContactPoint ${names[0] ?? "NAME"} --stack ${stack}`
  );
}

/** The warning that the contact point cannot be checked. */
export const uncheckedContactPoint = (name: string) =>
  `grafanaAuth may not list contact points, so that alertContactPoint "${visible(name)}" is not checked. With a name that Grafana does not know, the ` +
  "deployment of the alert rules fails after two minutes. Give the token the permission alert.provisioning:read.";

/** The problem that the group of an alert rule contains only rules without the label of a stack; undefined if a stack created it. */
export function foreignRules(folderUid: string, title: string, rules: readonly ExistingRule[]): string | undefined {
  if (rules.some(({ labels }) => labels?.[stackLabel])) return undefined;
  return (
    `Folder ${folderUid} contains an evaluation group "${title}" that no stack created, with the rules ` +
    `${rules.map((rule) => visible(rule.title)).join(", ")}. The stack would create a group with this name. Rename that group in Grafana (Alerting > Alert rules).`
  );
}
