/** A stand-in for Grafana, part: folders, nested or not. */
import { z } from "zod";
import { type Call, checkUid, knownQuery, newUid, now, ok, onePage, type Route, readBody, refuse, slugOf } from "./http";
import type { Folder, GrafanaState } from "./state";

const createSchema = z.strictObject({
  title: z.string().optional(),
  uid: z.string().optional(),
  parentUid: z.string().optional(),
  description: z.string().optional(),
});
const updateSchema = z.strictObject({
  title: z.string().optional(),
  version: z.number().optional(),
  overwrite: z.boolean().optional(),
  description: z.string().optional(),
});

export const folderRoutes: Route[] = [
  { method: "GET", path: "/api/folders", handle: list },
  { method: "POST", path: "/api/folders", handle: create },
  { method: "GET", path: "/api/folders/:uid", handle: (call) => ok(shown(call, theFolder(call))) },
  { method: "PUT", path: "/api/folders/:uid", handle: update },
  { method: "DELETE", path: "/api/folders/:uid", handle: remove },
];

export const findFolder = (state: GrafanaState, uid: string) => state.folders.find((folder) => folder.uid === uid);

export const folderUrl = (basePath: string, { uid, title }: Folder) => `${basePath}/dashboards/f/${uid}/${slugOf(title)}`;

/** From the folder's parent up to the root. */
export function ancestorsOf(state: GrafanaState, { parentUid }: Folder): Folder[] {
  const parent = findFolder(state, parentUid);
  return parent ? [parent, ...ancestorsOf(state, parent)] : [];
}

function theFolder({ state, params }: Call): Folder {
  return findFolder(state, params.uid ?? "") ?? refuse(404, { message: "folder not found", status: "not-found" });
}

function shown(call: Call, folder: Folder): Record<string, unknown> {
  const { id, uid, title, version, created, createdBy, updated, updatedBy, parentUid } = folder;
  const [parent, ...others] = ancestorsOf(call.state, folder);
  return {
    ...{ id, uid, title, url: folderUrl(call.basePath, folder), hasAcl: false },
    ...{ canSave: true, canEdit: true, canAdmin: true, canDelete: true },
    ...{ createdBy, created, updatedBy, updated, version },
    ...(parent && { parentUid, parents: [...others.reverse(), parent].map((ancestor) => shown(call, ancestor)) }),
  };
}

function list({ state, query }: Call) {
  knownQuery(query, "limit", "page", "parentUid", "permission");
  const parentUid = query.get("parentUid") ?? "";
  const folders = state.folders.filter((folder) => folder.parentUid === parentUid).sort((a, b) => a.title.localeCompare(b.title));
  return ok(onePage(folders, query).map(({ id, uid, title }) => ({ id, uid, title, ...(parentUid && { parentUid }) })));
}

function create(call: Call) {
  const { state, login } = call;
  const { title = "", uid = "", parentUid = "" } = readBody(call, createSchema);
  if (!title.trim()) refuse(400, { message: "folder title cannot be empty" });
  checkUid(uid);
  if (parentUid && !findFolder(state, parentUid)) refuse(404, { message: "folder not found", status: "not-found" });
  // A new folder has no version, so one that exists always is a newer one.
  if (uid && findFolder(state, uid)) refuse(412, { message: "the folder has been changed by someone else", status: "version-mismatch" });
  if (state.dashboards.some((dashboard) => uid && dashboard.uid === uid)) {
    refuse(400, { message: "Dashboard cannot be changed to a folder", traceID: "" });
  }
  checkTitle(state, title, parentUid);
  const at = now();
  const folder: Folder = {
    ...{ id: ++state.ids.dashboard, uid: uid || newUid(), title, parentUid, version: 1 },
    ...{ created: at, createdBy: login, updated: at, updatedBy: login, grants: [] },
  };
  // A nested folder has its parent's.
  if (!parentUid) {
    folder.grants.push({ id: ++state.ids.grant, role: "Editor", level: "Edit" }, { id: ++state.ids.grant, role: "Viewer", level: "View" });
  }
  state.folders.push(folder);
  return ok(shown(call, folder));
}

function checkTitle(state: GrafanaState, title: string, parentUid: string, self?: Folder): void {
  const folder = state.folders.find((other) => other !== self && other.parentUid === parentUid && slugOf(other.title) === slugOf(title));
  const dashboard = state.dashboards.find(
    ({ folderUid, versions }) => !parentUid && !folderUid && slugOf(versions.at(-1)?.title ?? "") === slugOf(title),
  );
  if (folder ?? dashboard) refuse(409, { message: "a folder or dashboard in the general folder with the same name already exists" });
}

function update(call: Call) {
  const folder = theFolder(call);
  const { title = "", version, overwrite } = readBody(call, updateSchema);
  if (!title.trim()) refuse(400, { message: "folder title cannot be empty" });
  if (!overwrite && version !== folder.version) {
    refuse(412, { message: "the folder has been changed by someone else", status: "version-mismatch" });
  }
  checkTitle(call.state, title, folder.parentUid, folder);
  Object.assign(folder, { title, version: folder.version + 1, updated: now(), updatedBy: call.login });
  return ok(shown(call, folder));
}

/** Takes along what is in it. There are no alert rules here that `forceDeleteRules` could be about. */
function remove(call: Call) {
  const { state, query } = call;
  knownQuery(query, "forceDeleteRules");
  const gone = theFolder(call);
  const isGone = (folder: Folder) => folder === gone || ancestorsOf(state, folder).includes(gone);
  const uids = state.folders.filter(isGone).map(({ uid }) => uid);
  state.dashboards = state.dashboards.filter(({ folderUid }) => !uids.includes(folderUid));
  state.folders = state.folders.filter(({ uid }) => !uids.includes(uid));
  return ok();
}
