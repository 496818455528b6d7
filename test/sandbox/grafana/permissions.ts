/** A stand-in for Grafana, part: who may do what in a folder. There are roles here, but neither users nor teams. */
import { z } from "zod";
import { ancestorsOf, findFolder } from "./folders";
import { type Call, ok, type Route, readBody, refuse } from "./http";
import type { Folder, Level } from "./state";

const view = ["dashboards:read", "folders:read", "alert.rules:read"];
const writes = ["create", "write", "delete"];
const edit = [...view, ...writes.flatMap((verb) => [`dashboards:${verb}`, `alert.rules:${verb}`]), "folders:write", "folders:delete"];
const admin = [...edit, ...["folders", "dashboards"].flatMap((what) => [`${what}.permissions:read`, `${what}.permissions:write`])];
const actions: Record<Level, string[]> = { View: view, Edit: edit, Admin: admin };

const commandSchema = z.strictObject({
  userId: z.number().optional(),
  teamId: z.number().optional(),
  builtInRole: z.string().optional(),
  permission: z.string().optional(),
});
const setSchema = z.strictObject({ permissions: z.array(commandSchema).nullable() });

export const permissionRoutes: Route[] = [
  { method: "GET", path: "/api/access-control/folders/:uid", handle: list },
  { method: "POST", path: "/api/access-control/folders/:uid", handle: set },
];

function theFolder({ state, params }: Call): Folder {
  return findFolder(state, params.uid ?? "") ?? refuse(404, { message: "Resource not found", traceID: "" });
}

function list(call: Call) {
  const folder = theFolder(call);
  const grants = [folder, ...ancestorsOf(call.state, folder)].flatMap((owner) =>
    owner.grants.map(({ id, role, level }) => {
      const roleName = `managed:builtins:${role.toLowerCase()}:permissions`;
      return {
        id,
        roleName,
        isManaged: true,
        isInherited: owner !== folder,
        builtInRole: role,
        actions: actions[level],
        permission: level,
      };
    }),
  );
  const builtIn = { id: 0, roleName: "", isManaged: false, isInherited: false, builtInRole: "Admin", actions: admin, permission: "Admin" };
  return ok([...grants, builtIn].map((entry) => ({ ...entry, userAvatarUrl: "/public/img/user_profile.png" })));
}

/** Changes what it names and leaves the rest; no permission takes the role's away. All or nothing. */
function set(call: Call) {
  const folder = theFolder(call);
  const commands = (readBody(call, setSchema).permissions ?? []).map(({ builtInRole, permission = "" }) => {
    const role = (["Viewer", "Editor", "Admin"] as const).find((known) => known === builtInRole);
    const level = (["View", "Edit", "Admin"] as const).find((known) => known === permission);
    if (!role || (permission && !level)) return refuse(400, { message: "failed to set permissions", traceID: "" });
    return { role, level };
  });
  for (const { role, level } of commands) {
    const grant = folder.grants.find((existing) => existing.role === role);
    if (grant && level) grant.level = level;
    else folder.grants = folder.grants.filter((existing) => existing !== grant);
    if (!grant && level) folder.grants.push({ id: ++call.state.ids.grant, role, level });
  }
  return ok({ message: "Permissions updated" });
}
