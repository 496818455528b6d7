/** A stand-in for Grafana, part: the permission that a request requires, and whether role and folder permissions grant it. */
import { type Call, early, type RequiredPermission, refuse } from "./http";
import type { Folder, Level, Org, Role } from "./state";

const roles: readonly Role[] = ["Viewer", "Editor", "Admin"];
const levels: readonly Level[] = ["View", "Edit", "Admin"];
const atRoot: Record<Role, Level> = { Viewer: "View", Editor: "Edit", Admin: "Admin" };

/** Lifetime of Grafana's permission cache, in milliseconds. */
const cacheLifetime = 60_000;

export const findFolder = ({ folders }: Org, uid: string) => folders.find((folder) => folder.uid === uid);

/** The parent folders, from the nearest one to the root. */
export function ancestorsOf(org: Org, { parentUid }: Folder): Folder[] {
  const parent = findFolder(org, parentUid);
  return parent ? [parent, ...ancestorsOf(org, parent)] : [];
}

/** @throws Refusal */
export function authorize(call: Call, need: RequiredPermission): void {
  const { role, serverAdmin } = call.who;
  if ("serverAdmin" in need ? serverAdmin : "role" in need ? role && roles.indexOf(role) >= roles.indexOf(need.role) : hasLevel(call, need))
    return;
  deny(need.permission);
}

function deny(permission: string): never {
  const accessErrorId = `ACE${String(Math.random()).slice(2, 12).padEnd(10, "0")}`;
  const message = `You'll need additional permissions to perform this action. Permissions needed: ${permission}`;
  return refuse(403, { accessErrorId, message, title: "Access denied" }, early);
}

/** Without the role Admin, a missing folder is a 403 as well. */
function hasLevel(call: Call, { level, of }: { level: Level; of: "folder" | "dashboard" | "any" }): boolean {
  const { org, params, who } = call;
  if (who.role === "Admin") return true;
  if (of === "any") return ["", ...org.folders.map(({ uid }) => uid)].some((uid) => atLeast(levelIn(call, uid), level));
  if (of === "folder") return findFolder(org, params.uid ?? "") !== undefined && atLeast(levelIn(call, params.uid ?? ""), level);
  const dashboard = org.dashboards.find(({ uid }) => uid === params.uid);
  if (!dashboard) refuse(404, { message: "Dashboard not found", title: "Not found" }, early);
  return atLeast(levelIn(call, dashboard.folderUid), level);
}

export const atLeast = (level: Level | undefined, wanted: Level) => level !== undefined && levels.indexOf(level) >= levels.indexOf(wanted);

/** The sender's permission in a folder. "" is the root. */
export function levelIn(call: Call, folderUid: string): Level | undefined {
  const { who } = call;
  if (who.role === "Admin" || !folderUid) return who.role && atRoot[who.role];
  return cachedLevels(call).get(folderUid);
}

function cachedLevels({ org, who, permissionCache }: Call): ReadonlyMap<string, Level | undefined> {
  const cached = permissionCache.get(who.id);
  if (cached && cached.until > Date.now()) return cached.levels;
  const levels = new Map(org.folders.map((folder) => [folder.uid, highest(org, folder, who)]));
  permissionCache.set(who.id, { until: Date.now() + cacheLifetime, levels });
  return levels;
}

/** Roles include the lower ones; a folder inherits the permissions of its parents. */
function highest(org: Org, folder: Folder, { id, role }: Call["who"]): Level | undefined {
  const grants = [folder, ...ancestorsOf(org, folder)].flatMap((each) => each.grants);
  const held = grants.filter((grant) => grant.user?.id === id || (grant.role && role && roles.indexOf(role) >= roles.indexOf(grant.role)));
  return levels.findLast((level) => held.some((grant) => grant.level === level));
}
