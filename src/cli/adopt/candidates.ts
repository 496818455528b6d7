/** The Grafana resources of a stack, and the changes to those that exist already. Pure. */
import { isDeepStrictEqual } from "node:util";
import { type DashboardDefinition, defineDashboards } from "../../dashboards/definitions";
import { isManaged } from "../../platform/dashboard";
import { datasourceName, datasourceOptions } from "../../platform/datasources";
import { managerOf, markedFor } from "../../platform/ownership";
import type { Json, JsonObject } from "../../report/json";
import type { ResourceChange } from "../../report/parse-preview";
import type { Settings } from "../../settings";
import { type AdoptablePart, type DatasourceType, datasourceTypes } from "../../settings/keys";
import { withoutLogin } from "../../text/sanitize";

/** A resource that this stack manages or would create. */
export interface Candidate {
  part: AdoptablePart;
  type: string;
  uid: string;
  /** Path in Grafana's API. */
  path: string;
  /** The properties that this program declares. */
  declared: JsonObject;
  /** Reads the same properties from Grafana's response. */
  read(body: unknown): JsonObject;
  /** Properties that are written but cannot be read and compared. */
  secrets: string[];
  /** A property that is replaced without a comparison. */
  replaced?: string;
}

/** @param owner of the dashboards */
export function candidates(settings: Settings, owner: string): Candidate[] {
  const { grafana, folder, datasources } = settings;
  return [
    ...(grafana.managedResources === "all" ? [folderCandidate(folder)] : []),
    ...datasourceTypes.flatMap((type) => datasourceCandidate(type, datasources)),
    ...defineDashboards(settings)
      .all.filter((definition) => isManaged(definition, grafana.managedResources))
      .map((definition) => dashboardCandidate(definition, settings, owner)),
  ];
}

/** The owner of a dashboard, from Grafana's response; undefined without a mark, and for other resources. */
export const managerIn = (body: unknown) => managerOf((body as { dashboard?: object }).dashboard);

function folderCandidate({ uid, title, parentUid, viewers, editors }: Settings["folder"]): Candidate {
  const properties = (title: string, parentUid?: string) => ({ title, ...(parentUid && { parentFolderUid: parentUid }) });
  return {
    part: "folder",
    type: "grafana:oss/folder:Folder",
    uid,
    path: `/api/folders/${uid}`,
    declared: properties(title, parentUid),
    read: (body) => {
      const { title, parentUid } = body as { title: string; parentUid?: string };
      return properties(title, parentUid);
    },
    secrets: [],
    ...((viewers || editors) && { replaced: "all permissions of the folder, including those of users and teams" }),
  };
}

function dashboardCandidate({ part, uid, model }: DashboardDefinition, { folder, datasources }: Settings, owner: string): Candidate {
  const { prometheus, loki, tempo } = datasources;
  const built = model({ prometheus: prometheus.uid, loki: loki.uid, tempo: tempo.uid });
  return {
    part,
    type: "grafana:oss/dashboard:Dashboard",
    uid,
    path: `/api/dashboards/uid/${uid}`,
    declared: { configJson: withoutNumbers(markedFor(built, owner)), folder: folder.uid },
    read: (body) => {
      const { dashboard, meta } = body as { dashboard: object; meta: { folderUid?: string } };
      return { configJson: withoutNumbers(dashboard), folder: meta.folderUid ?? "" };
    },
    secrets: [],
  };
}

/** A model as JSON, without the numbers that Grafana assigns. */
const withoutNumbers = (model: object): JsonObject => JSON.parse(JSON.stringify({ ...model, id: undefined, version: undefined }));

/** @returns none if the stack refers to an existing datasource */
function datasourceCandidate(type: DatasourceType, datasources: Settings["datasources"]): Candidate[] {
  const { tenant, caCert } = datasources;
  const { uid, url, username, password } = datasources[type];
  if (url === undefined) return [];
  const headers = [...(password && !username ? ["Authorization"] : []), ...(tenant ? ["X-Scope-OrgID"] : [])];
  const candidate = {
    part: type,
    type: "grafana:oss/dataSource:DataSource",
    uid,
    path: `/api/datasources/uid/${uid}`,
    declared: {
      name: datasourceName(type),
      type,
      url,
      accessMode: "proxy",
      basicAuthEnabled: username !== undefined,
      ...(username !== undefined && { basicAuthUsername: username }),
      jsonDataEncoded: JSON.parse(JSON.stringify(datasourceOptions(type, datasources))),
      httpHeaders: headers,
    },
    read: readDatasource,
    secrets: [
      ...(password && username ? ["basicAuthPassword"] : []),
      ...(caCert ? ["tlsCACert"] : []),
      ...headers.map((name) => `header ${name}`),
    ],
  };
  return [candidate];
}

const headerName = /^httpHeaderName\d+$/;

function readDatasource(body: unknown): JsonObject {
  // An address that was entered by hand may contain a password.
  const datasource = JSON.parse(withoutLogin(JSON.stringify(body)));
  const { name, type, access: accessMode, url, basicAuth: basicAuthEnabled = false, basicAuthUser, jsonData = {} } = datasource;
  const options = Object.entries<Json>(jsonData);
  return {
    name,
    type,
    url,
    accessMode,
    basicAuthEnabled,
    ...(basicAuthUser && { basicAuthUsername: basicAuthUser }),
    jsonDataEncoded: Object.fromEntries(options.filter(([key]) => !headerName.test(key))),
    httpHeaders: options.flatMap(([key, value]) => (headerName.test(key) ? [value] : [])).sort(),
  };
}

/** The change that the next deployment makes to an existing resource; undefined if there is none in the properties that can be compared. */
export function changeOf({ part, type, read, declared }: Candidate, body: unknown): ResourceChange | undefined {
  const before = read(body);
  if (isDeepStrictEqual(before, declared)) return undefined;
  const noDrift = { drift: [], isRefreshed: false, isDrift: false, isRetained: false, reasons: [] };
  return { operation: "update", type, name: part, before, after: declared, ...noDrift };
}
