/** The checks of what a stack deploys and of the addresses that it uses: datasources and dashboards, the OTLP endpoint, the service. */
import { type GrafanaAccess, type GrafanaResponse, isRefusal, messageOf, requestGrafana, secretsOf } from "../network/grafana";
import { exchange, isTimeout, type Request, reasonOf } from "../network/transport";
import { otlpHeaders } from "../otlp";
import { redactText } from "../text/redact";
import { type Finding, failed, firstOf, note, ok } from "./table";
import type { CheckedDashboard, CheckTargets } from "./targets";

/** After a deletion by hand, or with a new address of Grafana, the state still has the resource. */
const cureOf404 = ". If this stack creates it: npx pulumi up --refresh --stack STACK";

const unreadable = (response: GrafanaResponse, access: GrafanaAccess, uid: string) => {
  const { status } = response;
  const cure = status === 404 ? cureOf404 : isRefusal(status) ? ": check grafanaAuth" : status < 400 ? ": check grafanaUrl" : "";
  return failed(`Grafana returned ${messageOf(response, access)} for the uid ${uid}${cure}`, isRefusal(status));
};

export async function checkDatasource(access: GrafanaAccess, { type, uid }: CheckTargets["datasources"][number]): Promise<Finding> {
  const datasource = await requestGrafana(access, `/api/datasources/uid/${uid}`);
  if (datasource.status !== 200) return unreadable(datasource, access, uid);
  const health = await requestGrafana(access, `/api/datasources/uid/${uid}/health`);
  if (health.status === 200) return ok(`${type} responds`);
  const message = messageOf(health, access);
  // A plugin that could not update itself at the start does not run: with a read-only file system, each one of Grafana 13.
  const cure = /plugin (not|unavailable)/i.test(message)
    ? "check in Grafana whether its plugin is installed and runs (Administration > Plugins)"
    : "check its address and credentials, and for a server with tenants the header X-Scope-OrgID (datasourceTenant)";
  return failed(`${type} does not respond to Grafana (${message}): ${cure}`);
}

export async function checkDashboard(access: GrafanaAccess, { uid, folderUid }: CheckedDashboard): Promise<Finding> {
  const response = await requestGrafana(access, `/api/dashboards/uid/${uid}`);
  if (response.status !== 200) return unreadable(response, access, uid);
  const actual = (response.body as { meta?: { folderUid?: string } }).meta?.folderUid;
  if (actual === folderUid) return ok(`readable, uid ${uid}`);
  // A uid does not consist of words, so it is shown unless it contains a secret.
  const place = actual ? `in the folder ${redactText(actual, secretsOf(access))}` : "at the top level";
  const cure = "If this stack creates it, npx pulumi up --refresh --stack STACK moves it; if another one does, set folderUid";
  return failed(`is ${place}, not in ${folderUid}. ${cure}`);
}

/** Rules that someone deleted or paused write and tell nothing, and nothing else shows it. `sizes`: the number of rules of each group. */
export async function checkRules(access: GrafanaAccess, { folderUid, sizes }: NonNullable<CheckTargets["rules"]>): Promise<Finding> {
  const read = Object.entries(sizes).map(async ([name, size]) => {
    const response = await requestGrafana(access, `/api/v1/provisioning/folder/${folderUid}/rule-groups/${encodeURIComponent(name)}`);
    const { rules = [] } = response.body as { rules?: { isPaused?: boolean }[] };
    return { name, size, response, rules };
  });
  const groups = await Promise.all(read);
  const unread = groups.find(({ response: { status } }) => status !== 200 && status !== 404);
  if (unread) return note(`unknown: Grafana returned ${messageOf(unread.response, access)} for ${unread.name}`);
  const incomplete = groups.filter(({ size, rules }) => rules.length < size);
  const missing = incomplete.map(({ name, size, rules }) => (rules.length > 0 ? `${size - rules.length} of ${size} in ${name}` : name));
  if (missing.length > 0) return failed(`Grafana does not have ${firstOf(missing)}${cureOf404}`);
  const paused = groups.flatMap(({ name, rules }) => (rules.some(({ isPaused }) => isPaused) ? name : []));
  if (paused.length > 0) return note(`paused: ${firstOf(paused)}. To resume: npx pulumi up --refresh --stack STACK`);
  return ok(`Grafana has all ${groups.reduce((sum, { size }) => sum + size, 0)}`);
}

/** Sends an empty export: in protobuf, an empty body is a message without content. */
export async function checkPush(address: string, authorization: string): Promise<Finding> {
  // Decodes the variable as exporters do. Some read `+` as a blank.
  const decoded = Object.fromEntries(new URLSearchParams(otlpHeaders(authorization)));
  const headers = { ...decoded, "Content-Type": "application/x-protobuf" };
  const { status, contentType } = await probe("otlpEndpoint", address, { method: "POST", headers });
  if (isRefusal(status)) {
    // grafana/terraform-provider-grafana#2060.
    const ofNew = /[.]grafana[.]net$/.test(new URL(address).hostname) ? ". Grafana Cloud can refuse a new token for ten minutes" : "";
    return failed(`refuses the credentials (${status}): check otlpInstanceId, the token and its scopes${ofNew}`, true);
  }
  if (status === 429 || status === 503) return failed(`is busy (${status}). To check again: npm run doctor -- --stack STACK`, true);
  if (status < 200 || status >= 300) return failed(`returned ${status} to an empty export: check otlpEndpoint`);
  // OTLP endpoints return protobuf or JSON, and some gateways an empty body. A login page accepts any credentials.
  if (/^text\/html\b/i.test(contentType)) return failed(`returned ${status} with a page, text/html: check otlpEndpoint`);
  return ok("accepts the credentials");
}

/** Accepts any status below 500: the registration has proved that the service accepts its API key. */
export async function checkService({ serviceUrl, serviceCaCert }: CheckTargets): Promise<Finding> {
  const { status } = await probe("serviceUrl", serviceUrl, { caCert: serviceCaCert });
  if (status < 500) return ok("responds");
  return failed(`returned ${status}, an error of the service or of a proxy in front of it: check whether it runs, and serviceUrl`);
}

/** @throws Error that names the setting with the address, if there is no response */
async function probe(setting: string, address: string, request: Request) {
  try {
    return await exchange(address, request, ({ statusCode: status = 0, headers }) => {
      return { status, contentType: headers["content-type"] ?? "" };
    });
  } catch (error) {
    const reason = isTimeout(error) ? "does not respond" : `cannot be reached (${reasonOf(error)})`;
    throw new Error(`${new URL(address).host} ${reason}: check ${setting}`);
  }
}
