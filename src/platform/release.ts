/** Differences between releases of Grafana. Pure. */
import { coerce, lt } from "semver";
import { shell } from "../text/sanitize";

/** The oldest release that this program is tested with. */
const oldestSupported = "10.4";

/** Older releases ignore the filter `folderUIDs`, with which `preventDestroyIfNotEmpty` searches a folder: they could delete no folder. */
const oldestWithFolderSearch = "10.2";

/** Older releases have no recording rules with a target datasource of their own. */
const oldestWithRecordingRules = "12.1";

/** In older releases, rules have no contact point. */
const oldestWithContactPoints = "10.4";

/** @param version as Grafana reports it, such as `12.3.0-pre`; an unknown version counts as new */
function isOlder(version: string | undefined, than: string): boolean {
  const [known, limit] = [coerce(version), coerce(than)];
  return known !== null && limit !== null && lt(known, limit);
}

/** Whether Grafana can refuse to delete a folder that is not empty. */
export const refusesFullFolders = (version: string | undefined) => !isOlder(version, oldestWithFolderSearch);

/** Whether Grafana can record series. */
export const recordsSeries = (version: string | undefined) => !isOlder(version, oldestWithRecordingRules);

/** The problem that Grafana cannot record series. */
export const cannotRecord = (version: string | undefined, stack: string) =>
  `Grafana ${version} has no recording rules with a target datasource: recordingRules grafana requires ${oldestWithRecordingRules} or later. Load ` +
  shell`dashboards/rules.yaml into Prometheus or Mimir instead: npx pulumi config set recordingRules external --stack ${stack}`;

/** Whether an alert rule can name its contact point. */
export const hasContactPoints = (version: string | undefined) => !isOlder(version, oldestWithContactPoints);

/** The problem that alert rules cannot name a contact point. */
export const noContactPoints = (version: string | undefined, stack: string) =>
  `In Grafana ${version}, alert rules have no contact point: alertContactPoint requires ${oldestWithContactPoints} or later. Let the notification ` +
  shell`policies select the contact point by the rules' labels instead: npx pulumi config rm alertContactPoint --stack ${stack}`;

/** The warning about an unsupported release; undefined for a supported one. */
export function releaseWarning(version: string | undefined): string | undefined {
  if (!isOlder(version, oldestSupported)) return undefined;
  const folder = refusesFullFolders(version)
    ? ""
    : " `pulumi destroy` keeps the folder in Grafana, because this release would delete it together with the dashboards of other users.";
  return `Grafana ${version} is older than ${oldestSupported}, the oldest supported release.${folder}`;
}
