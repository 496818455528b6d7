/** The Grafana resources of a stack that can exist before the stack. */
import { defineDashboards } from "../../dashboards/definitions";
import { isManaged } from "../../platform/dashboard";
import { datasourceName } from "../../platform/datasources";
import type { Settings } from "../../settings";
import { type AdoptablePart, datasourceTypes } from "../../settings/keys";

/** A resource that this stack manages or would create. */
export interface Candidate {
  part: AdoptablePart;
  title: string;
  type: string;
  uid: string;
  /** Path in Grafana's API. */
  path: string;
}

export function candidates(settings: Settings): Candidate[] {
  const { folder, datasources } = settings;
  const { managedResources } = settings.grafana;
  // Without an address, the stack only refers to the datasource.
  const created = datasourceTypes.filter((type) => datasources[type].url !== undefined);
  const dashboards = defineDashboards(settings).all.filter((definition) => isManaged(definition, managedResources));
  return [
    ...(managedResources === "all" ? [candidate("folder", folder.title, "folder:Folder", "folders", folder.uid)] : []),
    ...created.map((type) => candidate(type, datasourceName(type), "dataSource:DataSource", "datasources/uid", datasources[type].uid)),
    ...dashboards.map(({ part, title, uid }) => candidate(part, title, "dashboard:Dashboard", "dashboards/uid", uid)),
  ];
}

const candidate = (part: AdoptablePart, title: string, type: string, path: string, uid: string): Candidate => ({
  part,
  title,
  type: `grafana:oss/${type}`,
  uid,
  path: `/api/${path}/${uid}`,
});
