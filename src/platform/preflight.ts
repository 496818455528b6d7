/**
 * Checks Grafana before any resource is declared, for problems that the resources report late, unclearly or not at all. Only reads. What it
 * checks is in `problems.ts`.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { GrafanaUnreachable, readGrafana, UnexpectedResponse } from "../network/grafana";
import { userError } from "../text/user-error";
import { isManaged, type ManagedResources } from "./dashboard";
import { isNew, ownerOf, qualifiedStack } from "./ownership";
import * as problems from "./problems";
import { warnVariable } from "./warn-variable";

type Text = pulumi.Input<string>;

export interface PreflightArgs {
  grafana: { url: Text; auth: Text; caCert?: Text | undefined; managedResources?: ManagedResources | undefined };
  /** The stack creates those with an address, if it manages them. The others exist. */
  datasources: problems.PlannedDatasources;
  folder: problems.PlannedFolder;
  /** Only those that the stack manages are checked. */
  definitions: readonly DashboardDefinition[];
  /** Whether Grafana evaluates the recording rules of the dashboards, if the stack manages them. */
  recordsInGrafana?: boolean | undefined;
  /** The alert rules that the stack creates. */
  alerts?: readonly Pick<Alerts, "contactPoint">[] | undefined;
}

/**
 * Runs all checks at once, and ends a preview or an update with all problems in one message. If Grafana is unreachable, a preview continues
 * with a warning. If the address or the token is the output of a resource that does not exist yet, a preview says that it checks nothing.
 *
 * @param provider the provider of the resources. Its id identifies the stack.
 * @throws pulumi.RunError with all problems; the engine shows it without a stack trace
 */
export async function preflight(provider: pulumi.ProviderResource, { grafana, ...args }: PreflightArgs): Promise<void> {
  const stack = pulumi.getStack();
  const known: { findings?: Promise<problems.Findings[]>; id?: string } = {};
  provider.id.apply((id) => {
    known.id = id;
  });
  // The provider needs the address and the token. Once it is registered and callbacks have run, what is not known stays unknown.
  const registered = new Promise((resolve) => provider.urn.apply(() => setImmediate(resolve)));
  const identity = registered.then(() => ({ owner: ownerOf(qualifiedStack(), known.id), isNew: isNew(known.id) }));
  pulumi.all([grafana.url, grafana.auth, grafana.caCert]).apply(([url, auth, caCert]) => {
    const read: problems.Grafana["read"] = (path, statuses) => readGrafana({ url, auth, caCert }, path, statuses);
    const release = read("/api/health").then(({ body }) => (body as { version?: string }).version);
    known.findings = runChecks({ read, stack, release, identity }, grafana.managedResources ?? "all", args);
  });
  await registered;
  if (!known.findings) return pulumi.log.warn(unchecked);
  const [findings, { isNew: isFirst }] = await Promise.all([known.findings, identity]);
  const existing = findings.flatMap(({ existing = [] }) => existing);
  const foreign = findings.flatMap(({ foreign = [] }) => foreign);
  const found = [
    ...findings.flatMap(({ problems = [] }) => problems),
    ...problems.managedByOtherStacks(foreign, stack),
    ...(isFirst ? problems.describeExisting(existing, stack) : []),
  ];
  for (const warning of findings.flatMap(({ warnings = [] }) => warnings)) await pulumi.log.warn(warning);
  for (const info of findings.flatMap(({ infos = [] }) => infos)) if (pulumi.runtime.isDryRun()) await pulumi.log.info(info);
  if (found.length === 0) return;
  if (process.env[warnVariable] !== "warn") throw userError(found.join("\n\n"));
  await pulumi.log.warn(found.join("\n\n"));
}

const unchecked = "The address or the token of Grafana is not known yet: this preview does not check uids, titles and owners in Grafana.";

async function runChecks(
  grafana: problems.Grafana,
  managedResources: ManagedResources,
  { definitions, folder, alerts = [], datasources, recordsInGrafana = false }: Omit<PreflightArgs, "grafana">,
): Promise<problems.Findings[]> {
  const isCreated = managedResources === "all";
  const managed = definitions.filter((definition) => isManaged(definition, managedResources));
  const recorded = definitions.filter(({ sdk }) => isCreated && recordsInGrafana && sdk && sdk.rules.length > 0);
  const { uid, url } = datasources.prometheus;
  const settled = await Promise.allSettled([
    // A datasource that the stack creates says its Prometheus type.
    problems.checkRelease(grafana, recorded, url === undefined ? uid : undefined),
    ...[...new Set(alerts.map(({ contactPoint }) => contactPoint))].map((name) => problems.checkContactPoint(grafana, name)),
    problems.checkDatasources(grafana, datasources, managedResources),
    problems.checkFolder(grafana, { ...folder, isCreated, isFilled: managed.length > 0 }),
    ...managed.map((definition) => problems.checkDashboard(grafana, definition, folder.uid)),
  ]);
  const findings = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  // Failed requests usually have the same cause, so the first error stands for all of them.
  const failed = settled.find((result) => result.status === "rejected");
  return failed ? [findingsOf(failed.reason), ...findings] : findings;
}

/** A failed request as a problem, or as a warning if a preview can continue without the response. */
function findingsOf(error: unknown): problems.Findings {
  if (error instanceof UnexpectedResponse) return { problems: [error.message] };
  if (!(error instanceof GrafanaUnreachable)) throw error;
  return pulumi.runtime.isDryRun()
    ? { warnings: [`${error.message}. This preview does not check uids and titles.`] }
    : { problems: [`${error.message}. Check grafanaUrl, the network between this machine and Grafana, and its log.`] };
}
