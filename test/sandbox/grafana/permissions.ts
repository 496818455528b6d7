/** A stand-in for Grafana, part: folder permissions of roles, and those of the users and service accounts that created a folder. */
import { z } from "zod";
import { grant } from "./folders";
import { type Call, ok, type Route, readBody, refuse } from "./http";
import { findFolder } from "./roles";
import type { Folder, Grant } from "./state";

const level = z.enum(["View", "Edit", "Admin", ""]).optional();
const commandSchema = z.union([
  z.strictObject({ builtInRole: z.enum(["Viewer", "Editor", "Admin"]), permission: level }),
  z.strictObject({ userId: z.number().positive(), permission: level }),
]);
const setSchema = z.strictObject({ permissions: z.array(commandSchema).nullable() });

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
  const grants = theFolder(call).grants.map(({ id, level: permission, role, userId }) => ({
    ...{ id, isManaged: true, isInherited: false, permission },
    ...(role && { builtInRole: role }),
    ...(userId && { userId }),
  }));
  return ok([...grants, { id: 0, isManaged: false, isInherited: false, builtInRole: "Admin", permission: "Admin" }]);
}

/** Changes the entries of the request in their order, all or none. An empty permission removes an entry. */
function set(call: Call) {
  const folder = theFolder(call);
  const wanted = (readBody(call, setSchema).permissions ?? []).map((command) => {
    const holder = "builtInRole" in command ? { role: command.builtInRole } : { userId: command.userId };
    return { permission: command.permission, holder, existing: () => folder.grants.find(isOf(holder)) };
  });
  if (wanted.some(({ holder, existing }) => "userId" in holder && !existing())) refuse(400, { message: "failed to set permissions" });
  for (const { permission, holder, existing } of wanted) {
    const found = existing();
    if (found && permission) found.level = permission;
    else folder.grants = folder.grants.filter((other) => other !== found);
    if (!found && permission) grant(call, folder, { ...holder, level: permission });
  }
  return ok({ message: "Permissions updated" });
}

const isOf =
  (holder: Pick<Grant, "role" | "userId">) =>
  ({ role, userId }: Grant) =>
    role === holder.role && userId === holder.userId;
