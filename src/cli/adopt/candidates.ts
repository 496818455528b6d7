/** The Grafana resources of a stack that can exist before the stack. */
import { defineDashboards } from "../../dashboards/definitions";
import { isManaged } from "../../platform/dashboard";
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
  const { grafana, folder, datasources } = settings;
  const candidate = (part: AdoptablePart, type: string, path: string, uid: string) => ({ part, type, uid, path: `${path}/${uid}` });
  return [
    ...(grafana.managedResources === "all" ? [candidate("folder", "grafana:oss/folder:Folder", "/api/folders", folder.uid)] : []),
    // Without an address, the stack only refers to the datasource.
    ...datasourceTypes
      .filter((type) => datasources[type].url !== undefined)
      .map((type) => candidate(type, "grafana:oss/dataSource:DataSource", "/api/datasources/uid", datasources[type].uid)),
    ...defineDashboards(settings)
      .all.filter((definition) => isManaged(definition, grafana.managedResources))
      .map(({ part, uid }) => candidate(part, "grafana:oss/dashboard:Dashboard", "/api/dashboards/uid", uid)),
  ];
}

/** The owner of a dashboard, from Grafana's response; undefined without a mark, and for other resources. */
export const managerIn = (body: unknown) => managerOf((body as { dashboard?: object }).dashboard);
