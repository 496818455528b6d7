/** The checks of the resources in Grafana: datasources and dashboards. */
import { type GrafanaAccess, type GrafanaResponse, isRefusal, messageOf, requestGrafana, secretsOf } from "../network/grafana";
import { redactText } from "../text/redact";
import { type Finding, failed, ok } from "./table";
import type { CheckTargets } from "./targets";

const unreadable = (response: GrafanaResponse, access: GrafanaAccess, uid: string) =>
  failed(`Grafana returned ${messageOf(response, access)} for the uid ${uid}`, isRefusal(response.status));

export async function checkDatasource(access: GrafanaAccess, { type, uid }: CheckTargets["datasources"][number]): Promise<Finding> {
  const datasource = await requestGrafana(access, `/api/datasources/uid/${uid}`);
  if (datasource.status !== 200) return unreadable(datasource, access, uid);
  const health = await requestGrafana(access, `/api/datasources/uid/${uid}/health`);
  if (health.status === 200) return ok(`${type} responds`);
  const cure = "check its address and credentials, and for a server with tenants the header X-Scope-OrgID (datasourceTenant)";
  return failed(`${type} does not respond to Grafana (${messageOf(health, access)}): ${cure}`);
}

export async function checkDashboard(access: GrafanaAccess, { uid, folderUid }: CheckTargets["dashboards"][number]): Promise<Finding> {
  const response = await requestGrafana(access, `/api/dashboards/uid/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const actual = (response.body as { meta?: { folderUid?: string } }).meta?.folderUid;
  if (actual === folderUid) return ok(`readable, uid ${uid}`);
  // A uid does not consist of words, so it is shown unless it contains a secret.
  const place = actual ? `in the folder ${redactText(actual, secretsOf(access))}` : "at the top level";
  return failed(`is ${place}, not in ${folderUid}: pulumi up --refresh moves it`);
}
