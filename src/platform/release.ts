/** Differences between releases of Grafana. */
import { coerce, lt } from "semver";
import { shell } from "../text/sanitize";

/** The oldest release that this program is tested with. */
const oldestSupported = "10.4";

/** Older releases have no recording rules with a target datasource of their own. */
const oldestWithRecordingRules = "12.1";

/** @param version as Grafana reports it, such as `12.3.0-pre`; an unknown version counts as new */
function isOlder(version: string | undefined, than: string): boolean {
  const [known, limit] = [coerce(version), coerce(than)];
  return known !== null && limit !== null && lt(known, limit);
}

/** Whether Grafana can record series. */
export const recordsSeries = (version: string | undefined) => !isOlder(version, oldestWithRecordingRules);

/** The problem of a release, if any. */
export function releaseProblem(version: string | undefined, recordsInGrafana: boolean, stack: string): string | undefined {
  if (isOlder(version, oldestSupported)) return `Grafana ${version} is too old: the oldest supported release is ${oldestSupported}.`;
  if (!recordsInGrafana || recordsSeries(version)) return undefined;
  return (
    `Grafana ${version} has no recording rules with a target datasource: recordingRules grafana requires ${oldestWithRecordingRules} or later. Load ` +
    shell`dashboards/rules.yaml into Prometheus or Mimir instead: npx pulumi config set recordingRules external --stack ${stack}`
  );
}
