/**
 * What must hold at Grafana before anything is declared there, and what the resources themselves would say late, badly or not at all: that
 * what this stack refers to exists, and that what it creates has no uid or title of something that is not its own.
 */
import * as pulumi from "@pulumi/pulumi";
import { failure } from "../failure";
import { type GrafanaAccess, type GrafanaAnswer, GrafanaUnreachable, readGrafana, UnexpectedAnswer } from "../grafana";
import type { AdoptablePart } from "../settings/keys";
import { visible } from "../shown";
import { type Adoption, deploymentBy, doubtOf, historyPath } from "./adoption";

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
 * Where the uid or the title of a dashboard is taken by one that nothing shows to be this stack's. What is adopted was there before.
 *
 * @throws pulumi.RunError with the ways out
 */
export async function requireFree(access: GrafanaAccess, wanted: WantedDashboard, part: AdoptablePart, adoption: Adoption): Promise<void> {
  const stranger = isAdopted(part, adoption) ? undefined : await strangerAt(access, wanted.uid);
  if (stranger) {
    throw failure(
      `Grafana has a dashboard with the uid ${wanted.uid} already, "${visible(stranger.title)}", and ${stranger.doubt}. ` +
        waysOut(part === "llm-monitoring" ? "connection" : "service"),
    );
  }
  const answer = await ask(access, `/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(wanted.title)}`);
  const clash = answer && titleClash(wanted, answer.body as FoundDashboard[]);
  if (clash && (await strangerAt(access, clash.uid))) throw failure(describeClash(wanted, clash));
}

/** @param owner what `owns` is where another stack has it */
function waysOut(owner: "service" | "connection"): string {
  const stack = pulumi.getStack();
  return (
    "Two ways out:\n" +
    "  adopt it, where it is nobody's, or this stack's under an earlier name, or was edited by hand many times since:\n" +
    `    npm run adopt -- ${stack}\n` +
    "  refer to it, where it is another stack's; what this stack's own state has of it, folder and datasources included, is then deleted at Grafana, " +
    "as a preview shows:\n" +
    `    npx pulumi config set owns ${owner} --stack ${stack}`
  );
}

/**
 * Warns of a folder and of datasources that are there although nothing shows the dashboard to be this stack's: Grafana refuses to create them
 * again. No error, since a deployment that was cut off may have made them.
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
  if (asked.length === 0 || !(await doubtAbout(access, dashboard.uid))) return;
  const answers = await Promise.all(asked.map(([, , path]) => ask(access, path, [404])));
  const there = asked.filter((_, place) => answers[place]?.status === 200).map(([, what]) => what);
  if (there.length === 0) return;
  await pulumi.log.warn(
    `Grafana has ${there.join(", ")} already. Unless this stack made all of it, Grafana will refuse a second one. ${waysOut("service")}`,
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

/** The dashboard with the uid, where there is one that nothing shows to be this stack's. */
async function strangerAt(access: GrafanaAccess, uid: string): Promise<{ title: string; doubt: string } | undefined> {
  const doubt = await doubtAbout(access, uid);
  const found = doubt ? await ask(access, `/api/dashboards/uid/${uid}`, [404]) : undefined;
  if (!doubt || found?.status !== 200) return undefined;
  return { title: (found.body as { dashboard: { title: string } }).dashboard.title, doubt };
}

/** Answers by address and uid: two preconditions ask for the same history. */
const known = new Map<string, Promise<string | undefined>>();

/** What speaks against a dashboard's being this stack's; nothing where Grafana is out of reach. */
function doubtAbout(access: GrafanaAccess, uid: string): Promise<string | undefined> {
  const path = historyPath(uid);
  const doubt = known.get(access.url + path) ?? ask(access, path, [403, 404]).then((history) => judge(history, uid));
  known.set(access.url + path, doubt);
  return doubt;
}

async function judge(history: GrafanaAnswer | undefined, uid: string): Promise<string | undefined> {
  if (history?.status === 403)
    await pulumi.log.info(`grafanaAuth may not read the history of the dashboard ${uid}: whether this stack made it is not known here.`);
  return history && doubtOf(history, stackName());
}

const stackName = () => `${pulumi.getProject()}/${pulumi.getStack()}`;

/** What Grafana's history of a dashboard says of a deployment by this stack. */
export const deploymentMessage = () => deploymentBy(stackName());

/** Status 200, or one of `others`. A preview goes on without Grafana, and says so; a deployment does not. */
async function ask(access: GrafanaAccess, path: string, others: number[] = []): Promise<GrafanaAnswer | undefined> {
  try {
    return await readGrafana(access, path, others);
  } catch (error) {
    if (error instanceof UnexpectedAnswer) throw failure(error.message);
    if (!(error instanceof GrafanaUnreachable)) throw error;
    if (!pulumi.runtime.isDryRun()) throw failure(`${error.message}. Check grafanaUrl, and the network between this machine and Grafana.`);
    await pulumi.log.warn(`${error.message}: this preview does not know whether datasources and titles are free.`);
    return undefined;
  }
}
