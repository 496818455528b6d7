/** What a stack has at Grafana, or would create there, and what would change in what is there once it is taken over. Pure. */
import { isDeepStrictEqual } from "node:util";
import { dashboardModels, platformArgs, serviceArgs } from "../../arguments";
import { datasourceLinks, datasourceName, datasourceResourceArgs, type ManagedDatasources, uidsOf } from "../../platform/datasources";
import { managerOf, markedFor } from "../../platform/ownership";
import type { ObservabilityPlatformArgs } from "../../platform/platform";
import type { GrafanaFacts } from "../../platform/preflight";
import type { JsonObject } from "../../report/json";
import type { ResourceChange } from "../../report/parse-preview";
import type { Settings } from "../../settings";
import { datasourceTypes } from "../../settings/datasource-types";
import type { AdoptablePart } from "../../settings/keys";
import { withoutLogin } from "../../text/sanitize";

/** Something that this stack has, or would create. */
export interface Candidate {
  part: AdoptablePart;
  type: string;
  uid: string;
  /** Where Grafana tells it. */
  path: string;
  /** The stack that manages it by Grafana's answer, as `project/stack`; undefined where Grafana has none. */
  manager(body: unknown): string | undefined;
  /** What of Grafana's answer may change, as the program's own properties. */
  read(body: unknown): JsonObject;
  wanted: JsonObject;
  /** What is written and cannot be compared: nobody can read it. */
  secrets: string[];
  /** What is replaced as a whole, whatever it is. */
  replaced?: string;
}

/** Only of interest to resources, not to what is compared here. */
const facts: GrafanaFacts = { version: undefined, basicAuth: false };

/** @param stack named as `project/stack` */
export function candidates(settings: Settings, stack: string): Candidate[] {
  const { owned, folder, datasources } = platformArgs(settings, facts);
  const { service, genai } = dashboardModels(settings);
  const { ownsDashboard } = serviceArgs(settings, "");
  const shared = () => [
    folderCandidate(folder),
    ...(datasources.mode === "managed" ? datasourceTypes.map((kind) => datasourceCandidate(kind, datasources)) : []),
    dashboardCandidate("genai-observability", markedFor(genai, stack), folder.uid),
  ];
  return [
    ...(owned ? shared() : []),
    ...(ownsDashboard ? [dashboardCandidate("llm-monitoring", markedFor(service, stack), folder.uid)] : []),
  ];
}

const unmanaged = () => undefined;

function folderCandidate({ uid, title, parentUid, viewers, editors }: ObservabilityPlatformArgs["folder"]): Candidate {
  return {
    part: "folder",
    type: "grafana:oss/folder:Folder",
    uid,
    path: `/api/folders/${uid}`,
    manager: unmanaged,
    read: (body) => {
      const { title, parentUid } = body as { title: string; parentUid?: string };
      return { title, ...(parentUid && { parentFolderUid: parentUid }) };
    },
    wanted: { title, ...(parentUid && { parentFolderUid: parentUid }) },
    secrets: [],
    ...((viewers || editors) && { replaced: "all permissions of the folder, those of users and teams included" }),
  };
}

function dashboardCandidate(part: AdoptablePart, model: { uid: string }, folder: string): Candidate {
  return {
    part,
    type: "grafana:oss/dashboard:Dashboard",
    uid: model.uid,
    path: `/api/dashboards/uid/${model.uid}`,
    manager: (body) => managerOf((body as { dashboard: object }).dashboard),
    read: (body) => {
      const { dashboard, meta } = body as { dashboard: object; meta: { folderUid?: string } };
      return { configJson: withoutNumbers(dashboard), folder: meta.folderUid ?? "" };
    },
    wanted: { configJson: withoutNumbers(model), folder },
    secrets: [],
  };
}

/** A model as JSON, without what Grafana counts itself. */
const withoutNumbers = (model: object): JsonObject => JSON.parse(JSON.stringify({ ...model, id: undefined, version: undefined }));

interface GrafanasDatasource extends Record<"name" | "type" | "access" | "url", string> {
  basicAuth?: boolean;
  basicAuthUser?: string;
  jsonData?: JsonObject;
}

function datasourceCandidate(kind: (typeof datasourceTypes)[number], datasources: ManagedDatasources): Candidate {
  const { caCert, [kind]: args } = datasources;
  const { uid, url, username, password, token, tenant } = args;
  const { jsonDataEncoded } = datasourceResourceArgs(kind, args, datasourceLinks(uidsOf(datasources))[kind], caCert);
  const headers = [...(token ? ["Authorization"] : []), ...(tenant ? ["X-Scope-OrgID"] : [])];
  return {
    part: kind,
    type: "grafana:oss/dataSource:DataSource",
    uid,
    path: `/api/datasources/uid/${uid}`,
    manager: unmanaged,
    read: (body) => readDatasource(body as GrafanasDatasource),
    wanted: {
      name: datasourceName(kind),
      type: kind,
      url,
      accessMode: "proxy",
      basicAuthEnabled: username !== undefined,
      ...(username !== undefined && { basicAuthUsername: username }),
      jsonDataEncoded: JSON.parse(String(jsonDataEncoded)),
      httpHeaders: headers,
    },
    secrets: [...(password ? ["basicAuthPassword"] : []), ...(caCert ? ["tlsCACert"] : []), ...headers.map((name) => `header ${name}`)],
  };
}

const headerName = /^httpHeaderName\d+$/;

function readDatasource(body: GrafanasDatasource): JsonObject {
  // Whoever made it by hand may have written a password into an address.
  const { name, type, access, url, basicAuth, basicAuthUser, jsonData } = JSON.parse(withoutLogin(JSON.stringify(body))) as typeof body;
  const options = Object.entries(jsonData ?? {});
  const headers = options.flatMap(([key, value]) => (headerName.test(key) ? [value] : []));
  return {
    name,
    type,
    url,
    accessMode: access,
    basicAuthEnabled: basicAuth ?? false,
    ...(basicAuthUser && { basicAuthUsername: basicAuthUser }),
    jsonDataEncoded: Object.fromEntries(options.filter(([key]) => !headerName.test(key))),
    httpHeaders: headers.sort(),
  };
}

/** What would change in what Grafana has; undefined where nothing would, as far as it can be compared. */
export function changeOf({ part, type, read, wanted }: Candidate, body: unknown): ResourceChange | undefined {
  const before = read(body);
  if (isDeepStrictEqual(before, wanted)) return undefined;
  const seen = { drift: [], isRefreshed: false, isDrift: false, isRecreated: false, isRetained: false, reasons: [] };
  return { operation: "update", type, name: part, before, after: wanted, ...seen };
}
