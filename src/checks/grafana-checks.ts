/** The checks of the resources in Grafana: datasources, folder, dashboards. */
import { type GrafanaAccess, type GrafanaResponse, isRefusal, messageOf, secretsOf } from "../network/grafana";
import { redactText } from "../text/redact";
import { request } from "./query";
import { type Finding, failed, ok } from "./table";
import type { CheckTargets } from "./targets";

const unreadable = (response: GrafanaResponse, access: GrafanaAccess, uid: string) =>
  failed(`Grafana returned ${messageOf(response, access)} for the uid ${uid}`, isRefusal(response.status));

export async function checkDatasource(access: GrafanaAccess, { type, uid }: CheckTargets["datasources"][number]): Promise<Finding> {
  const datasource = await request(access, `/api/datasources/uid/${uid}`);
  if (datasource.status !== 200) return unreadable(datasource, access, uid);
  const health = await request(access, `/api/datasources/uid/${uid}/health`);
  if (health.status === 200) return ok(`${type} responds`);
  const cure = "check its address and credentials, and for a server with tenants the header X-Scope-OrgID (datasourceTenant)";
  return failed(`${type} does not respond to Grafana (${messageOf(health, access)}): ${cure}`);
}

/** A Grafana without nested folders creates the folder at the top level, and refuses to move it in the next deployment. */
export async function checkFolder(access: GrafanaAccess, { uid, parentUid }: NonNullable<CheckTargets["folder"]>): Promise<Finding> {
  const response = await request(access, `/api/folders/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const { parentUid: actual } = response.body as { parentUid?: string };
  const disabled = "this Grafana has nested folders disabled: enable them, or remove the setting folderParentUid";
  return checkLocation(access, { actual, wanted: parentUid, success: `is in the folder ${parentUid}`, cureAtTop: disabled });
}

export async function checkDashboard(access: GrafanaAccess, { uid, folderUid }: CheckTargets["dashboards"][number]): Promise<Finding> {
  const response = await request(access, `/api/dashboards/uid/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const actual = (response.body as { meta?: { folderUid?: string } }).meta?.folderUid;
  return checkLocation(access, { actual, wanted: folderUid, success: `readable, uid ${uid}`, cureAtTop: moves });
}

const moves = "pulumi up --refresh moves it";

type Location = { actual: unknown; wanted: string; success: string; cureAtTop: string };

/** Checks in which folder something is. A uid does not consist of words, so it is shown unless it contains a secret. */
function checkLocation(access: GrafanaAccess, { actual, wanted, success, cureAtTop }: Location): Finding {
  if (actual === wanted) return ok(success);
  if (!actual) return failed(`is at the top level, not in ${wanted}: ${cureAtTop}`);
  return failed(`is in the folder ${redactText(String(actual), secretsOf(access))}, not in ${wanted}: ${moves}`);
}
