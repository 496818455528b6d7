/**
 * Asks Grafana, before anything is declared, for what the resources themselves would report late, badly or not at all: its release, the
 * organization of the credentials, what the stack refers to, and whether a dashboard belongs to another stack. Reads only.
 */
import * as pulumi from "@pulumi/pulumi";
import { type GrafanaAccess, GrafanaUnreachable, isBasicAuth, readGrafana, UnexpectedResponse } from "../network/grafana";
import { userError } from "../text/user-error";
import { managerOf } from "./ownership";
import {
  describeClash,
  type FoundDashboard,
  type FoundDatasource,
  managedElsewhere,
  missingDatasources,
  missingFolder,
  missingParent,
  organizationProblem,
  type StackNames,
  takenDatasourceNames,
  titleClash,
  type WantedDashboard,
  type WantedDatasource,
} from "./problems";
import { releaseWarning } from "./release";

export interface PreflightArgs {
  access: Omit<GrafanaAccess, "auth"> & { auth: pulumi.Output<string> };
  /** Whether the stack creates the datasources, or refers to them. */
  datasources: { created: boolean; wanted: readonly WantedDatasource[] };
  /** Whether the stack creates the folder, or refers to it. */
  folder: { created: boolean; uid: string; parentUid?: string | undefined };
  /** Dashboards that the stack creates. */
  dashboards: readonly WantedDashboard[];
}

/** What a deployment has to know of its Grafana. */
export interface GrafanaFacts {
  /** Undefined where a preview does not reach Grafana, or where Grafana hides its version. */
  version: string | undefined;
  /** Whether the credentials are a user name and a password. Only then may a resource name an organization. */
  basicAuth: boolean;
}

/** What one question found. */
interface Finding {
  version?: string | undefined;
  problems?: string[];
  warnings?: string[];
}

/** The stack as dashboards' descriptions name it. */
export const qualifiedStack = () => `${pulumi.getProject()}/${pulumi.getStack()}`;

/**
 * Asks all questions at once. A preview goes on, with a warning, where Grafana is out of reach; a deployment does not.
 *
 * @throws pulumi.RunError with all problems
 */
export async function preflight(args: PreflightArgs): Promise<GrafanaFacts> {
  const access = { ...args.access, auth: await plainOf(args.access.auth) };
  const names = { stack: pulumi.getStack(), qualified: qualifiedStack() };
  const questions = [
    askHealth(access),
    askOrganization(access, names),
    askDatasources(access, args.datasources, names),
    askFolder(access, args.folder, names),
    ...args.dashboards.map((wanted) => askDashboard(access, wanted, names)),
  ];
  const settled = await Promise.allSettled(questions);
  const found = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  // Questions that fail have one reason in common, or nearly so: the first one stands for all.
  const failed = settled.find((result) => result.status === "rejected")?.reason as unknown;
  const problems = [...(failed === undefined ? [] : await failureOf(failed)), ...found.flatMap(({ problems = [] }) => problems)];
  for (const warning of found.flatMap(({ warnings = [] }) => warnings)) await pulumi.log.warn(warning);
  if (problems.length > 0) throw userError(problems.join("\n\n"));
  return { version: found.find(({ version }) => version !== undefined)?.version, basicAuth: isBasicAuth(access) };
}

/** The problem that a failed question is; none where a preview can do without the answer. */
async function failureOf(error: unknown): Promise<string[]> {
  if (error instanceof UnexpectedResponse) return [error.message];
  if (!(error instanceof GrafanaUnreachable)) throw error;
  if (!pulumi.runtime.isDryRun()) return [`${error.message}. Check grafanaUrl, and the network between this machine and Grafana.`];
  await pulumi.log.warn(`${error.message}: this preview does not check whether uids, titles and the organization are right.`);
  return [];
}

async function askHealth(access: GrafanaAccess): Promise<Finding> {
  const { version } = (await readGrafana(access, "/api/health")).body as { version?: string };
  const warning = releaseWarning(version);
  return { version, warnings: warning ? [warning] : [] };
}

/** The plugin ignores the organization where the credentials are a token: everything would land in the token's own. */
async function askOrganization(access: GrafanaAccess, { stack }: StackNames): Promise<Finding> {
  const { orgId } = access;
  if (orgId === undefined) return {};
  // Releases differ in how they say that a user has no access to an organization.
  const { status, body } = await readGrafana(access, "/api/org", isBasicAuth(access) ? [403, 404] : []);
  const problem = organizationProblem(orgId, status === 200 ? (body as { id: number }).id : undefined, stack);
  return { problems: problem ? [problem] : [] };
}

async function askDatasources(
  access: GrafanaAccess,
  { created, wanted }: PreflightArgs["datasources"],
  { stack }: StackNames,
): Promise<Finding> {
  // Names are only warned of: without the right to list datasources, that is left to Grafana's own refusal.
  const { status, body } = await readGrafana(access, "/api/datasources", created ? [403] : []);
  const found = status === 200 ? (body as FoundDatasource[]) : [];
  // A datasource of this stack that gets a new uid looks the same, so this is no problem yet.
  if (created) return { warnings: takenDatasourceNames(wanted, found, stack).map((taken) => `Unless this stack manages it: ${taken}`) };
  const missing = missingDatasources(wanted, found);
  return { problems: missing ? [missing] : [] };
}

async function askFolder(
  access: GrafanaAccess,
  { created, uid, parentUid }: PreflightArgs["folder"],
  { stack }: StackNames,
): Promise<Finding> {
  const asked = created ? parentUid : uid;
  if (asked === undefined) return {};
  // Without the role Admin, a missing folder is refused like one that may not be read. Neither can be used.
  const { status } = await readGrafana(access, `/api/folders/${asked}`, [403, 404]);
  if (status === 200) return {};
  return { problems: [created ? missingParent(asked, stack) : missingFolder(asked, stack)] };
}

async function askDashboard(access: GrafanaAccess, wanted: WantedDashboard, names: StackNames): Promise<Finding> {
  const [there, search] = await Promise.all([
    modelAt(access, wanted.uid),
    readGrafana(access, `/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(wanted.title)}`),
  ]);
  const elsewhere = managedElsewhere(wanted, there, names);
  if (elsewhere) return { problems: [elsewhere] };
  const clash = titleClash(wanted, search.body as FoundDashboard[]);
  // A dashboard of this stack that gets a new uid is deleted before it is created again.
  if (!clash || managerOf(await modelAt(access, clash.uid)) === names.qualified) return {};
  return { problems: [describeClash(wanted, clash)] };
}

/** The model of a dashboard; undefined where there is none with this uid, which some releases refuse without the role Admin. */
async function modelAt(access: GrafanaAccess, uid: string): Promise<{ description?: unknown } | undefined> {
  const { status, body } = await readGrafana(access, `/api/dashboards/uid/${encodeURIComponent(uid)}`, [403, 404]);
  return status === 200 ? (body as { dashboard: { description?: unknown } }).dashboard : undefined;
}

/** The value of an output that the config alone determines. */
const plainOf = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply((value) => resolve(value as T)));
