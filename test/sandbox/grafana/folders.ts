/** A stand-in for Grafana, part: folders, nested or not. */
import { z } from "zod";
import { type Call, checkUid, knownQuery, now, ok, type Route, readBody, refuse, refuseById, slugOf } from "./http";
import { ancestorsOf, atLeast, findFolder, levelIn } from "./roles";
import { type Folder, type Grant, newUid } from "./state";

const createSchema = z.strictObject({
  title: z.string().optional(),
  uid: z.string().optional(),
  parentUid: z.string().optional(),
});
const updateSchema = z.strictObject({
  title: z.string().optional(),
  version: z.number().optional(),
  overwrite: z.boolean().optional(),
});
const moveSchema = z.strictObject({ parentUid: z.string().optional() });

const path = "/api/folders/:uid";
const write = { permission: "folders:write", level: "Edit", of: "folder" } as const;

export const folderRoutes: Route[] = [
  { method: "POST", path: "/api/folders", needs: { permission: "folders:create", role: "Editor" }, handle: create },
  { method: "GET", path, needs: { permission: "folders:read", level: "View", of: "folder" }, handle: read },
  { method: "PUT", path, needs: write, handle: update },
  { method: "POST", path: `${path}/move`, needs: write, handle: move },
  { method: "DELETE", path, needs: { permission: "folders:delete", level: "Edit", of: "folder" }, handle: remove },
];

export const folderUrl = (basePath: string, { uid, title }: Folder) => `${basePath}/dashboards/f/${uid}/${slugOf(title)}`;

const notFound = () => refuse(404, { message: "folder not found", status: "not-found" });

const theFolder = ({ org, params }: Call) => findFolder(org, params.uid ?? "") ?? notFound();

function read(call: Call) {
  return ok(shown(call, theFolder(call)));
}

function shown(call: Call, folder: Folder): Record<string, unknown> {
  const { org, basePath } = call;
  const { id, uid, title, version, created, createdBy, updated, updatedBy, parentUid } = folder;
  const [parent, ...others] = ancestorsOf(org, folder);
  const level = levelIn(call, uid);
  const [canEdit, canAdmin] = [atLeast(level, "Edit"), atLeast(level, "Admin")];
  return {
    ...{ id, uid, orgId: org.id, title, url: folderUrl(basePath, folder), hasAcl: false },
    ...{ canSave: canEdit, canEdit, canAdmin, canDelete: canEdit },
    ...{ createdBy, created, updatedBy, updated, version },
    ...(parent && { parentUid, parents: [...others.reverse(), parent].map((ancestor) => shown(call, ancestor)) }),
  };
}

function create(call: Call) {
  const { state, org, who, permissionCache } = call;
  const { title = "", uid = "", parentUid = "" } = readBody(call, createSchema);
  if (!title.trim()) refuse(400, { message: "folder title cannot be empty" });
  checkUid(uid);
  if (parentUid && !findFolder(org, parentUid)) notFound();
  if (parentUid && !atLeast(levelIn(call, parentUid), "Edit")) refuse(403, { message: "access denied to folder" });
  // A new folder has no version, so an existing one always conflicts.
  if (uid && findFolder(org, uid)) changed();
  if (org.dashboards.some((dashboard) => uid && dashboard.uid === uid)) {
    refuse(400, { message: "Dashboard cannot be changed to a folder" });
  }
  const at = now();
  const signed = { created: at, createdBy: who.author, updated: at, updatedBy: who.author };
  const id = ++state.ids.dashboard;
  const folder: Folder = { id, uid: uid || newUid(), title, parentUid, version: 1, ...signed, grants: [] };
  grant(call, folder, { level: "Admin", user: holderOf(call) });
  // A nested folder inherits its parent's permissions.
  if (!parentUid) {
    grant(call, folder, { role: "Editor", level: "Edit" });
    grant(call, folder, { role: "Viewer", level: "View" });
  }
  // The response uses the cached permissions. Grafana clears the creator's cache afterwards.
  levelIn(call, folder.uid);
  org.folders.push(folder);
  const answer = ok(shown(call, folder));
  permissionCache.delete(who.id);
  return answer;
}

function holderOf({ who: { id, uid, login, email, isServiceAccount } }: Call) {
  return { id, uid, login, email, isServiceAccount };
}

export function grant({ state }: Call, folder: Folder, given: Omit<Grant, "id">): void {
  folder.grants.push({ id: ++state.ids.grant, ...given });
}

const changed = () => refuse(412, { message: "the folder has been changed by someone else" });

function update(call: Call) {
  const folder = theFolder(call);
  const { title = "", version, overwrite } = readBody(call, updateSchema);
  if (!title.trim()) refuse(400, { message: "folder title cannot be empty" });
  if (!overwrite && version !== folder.version) changed();
  save(call, folder, { title, version: folder.version + 1 });
  return ok(shown(call, folder));
}

function save({ who }: Call, folder: Folder, fields: Partial<Folder>): void {
  Object.assign(folder, fields, { updated: now(), updatedBy: who.author });
}

/** Moves to the root without a parent. A move increments the version by 2. */
function move(call: Call) {
  const { org } = call;
  const folder = theFolder(call);
  const { parentUid = "" } = readBody(call, moveSchema);
  const parent = parentUid ? (findFolder(org, parentUid) ?? notFound()) : undefined;
  if (parent && [parent, ...ancestorsOf(org, parent)].includes(folder)) {
    refuseById(400, "folder.circular-reference", "Circular reference detected");
  }
  if (parent && !atLeast(levelIn(call, parentUid), "Edit")) refuse(403, { message: "access denied to folder" });
  save(call, folder, { parentUid, version: folder.version + 2 });
  return ok(shown(call, folder));
}

/** Deletes the dashboards in it as well, and with `forceDeleteRules` its alert rules. */
function remove(call: Call) {
  const { org, query } = call;
  knownQuery(query, "forceDeleteRules");
  const gone = theFolder(call);
  const isGone = (folder: Folder) => folder === gone || ancestorsOf(org, folder).includes(gone);
  const uids = org.folders.filter(isGone).map(({ uid }) => uid);
  const holds = org.rules.some(({ folderUid }) => uids.includes(folderUid));
  if (holds && query.get("forceDeleteRules") !== "true") {
    refuseById(400, "folder.not-empty", "Folder cannot be deleted: folder is not empty");
  }
  org.rules = org.rules.filter(({ folderUid }) => !uids.includes(folderUid));
  org.dashboards = org.dashboards.filter(({ folderUid }) => !uids.includes(folderUid));
  org.folders = org.folders.filter(({ uid }) => !uids.includes(uid));
  return ok({ message: "Folder deleted" });
}
