/** What a deployment requires of Grafana: its release, whether it can record, and the contact point of the alerts. */
import { coerce, lt } from "semver";
import type { DashboardDefinition } from "../dashboards/definitions";
import type { DatasourceType } from "../settings/keys";
import { configSet, shell, textAbout, visible } from "../text/sanitize";

export interface Grafana {
  /** The body of a response with the status 200; undefined for a status of `absent`. @throws GrafanaUnreachable, UnexpectedResponse */
  read<T>(path: string, absent?: readonly number[]): Promise<T | undefined>;
  stack: string;
  /** As Grafana reports it, such as `12.3.0-pre`; an unknown release counts as new. */
  release: Promise<string | undefined>;
  /** Known once the provider is registered, which takes longer than the requests. `isNew`: the stack has created nothing. */
  identity: Promise<{ owner: string; isNew: boolean }>;
}

/** What a check found. Names from Grafana can contain anything. */
export interface Findings {
  problems?: string[];
  warnings?: string[];
  /** Shown in a preview. */
  infos?: string[];
  /** Resources with the uids of those that the stack creates. */
  existing?: string[];
  /** Those of them that have no mark, of the kinds that have one. */
  unmarked?: string[];
  /** Resources of other stacks. */
  foreign?: Foreign[];
}

/**
 * A resource with the mark of another stack: the owner in the mark, whether it is the dashboard of a service, a datasource's type and uid.
 */
export type Foreign = { what: string; manager: string; isOfService?: boolean; type?: DatasourceType; uid?: string };

/** Whether a release is known, and older than another one. */
export const isOlder = (version: string | undefined, than: string) => lt(coerce(version) ?? than, than);

/**
 * The settings of Grafana's page, which all tokens can read. Releases from 12.0 on have these fields. They are part of no documented API: a
 * field that is absent says nothing.
 */
interface PageSettings {
  buildInfo?: { version?: string };
  unifiedAlerting?: { recordingRulesEnabled?: boolean };
  /** By name, without those that the token may not read. `directUrl` is the address of the server. */
  datasources?: Record<string, PageDatasource>;
  featureToggles?: { alertingSimplifiedRouting?: boolean };
}

interface PageDatasource {
  uid?: string;
  jsonData?: { prometheusType?: string; directUrl?: string; httpHeaderName1?: string };
}

const recordingDocs = "src/settings/README.md#recording-rules";

/** The datasource with which Grafana records: its uid if it exists, and whether the stack gives it headers. */
type Writer = { uid?: string; hasHeaders?: boolean };

/**
 * Checks whether this program can use this Grafana, and whether Grafana can evaluate the recording rules.
 *
 * @param readers the dashboards that read what Grafana is to record
 */
export async function checkRelease({ read, stack, release }: Grafana, readers: readonly DashboardDefinition[], writer: Writer) {
  const [version, page] = await Promise.all([release, readers.length > 0 ? read<PageSettings>("/api/frontend/settings") : undefined]);
  if (isOlder(version, "10.4.0")) return { problems: [`Grafana ${version} is too old: the oldest supported release is 10.4.`] };
  const existing = Object.entries(page?.datasources ?? {}).find(([, { uid }]) => writer.uid !== undefined && uid === writer.uid);
  const obstacles = page ? obstaclesToRecording(page, existing) : [];
  const without = readers.map(({ sdk, title }): [way: string, key: string, value: string] =>
    sdk?.telemetry === "otel" ? [`leave "${title}" out`, "telemetry", "spec"] : [`let "${title}" read samples`, "genaiReads", "samples"],
  );
  const problems = textAbout(
    obstacles,
    `Grafana cannot evaluate the recording rules of ${readers.map(({ title }) => `"${title}"`).join(" and ")}:`,
    ...obstacles.map(([obstacle]) => `  ${visible(obstacle)}`),
    `Let Grafana record: ${obstacles.map(([, cure]) => cure).join("; ")}.`,
    `Or let Prometheus or Mimir record: load the files that the first command writes (${recordingDocs}).`,
    shell`  npm run rules -- --stack ${stack}`,
    `  ${configSet("recordingRules", "external", stack)}`,
    `Or ${without.map(([way]) => way).join(", and ")}.`,
    ...without.map(([, key, value]) => `  ${configSet(key, value, stack)}`),
  );
  const sendsHeaders = writer.hasHeaders || existing?.[1].jsonData?.httpHeaderName1 !== undefined;
  const isHeaderless = page && obstacles.length === 0 && sendsHeaders && isOlder(version, "12.4.0");
  return { problems, warnings: isHeaderless ? [`${headerless}\n  ${configSet("recordingRules", "external", stack)}`] : [] };
}

/** grafana/grafana#114528. Basic auth and TLS are those of the datasource. */
const headerless =
  "Before 12.4, Grafana writes recorded series without the headers of the Prometheus datasource, such as a bearer token or " +
  "X-Scope-OrgID. If its server needs them, update Grafana to 12.4, or set them in [recording_rules.custom_headers] of its " +
  `configuration, or let the server record (${recordingDocs}):`;

function obstaclesToRecording({ buildInfo, unifiedAlerting }: PageSettings, existing?: [name: string, PageDatasource]) {
  const found: [obstacle: string, cure: string][] = [];
  const version = buildInfo?.version && visible(buildInfo.version);
  if (isOlder(version, "12.1.0"))
    found.push([`Its release is ${version}, which has none that write to a datasource.`, "update it to 12.1 or later"]);
  else if (unifiedAlerting?.recordingRulesEnabled === false)
    found.push(["Its recording rules are switched off.", "set enabled = true in [recording_rules] of its configuration, and restart it"]);
  const [name = "", datasource] = existing ?? [];
  const { prometheusType, directUrl = "" } = datasource?.jsonData ?? {};
  // `getRemoteWriteURL` in Grafana's `pkg/services/ngalert/writer`. /api/prom, as in Grafana Cloud, is an address of Mimir only.
  if (datasource && !prometheusType && !/\/api\/prom\/*$/.test(directUrl)) {
    const named = `The datasource ${visible(name)} (uid ${datasource.uid})`;
    const obstacle = `${named} does not say its Prometheus type: Grafana takes it for a Mimir, and writes to`;
    const cure = "set the Prometheus type of this datasource (Connections > Data sources)";
    found.push([`${obstacle} /api/v1/push, which a Prometheus does not have.`, cure]);
  }
  return found;
}

/** With an unknown contact point, the plugin would repeat its request for two minutes. Without one, alerts can notify nobody. */
export async function checkContactPoint({ read, stack, release }: Omit<Grafana, "identity">, name: string | undefined): Promise<Findings> {
  // Without the permission to read them, and in the first minute of an organization, there is no answer.
  const find = <T>(path: string) => read<T>(`/api/v1/provisioning/${path}`, [403, 404, 500]);
  const create = "Set one that Grafana has, or create one there (Alerting > Contact points):";
  const cure = `${create}\n  ${configSet("alertContactPoint", "NAME", stack)}`;
  if (name === undefined) {
    // The only policy of a new Grafana 12.4. Policies below it can select the rules.
    const policy = await find<{ receiver?: string; routes?: unknown[] }>("policies");
    if (policy?.receiver !== "empty" || policy.routes?.length) return {};
    const cause = 'alertContactPoint is not set, and the default notification policy of Grafana has the receiver "empty".';
    return { warnings: [`alerts is on, but notifies nobody: ${cause} ${cure}`] };
  }
  const points = await find<unknown[]>(`contact-points?name=${encodeURIComponent(name)}`);
  if (!points) {
    const cause = `Grafana did not list contact points, so that alertContactPoint "${visible(name)}" is not checked.`;
    const effect = "With a name that Grafana does not know, the deployment of the alert rules fails after two minutes.";
    return { warnings: [`${cause} ${effect} grafanaAuth may lack the permission alert.provisioning:read.`] };
  }
  if (points.length === 0)
    return { problems: [`alertContactPoint: Grafana has no contact point with the name "${visible(name)}". ${cure}`] };
  if (!isOlder(await release, "11.0.0")) return {};
  const page = await read<PageSettings>("/api/frontend/settings", [403, 404]);
  return page?.featureToggles?.alertingSimplifiedRouting ? {} : { warnings: [unrouted] };
}

/** grafana/terraform-provider-grafana#1407. */
const unrouted =
  "alertContactPoint: Grafana before 11 stores it, but sends alerts where its notification policies say. Add a policy that matches the " +
  "label stack of the alerts, or enable the feature toggle alertingSimplifiedRouting.";
