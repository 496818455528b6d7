/** A stand-in for Grafana, part: its release. */
import { type Answer, early, type Release, type Route } from "./http";

const versions: Record<Release, string> = { "9.4": "9.4.0-pre", "12.3": "12.3.0" };

/** The only response without credentials. */
export const healthOf = (release: Release): Answer => {
  return { status: 200, body: { database: "ok", version: versions[release], commit: "NA" }, contentType: early };
};

export const aboutRoutes: Route[] = [{ method: "GET", path: "/api/frontend/settings", handle: ({ release }) => settings(release) }];

/** Only version and edition. */
function settings(release: Release): Answer {
  const version = versions[release];
  const newer = { commitShort: "NA", versionString: `Grafana v${version} (NA)` };
  const build = { buildstamp: 0, commit: "NA", version, edition: "Open Source", env: "production", hideVersion: false };
  const buildInfo = { ...build, hasUpdate: false, latestVersion: "", ...(release === "12.3" && newer) };
  return { status: 200, body: { buildInfo }, contentType: early };
}
