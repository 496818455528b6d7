/**
 * Checks Grafana before any resource is declared, for problems that the resources report late, unclearly or not at all: the release, the
 * missing datasources, folders and contact points, dashboards of other stacks, alert rules of others. Only reads.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type GrafanaAccess, GrafanaUnreachable, readGrafana, UnexpectedResponse } from "../network/grafana";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { isManaged, type ManagedResources } from "./dashboard";
import { isForeign, managerOf, nameOf, qualifiedStack } from "./ownership";
import {
  type DatasourceReference,
  describeTitleClash,
  type ExistingContactPoint,
  type ExistingDashboard,
  type ExistingDatasource,
  type ExistingRule,
  type FoundResource,
  foreignRules,
  type MarkedDashboard,
  managedByOtherStacks,
  missingContactPoint,
  missingDatasources,
  missingFolder,
  missingParent,
  type NotificationPolicies,
  type PlannedDashboard,
  type StackNames,
  takenDatasourceNames,
  titleClash,
  uncheckedContactPoint,
  unnotified,
  usualContactPoint,
} from "./problems";
import { refuse } from "./refusal";
import { releaseProblem } from "./release";

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
  found: readonly FoundResource[];
  /** Refuses a deployment if other stacks than this owner manage dashboards. */
  confirmOwner(owner: string): Promise<string>;
}

/** The result of one check. */
interface Finding {
  problem?: string | undefined;
  warnings?: string[];
  found?: FoundResource[];
  marked?: MarkedDashboard | undefined;
}

/**
 * Runs all checks at once, and refuses a deployment with all problems. If Grafana is unreachable, a preview continues with a warning.
 *
 * @param pause before Grafana is asked again, in milliseconds
 */
export async function preflight(args: PreflightArgs, pause = 5_000): Promise<GrafanaFacts> {
  const { url, auth, caCert, managedResources = "all" } = args.grafana;
  const { definitions, alerts = [] } = args;
  const access = { url, auth: await plainValue(auth), caCert };
  const names = { stack: pulumi.getStack(), qualified: qualifiedStack() };
  const settled = await Promise.allSettled([
    checkRelease(access, args, names),
    checkContactPoint(access, alerts[0]?.contactPoint, names, pause),
    ...(alerts[0] && alerts[0].contactPoint === undefined ? [checkNotified(access, names)] : []),
    checkDatasources(access, args.datasources, names),
    checkFolder(access, managedResources === "all", args.folder, names),
    ...definitions
      .filter((definition) => isManaged(definition, managedResources))
      .map((definition) => checkDashboard(access, definition, args.folder.uid, names)),
    ...alerts.flatMap(({ rules }) => rules.map(({ title }) => checkRules(access, args.folder.uid, title))),
  ]);
  const findings = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  // Failed requests usually have the same cause, so the first error stands for all of them.
  const failed = settled.find((result) => result.status === "rejected");
  if (failed) findings.unshift(findingOf(failed.reason));
  for (const warning of findings.flatMap(({ warnings = [] }) => warnings)) await pulumi.log.warn(warning);
  const marked = findings.flatMap(({ marked = [] }) => marked);
  const managedByOthers = (owner: string) => marked.filter(({ manager }) => isForeign(manager, owner));
  const foreign = managedByOthers(names.qualified);
  await refuse([...findings.flatMap(({ problem }) => problem ?? []), ...managedByOtherStacks(foreign, names.stack)]);
  const confirmOwner = async (owner: string) => {
    const others = managedByOthers(owner).filter((each) => !foreign.includes(each));
    await refuse(managedByOtherStacks(others, names.stack));
    return owner;
  };
  return { found: findings.flatMap(({ found = [] }) => found), confirmOwner };
}

/** A failed request as a problem, or as a warning if a preview can continue without the response. */
function findingOf(error: unknown): Finding {
  if (error instanceof UnexpectedResponse) return { problem: error.message };
  if (!(error instanceof GrafanaUnreachable)) throw error;
  return pulumi.runtime.isDryRun()
    ? { warnings: [`${error.message}. This preview does not check uids and titles.`] }
    : { problem: `${error.message}. Check grafanaUrl, and the network between this machine and Grafana.` };
}

/** Grafana can hide its release. */
async function checkRelease(access: GrafanaAccess, { recordsInGrafana = false }: PreflightArgs, { stack }: StackNames): Promise<Finding> {
  const { body } = await readGrafana(access, "/api/health");
  return { problem: releaseProblem((body as { version?: string }).version, recordsInGrafana, stack) };
}

const contactPoints = "/api/v1/provisioning/contact-points";

/** With an unknown contact point, the plugin repeats its request for two minutes. */
async function checkContactPoint(access: GrafanaAccess, name: string | undefined, { stack }: StackNames, pause: number): Promise<Finding> {
  if (name === undefined) return {};
  const named = (receiver: string) => readGrafana(access, `${contactPoints}?name=${encodeURIComponent(receiver)}`, [403]);
  const { status, body } = await afterFirstMinute(() => named(name), pause);
  // A token that can write rules need not be able to list contact points.
  if (status === 403) return { warnings: [uncheckedContactPoint(name)] };
  if ((body as ExistingContactPoint[]).length > 0) return {};
  const [all, usual] = await Promise.all([readGrafana(access, contactPoints), named(usualContactPoint)]);
  return {
    problem: missingContactPoint(name, all.body as ExistingContactPoint[], (usual.body as ExistingContactPoint[]).length > 0, stack),
  };
}

/** Only for a warning: a token without the permission, and an organization without a configuration, which Grafana makes within a minute, get none. */
async function checkNotified(access: GrafanaAccess, { stack }: StackNames): Promise<Finding> {
  const [policies, all] = await Promise.all(
    ["/api/v1/provisioning/policies", contactPoints].map((path) => readGrafana(access, path, [403, 404, 500])),
  );
  if (policies?.status !== 200 || all?.status !== 200) return {};
  const warning = unnotified(policies.body as NotificationPolicies, all.body as ExistingContactPoint[], stack);
  return { warnings: warning ? [warning] : [] };
}

/** Repeats a request while Grafana has not configured alerting in a new organization, which it does once a minute. */
async function afterFirstMinute<T>(request: () => Promise<T>, pause: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (attempt > 18 || !/: no alertmanager configuration present/i.test((error as Error).message)) throw error;
      if (attempt === 1) await pulumi.log.info("Waiting up to 90 s for Grafana to configure alerting in this organization");
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
}

/** Grafana would refuse a group whose name is taken, after other resources were created. */
async function checkRules(access: GrafanaAccess, folderUid: string, title: string): Promise<Finding> {
  const path = `/api/v1/provisioning/folder/${folderUid}/rule-groups/${encodeURIComponent(title)}`;
  // Without the role Admin, Grafana answers 403 for a folder that does not exist yet.
  const { status, body } = await readGrafana(access, path, [403, 404]);
  if (status !== 200) return {};
  const problem = foreignRules(folderUid, title, (body as { rules: ExistingRule[] }).rules);
  return problem ? { problem } : { found: [{ id: `${folderUid}:${title}`, what: "alert rules" }] };
}

async function checkDatasources(access: GrafanaAccess, datasources: PreflightArgs["datasources"], { stack }: StackNames): Promise<Finding> {
  const all = datasourceTypes.map((type): DatasourceReference & { url?: string | undefined } => ({ ...datasources[type], type }));
  const [created, referred] = [all.filter(({ url }) => url !== undefined), all.filter(({ url }) => url === undefined)];
  // A taken name is only a warning: without the permission to list datasources, Grafana refuses the name later.
  const { status, body } = await readGrafana(access, "/api/datasources", referred.length === 0 ? [403] : []);
  const existing = status === 200 ? (body as ExistingDatasource[]) : [];
  const found = created
    .filter(({ uid }) => existing.some((each) => each.uid === uid))
    .map(({ uid }) => ({ id: uid, what: `datasource ${uid}` }));
  // A datasource of this stack that gets a new uid looks the same.
  const own = "\n  Ignore this warning if this stack manages that datasource.";
  const warnings = takenDatasourceNames(created, existing, stack).map((taken) => taken + own);
  return { problem: missingDatasources(referred, existing), warnings, found };
}

async function checkFolder(
  access: GrafanaAccess,
  created: boolean,
  { uid, parentUid }: PreflightArgs["folder"],
  { stack }: StackNames,
): Promise<Finding> {
  // Without the role Admin, Grafana answers alike for a missing folder and for one that may not be read. The stack can use neither.
  const exists = async (one: string) => (await readGrafana(access, `/api/folders/${one}`, [403, 404])).status === 200;
  const found = (await exists(uid)) ? [{ id: uid, what: `folder ${uid}` }] : [];
  if (!created) return found.length > 0 ? {} : { problem: missingFolder(uid, stack) };
  return { found, problem: parentUid && !(await exists(parentUid)) ? missingParent(parentUid, stack) : undefined };
}

async function checkDashboard(access: GrafanaAccess, dashboard: PlannedDashboard, folderUid: string, names: StackNames): Promise<Finding> {
  const [model, search] = await Promise.all([
    readModel(access, dashboard.uid),
    readGrafana(access, `/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(dashboard.title)}`),
  ]);
  const manager = managerOf(model);
  const marked = manager === undefined ? undefined : { dashboard, manager };
  if (marked && isForeign(marked.manager, names.qualified)) return { marked };
  const found = model ? [{ id: dashboard.uid, what: `dashboard "${dashboard.title}" (${dashboard.uid})` }] : [];
  const clash = titleClash(dashboard, folderUid, search.body as ExistingDashboard[]);
  // A dashboard of this stack that gets a new uid is deleted before it is created again.
  const isOwn = clash && nameOf(managerOf(await readModel(access, clash.uid)) ?? "") === names.qualified;
  return { problem: clash && !isOwn ? describeTitleClash(dashboard, folderUid, clash) : undefined, found, marked };
}

/** The model of a dashboard; undefined if it does not exist, which some releases answer with 403 without the role Admin. */
async function readModel(access: GrafanaAccess, uid: string): Promise<{ description?: unknown } | undefined> {
  const { status, body } = await readGrafana(access, `/api/dashboards/uid/${encodeURIComponent(uid)}`, [403, 404]);
  return status === 200 ? (body as { dashboard: { description?: unknown } }).dashboard : undefined;
}

/** The value of an output that depends only on the config. */
export const plainValue = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply((value) => resolve(value as T)));
