/** A stand-in for Grafana, part: dashboards, with the ways in which one save can hit another dashboard. */
import { z } from "zod";
import { findFolder, folderUrl } from "./folders";
import { type Call, checkUid, knownQuery, newUid, now, ok, onePage, type Route, readBody, refuse, slugOf } from "./http";
import type { Dashboard, DashboardVersion, GrafanaState } from "./state";

const modelSchema = z.looseObject({
  id: z.number().nullish(),
  uid: z.string().nullish(),
  title: z.string().optional(),
  version: z.number().nullish(),
});
const saveSchema = z.strictObject({
  dashboard: modelSchema,
  folderUid: z.string().optional(),
  folderId: z.number().optional(),
  message: z.string().optional(),
  overwrite: z.boolean().optional(),
  isFolder: z.literal(false).optional(),
  userId: z.number().optional(),
  UpdatedAt: z.string().optional(),
});

export const dashboardRoutes: Route[] = [
  { method: "POST", path: "/api/dashboards/db", handle: save },
  { method: "GET", path: "/api/dashboards/uid/:uid", handle: read },
  { method: "DELETE", path: "/api/dashboards/uid/:uid", handle: remove },
  { method: "GET", path: "/api/dashboards/uid/:uid/versions", handle: history },
];

export const latest = ({ versions }: Dashboard) => versions.at(-1) as DashboardVersion;

export const dashboardUrl = (basePath: string, dashboard: Dashboard) => `${basePath}/d/${dashboard.uid}/${slugOf(latest(dashboard).title)}`;

function theDashboard({ state, params }: Call): Dashboard {
  return state.dashboards.find(({ uid }) => uid === params.uid) ?? refuse(404, { message: "Dashboard not found", traceID: "" });
}

function save(call: Call) {
  const { state, login, basePath } = call;
  const { dashboard: model, folderId, message = "", overwrite = false, ...command } = readBody(call, saveSchema);
  const { id, uid: wantedUid, version: wantedVersion, title = "", ...rest } = model;
  const folderUid = command.folderUid || (state.folders.find((folder) => folder.id === folderId)?.uid ?? "");
  if ((folderId && !folderUid) || (folderUid && !findFolder(state, folderUid))) refuse(400, { message: "Folder not found", traceID: "" });
  if (!title.trim()) refuse(400, { message: "Dashboard title cannot be empty", status: "empty-name" });
  checkUid(wantedUid ?? "");

  const same = sameByIdOrUid(state, id ?? 0, wantedUid ?? "", wantedVersion ?? 0, overwrite);
  const clashing = sameByTitle(state, title, folderUid, same, overwrite);
  // A title that another dashboard has turns the save against that one, and the one that was meant stays as it was.
  const target = clashing ?? same;
  const uid = clashing?.uid ?? (wantedUid || same?.uid || newUid());
  const last = target && latest(target);
  const created = { version: (last?.version ?? 0) + 1, title: title.trim(), message, created: now(), createdBy: login };
  const saved: DashboardVersion = { ...created, model: { ...rest, title: title.trim() } };
  if (target) {
    Object.assign(target, { uid, folderUid });
    target.versions.push(saved);
  } else {
    state.dashboards.push({ id: ++state.ids.dashboard, uid, folderUid, versions: [saved] });
  }
  const dashboard = state.dashboards.find((other) => other.uid === uid) as Dashboard;
  const url = dashboardUrl(basePath, dashboard);
  return ok({ id: dashboard.id, slug: slugOf(title), status: "success", uid, url, version: saved.version });
}

/** The dashboard that the save names, if there is one. Equal versions are as good as `overwrite`. */
function sameByIdOrUid(state: GrafanaState, id: number, uid: string, version: number, overwrite: boolean): Dashboard | undefined {
  if (uid && findFolder(state, uid)) refuse(400, { message: "Dashboard cannot be changed to a folder" });
  const byId = state.dashboards.find((dashboard) => dashboard.id === id);
  const byUid = state.dashboards.find((dashboard) => dashboard.uid === uid);
  if (id && !byId) refuse(404, { message: "Dashboard not found", status: "not-found" });
  if (byId && byUid && byId !== byUid) refuse(400, { message: "A dashboard with the same uid already exists" });
  const same = byId ?? byUid;
  if (same && !overwrite && latest(same).version !== version) {
    refuse(412, { message: "The dashboard has been changed by someone else", status: "version-mismatch" });
  }
  return same;
}

/** Another dashboard of this title in the folder, if it may be overwritten. */
function sameByTitle(state: GrafanaState, title: string, folderUid: string, same: Dashboard | undefined, overwrite: boolean) {
  const slug = slugOf(title);
  const clashing = state.dashboards.find(
    (other) => other !== same && other.folderUid === folderUid && slugOf(latest(other).title) === slug,
  );
  if (state.folders.some((folder) => slugOf(folder.title) === slug)) {
    refuse(400, { message: "Dashboard name cannot be the same as folder", status: "name-match" });
  }
  if (clashing && !overwrite) {
    refuse(412, { message: "A dashboard with the same name in the folder already exists", status: "name-exists" });
  }
  return clashing;
}

function read(call: Call) {
  const { state, basePath } = call;
  const dashboard = theDashboard(call);
  const { id, uid, versions } = dashboard;
  const { version, title, model, created: updated, createdBy: updatedBy } = latest(dashboard);
  const { created, createdBy } = versions[0];
  const folder = findFolder(state, dashboard.folderUid);
  const may = { canAdd: true, canEdit: true, canDelete: true };
  const meta = {
    ...{ type: "db", canSave: true, canEdit: true, canAdmin: true, canStar: true, canDelete: true },
    ...{ slug: slugOf(title), url: dashboardUrl(basePath, dashboard), expires: "0001-01-01T00:00:00Z" },
    ...{ created, updated, updatedBy, createdBy, version, hasAcl: false, isFolder: false },
    ...{ folderId: folder?.id ?? 0, folderUid: folder?.uid ?? "", folderTitle: folder?.title ?? "General" },
    ...{ folderUrl: folder ? folderUrl(basePath, folder) : "", provisioned: false, provisionedExternalId: "" },
    annotationsPermissions: { dashboard: may, organization: may },
    ...{ hasPublicDashboard: false, publicDashboardAccessToken: "", publicDashboardUid: "", publicDashboardEnabled: false },
  };
  return ok({ meta, dashboard: { ...model, id, uid, version } });
}

function remove(call: Call) {
  const dashboard = theDashboard(call);
  const { title } = latest(dashboard);
  call.state.dashboards = call.state.dashboards.filter((other) => other !== dashboard);
  return ok({ id: dashboard.id, message: `Dashboard ${title} deleted`, title });
}

/** What 9.4 answers, which newer ones wrap in `{versions}`. */
function history(call: Call) {
  knownQuery(call.query, "limit");
  const { id: dashboardId, uid, versions } = theDashboard(call);
  const listed = versions.map(({ version, message, created, createdBy }) => {
    return { id: version, dashboardId, uid, parentVersion: version - 1, restoredFrom: 0, version, created, createdBy, message };
  });
  const newestFirst = onePage(listed.reverse(), call.query);
  return ok(call.version === "12" ? { versions: newestFirst } : newestFirst);
}
