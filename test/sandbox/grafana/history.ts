/** A stand-in for Grafana, part: the versions of a dashboard. */
import { theDashboard } from "./dashboards";
import { type Call, knownQuery, ok, type Route, refuse } from "./http";
import type { Dashboard, DashboardVersion } from "./state";

const path = "/api/dashboards/uid/:uid/versions";
const needs = { permission: "dashboards:write", level: "Edit", of: "dashboard" } as const;

export const historyRoutes: Route[] = [
  { method: "GET", path, needs, handle: list },
  { method: "GET", path: `${path}/:version`, needs, handle: read },
];

/** The newest first. The list replaces the message of the first version; only `read` returns its own. */
function list(call: Call) {
  const { query, release, org } = call;
  knownQuery(query, "limit");
  const dashboard = theDashboard(call);
  const limit = Number(query.get("limit")) || 1000;
  const newest = dashboard.versions.toReversed().slice(0, limit);
  const listed = newest.map((version) => {
    const message = version.version === 1 ? "Initial save" : version.message;
    if (release === "12.3") return { ...shown(call, dashboard, version), message };
    const { data, ...own } = shown(call, dashboard, version);
    const { id: _, ...first } = data;
    // In the list, an author is a number, and the model of the first version has no id, like the request.
    return { ...own, uid: undefined, dashboardUid: "", createdBy: version.authorId, message, data: version.version === 1 ? first : data };
  });
  if (release === "9.4") return ok(listed);
  const more = newest.length < dashboard.versions.length;
  return ok({ continueToken: more ? `org:${org.id}/start:${newest.at(-1)?.version}/folder:` : "", versions: listed });
}

function read(call: Call) {
  const dashboard = theDashboard(call);
  const version = dashboard.versions.find((one) => String(one.version) === call.params.version);
  if (version) return ok(shown(call, dashboard, version));
  return refuse(500, { message: `Dashboard version ${call.params.version} not found for dashboardId ${dashboard.id}`, traceID: "" });
}

/** 12.3 numbers the versions of each dashboard, 9.4 all versions together; the model's id is 9.4's. */
function shown(
  { release }: Call,
  { id: dashboardId, uid }: Dashboard,
  { id, version, created, createdBy, message, model }: DashboardVersion,
) {
  const newer = release === "12.3";
  const data = { ...model, ...(newer ? {} : { id: dashboardId }), uid, version };
  const numbers = { id: newer ? version : id, dashboardId, uid, parentVersion: version - 1, restoredFrom: 0, version };
  return { ...numbers, created, createdBy, message, data: data as Record<string, unknown> };
}
