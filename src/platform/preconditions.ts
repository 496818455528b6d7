/**
 * What must hold at Grafana before anything is declared there, and what the resources themselves would say late, badly or not at all: that
 * what this stack refers to exists, and that what it creates has no uid or title of something that is not its own.
 */
import * as pulumi from "@pulumi/pulumi";
import { clean } from "../connection/reason";
import { failure } from "../failure";
import { askGrafana, type GrafanaAccess, type GrafanaAnswer, GrafanaUnreachable, isRefusal, messageOf } from "../grafana";
import type { AdoptablePart } from "../settings/keys";
import { visible } from "../shown";
import type { Adoption } from "./adoption";

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
    return match.type === type ? [] : [`  ${setting}: the datasource ${uid} is of type ${visible(match.type)}, not ${type}`];
  });
  if (problems.length === 0) return undefined;
  const width = Math.max(...found.map(({ uid }) => uid.length), 0);
  // What others called theirs, a terminal might take for commands.
  const there = found.map(({ uid, type, name }) => visible(`  ${uid.padEnd(width)}  ${type}  ${name}`));
  return `Grafana lacks a datasource that the settings name:\n${problems.join("\n")}\nThese exist:\n${there.join("\n") || "  none"}`;
}

/** The other dashboard of the folder that has the wanted title, undefined where none has. */
export function titleClash({ uid, title, folderUid }: WantedDashboard, found: readonly FoundDashboard[]): FoundDashboard | undefined {
  return found.find((dashboard) => dashboard.title === title && dashboard.folderUid === folderUid && dashboard.uid !== uid);
}

function describeClash({ uid, title, folderUid }: WantedDashboard, other: FoundDashboard): string {
  return (
    `Folder ${folderUid} holds another dashboard with the title "${title}", uid ${visible(other.uid)}; ours, uid ${uid}, would be saved over it. ` +
    "Rename or move that one first."
  );
}

/** @throws pulumi.RunError where a wanted datasource is missing or of another type */
export async function requireDatasources(access: GrafanaAccess, wanted: readonly WantedDatasource[]): Promise<void> {
  const answer = await ask(access, "/api/datasources");
  const problem = answer && datasourceProblem(wanted, answer.body as FoundDatasource[]);
  if (problem) throw failure(problem);
}

/** @throws pulumi.RunError where the folder of another stack is not there */
export async function requireFolder(access: GrafanaAccess, uid: string): Promise<void> {
  const answer = await ask(access, `/api/folders/${uid}`, [404]);
  if (answer?.status !== 404) return;
  throw failure(
    `Grafana has no folder with the uid ${uid}, which this stack only refers to. Deploy the stack that has it first, or check folderUid; ` +
      "if no other stack has it, set owns to all.",
  );
}

/**
 * Where the uid or the title of a dashboard is taken by one that this stack never saved. What is adopted was there before.
 *
 * @throws pulumi.RunError with the ways out
 */
export async function requireFree(access: GrafanaAccess, wanted: WantedDashboard, part: AdoptablePart, adoption: Adoption): Promise<void> {
  const stranger = isAdopted(part, adoption) ? undefined : await strangerAt(access, wanted.uid);
  if (stranger) {
    const { stack, owner } = { stack: pulumi.getStack(), owner: part === "llm-monitoring" ? "connection" : "service" };
    throw failure(
      `Grafana has a dashboard with the uid ${wanted.uid} already, "${visible(stranger.title)}", and this stack never saved it. Two ways out:\n` +
        `  it is nobody's: adopt it           npm run adopt -- ${stack}\n` +
        `  another stack has it: refer to it  npx pulumi config set owns ${owner} --stack ${stack}`,
    );
  }
  const answer = await ask(access, `/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(wanted.title)}`);
  const clash = answer && titleClash(wanted, answer.body as FoundDashboard[]);
  if (clash && (await strangerAt(access, clash.uid))) throw failure(describeClash(wanted, clash));
}

/**
 * Warns of a folder and of datasources that are there although this stack never saved its dashboard: Grafana refuses to create them again. No
 * error, since a deployment that was cut off may have made them.
 */
export async function warnOfStrangers(access: GrafanaAccess, parts: SharedUids): Promise<void> {
  const { folderUid, datasourceUids, dashboard, adoption } = parts;
  const candidates: [part: AdoptablePart, what: string, path: string][] = [
    ["folder", `the folder ${folderUid}`, `/api/folders/${folderUid}`],
    ...Object.entries(datasourceUids ?? {}).map(([type, uid]): [AdoptablePart, string, string] => [
      type as AdoptablePart,
      `the datasource ${uid}`,
      `/api/datasources/uid/${uid}`,
    ]),
  ];
  const asked = candidates.filter(([part]) => !isAdopted(part, adoption));
  if (asked.length === 0 || (await isOurs(access, dashboard.uid))) return;
  const answers = await Promise.all(asked.map(([, , path]) => ask(access, path, [404])));
  const there = asked.filter((_, place) => answers[place]?.status === 200).map(([, what]) => what);
  if (there.length === 0) return;
  const stack = pulumi.getStack();
  await pulumi.log.warn(
    `Grafana has ${there.join(", ")} already. Unless this stack made ${there.length > 1 ? "them" : "it"}, Grafana will refuse a second one. Two ways out:\n` +
      `  nobody's: adopt           npm run adopt -- ${stack}\n` +
      `  another stack's: refer    npx pulumi config set owns service --stack ${stack}`,
  );
}

/** What a stack shares with others, as far as it creates it. */
export interface SharedUids {
  folderUid: string;
  datasourceUids: Record<"prometheus" | "loki" | "tempo", string> | undefined;
  dashboard: WantedDashboard;
  adoption: Adoption;
}

const isAdopted = (part: AdoptablePart, { adopting, adopted }: Adoption) => adopting.includes(part) || adopted.includes(part);

/** The dashboard with the uid, where there is one that this stack never saved. */
async function strangerAt(access: GrafanaAccess, uid: string): Promise<{ title: string } | undefined> {
  if (await isOurs(access, uid)) return undefined;
  const found = await ask(access, `/api/dashboards/uid/${uid}`, [404]);
  return found?.status === 200 ? (found.body as { dashboard: { title: string } }).dashboard : undefined;
}

/** Answers by address and uid: two preconditions ask for the same history. */
const known = new Map<string, Promise<boolean>>();

/**
 * Whether any version of a dashboard was saved by this stack: the newest may be somebody's edit. Grafana out of reach counts as ours, and so does a
 * history that Grafana does not show: it shows it only to who may write the dashboard, which the reader of a preview may not.
 */
function isOurs(access: GrafanaAccess, uid: string): Promise<boolean> {
  const path = `/api/dashboards/uid/${uid}/versions?limit=1000`;
  const answer = known.get(access.url + path) ?? ask(access, path, [403, 404]).then((answer) => judgeHistory(answer, uid));
  known.set(access.url + path, answer);
  return answer;
}

async function judgeHistory(answer: GrafanaAnswer | undefined, uid: string): Promise<boolean> {
  if (answer?.status !== 403) return !answer || messages(answer.body).includes(deploymentMessage());
  await pulumi.log.info(`grafanaAuth may not read the history of the dashboard ${uid}: whether this stack made it is not known here.`);
  return true;
}

/** What Grafana's history of a dashboard says of a deployment by this stack. */
export function deploymentMessage(): string {
  return `Deployed by Pulumi: ${pulumi.getProject()}/${pulumi.getStack()}`;
}

/** The messages of a dashboard's versions. Older Grafana answers a list, newer ones an object that holds it. */
function messages(body: unknown): (string | undefined)[] {
  const versions = Array.isArray(body) ? body : ((body as { versions?: unknown[] }).versions ?? []);
  return (versions as { message?: string }[]).map(({ message }) => message);
}

/** Status 200, or one of `others`. A preview goes on without Grafana, and says so; a deployment does not. */
async function ask(access: GrafanaAccess, path: string, others: number[] = []): Promise<GrafanaAnswer | undefined> {
  try {
    const answer = await askGrafana(access, path);
    // A login page, or another server, answers 200 with HTML.
    const isGrafana = typeof answer.body === "object";
    if (others.includes(answer.status) || (answer.status === 200 && isGrafana)) return answer;
    const said = clean(isGrafana ? messageOf(answer, access) : `${answer.status} without JSON`, [access.auth]);
    throw failure(`Grafana at ${access.url} answered ${said} to GET ${path}. ${adviceFor(answer.status)}`);
  } catch (error) {
    if (!(error instanceof GrafanaUnreachable)) throw error;
    if (!pulumi.runtime.isDryRun()) throw failure(`${error.message}. Check grafanaUrl, and the network between this machine and Grafana.`);
    await pulumi.log.warn(`${error.message}: this preview does not know whether datasources and titles are free.`);
    return undefined;
  }
}

function adviceFor(status: number): string {
  if (isRefusal(status)) return "Check grafanaAuth and what its token may read.";
  if (status === 429) return "It limits requests: wait, then run `pulumi up` again.";
  if (status >= 500) return "Look at Grafana's own log, then run `pulumi up` again.";
  return "Check grafanaUrl, which must be the address of Grafana, a path prefix included.";
}
