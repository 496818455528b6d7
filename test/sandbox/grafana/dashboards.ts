/** A stand-in for Grafana, part: dashboards. Each keeps the uid of its creator. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { folderUrl } from "./folders";
import { type Call, checkUid, ok, type Route, readBody, refuse, slugOf } from "./http";
import { atLeast, findFolder, levelIn } from "./roles";
import type { Dashboard, DashboardVersion, Org } from "./state";

const modelSchema = z.looseObject({
  id: z.number().nullish(),
  uid: z.string().min(1),
  title: z.string().optional(),
  version: z.number().nullish(),
});
const saveSchema = z.strictObject({
  dashboard: modelSchema,
  folderUid: z.string().default(""),
  message: z.string().optional(),
  overwrite: z.boolean().optional(),
  UpdatedAt: z.string().optional(),
});

const path = "/api/dashboards/uid/:uid";
const saves = { permission: "any of dashboards:create, dashboards:write", level: "Edit", of: "any" } as const;

export const dashboardRoutes: Route[] = [
  { method: "POST", path: "/api/dashboards/db", needs: saves, handle: save },
  { method: "GET", path, needs: { permission: "dashboards:read", level: "View", of: "dashboard" }, handle: read },
  { method: "DELETE", path, needs: { permission: "dashboards:delete", level: "Edit", of: "dashboard" }, handle: remove },
];

export const latest = ({ versions }: Dashboard) => versions.at(-1) as DashboardVersion;

export const dashboardUrl = (basePath: string, dashboard: Dashboard) => `${basePath}/d/${dashboard.uid}/${slugOf(latest(dashboard).title)}`;

function theDashboard({ org, params }: Call): Dashboard {
  return org.dashboards.find(({ uid }) => uid === params.uid) ?? refuse(404, { message: "Dashboard not found" });
}

function save(call: Call) {
  const { state, org, basePath } = call;
  const { dashboard: model, folderUid, overwrite = false } = readBody(call, saveSchema);
  const { id, uid, version: wantedVersion, title = "", ...rest } = model;
  if (folderUid && !findFolder(org, folderUid)) refuse(400, { message: "folder not found" });
  if (!title.trim()) refuse(400, { message: "Dashboard title cannot be empty", status: "empty-name" });
  checkUid(uid);

  const target = existing(org, id ?? undefined, uid, wantedVersion ?? 0, overwrite);
  const last = target && latest(target);
  for (const touched of [folderUid, target?.folderUid ?? folderUid]) {
    if (!atLeast(levelIn(call, touched), "Edit")) refuse(403, { message: "Access denied to save dashboard" });
  }
  const saved: DashboardVersion = { version: (last?.version ?? 0) + 1, title: title.trim(), model: { ...rest, title: title.trim() } };
  const dashboard = target ?? { id: ++state.ids.dashboard, uid, folderUid, versions: [] };
  if (!target) org.dashboards.push(dashboard);
  Object.assign(dashboard, { folderUid, versions: [saved] });
  // For an unchanged model, Grafana returns the former version, although it stores a new one.
  const version = last && isDeepStrictEqual(last.model, saved.model) ? last.version : saved.version;
  return ok({ folderUid, id: dashboard.id, status: "success", uid, url: dashboardUrl(basePath, dashboard), version });
}

/** The dashboard that a save changes. An equal version acts like `overwrite`. */
function existing(org: Org, id: number | undefined, uid: string, version: number, overwrite: boolean): Dashboard | undefined {
  if (findFolder(org, uid)) refuse(400, { message: "Dashboard cannot be changed to a folder" });
  const same = org.dashboards.find((dashboard) => dashboard.uid === uid);
  if (id && same?.id !== id) refuse(404, { message: "Dashboard not found", status: "not-found" });
  if (same && !overwrite && latest(same).version !== version) {
    refuse(412, { message: "The dashboard has been changed by someone else", status: "version-mismatch" });
  }
  return same;
}

function read(call: Call) {
  const { org, basePath } = call;
  const dashboard = theDashboard(call);
  const { id, uid, folderUid } = dashboard;
  const { version, model } = latest(dashboard);
  const folder = findFolder(org, folderUid);
  const meta = {
    ...{ type: "db", url: dashboardUrl(basePath, dashboard), version, apiVersion: "v0alpha1" },
    ...{ folderUid, folderTitle: folder?.title ?? "General", folderUrl: folder ? folderUrl(basePath, folder) : "" },
  };
  return ok({ meta, dashboard: { ...model, id, uid, version } });
}

function remove(call: Call) {
  const { org } = call;
  const dashboard = theDashboard(call);
  const { title } = latest(dashboard);
  org.dashboards = org.dashboards.filter((other) => other !== dashboard);
  return ok({ id: dashboard.id, message: `Dashboard ${title} deleted`, title });
}
