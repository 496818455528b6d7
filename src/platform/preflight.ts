/**
 * Checks Grafana before any resource is declared, for problems that the resources report late, unclearly or not at all: the release, the
 * missing datasources, folders and contact points, dashboards of other stacks, alert rules of others. Only reads.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type GrafanaAccess, type GrafanaResponse, GrafanaUnreachable, readGrafana, UnexpectedResponse } from "../network/grafana";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { userError } from "../text/user-error";
import { isManaged, type ManagedResources } from "./dashboard";
import { datasourceName } from "./datasources";
import { datasourceOwner, isForeign, isNew, managerOf, ownerOf, qualifiedStack } from "./ownership";
import * as problems from "./problems";
import { warnVariable } from "./warn-variable";

export interface PreflightArgs {
  grafana: {
    url: pulumi.Input<string>;
    auth: pulumi.Input<string>;
    caCert?: pulumi.Input<string> | undefined;
    managedResources?: ManagedResources | undefined;
  };
  /** Those with an address are created, if the stack manages them. The others exist. `namePrefix`: see `DatasourcesArgs`. */
  datasources: Readonly<Record<DatasourceType, { uid: string; url?: string | undefined }>> & { namePrefix?: string | undefined };
  folder: { uid: string; parentUid?: string | undefined };
  /** Of these, the ones that the stack manages are checked. */
  definitions: readonly DashboardDefinition[];
  /** Whether Grafana evaluates recording rules. */
  recordsInGrafana?: boolean | undefined;
  /** The alert rules that the stack creates. */
  alerts?: readonly Pick<Alerts, "rules" | "contactPoint">[] | undefined;
}

/** The result of one check. */
interface Finding {
  problem?: string | undefined;
  warning?: string | undefined;
  found?: problems.FoundResource[];
  marked?: problems.MarkedDashboard | undefined;
  /** A dashboard with a planned uid and without a mark: a person's, unless the stack has just imported it. */
  unmarked?: string | undefined;
  /** A dashboard with a planned title, and the owner in its mark. */
  titled?: { problem: string; manager: string | undefined } | undefined;
  /** Existing datasources that the stack refers to, and that a stack of this program created. */
  referred?: problems.OwnedDatasource[];
}

/** Sends a GET request. The response has the status 200 or one of `statuses`. @throws GrafanaUnreachable, UnexpectedResponse */
type Read = (path: string, statuses?: readonly number[]) => Promise<GrafanaResponse>;

/**
 * Runs all checks at once, and ends a preview or an update with all problems in one message. If Grafana is unreachable, a preview continues with a
 * warning. If the address or the token is the output of a resource that does not exist yet, a preview says that it checks nothing.
 *
 * @param provider the provider of the resources. Its id identifies the stack.
 * @throws pulumi.RunError with all problems; the engine shows it without a stack trace
 */
export async function preflight(
  provider: pulumi.ProviderResource,
  { grafana: { url, auth, caCert, managedResources = "all" }, ...args }: PreflightArgs,
): Promise<void> {
  let findings: Promise<Finding[]> | undefined;
  pulumi.all([url, auth, caCert]).apply(([url, auth, caCert]) => {
    findings = runChecks({ url, auth, caCert }, managedResources, args);
  });
  // The provider needs the same values: once it is registered, they are known or stay unknown.
  const id = await new Promise<string>((resolve) => pulumi.all([provider.urn, provider.id]).apply(([, id]) => resolve(id)));
  if (!findings) return pulumi.log.info(unchecked);
  const { problems: found, warnings, infos } = judge(await findings, ownerOf(qualifiedStack(), id), isNew(id));
  for (const warning of warnings) await pulumi.log.warn(warning);
  if (pulumi.runtime.isDryRun()) for (const info of infos) await pulumi.log.info(info);
  if (found.length === 0) return;
  if (!process.env[warnVariable]) throw userError(found.join("\n\n"));
  await pulumi.log.warn(found.join("\n\n"));
}

const unchecked = "The address or the token of Grafana is not known yet: this preview does not check uids, titles and owners in Grafana.";

async function runChecks(
  access: GrafanaAccess,
  managedResources: ManagedResources,
  { definitions, folder, alerts = [], datasources, recordsInGrafana = false }: Omit<PreflightArgs, "grafana">,
): Promise<Finding[]> {
  const stack = pulumi.getStack();
  const read: Read = (path, statuses) => readGrafana(access, path, statuses);
  const managed = definitions.filter((definition) => isManaged(definition, managedResources));
  const settled = await Promise.allSettled([
    checkRelease(read, recordsInGrafana, stack),
    ...alerts.slice(0, 1).map(({ contactPoint }) => checkContactPoint(read, contactPoint, stack)),
    checkDatasources(read, datasources, stack),
    checkFolder(read, { isCreated: managedResources === "all", isFilled: managed.length > 0 }, folder, stack),
    ...managed.map((definition) => checkDashboard(read, definition, folder.uid)),
    ...alerts.flatMap(({ rules }) => rules.map(({ title }) => checkRules(read, folder.uid, title))),
  ]);
  const findings = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  // Failed requests usually have the same cause, so the first error stands for all of them.
  const failed = settled.find((result) => result.status === "rejected");
  return failed ? [findingOf(failed.reason), ...findings] : findings;
}

/**
 * What the findings mean for a stack.
 *
 * @param isNew whether the provider is not in the state: the stack has created nothing
 */
function judge(findings: readonly Finding[], owner: string, isNew: boolean) {
  const stack = pulumi.getStack();
  const isOthers = (manager: string | undefined) => manager === undefined || isForeign(manager, owner);
  const all = <T>(of: (finding: Finding) => T | readonly T[] | undefined) => findings.flatMap((finding) => of(finding) ?? []) as T[];
  const referred = all(({ referred }) => referred);
  const own = referred.filter(({ manager }) => !isOthers(manager));
  const others = referred.filter(({ manager }) => isOthers(manager));
  const found = isNew ? all(({ found }) => found) : [];
  const unmarked = isNew ? [] : all(({ unmarked }) => unmarked);
  const marked = all(({ marked }) => marked).filter(({ manager }) => isOthers(manager));
  const titled = all(({ titled }) => titled).filter(({ manager }) => isOthers(manager));
  return {
    problems: [
      ...all(({ problem }) => problem),
      ...problems.managedByOtherStacks(marked, owner, stack),
      ...titled.map(({ problem }) => problem),
      ...problems.handedOver(own, stack),
      ...(found.length > 0 ? [problems.describeExisting(found, stack)] : []),
    ],
    warnings: [...all(({ warning }) => warning), ...(unmarked.length > 0 ? [problems.unmarkedDashboards(unmarked, stack)] : [])],
    infos: others.length > 0 ? [problems.datasourcesOfOthers(others)] : [],
  };
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
  return problem ? { problem } : { found: [{ what: "alert rules" }] };
}

async function checkDatasources(read: Read, datasources: PreflightArgs["datasources"], stack: string): Promise<Finding> {
  const all = datasourceTypes.map((type) => ({ ...datasources[type], type, name: datasourceName(type, datasources.namePrefix) }));
  const referred = all.filter(({ url }) => url === undefined);
  const created = all.filter(({ url }) => url !== undefined);
  // A token that can create datasources need not be able to list them.
  const { status, body } = await read("/api/datasources", referred.length === 0 ? [403] : []);
  const existing = status === 200 ? (body as problems.ExistingDatasource[]) : [];
  const found = created.filter(({ uid }) => existing.some((each) => each.uid === uid));
  return {
    problem: problems.missingDatasources(referred, existing, stack) ?? problems.takenNames(created, existing, stack),
    found: found.map(({ uid }) => ({ what: `datasource ${uid}` })),
    referred: referred.flatMap(({ uid, type }) => {
      const manager = datasourceOwner(existing.find((each) => each.uid === uid)?.jsonData);
      return manager === undefined ? [] : [{ type, uid, manager }];
    }),
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
    found: folder ? [{ what: `folder ${uid}` }] : [],
  };
}

async function checkDashboard(read: Read, dashboard: DashboardDefinition, folderUid: string): Promise<Finding> {
  const { uid, title } = dashboard;
  const [model, search] = await Promise.all([
    readModel(read, uid),
    read(`/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(title)}`),
  ]);
  const manager = managerOf(model);
  const other = problems.sameTitle(dashboard, folderUid, search.body as problems.ExistingDashboard[]);
  return {
    marked: manager === undefined ? undefined : { dashboard, manager },
    unmarked: model && manager === undefined ? `"${title}" (${uid})` : undefined,
    found: model ? [{ what: `dashboard "${title}" (${uid})` }] : [],
    // A dashboard of this stack that gets a new uid is deleted before it is created again.
    titled: other && { problem: problems.takenTitle(dashboard, folderUid, other), manager: managerOf(await readModel(read, other.uid)) },
  };
}

/** The model of a dashboard; undefined if it does not exist, which some releases answer with 403 without the role Admin. */
async function readModel(read: Read, uid: string): Promise<{ description?: unknown } | undefined> {
  const { status, body } = await read(`/api/dashboards/uid/${encodeURIComponent(uid)}`, [403, 404]);
  return status === 200 ? (body as { dashboard: { description?: unknown } }).dashboard : undefined;
}
