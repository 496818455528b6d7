/**
 * What must hold at Grafana before anything is declared there, and what the resources themselves would say late, badly or not at all: that
 * existing datasources exist, and that no other dashboard of the folder has our title, which an update would save over.
 */
import * as pulumi from "@pulumi/pulumi";
import { failure } from "../failure";
import { askGrafana, type GrafanaAccess, type GrafanaAnswer, GrafanaUnreachable, isRefusal, messageOf } from "../grafana";

/** A datasource that must be there. */
export interface WantedDatasource {
  uid: string;
  type: "prometheus" | "loki" | "tempo";
  /** The setting that names it. */
  setting: string;
}

/** A dashboard that will be there. */
export interface WantedDashboard {
  uid: string;
  title: string;
  folderUid: string;
}

interface FoundDatasource {
  uid: string;
  type: string;
  name: string;
}

interface FoundDashboard {
  uid: string;
  title: string;
  folderUid?: string;
}

/** What is wrong with the datasources, undefined where nothing is. */
export function datasourceProblem(wanted: readonly WantedDatasource[], found: readonly FoundDatasource[]): string | undefined {
  const problems = wanted.flatMap(({ uid, type, setting }) => {
    const match = found.find((datasource) => datasource.uid === uid);
    if (!match) return [`  ${setting}: there is no datasource with the uid ${uid}`];
    return match.type === type ? [] : [`  ${setting}: the datasource ${uid} is of type ${match.type}, not ${type}`];
  });
  if (problems.length === 0) return undefined;
  const width = Math.max(...found.map(({ uid }) => uid.length), 0);
  const there = found.map(({ uid, type, name }) => `  ${uid.padEnd(width)}  ${type}  ${name}`);
  return `Grafana lacks a datasource that the settings name:\n${problems.join("\n")}\nThese exist:\n${there.join("\n") || "  none"}`;
}

/** The other dashboard of the folder that has the wanted title, undefined where none has. */
export function titleClash({ uid, title, folderUid }: WantedDashboard, found: readonly FoundDashboard[]): FoundDashboard | undefined {
  return found.find((dashboard) => dashboard.title === title && dashboard.folderUid === folderUid && dashboard.uid !== uid);
}

function describeClash({ uid, title, folderUid }: WantedDashboard, other: FoundDashboard): string {
  return (
    `Folder ${folderUid} holds another dashboard with the title "${title}", uid ${other.uid}; ours, uid ${uid}, would be saved over it. ` +
    "Rename or move that one first."
  );
}

/** @throws pulumi.RunError where a wanted datasource is missing or of another type */
export async function requireDatasources(access: GrafanaAccess, wanted: readonly WantedDatasource[]): Promise<void> {
  const answer = await ask(access, "/api/datasources");
  const problem = answer && datasourceProblem(wanted, answer.body as FoundDatasource[]);
  if (problem) throw failure(problem);
}

/** @throws pulumi.RunError where another dashboard has the title, unless this stack saved it last: it is ours, under a former uid. */
export async function requireTitle(access: GrafanaAccess, wanted: WantedDashboard): Promise<void> {
  const answer = await ask(access, `/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(wanted.title)}`);
  const clash = answer && titleClash(wanted, answer.body as FoundDashboard[]);
  if (!clash) return;
  const versions = await ask(access, `/api/dashboards/uid/${clash.uid}/versions?limit=1`);
  if (!versions || lastMessage(versions.body) === deploymentMessage()) return;
  throw failure(describeClash(wanted, clash));
}

/** What Grafana's history of a dashboard says of a deployment by this stack. */
export function deploymentMessage(): string {
  return `Deployed by Pulumi: ${pulumi.getProject()}/${pulumi.getStack()}`;
}

/** The message of the newest version. Older Grafana answers a list, newer ones an object that holds it. */
function lastMessage(body: unknown): string | undefined {
  const versions = (Array.isArray(body) ? body : (body as { versions?: unknown[] }).versions) as { message?: string }[] | undefined;
  return versions?.[0]?.message;
}

/** A preview goes on without Grafana, and says so; a deployment does not. */
async function ask(access: GrafanaAccess, path: string): Promise<GrafanaAnswer | undefined> {
  try {
    const answer = await askGrafana(access, path);
    if (answer.status === 200) return answer;
    const hint = isRefusal(answer.status) ? " Check grafanaAuth and what its token may read." : "";
    throw failure(`Grafana at ${access.url} answered ${messageOf(answer)} to GET ${path}.${hint}`);
  } catch (error) {
    if (!(error instanceof GrafanaUnreachable)) throw error;
    if (!pulumi.runtime.isDryRun()) throw failure(`${error.message}. Check grafanaUrl, and the network between this machine and Grafana.`);
    await pulumi.log.warn(`${error.message}: this preview does not know whether datasources and titles are free.`);
    return undefined;
  }
}
