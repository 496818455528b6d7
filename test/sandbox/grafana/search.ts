/** A stand-in for Grafana, part: the search over folders and dashboards. */
import { dashboardUrl, latest } from "./dashboards";
import { folderUrl } from "./folders";
import { type Call, knownQuery, ok, type Route } from "./http";
import { findFolder, levelIn } from "./roles";

export const searchRoutes: Route[] = [{ method: "GET", path: "/api/search", handle: search }];

function search(call: Call) {
  const { org, query, basePath } = call;
  knownQuery(query, "query", "type", "folderUIDs", "limit");
  const folders = org.folders
    .filter(({ uid }) => levelIn(call, uid))
    .map((folder) => {
      const { id, uid, title } = folder;
      return { id, uid, title, url: folderUrl(basePath, folder), orgId: org.id, type: "dash-folder" };
    });
  const dashboards = org.dashboards
    .filter(({ folderUid }) => levelIn(call, folderUid))
    .map((dashboard) => {
      const { id, uid, folderUid } = dashboard;
      const { title, model } = latest(dashboard);
      const tags = (Array.isArray(model.tags) ? model.tags.map(String) : []).sort();
      const own = { id, uid, title, url: dashboardUrl(basePath, dashboard), orgId: org.id, type: "dash-db", tags };
      const folder = findFolder(org, folderUid);
      return { ...own, ...(folder && { folderUid: folder.uid, folderTitle: folder.title, folderUrl: folderUrl(basePath, folder) }) };
    });
  const [type, text = "", folderUid] = [query.get("type"), query.get("query")?.toLowerCase(), query.get("folderUIDs")];
  const hits = [...folders, ...dashboards]
    .filter((hit) => !type || hit.type === type)
    .filter((hit) => hit.title.toLowerCase().includes(text))
    .filter((hit) => !folderUid || ("folderUid" in hit && hit.folderUid === folderUid))
    .sort((a, b) => b.type.localeCompare(a.type) || a.title.localeCompare(b.title));
  return ok(hits.slice(0, Number(query.get("limit")) || 1000));
}
