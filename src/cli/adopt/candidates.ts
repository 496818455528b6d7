/** The Grafana resources of a stack that can exist before the stack. Pure. */
import { deployedDashboards, platformArgs } from "../../arguments";
import { managerOf } from "../../platform/ownership";
import type { Settings } from "../../settings";
import { type AdoptablePart, datasourceTypes } from "../../settings/keys";

/** A resource that this stack manages or would create. */
export interface Candidate {
  part: AdoptablePart;
  type: string;
  uid: string;
  /** Path in Grafana's API. */
  path: string;
}

export function candidates(settings: Settings): Candidate[] {
  const { managed, folder, datasources } = platformArgs(settings);
  const candidate = (part: AdoptablePart, type: string, path: string, uid: string) => ({ part, type, uid, path: `${path}/${uid}` });
  return [
    ...(managed ? [candidate("folder", "grafana:oss/folder:Folder", "/api/folders", folder.uid)] : []),
    ...(datasources
      ? datasourceTypes.map((type) => candidate(type, "grafana:oss/dataSource:DataSource", "/api/datasources/uid", datasources[type].uid))
      : []),
    ...deployedDashboards(settings)
      .filter(({ managed }) => managed)
      .map(({ part, uid }) => candidate(part, "grafana:oss/dashboard:Dashboard", "/api/dashboards/uid", uid)),
  ];
}

/** The owner of a dashboard, from Grafana's response; undefined without a mark, and for other resources. */
export const managerIn = (body: unknown) => managerOf((body as { dashboard?: object }).dashboard);
