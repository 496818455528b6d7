/** A stand-in for Grafana, part: its state, in a JSON file that later runs read. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export type Role = "Viewer" | "Editor" | "Admin";
export type Level = "View" | "Edit" | "Admin";

type Texts<Names extends string> = Record<Names, string>;

/** A permission of a role, or of a user or service account. */
export type Grant = { id: number; level: Level; role?: Role; userId?: number };

export type Folder = Texts<"uid" | "title"> & { id: number; version: number; grants: Grant[] };

/** `folderUid` is empty in the General folder. The last version is the current one, and the only one that is kept. */
export type Dashboard = Texts<"uid" | "folderUid"> & { id: number; versions: DashboardVersion[] };

/** The model lacks id, uid and version, which Grafana adds. */
export type DashboardVersion = { title: string; version: number; model: Record<string, unknown> };

/** The secrets are plain text, because requests to the datasource require them. */
export type Datasource = Texts<"uid" | "name" | "type" | "access" | "url" | "user" | "database" | "basicAuthUser"> &
  Record<"basicAuth" | "withCredentials" | "isDefault", boolean> & {
    id: number;
    version: number;
    jsonData: Record<string, unknown>;
    secrets: Record<string, string>;
  };

/** In the order of their group. A group consists only of its rules. */
export type Rule = Texts<"uid" | "folderUid" | "group"> &
  Record<"id" | "interval", number> & { content: Record<string, unknown> & { title: string } };

export type ContactPoint = Texts<"uid" | "name" | "type" | "provenance"> & {
  settings: Record<string, unknown>;
  disableResolveMessage: boolean;
};

/** The contents of the organization. */
export interface Org {
  id: number;
  folders: Folder[];
  dashboards: Dashboard[];
  datasources: Datasource[];
  rules: Rule[];
  contactPoints: ContactPoint[];
}

/** The secrets of its tokens are not stored. */
export type ServiceAccount = Texts<"name"> & {
  id: number;
  role: Role;
  tokens: (Texts<"name" | "sha256"> & { id: number })[];
};

export interface GrafanaState {
  /** The last used ids. No id is used twice. Folders and dashboards share a counter, users and service accounts another one. */
  ids: Record<"account" | "token" | "dashboard" | "datasource" | "grant" | "rule", number>;
  org: Org;
  accounts: ServiceAccount[];
}

export const newUid = () => randomBytes(7).toString("hex");

/** The server's administrator. */
export const adminId = 1;

/** The service account of the token in the options. */
export const firstAccountId = 2;

/** The state in `file`, or an empty one. */
export function readState(file: string): GrafanaState {
  if (existsSync(file)) {
    const held = JSON.parse(readFileSync(file, "utf8")) as GrafanaState;
    if (!held.org) throw new Error(`${file} has the format of an earlier version of this stand-in: delete its folder and start again`);
    return held;
  }
  const own: ServiceAccount = { id: firstAccountId, name: "deployment", role: "Admin", tokens: [] };
  return {
    ids: { account: own.id, token: 1, dashboard: 0, datasource: 0, grant: 0, rule: 0 },
    org: { id: 1, folders: [], dashboards: [], datasources: [], rules: [], contactPoints: [] },
    accounts: [own],
  };
}

/** The contents of the organization, for tests and summaries. */
export const readGrafanaState = (file: string): Org => readState(file).org;

/** Writes the state atomically: concurrent readers read the old or the new state. */
export function writeGrafanaState(file: string, state: GrafanaState): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
