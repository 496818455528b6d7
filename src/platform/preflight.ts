/**
 * Checks Grafana before any resource is declared, for problems that the resources report late, unclearly or not at all: the release, the
 * missing datasources, folders and contact points, dashboards of other stacks, alert rules of others. Only reads.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type GrafanaResponse, GrafanaUnreachable, readGrafana, UnexpectedResponse } from "../network/grafana";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { userError } from "../text/user-error";
import { isManaged, type ManagedResources } from "./dashboard";
import { datasourceName } from "./datasources";
import { datasourceOwner, holderOf, isNew, managerOf, ownerOf, qualifiedStack } from "./ownership";
import * as problems from "./problems";
import { warnVariable } from "./warn-variable";

type Text = pulumi.Input<string>;

export interface PreflightArgs {
  grafana: { url: Text; auth: Text; caCert?: Text | undefined; managedResources?: ManagedResources | undefined };
  /** Those with an address are created, if the stack manages them. The others exist. `namePrefix`: see `DatasourcesArgs`. */
  datasources: Readonly<Record<DatasourceType, { uid: string; url?: string | undefined }>> & { namePrefix?: string | undefined };
  folder: { uid: string; parentUid?: string | undefined };
  /** Of these, the ones that the stack manages are checked. */
  definitions: readonly DashboardDefinition[];
  /** Whether Grafana evaluates the recording rules of the dashboards, if the stack manages them. */
  recordsInGrafana?: boolean | undefined;
  /** The alert rules that the stack creates. */
  alerts?: readonly Pick<Alerts, "rules" | "contactPoint">[] | undefined;
}

interface Context {
  /** Sends a GET request. The response has the status 200 or one of `statuses`. @throws GrafanaUnreachable, UnexpectedResponse */
  read(path: string, statuses?: readonly number[]): Promise<GrafanaResponse>;
  stack: string;
  /** Known once the provider is registered, which takes longer than the requests. */
  identity: Promise<Identity>;
}

/** `isNew`: the provider is not in the state, so the stack has created nothing. */
type Identity = { owner: string; isNew: boolean };

interface Findings {
  problems?: (string | undefined)[];
  warnings?: (string | undefined)[];
  infos?: string[];
  /** Resources with the uids of those that the stack creates. */
  existing?: string[];
  /** Dashboards of other stacks. */
  foreign?: problems.MarkedDashboard[];
  /** Dashboards without a mark: a person's, unless the stack has just imported them. */
  unmarked?: string[];
}

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
  const stack = pulumi.getStack();
  const known: { findings?: Promise<Findings[]>; id?: string } = {};
  provider.id.apply((id) => {
    known.id = id;
  });
  // The provider needs the address and the token: once it is registered, and the callbacks of outputs have run, what is not known stays unknown.
  const registered = new Promise((resolve) => provider.urn.apply(() => setImmediate(resolve)));
  const identity = registered.then(() => ({ owner: ownerOf(qualifiedStack(), known.id), isNew: isNew(known.id) }));
  pulumi.all([url, auth, caCert]).apply(([url, auth, caCert]) => {
    const read: Context["read"] = (path, statuses) => readGrafana({ url, auth, caCert }, path, statuses);
    known.findings = runChecks({ read, stack, identity }, managedResources, args);
  });
  await registered;
  if (!known.findings) return pulumi.log.warn(unchecked);
  const [findings, { owner, isNew: isFirst }] = await Promise.all([known.findings, identity]);
  const all = <T>(of: (finding: Findings) => readonly (T | undefined)[] | undefined) =>
    findings.flatMap((finding) => of(finding) ?? []).filter((each) => each !== undefined);
  const existing = isFirst ? all(({ existing }) => existing) : [];
  const unmarked = isFirst ? [] : all(({ unmarked }) => unmarked);
  const foreign = all(({ foreign }) => foreign);
  const found = [...all(({ problems }) => problems), ...problems.managedByOtherStacks(foreign, owner, stack)];
  if (existing.length > 0) found.push(problems.describeExisting(existing, stack));
  const warnings = all(({ warnings }) => warnings);
  if (unmarked.length > 0) warnings.push(problems.unmarkedDashboards(unmarked, stack));
  for (const warning of warnings) await pulumi.log.warn(warning);
  if (pulumi.runtime.isDryRun()) for (const info of all(({ infos }) => infos)) await pulumi.log.info(info);
  if (found.length === 0) return;
  if (process.env[warnVariable] !== "warn") throw userError(found.join("\n\n"));
  await pulumi.log.warn(found.join("\n\n"));
}

const unchecked = "The address or the token of Grafana is not known yet: this preview does not check uids, titles and owners in Grafana.";

async function runChecks(
  context: Context,
  managedResources: ManagedResources,
  { definitions, folder, alerts = [], datasources, recordsInGrafana = false }: Omit<PreflightArgs, "grafana">,
): Promise<Findings[]> {
  const managed = definitions.filter((definition) => isManaged(definition, managedResources));
  const recorded = definitions.filter(({ sdk }) => sdk && sdk.rules.length > 0);
  const settled = await Promise.allSettled([
    checkRelease(context, recordsInGrafana && managedResources === "all" ? recorded : [], datasources.prometheus),
    ...[...new Set(alerts.map(({ contactPoint }) => contactPoint))].map((name) => checkContactPoint(context, name)),
    checkDatasources(context, datasources),
    checkFolder(context, { isCreated: managedResources === "all", isFilled: managed.length > 0 }, folder),
    ...managed.map((definition) => checkDashboard(context, definition, folder.uid)),
    ...alerts.flatMap(({ rules }) => rules.map(({ title }) => checkRules(context, folder.uid, title))),
  ]);
  const findings = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  // Failed requests usually have the same cause, so the first error stands for all of them.
  const failed = settled.find((result) => result.status === "rejected");
  return failed ? [findingsOf(failed.reason), ...findings] : findings;
}

/** A failed request as a problem, or as a warning if a preview can continue without the response. */
function findingsOf(error: unknown): Findings {
  if (error instanceof UnexpectedResponse) return { problems: [error.message] };
  if (!(error instanceof GrafanaUnreachable)) throw error;
  return pulumi.runtime.isDryRun()
    ? { warnings: [`${error.message}. This preview does not check uids and titles.`] }
    : { problems: [`${error.message}. Check grafanaUrl, the network between this machine and Grafana, and its log.`] };
}

/**
 * Whether this program and its recording rules can use this Grafana, which can hide its release.
 *
 * @param recorded the dashboards that read what Grafana is to record
 */
async function checkRelease(
  { read, stack }: Context,
  recorded: readonly DashboardDefinition[],
  { uid, url }: PreflightArgs["datasources"]["prometheus"],
): Promise<Findings> {
  const [health, page] = await Promise.all([read("/api/health"), recorded.length > 0 ? read("/api/frontend/settings") : undefined]);
  const old = problems.oldRelease((health.body as { version?: string }).version);
  if (old !== undefined || !page) return { problems: [old] };
  // What the stack creates has a type.
  return { problems: [problems.cannotRecord(page.body as problems.PageSettings, recorded, url === undefined ? uid : undefined, stack)] };
}

/** With an unknown contact point, the plugin repeats its request for two minutes. Without one, alerts can notify nobody. */
async function checkContactPoint({ read, stack }: Context, name: string | undefined): Promise<Findings> {
  const path = "/api/v1/provisioning/contact-points";
  const paths = [path, name === undefined ? "/api/v1/provisioning/policies" : `${path}?name=${encodeURIComponent(name)}`];
  // Without the permission to list contact points, and in the first minute of an organization, there is no list.
  const [all, asked] = await Promise.all(paths.map((path) => read(path, [403, 404, 500])));
  if (all?.status !== 200 || asked?.status !== 200) return { warnings: name === undefined ? [] : [problems.uncheckedContactPoint(name)] };
  const existing = all.body as problems.ExistingContactPoint[];
  if (name === undefined) return { warnings: [problems.unnotified(asked.body as problems.NotificationPolicies, existing, stack)] };
  return (asked.body as unknown[]).length > 0 ? {} : { problems: [problems.missingContactPoint(name, existing, stack)] };
}

/** Grafana would refuse a group whose name is taken, after other resources were created. */
async function checkRules({ read }: Context, folderUid: string, title: string): Promise<Findings> {
  const path = `/api/v1/provisioning/folder/${folderUid}/rule-groups/${encodeURIComponent(title)}`;
  // Without the role Admin, Grafana answers 403 for a folder that does not exist yet.
  const { status, body } = await read(path, [403, 404]);
  if (status !== 200) return {};
  const problem = problems.unmanagedRules(folderUid, title, (body as { rules: problems.ExistingRule[] }).rules);
  return problem ? { problems: [problem] } : { existing: ["alert rules"] };
}

async function checkDatasources({ read, stack, identity }: Context, datasources: PreflightArgs["datasources"]): Promise<Findings> {
  const all = datasourceTypes.map((type) => ({ ...datasources[type], type, name: datasourceName(type, datasources.namePrefix) }));
  const referred = all.filter(({ url }) => url === undefined);
  const created = all.filter(({ url }) => url !== undefined);
  // A token that can create datasources need not be able to list them.
  const { status, body } = await read("/api/datasources", referred.length === 0 ? [403] : []);
  const { owner, isNew } = await identity;
  const existing = (status === 200 ? (body as problems.ExistingDatasource[]) : []).map((each) => {
    const manager = datasourceOwner(each.jsonData);
    return { ...each, manager, holder: holderOf(manager, owner) };
  });
  const usedOf = (wanted: string) => existing.filter(({ uid, holder }) => holder === wanted && referred.some((each) => each.uid === uid));
  const [own, others] = [usedOf("this stack"), usedOf("another stack")];
  // Grafana refuses a taken name, too. One that the stack may have created is no problem: its uid may change.
  const isOfOthers = (holder: string) => holder === "another stack" || (holder === "nobody" && isNew);
  const taken = existing.filter(
    ({ uid, name, holder }) => isOfOthers(holder) && created.some((planned) => planned.name === name && planned.uid !== uid),
  );
  return {
    problems: [
      problems.missingDatasources(referred, existing, stack),
      taken.length > 0 ? problems.takenNames(taken, stack) : undefined,
      own.length > 0 ? problems.handedOver(own, stack) : undefined,
    ],
    infos: others.length > 0 ? [problems.datasourcesOfOthers(others)] : [],
    existing: created.filter(({ uid }) => existing.some((each) => each.uid === uid)).map(({ uid }) => `datasource ${uid}`),
  };
}

async function checkFolder(
  { read, stack }: Context,
  { isCreated, isFilled }: { isCreated: boolean; isFilled: boolean },
  { uid, parentUid }: PreflightArgs["folder"],
): Promise<Findings> {
  const readFolder = async (one: string) => {
    // Without the role Admin, Grafana answers alike for a missing folder and for one that may not be read. The stack can use neither.
    const { status, body } = await read(`/api/folders/${one}`, [403, 404]);
    return status === 200 ? (body as problems.ExistingFolder) : undefined;
  };
  const folder = await readFolder(uid);
  if (folder && isFilled && problems.isSynced(folder)) return { problems: [problems.syncedFolder(uid, stack)] };
  if (!isCreated) return { problems: [folder ? undefined : problems.missingFolder("folderUid", uid, stack)] };
  const lacksParent = parentUid !== undefined && !(await readFolder(parentUid));
  return {
    problems: [lacksParent ? problems.missingFolder("folderParentUid", parentUid, stack) : undefined],
    existing: folder ? [`folder ${uid}`] : [],
  };
}

async function checkDashboard({ read, identity }: Context, dashboard: DashboardDefinition, folderUid: string): Promise<Findings> {
  const { uid, title } = dashboard;
  // Some releases answer 403 for a missing dashboard without the role Admin.
  const readHolder = async (one: string) => {
    const { status, body } = await read(`/api/dashboards/uid/${encodeURIComponent(one)}`, [403, 404]);
    const manager = status === 200 ? managerOf((body as { dashboard: object }).dashboard) : undefined;
    return { exists: status === 200, manager, holder: holderOf(manager, (await identity).owner) };
  };
  const [{ exists, manager = "", holder }, search] = await Promise.all([
    readHolder(uid),
    read(`/api/search?type=dash-db&limit=5000&query=${encodeURIComponent(title)}`),
  ]);
  const other = problems.sameTitle(dashboard, folderUid, search.body as problems.ExistingDashboard[]);
  // A dashboard of this stack that gets a new uid is deleted before it is created again.
  const isTaken = other && (await readHolder(other.uid)).holder !== "this stack";
  return {
    problems: [isTaken ? problems.takenTitle(dashboard, folderUid, other) : undefined],
    foreign: holder === "another stack" ? [{ dashboard, manager }] : [],
    unmarked: exists && holder === "nobody" ? [`"${title}" (${uid})`] : [],
    existing: exists ? [`dashboard "${title}" (${uid})`] : [],
  };
}
