/** A stand-in for Grafana, part: what it knows, kept in a file of JSON so that runs build on each other. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

export type Role = "Viewer" | "Editor" | "Admin";
export type Level = "View" | "Edit" | "Admin";

type Texts<Names extends string> = Record<Names, string>;

/** A user or a service account, as a folder's permissions show it. */
export interface Holder {
  id: number;
  uid: string;
  login: string;
  /** Of which Gravatar makes a picture; a service account's is its login. */
  email: string;
  isServiceAccount: boolean;
}

/** To a role, or to one user or service account. */
export interface Grant {
  id: number;
  level: Level;
  role?: Role;
  user?: Holder;
}

/** `parentUid` is empty at the root. */
export type Folder = Texts<"uid" | "title" | "parentUid" | "created" | "createdBy" | "updated" | "updatedBy"> & {
  id: number;
  version: number;
  grants: Grant[];
};

/** `folderUid` is empty in the General folder; the last version is the one that is shown. */
export type Dashboard = Texts<"uid" | "folderUid"> & { id: number; versions: [DashboardVersion, ...DashboardVersion[]] };

/** The model is without id, uid and version, which Grafana fills in. `authorId` is the id behind `createdBy`. */
export type DashboardVersion = Texts<"title" | "message" | "created" | "createdBy"> &
  Record<"id" | "version" | "authorId", number> & { model: Record<string, unknown> };

/** The secrets are in plain, since the datasource is asked with them. */
export type Datasource = Texts<"uid" | "name" | "type" | "access" | "url" | "user" | "database" | "basicAuthUser"> &
  Record<"basicAuth" | "withCredentials" | "isDefault", boolean> & {
    id: number;
    version: number;
    jsonData: Record<string, unknown>;
    secrets: Record<string, string>;
  };

/** In their group's order. Of a group there is nothing but its rules; `provenance` is empty for what Grafana's pages may change. */
export type Rule = Texts<"uid" | "folderUid" | "group" | "updated" | "provenance"> &
  Record<"id" | "interval", number> & { content: Record<string, unknown> & { title: string } };

export type ContactPoint = Texts<"uid" | "name" | "type" | "provenance"> & {
  settings: Record<string, unknown>;
  disableResolveMessage: boolean;
};

/** An organization with everything in it. */
export interface Org {
  id: number;
  name: string;
  folders: Folder[];
  dashboards: Dashboard[];
  datasources: Datasource[];
  rules: Rule[];
  contactPoints: ContactPoint[];
}

/** The secrets of its tokens are shown once and kept nowhere. */
export type ServiceAccount = Texts<"uid" | "name" | "login"> & {
  id: number;
  orgId: number;
  role: Role;
  tokens: (Texts<"name" | "sha256"> & { id: number })[];
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
  /** The last ids that were used; none is used twice. Folders and dashboards share a counter, users and service accounts another one. */
  ids: Record<"org" | "account" | "token" | "dashboard" | "version" | "datasource" | "grant" | "rule", number>;
  orgs: Org[];
  accounts: ServiceAccount[];
  policies: AccessPolicy[];
  tokens: CloudToken[];
}

export const newUid = () => randomBytes(7).toString("hex");

export const emptyOrg = (id: number, name: string): Org => ({
  ...{ id, name, folders: [], dashboards: [], datasources: [], rules: [], contactPoints: [] },
});

/** The server's administrator, who is a member of each organization. */
export const adminId = 1;

/** The service account of the token that the stand-in is started with. */
export const firstAccountId = 2;

/** The state that earlier runs left in `file`, or an empty one. */
export function readState(file: string): GrafanaState {
  if (existsSync(file)) {
    const held = JSON.parse(readFileSync(file, "utf8")) as GrafanaState;
    if (!held.orgs) throw new Error(`${file} was written by an earlier version of this stand-in: delete its folder and start again`);
    return held;
  }
  const own = {
    id: firstAccountId,
    uid: newUid(),
    name: "deployment",
    login: "sa-1-deployment",
    orgId: 1,
    role: "Admin",
    tokens: [],
  } as const;
  return {
    ids: { org: 1, account: own.id, token: 1, dashboard: 0, version: 0, datasource: 0, grant: 0, rule: 0 },
    orgs: [emptyOrg(1, "Main Org.")],
    accounts: [{ ...own, tokens: [] }],
    policies: [],
    tokens: [],
  };
}

/** What the main organization has, and the cloud, as tests and summaries read it. */
export type MainState = Org & Pick<GrafanaState, "policies" | "tokens">;

export function readGrafanaState(file: string): MainState {
  const { orgs, policies, tokens } = readState(file);
  return { ...(orgs[0] as Org), policies, tokens };
}

/** Whoever reads the file at the same time sees the old state or the new one. */
export function writeGrafanaState(file: string, state: GrafanaState): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
