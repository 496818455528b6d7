/** What in Grafana stands in the way of a deployment, in words: decisions on Grafana's answers. Pure. */
import type { DatasourceType } from "../settings/datasource-types";
import { shellWord, visible } from "../text/sanitize";
import { datasourceName } from "./datasources";
import { managerOf } from "./ownership";

/** A datasource that the stack refers to, or that it creates. */
export interface WantedDatasource {
  uid: string;
  type: DatasourceType;
}

/** A dashboard that the stack creates. */
export interface WantedDashboard {
  uid: string;
  title: string;
  folderUid: string;
  /** What `managedResources` is where another stack creates it. */
  alternative: "service-dashboard" | "none";
}

export interface FoundDatasource {
  uid: string;
  type: string;
  name: string;
}

export interface FoundDashboard {
  uid: string;
  title: string;
  folderUid?: string;
}

/** A stack: its name for commands, and `project/stack` for dashboards' descriptions. */
export interface StackNames {
  stack: string;
  qualified: string;
}

/** Datasources that the settings name and Grafana lacks, with those that exist; undefined where all are there. */
export function missingDatasources(wanted: readonly WantedDatasource[], found: readonly FoundDatasource[]): string | undefined {
  const problems = wanted.flatMap(({ uid, type }) => {
    const match = found.find((datasource) => datasource.uid === uid);
    if (!match) return [`  ${type}Uid: there is no datasource with the uid ${uid}`];
    return match.type === type ? [] : [`  ${type}Uid: the datasource ${uid} is of type ${visible(match.type)}, not ${type}`];
  });
  if (problems.length === 0) return undefined;
  const width = Math.max(...found.map(({ uid }) => uid.length), 0);
  // Names come from Grafana's users: a terminal might take them for commands.
  const there = found.map(({ uid, type, name }) => visible(`  ${uid.padEnd(width)}  ${type}  ${name}`));
  return `Grafana lacks a datasource that the settings name:\n${problems.join("\n")}\nThese exist:\n${there.join("\n") || "  none"}`;
}

/** Other datasources with the name of one that the stack creates, each with the ways out: Grafana accepts a name once. */
export function takenDatasourceNames(wanted: readonly WantedDatasource[], found: readonly FoundDatasource[], stack: string): string[] {
  return wanted.flatMap(({ uid, type }) => {
    const name = datasourceName(type);
    const other = found.find((datasource) => datasource.name === name && datasource.uid !== uid);
    if (!other) return [];
    const rename = `  Rename it in Grafana (Connections > Data sources).`;
    const use = `  Or let this stack manage it:\n    npx pulumi config set ${type}Uid ${shellWord(other.uid)} --stack ${stack}\n    npm run adopt -- ${stack}`;
    const ways = other.type === type ? [rename, use] : [rename];
    return [`The datasource ${visible(other.uid)} has the name "${name}", which Grafana accepts once.\n${ways.join("\n")}`];
  });
}

/** That another stack manages a dashboard, with the ways out; undefined where none does. */
export function managedElsewhere(
  { uid, title, alternative }: WantedDashboard,
  there: { description?: unknown } | undefined,
  { stack, qualified }: StackNames,
): string | undefined {
  const manager = managerOf(there);
  if (manager === undefined || manager === qualified) return undefined;
  return (
    `Stack ${visible(manager)} manages the dashboard "${title}", uid ${uid}: its description in Grafana says so.\n` +
    "  If that stack is in use, let this stack only refer to the dashboard. Then look at a preview: it shows whether resources of this stack are deleted.\n" +
    `    npx pulumi config set managedResources ${alternative} --stack ${stack}\n` +
    "  If that stack was renamed to this one, or no longer exists, take the dashboard over:\n" +
    `    npm run adopt -- ${stack} --from ${shellWord(manager)}`
  );
}

/** Another dashboard in the folder with the wanted title; undefined where there is none. */
export function titleClash({ uid, title, folderUid }: WantedDashboard, found: readonly FoundDashboard[]): FoundDashboard | undefined {
  return found.find((dashboard) => dashboard.title === title && dashboard.folderUid === folderUid && dashboard.uid !== uid);
}

/** A title clash in words. */
export function describeClash({ uid, title, folderUid }: WantedDashboard, other: FoundDashboard): string {
  return (
    `Folder ${folderUid} has another dashboard with the title "${title}", uid ${visible(other.uid)}. ` +
    `Some releases of Grafana would save the dashboard ${uid} over it. Rename or move that dashboard in Grafana.`
  );
}

/** That a folder is missing which another stack creates. */
export const missingFolder = (uid: string, stack: string) =>
  `Grafana has no folder with the uid ${uid}, to which this stack only refers, or grafanaAuth may not read it. Deploy the stack that creates it first, or check folderUid. ` +
  `If no other stack creates it: npx pulumi config set managedResources all --stack ${stack}`;

/** That the parent of the folder is missing. */
export const missingParent = (uid: string, stack: string) =>
  `Grafana has no folder with the uid ${uid}, which folderParentUid names, or grafanaAuth may not read it. Create it, or set the uid of one that exists: ` +
  `npx pulumi config set folderParentUid UID --stack ${stack}`;

/** That the credentials belong to another organization, or to none with that number. */
export function organizationProblem(wanted: number, found: number | undefined, stack: string): string | undefined {
  if (found === wanted) return undefined;
  if (found === undefined)
    return `grafanaAuth has no access to organization ${wanted}, which grafanaOrgId names. Set another one, or give its user access.`;
  return (
    `grafanaAuth is a token of organization ${found}, but grafanaOrgId is ${wanted}. A token works in its own organization only: ` +
    `use a token of organization ${wanted}, or remove the setting: npx pulumi config rm grafanaOrgId --stack ${stack}`
  );
}
