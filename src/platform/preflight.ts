/**
 * Checks Grafana before any resource is declared, for problems that the resources report late, unclearly or not at all: the release, the
 * missing datasources, folders and contact points, dashboards of other stacks, alert rules of others. Only reads.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type GrafanaAccess, type GrafanaResponse, GrafanaUnreachable, readGrafana, UnexpectedResponse } from "../network/grafana";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { isManaged, type ManagedResources } from "./dashboard";
import { isForeign, managerOf, nameOf, qualifiedStack } from "./ownership";
import * as problems from "./problems";
import { refuse } from "./refusal";

export interface PreflightArgs {
  grafana: Omit<GrafanaAccess, "auth"> & { auth: pulumi.Output<string>; managedResources?: ManagedResources | undefined };
  /** Those with an address are created, if the stack manages them. The others exist. */
  datasources: Readonly<Record<DatasourceType, { uid: string; url?: string | undefined }>>;
  folder: { uid: string; parentUid?: string | undefined };
  /** Of these, the ones that the stack manages are checked. */
  definitions: readonly DashboardDefinition[];
  /** Whether Grafana evaluates recording rules. */
  recordsInGrafana?: boolean | undefined;
  /** The alert rules that the stack creates. */
  alerts?: readonly Pick<Alerts, "rules" | "contactPoint">[] | undefined;
}

/** Facts about Grafana that the resources depend on. */
export interface GrafanaFacts {
  /** The resources of the settings that exist, whether or not this stack created them. */
  found: readonly problems.FoundResource[];
  /** Refuses a deployment if other stacks than this owner manage dashboards. */
  confirmOwner(owner: string): Promise<string>;
}

/** The result of one check. */
interface Finding {
  problem?: string | undefined;
  warning?: string | undefined;
  found?: problems.FoundResource[];
  marked?: problems.MarkedDashboard | undefined;
}

/** Sends a GET request. The response has the status 200 or one of `statuses`. @throws GrafanaUnreachable, UnexpectedResponse */
type Read = (path: string, statuses?: readonly number[]) => Promise<GrafanaResponse>;

/** Runs all checks at once, and refuses a deployment with all problems. If Grafana is unreachable, a preview continues with a warning. */
export async function preflight(args: PreflightArgs): Promise<GrafanaFacts> {
  const { url, auth, caCert, managedResources = "all" } = args.grafana;
  const { definitions, folder, alerts = [] } = args;
  const access = { url, auth: await plainValue(auth), caCert };
  const stack = pulumi.getStack();
  const read: Read = (path, statuses) => readGrafana(access, path, statuses);
  const managed = definitions.filter((definition) => isManaged(definition, managedResources));
  const settled = await Promise.allSettled([
    checkRelease(read, args.recordsInGrafana ?? false, stack),
    ...alerts.slice(0, 1).map(({ contactPoint }) => checkContactPoint(read, contactPoint, stack)),
    checkDatasources(read, args.datasources),
    checkFolder(read, { isCreated: managedResources === "all", isFilled: managed.length > 0 }, folder, stack),
    ...managed.map((definition) => checkDashboard(read, definition, folder.uid)),
    ...alerts.flatMap(({ rules }) => rules.map(({ title }) => checkRules(read, folder.uid, title))),
  ]);
  const findings = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  // Failed requests usually have the same cause, so the first error stands for all of them.
  const failed = settled.find((result) => result.status === "rejected");
  if (failed) findings.unshift(findingOf(failed.reason));
  for (const { warning } of findings) if (warning) await pulumi.log.warn(warning);
  const marked = findings.flatMap(({ marked = [] }) => marked);
  const managedByOthers = (owner: string) => marked.filter(({ manager }) => isForeign(manager, owner));
  const foreign = managedByOthers(qualifiedStack());
  await refuse([...findings.flatMap(({ problem = [] }) => problem), ...problems.managedByOtherStacks(foreign, stack)]);
  const confirmOwner = async (owner: string) => {
    const others = managedByOthers(owner).filter((each) => !foreign.includes(each));
    await refuse(problems.managedByOtherStacks(others, stack));
    return owner;
  };
  return { found: findings.flatMap(({ found = [] }) => found), confirmOwner };
}

/** A failed request as a problem, or as a warning if a preview can continue without the response. */
function findingOf(error: unknown): Finding {
  if (error instanceof UnexpectedResponse) return { problem: error.message };
  if (!(error instanceof GrafanaUnreachable)) throw error;
  return pulumi.runtime.isDryRun()
    ? { warning: `${error.message}. This preview does not check uids and titles.` }
    : { problem: `${error.message}. Check grafanaUrl, and the network between this machine and Grafana.` };
}

/** Grafana can hide its release. */
async function checkRelease(read: Read, recordsInGrafana: boolean, stack: string): Promise<Finding> {
  const { body } = await read("/api/health");
  return { problem: problems.releaseProblem((body as { version?: string }).version, recordsInGrafana, stack) };
}

/** With an unknown contact point, the plugin repeats its request for two minutes. Without one, alerts can notify nobody. */
async function checkContactPoint(read: Read, name: string | undefined, stack: string): Promise<Finding> {
  const path = "/api/v1/provisioning/contact-points";
  const paths = [path, name === undefined ? "/api/v1/provisioning/policies" : `${path}?name=${encodeURIComponent(name)}`];
  // Without the permission to list contact points, and in the first minute of an organization, there is no list.
  const [all, asked] = await Promise.all(paths.map((path) => read(path, [403, 404, 500])));
  if (all?.status !== 200 || asked?.status !== 200) return { warning: name && problems.uncheckedContactPoint(name) };
  const existing = all.body as problems.ExistingContactPoint[];
  if (name === undefined) return { warning: problems.unnotified(asked.body as problems.NotificationPolicies, existing, stack) };
  return (asked.body as unknown[]).length > 0 ? {} : { problem: problems.missingContactPoint(name, existing, stack) };
}

/** Grafana would refuse a group whose name is taken, after other resources were created. */
async function checkRules(read: Read, folderUid: string, title: string): Promise<Finding> {
  const path = `/api/v1/provisioning/folder/${folderUid}/rule-groups/${encodeURIComponent(title)}`;
  // Without the role Admin, Grafana answers 403 for a folder that does not exist yet.
  const { status, body } = await read(path, [403, 404]);
  if (status !== 200) return {};
  const problem = problems.unmanagedRules(folderUid, title, (body as { rules: problems.ExistingRule[] }).rules);
  return problem ? { problem } : { found: [{ id: `${folderUid}:${title}`, what: "alert rules" }] };
}

async function checkDatasources(read: Read, datasources: PreflightArgs["datasources"]): Promise<Finding> {
  const all = datasourceTypes.map((type) => ({ ...datasources[type], type }));
  const referred = all.filter(({ url }) => url === undefined);
  // A token that can create datasources need not be able to list them.
  const { status, body } = await read("/api/datasources", referred.length === 0 ? [403] : []);
  const existing = status === 200 ? (body as problems.ExistingDatasource[]) : [];
  const found = all.filter(({ uid, url }) => url !== undefined && existing.some((each) => each.uid === uid));
  return {
    problem: problems.missingDatasources(referred, existing),
    found: found.map(({ uid }) => ({ id: uid, what: `datasource ${uid}` })),
  };
}

async function checkFolder(
  read: Read,
  { isCreated, isFilled }: { isCreated: boolean; isFilled: boolean },
  { uid, parentUid }: PreflightArgs["folder"],
  stack: string,
): Promise<Finding> {
  const readFolder = async (one: string) => {
    // Without the role Admin, Grafana answers alike for a missing folder and for one that may not be read. The stack can use neither.
    const { status, body } = await read(`/api/folders/${one}`, [403, 404]);
    return status === 200 ? (body as problems.ExistingFolder) : undefined;
  };
  const folder = await readFolder(uid);
  if (folder && isFilled && problems.isSynced(folder)) return { problem: problems.syncedFolder(uid, stack) };
  if (!isCreated) return { problem: folder ? undefined : problems.missingFolder("folderUid", uid, stack) };
  const lacksParent = parentUid !== undefined && !(await readFolder(parentUid));
  return {
    problem: lacksParent ? problems.missingFolder("folderParentUid", parentUid, stack) : undefined,
    found: folder ? [{ id: uid, what: `folder ${uid}` }] : [],
  };
}

async function checkDashboard(read: Read, dashboard: DashboardDefinition, folderUid: string): Promise<Finding> {
  const { uid, title } = dashboard;
  const [model, search] = await Promise.all([
    readModel(read, uid),
    read(`/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(title)}`),
  ]);
  const manager = managerOf(model);
  const marked = manager === undefined ? undefined : { dashboard, manager };
  if (manager && isForeign(manager, qualifiedStack())) return { marked };
  const found = model ? [{ id: uid, what: `dashboard "${title}" (${uid})` }] : [];
  const other = problems.sameTitle(dashboard, folderUid, search.body as problems.ExistingDashboard[]);
  // A dashboard of this stack that gets a new uid is deleted before it is created again.
  const isOwn = other && nameOf(managerOf(await readModel(read, other.uid)) ?? "") === qualifiedStack();
  return { problem: other && !isOwn ? problems.takenTitle(dashboard, folderUid, other) : undefined, found, marked };
}

/** The model of a dashboard; undefined if it does not exist, which some releases answer with 403 without the role Admin. */
async function readModel(read: Read, uid: string): Promise<{ description?: unknown } | undefined> {
  const { status, body } = await read(`/api/dashboards/uid/${encodeURIComponent(uid)}`, [403, 404]);
  return status === 200 ? (body as { dashboard: { description?: unknown } }).dashboard : undefined;
}

/** The value of an output that depends only on the config. */
export const plainValue = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply((value) => resolve(value as T)));
