/** A stand-in for Grafana, part: what it knows, kept in a file of JSON so that runs build on each other. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export type Role = "Viewer" | "Editor" | "Admin";
export type Level = "View" | "Edit" | "Admin";

type Texts<Names extends string> = Record<Names, string>;

/** `parentUid` is empty at the root. */
export type Folder = Texts<"uid" | "title" | "parentUid" | "created" | "createdBy" | "updated" | "updatedBy"> & {
  id: number;
  version: number;
  grants: { id: number; role: Role; level: Level }[];
};

/** `folderUid` is empty in the General folder; the last version is the one that is shown. */
export type Dashboard = Texts<"uid" | "folderUid"> & { id: number; versions: [DashboardVersion, ...DashboardVersion[]] };

/** The model is without id, uid and version, which Grafana fills in. */
export type DashboardVersion = Texts<"title" | "message" | "created" | "createdBy"> & { version: number; model: Record<string, unknown> };

/** The secrets are in plain, since the datasource is asked with them. */
export type Datasource = Texts<"uid" | "name" | "type" | "access" | "url" | "user" | "database" | "basicAuthUser"> &
  Record<"basicAuth" | "withCredentials" | "isDefault", boolean> & {
    id: number;
    version: number;
    jsonData: Record<string, unknown>;
    secrets: Record<string, string>;
  };

type Stamped = Texts<"id" | "region" | "name" | "displayName" | "createdAt" | "updatedAt">;

export type AccessPolicy = Stamped & { scopes: string[]; realms: unknown[]; conditions: unknown; status: "active" | "inactive" };

/** The secret itself is shown once and kept nowhere. */
export type CloudToken = Stamped & Texts<"accessPolicyId" | "sha256"> & { expiresAt: string | undefined };

/** One request, as tests and summaries read it: never with a credential. */
export interface LoggedRequest {
  at: string;
  method: string;
  path: string;
  status: number;
}

export interface GrafanaState {
  /** The last ones that were given away. Folders and dashboards share theirs, and none is given away twice. */
  ids: { dashboard: number; datasource: number; grant: number };
  folders: Folder[];
  dashboards: Dashboard[];
  datasources: Datasource[];
  policies: AccessPolicy[];
  tokens: CloudToken[];
}

/** The state that earlier runs left in `file`, or an empty one. */
export function readGrafanaState(file: string): GrafanaState {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as GrafanaState;
  const ids = { dashboard: 0, datasource: 0, grant: 0 };
  return { ids, folders: [], dashboards: [], datasources: [], policies: [], tokens: [] };
}

/** Whoever reads the file at the same time sees the old state or the new one. */
export function writeGrafanaState(file: string, state: GrafanaState): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
