/** A stand-in for Grafana, part: folder permissions of roles, users and service accounts. Teams are not supported. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { grant } from "./folders";
import { type Call, ok, type Route, readBody, refuse } from "./http";
import { ancestorsOf, findFolder } from "./roles";
import type { Folder, Grant, Holder, Level } from "./state";

const verbs = (what: string, ...names: string[]) => names.map((verb) => `${what}:${verb}`);
const rules = verbs("alert.rules", "create", "write", "delete");
const dashboards = verbs("dashboards", "create", "write", "delete");
const both = ["folders", "dashboards"].flatMap((what) => verbs(`${what}.permissions`, "read", "write"));

/** The additional actions of each level. */
const added: Record<Level, string[]> = {
  View: [
    ...["dashboards", "annotations", "folders", "alert.rules", "library.panels", "alert.silences"].flatMap((what) => verbs(what, "read")),
  ],
  Edit: [
    ...[...dashboards, ...rules, ...verbs("folders", "write", "delete", "create"), ...verbs("annotations", "write", "delete", "create")],
    ...[...verbs("alert.silences", "create", "write"), ...verbs("library.panels", "create", "write", "delete")],
  ],
  Admin: both,
};

function actionsOf(level: Level): string[] {
  const { View, Edit, Admin } = added;
  return [...View, ...(level === "View" ? [] : Edit), ...(level === "Admin" ? Admin : [])];
}

const level = z.enum(["View", "Edit", "Admin", ""]).optional();
const commandSchema = z.union([
  z.strictObject({ builtInRole: z.enum(["Viewer", "Editor", "Admin"]), permission: level }),
  z.strictObject({ userId: z.number().positive(), permission: level }),
]);
const setSchema = z.strictObject({ permissions: z.array(commandSchema).nullable() });
type Command = z.infer<typeof commandSchema>;

const path = "/api/access-control/folders/:uid";
const needs = (verb: "read" | "write") => ({ permission: `folders.permissions:${verb}`, level: "Admin", of: "folder" }) as const;

export const permissionRoutes: Route[] = [
  { method: "GET", path, needs: needs("read"), handle: list },
  { method: "POST", path, needs: needs("write"), handle: set },
];

function theFolder({ org, params }: Call): Folder {
  return findFolder(org, params.uid ?? "") ?? refuse(404, { message: "Resource not found" });
}

function list(call: Call) {
  const { org } = call;
  const folder = theFolder(call);
  const grants = [folder, ...ancestorsOf(org, folder)].flatMap((owner) =>
    owner.grants.map(({ id, level: permission, role, user }) => ({
      ...{ id, isManaged: true, isInherited: owner !== folder, isServiceAccount: false },
      ...(role && { roleName: `managed:builtins:${role.toLowerCase()}:permissions`, builtInRole: role }),
      ...(user && shownHolder(user)),
      ...{ actions: actionsOf(permission), permission },
    })),
  );
  // This entry lacks the permission to create folders in it.
  const actions = actionsOf("Admin").filter((action) => action !== "folders:create");
  const builtIn = {
    id: 0,
    roleName: "",
    isManaged: false,
    isInherited: false,
    isServiceAccount: false,
    builtInRole: "Admin",
    actions,
    permission: "Admin",
  };
  return ok([...grants, builtIn]);
}

function shownHolder({ id, uid, login, email, isServiceAccount }: Holder) {
  const picture = `/avatar/${createHash("md5").update(email).digest("hex")}`;
  return {
    roleName: `managed:users:${id}:permissions`,
    userId: id,
    userLogin: login,
    userAvatarUrl: picture,
    isServiceAccount,
    userUid: uid,
  };
}

/** Changes the entries of the request, all or none. An empty permission removes an entry. */
function set(call: Call) {
  const folder = theFolder(call);
  const commands = readBody(call, setSchema).permissions ?? [];
  const wanted = commands.map((command) => ({ permission: command.permission, holder: holderOf(call, folder, command) }));
  for (const { permission, holder } of wanted) {
    const existing = folder.grants.find(({ role, user }) => (holder.user ? user?.id === holder.user.id : role === holder.role));
    if (existing && permission) existing.level = permission;
    else folder.grants = folder.grants.filter((other) => other !== existing);
    if (!existing && permission) grant(call, folder, { ...holder, level: permission });
  }
  return ok({ message: "Permissions updated" });
}

function holderOf({ state, org }: Call, folder: Folder, command: Command): Pick<Grant, "role" | "user"> {
  if ("builtInRole" in command) return { role: command.builtInRole };
  const account = state.accounts.find(({ id, orgId }) => id === command.userId && orgId === org.id);
  if (account) return { user: { id: account.id, uid: account.uid, login: account.login, email: account.login, isServiceAccount: true } };
  const user = folder.grants.find((existing) => existing.user?.id === command.userId)?.user;
  return user ? { user } : refuse(400, { message: "failed to set permissions" });
}
