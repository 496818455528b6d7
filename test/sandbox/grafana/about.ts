/** A stand-in for Grafana, part: its release, and the settings of its page. */
import { type Answer, type Call, early, type Route } from "./http";
import type { Datasource } from "./state";

const version = "12.4.3";

/** The only response without credentials. */
export const health: Answer = { status: 200, body: { database: "ok", version, commit: "NA" }, contentType: early };

export const aboutRoutes: Route[] = [{ method: "GET", path: "/api/frontend/settings", handle: settings }];

/** Only version, edition, alerting and datasources, without Grafana's own ones. Recording rules are on by default. */
function settings({ org }: Call): Answer {
  const newer = { commitShort: "NA", versionString: `Grafana v${version} (NA)` };
  const build = { buildstamp: 0, commit: "NA", version, edition: "Open Source", env: "production", hideVersion: false };
  const buildInfo = { ...build, ...newer, hasUpdate: false, latestVersion: "" };
  const datasources = Object.fromEntries(org.datasources.map((datasource) => [datasource.name, pageDatasource(datasource)]));
  const defaultDatasource = org.datasources.find(({ isDefault }) => isDefault)?.name ?? "-- Grafana --";
  const unifiedAlerting = { minInterval: "10s", recordingRulesEnabled: true };
  return { status: 200, body: { buildInfo, datasources, defaultDatasource, unifiedAlerting }, contentType: early };
}

/** As Grafana 12.4 responds, without the plugin and its cache. Credentials of a direct datasource, which Grafana adds, are omitted. */
function pageDatasource({ id, uid, type, name, url, access, isDefault, jsonData }: Datasource) {
  const direct = type === "prometheus" ? { directUrl: url } : {};
  const address = access === "proxy" ? `/api/datasources/proxy/uid/${uid}` : url;
  return { id, uid, type, name, url: address, access, isDefault, readOnly: false, jsonData: { ...jsonData, ...direct } };
}
