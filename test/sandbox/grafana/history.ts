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
  const { query, org } = call;
  knownQuery(query, "limit");
  const dashboard = theDashboard(call);
  const limit = Number(query.get("limit")) || 1000;
  const newest = dashboard.versions.toReversed().slice(0, limit);
  const versions = newest.map((version) => {
    return { ...shown(dashboard, version), message: version.version === 1 ? "Initial save" : version.message };
  });
  const more = newest.length < dashboard.versions.length;
  return ok({ continueToken: more ? `org:${org.id}/start:${newest.at(-1)?.version}/folder:` : "", versions });
}

function read(call: Call) {
  const dashboard = theDashboard(call);
  const version = dashboard.versions.find((one) => String(one.version) === call.params.version);
  if (version) return ok(shown(dashboard, version));
  return refuse(500, { message: `Dashboard version ${call.params.version} not found for dashboardId ${dashboard.id}` });
}

function shown({ id: dashboardId, uid }: Dashboard, { version, created, createdBy, message, model }: DashboardVersion) {
  const numbers = { id: version, dashboardId, uid, parentVersion: version - 1, restoredFrom: 0, version };
  return { ...numbers, created, createdBy, message, data: { ...model, uid, version } };
}
