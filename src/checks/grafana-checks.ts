/** The checks of the resources in Grafana: datasources, folder, dashboards. */
import { type GrafanaAccess, type GrafanaResponse, isRefusal, messageOf, secretsOf } from "../network/grafana";
import { holdsSecret, redacted } from "../text/redact";
import type { CheckTargets } from "./input";
import { request } from "./query";
import { type Finding, failed, ok } from "./table";

/** The finding for a response with another status than 200. */
const unreadable = (response: GrafanaResponse, access: GrafanaAccess, uid: string) =>
  failed(`Grafana returned ${messageOf(response, access)} for the uid ${uid}`, isRefusal(response.status));

export async function checkDatasource(access: GrafanaAccess, { type, uid }: CheckTargets["datasources"][number]): Promise<Finding> {
  const datasource = await request(access, `/api/datasources/uid/${uid}`);
  if (datasource.status !== 200) return unreadable(datasource, access, uid);
  const health = await request(access, `/api/datasources/uid/${uid}/health`);
  if (health.status === 200) return ok(`${type} responds`);
  return failed(`${type} does not respond to Grafana (${messageOf(health, access)}): check its address and credentials`);
}

/** A Grafana without nested folders creates the folder at the top level, and refuses to move it in the next deployment. */
export async function checkFolder(access: GrafanaAccess, { uid, parentUid }: NonNullable<CheckTargets["folder"]>): Promise<Finding> {
  const response = await request(access, `/api/folders/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const { parentUid: actual } = response.body as { parentUid?: string };
  if (actual === parentUid) return ok(`is in the folder ${parentUid}`);
  const disabled = "this Grafana has nested folders disabled: enable them, or remove the setting folderParentUid";
  return failed(`is ${describeLocation(actual, access)}, not in ${parentUid}: ${actual ? "pulumi up --refresh moves it" : disabled}`);
}

export async function checkDashboard(access: GrafanaAccess, { uid, folderUid }: CheckTargets["dashboards"][number]): Promise<Finding> {
  const response = await request(access, `/api/dashboards/uid/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const actual = (response.body as { meta?: { folderUid?: string } }).meta?.folderUid;
  if (actual === folderUid) return ok(`readable, uid ${uid}`);
  return failed(`is ${describeLocation(actual, access)}, not in ${folderUid}: pulumi up --refresh moves it`);
}

/** The folder by its uid. A uid does not consist of words, so it is shown unless it contains a secret. */
function describeLocation(folderUid: unknown, access: GrafanaAccess): string {
  if (!folderUid) return "at the top level";
  return `in the folder ${holdsSecret(String(folderUid), secretsOf(access)) ? redacted : folderUid}`;
}
