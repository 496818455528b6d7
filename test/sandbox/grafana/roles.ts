/** A stand-in for Grafana, part: the permission that a request requires, and whether role and folder permissions grant it. */
import { type Call, early, type RequiredPermission, refuse } from "./http";
import type { Level, Org, Role } from "./state";

const roles: readonly Role[] = ["Viewer", "Editor", "Admin"];
const levels: readonly Level[] = ["View", "Edit", "Admin"];
const atRoot: Record<Role, Level> = { Viewer: "View", Editor: "Edit", Admin: "Admin" };

export const findFolder = ({ folders }: Org, uid: string) => folders.find((folder) => folder.uid === uid);

/** @throws Refusal */
export function authorize(call: Call, need: RequiredPermission): void {
  const { role } = call.who;
  if ("role" in need ? roles.indexOf(role) >= roles.indexOf(need.role) : hasLevel(call, need)) return;
  const accessErrorId = `ACE${String(Math.random()).slice(2, 12).padEnd(10, "0")}`;
  const message = `You'll need additional permissions to perform this action. Permissions needed: ${need.permission}`;
  refuse(403, { accessErrorId, message, title: "Access denied" }, early);
}

/** Without the role Admin, a missing folder is a 403 as well. */
function hasLevel(call: Call, { level, of }: { level: Level; of: "folder" | "dashboard" | "any" }): boolean {
  const { org, params, who } = call;
  if (who.role === "Admin") return true;
  if (of === "any") return ["", ...org.folders.map(({ uid }) => uid)].some((uid) => atLeast(levelIn(call, uid), level));
  if (of === "folder") return atLeast(levelIn(call, params.uid ?? ""), level);
  const dashboard = org.dashboards.find(({ uid }) => uid === params.uid);
  if (!dashboard) refuse(404, { message: "Dashboard not found", title: "Not found" }, early);
  return atLeast(levelIn(call, dashboard.folderUid), level);
}

export const atLeast = (level: Level | undefined, wanted: Level) => level !== undefined && levels.indexOf(level) >= levels.indexOf(wanted);

/**
 * The sender's permission in a folder. "" is the root. Roles include the lower ones. Grafana remembers the permissions of a sender for a minute;
 * the stand-in does not.
 */
export function levelIn({ org, who: { id, role } }: Call, folderUid: string): Level | undefined {
  if (role === "Admin" || !folderUid) return atRoot[role];
  const grants = findFolder(org, folderUid)?.grants ?? [];
  const held = grants.filter((grant) => grant.userId === id || (grant.role && roles.indexOf(role) >= roles.indexOf(grant.role)));
  return levels.findLast((level) => held.some((grant) => grant.level === level));
}
