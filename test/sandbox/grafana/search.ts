/** A stand-in for Grafana, part: the search over folders and dashboards. */
import { dashboardUrl, latest } from "./dashboards";
import { folderUrl } from "./folders";
import { type Call, knownQuery, ok, type Route, slugOf } from "./http";
import { findFolder, levelIn } from "./roles";
import type { Folder } from "./state";

export const searchRoutes: Route[] = [{ method: "GET", path: "/api/search", handle: search }];

function search(call: Call) {
  const { org, query, basePath } = call;
  knownQuery(query, "query", "type", "folderUIDs", "limit");
  const inFolder = (folder: Folder | undefined) =>
    folder && { folderId: folder.id, folderUid: folder.uid, folderTitle: folder.title, folderUrl: folderUrl(basePath, folder) };
  const state = { orgId: org.id, isDeleted: false };
  const common = (title: string) => ({ title, uri: `db/${slugOf(title)}`, slug: "", isStarred: false, sortMeta: 0, ...state });
  const folders = org.folders
    .filter(({ uid }) => levelIn(call, uid))
    .map((folder) => {
      const own = { id: folder.id, uid: folder.uid, url: folderUrl(basePath, folder), type: "dash-folder", tags: [] as string[] };
      return { ...own, ...common(folder.title), ...inFolder(findFolder(org, folder.parentUid)) };
    });
  const dashboards = org.dashboards
    .filter(({ folderUid }) => levelIn(call, folderUid))
    .map((dashboard) => {
      const { title, model } = latest(dashboard);
      const tags = (Array.isArray(model.tags) ? model.tags.map(String) : []).sort();
      const own = { id: dashboard.id, uid: dashboard.uid, url: dashboardUrl(basePath, dashboard), type: "dash-db", tags };
      return { ...own, ...common(title), ...inFolder(findFolder(org, dashboard.folderUid)) };
    });

  const [type, text = "", folderUid] = [query.get("type"), query.get("query")?.toLowerCase(), query.get("folderUIDs")];
  const hits = [...folders, ...dashboards]
    .filter((hit) => !type || hit.type === type)
    .filter((hit) => hit.title.toLowerCase().includes(text))
    .filter((hit) => !folderUid || folderUid === hit.folderUid)
    .sort((a, b) => b.type.localeCompare(a.type) || a.title.localeCompare(b.title));
  return ok(hits.slice(0, Number(query.get("limit")) || 1000));
}
