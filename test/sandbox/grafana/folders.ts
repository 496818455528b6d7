/** A stand-in for Grafana, part: folders. They are not nested, and each has a uid of its creator. */
import { z } from "zod";
import { type Call, checkUid, knownQuery, ok, type Route, readBody, refuse, refuseById, slugOf } from "./http";
import { findFolder } from "./roles";
import type { Folder, Grant } from "./state";

const createSchema = z.strictObject({ title: z.string(), uid: z.string().min(1) });
const updateSchema = z.strictObject({ title: z.string(), overwrite: z.literal(true) });

const path = "/api/folders/:uid";

export const folderRoutes: Route[] = [
  { method: "POST", path: "/api/folders", needs: { permission: "folders:create", role: "Editor" }, handle: create },
  {
    method: "GET",
    path,
    needs: { permission: "folders:read", level: "View", of: "folder" },
    handle: (call) => ok(shown(call, theFolder(call))),
  },
  { method: "PUT", path, needs: { permission: "folders:write", level: "Edit", of: "folder" }, handle: update },
  { method: "DELETE", path, needs: { permission: "folders:delete", level: "Edit", of: "folder" }, handle: remove },
];

const theFolder = ({ org, params }: Call): Folder =>
  findFolder(org, params.uid ?? "") ?? refuse(404, { message: "folder not found", status: "not-found" });

export const folderUrl = (basePath: string, { uid, title }: Folder) => `${basePath}/dashboards/f/${uid}/${slugOf(title)}`;

function shown({ org, basePath }: Call, folder: Folder) {
  const { id, uid, title, version } = folder;
  return { id, uid, orgId: org.id, title, url: folderUrl(basePath, folder), version };
}

function create(call: Call) {
  const { state, org, who } = call;
  const { title, uid } = readBody(call, createSchema);
  if (!title.trim()) refuse(400, { message: "folder title cannot be empty" });
  checkUid(uid);
  // A new folder has no version, so an existing one always conflicts.
  if (findFolder(org, uid)) refuse(412, { message: "the folder has been changed by someone else" });
  if (org.dashboards.some((dashboard) => dashboard.uid === uid)) refuse(400, { message: "Dashboard cannot be changed to a folder" });
  const folder: Folder = { id: ++state.ids.dashboard, uid, title, version: 1, grants: [] };
  grant(call, folder, { level: "Admin", userId: who.id });
  grant(call, folder, { role: "Editor", level: "Edit" });
  grant(call, folder, { role: "Viewer", level: "View" });
  org.folders.push(folder);
  return ok(shown(call, folder));
}

export function grant({ state }: Call, folder: Folder, given: Omit<Grant, "id">): void {
  folder.grants.push({ id: ++state.ids.grant, ...given });
}

function update(call: Call) {
  const folder = theFolder(call);
  const { title } = readBody(call, updateSchema);
  if (!title.trim()) refuse(400, { message: "folder title cannot be empty" });
  Object.assign(folder, { title, version: folder.version + 1 });
  return ok(shown(call, folder));
}

/** Deletes the dashboards in it as well, and with `forceDeleteRules` its alert rules. */
function remove(call: Call) {
  const { org, query } = call;
  knownQuery(query, "forceDeleteRules");
  const gone = theFolder(call);
  const isIn = ({ folderUid }: { folderUid: string }) => folderUid === gone.uid;
  if (org.rules.some(isIn) && query.get("forceDeleteRules") !== "true") {
    refuseById(400, "folder.not-empty", "Folder cannot be deleted: folder is not empty");
  }
  org.rules = org.rules.filter((rule) => !isIn(rule));
  org.dashboards = org.dashboards.filter((dashboard) => !isIn(dashboard));
  org.folders = org.folders.filter((folder) => folder !== gone);
  return ok({ message: "Folder deleted" });
}
