/** What a release of Grafana supports. Pure. */
import { coerce, lt } from "semver";

/** The oldest release that this program is tested with. */
export const oldestSupported = "10.4";

/** `preventDestroyIfNotEmpty` of a folder searches by `folderUIDs`, a filter that older releases ignore: no folder could be deleted. */
const oldestWithFolderSearch = "10.2";

/**
 * Whether a release is older than another one.
 *
 * @param version as Grafana spells it, such as `12.3.0-pre`; an unknown one counts as new
 */
function isOlder(version: string | undefined, than: string): boolean {
  const [known, limit] = [coerce(version), coerce(than)];
  return known !== null && limit !== null && lt(known, limit);
}

/** Whether Grafana can refuse to delete a folder that is not empty. */
export const refusesFullFolders = (version: string | undefined) => !isOlder(version, oldestWithFolderSearch);

/** The warning about a release that is not supported; undefined where it is. */
export function releaseWarning(version: string | undefined): string | undefined {
  if (!isOlder(version, oldestSupported)) return undefined;
  const folder = refusesFullFolders(version)
    ? ""
    : " `pulumi destroy` keeps the folder in Grafana, because this release would delete others' dashboards with it.";
  return `Grafana ${version} is older than ${oldestSupported}, the oldest supported release.${folder}`;
}
