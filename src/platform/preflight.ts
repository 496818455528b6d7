/**
 * Checks Grafana before any resource is declared, for problems that the resources report late, unclearly or not at all. Only reads. What it
 * checks is in `requirements.ts` and `existing.ts`.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { GrafanaUnreachable, readGrafana, UnexpectedResponse } from "../network/grafana";
import { visible } from "../text/sanitize";
import { userError } from "../text/user-error";
import { isManaged, type ManagedResources } from "./dashboard";
import { type DatasourcesArgs, hasHeaders } from "./datasources";
import * as resources from "./existing";
import { isNew, ownerOf, qualifiedStack } from "./ownership";
import { checkContactPoint, checkRelease, type Findings, type Grafana } from "./requirements";
import { warnVariable } from "./warn-variable";

type Text = pulumi.Input<string>;

export interface PreflightArgs {
  grafana: { url: Text; auth: Text; caCert?: Text | undefined; managedResources?: ManagedResources | undefined };
  /** The stack creates those with an address, if it manages them. The others exist. */
  datasources: resources.PlannedDatasources & Pick<DatasourcesArgs, "tenant" | "prometheus">;
  folder: resources.PlannedFolder;
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
  const known: { findings?: Promise<Findings[]>; id?: string } = {};
  provider.id.apply((id) => Object.assign(known, { id }));
  // The provider needs the address and the token. Once it is registered and callbacks have run, what is not known stays unknown.
  const registered = new Promise((resolve) => provider.urn.apply(() => setImmediate(resolve)));
  const identity = registered.then(() => ({ owner: ownerOf(qualifiedStack(), known.id), isNew: isNew(known.id) }));
  pulumi.all([grafana.url, grafana.auth, grafana.caCert]).apply(([url, auth, caCert]) => {
    const read: Grafana["read"] = <T>(path: string, absent?: readonly number[]) => readGrafana<T>({ url, auth, caCert }, path, absent);
    const release = read<{ version?: string }>("/api/health").then((health) => health?.version && visible(health.version));
    known.findings = runChecks({ read, stack, release, identity }, grafana.managedResources ?? "all", args);
  });
  await registered;
  if (!known.findings) return pulumi.log.warn(unchecked);
  const [findings, { isNew: isFirst }] = await Promise.all([known.findings, identity]);
  const all = (kind: "problems" | "warnings" | "infos" | "existing" | "unmarked") => findings.flatMap((each) => each[kind] ?? []);
  const foreign = findings.flatMap(({ foreign = [] }) => foreign);
  const found = [
    ...all("problems"),
    ...resources.managedByOtherStacks(foreign, stack),
    ...(isFirst ? resources.describeExisting(all("existing"), foreign, stack) : []),
  ];
  const unmarked = isFirst ? [] : resources.describeUnmarked(all("unmarked"), stack);
  for (const warning of [...all("warnings"), ...unmarked]) await pulumi.log.warn(warning);
  for (const info of all("infos")) if (pulumi.runtime.isDryRun()) await pulumi.log.info(info);
  if (found.length === 0) return;
  if (process.env[warnVariable] !== "warn") throw userError(found.join("\n\n"));
  await pulumi.log.warn(found.join("\n\n"));
}

const unchecked = "The address or the token of Grafana is not known yet: this preview does not check uids, titles and owners in Grafana.";

async function runChecks(grafana: Grafana, managedResources: ManagedResources, args: Omit<PreflightArgs, "grafana">): Promise<Findings[]> {
  const { definitions, folder, alerts = [], datasources, recordsInGrafana = false } = args;
  const isCreated = managedResources === "all";
  const managed = definitions.filter((definition) => isManaged(definition, managedResources));
  const recorded = definitions.filter(({ sdk }) => isCreated && recordsInGrafana && sdk && sdk.rules.length > 0);
  const { uid, url } = datasources.prometheus;
  const settled = await Promise.allSettled([
    // A datasource that the stack creates says its Prometheus type.
    checkRelease(grafana, recorded, url === undefined ? { uid } : { hasHeaders: hasHeaders(datasources, datasources.prometheus) }),
    ...[...new Set(alerts.map(({ contactPoint }) => contactPoint))].map((name) => checkContactPoint(grafana, name)),
    resources.checkDatasources(grafana, datasources, managedResources),
    resources.checkFolder(grafana, folder, isCreated, managed.length > 0),
    ...managed.map((definition) => resources.checkDashboard(grafana, definition, folder.uid)),
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
