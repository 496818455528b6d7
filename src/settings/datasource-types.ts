/** The types of datasources that the dashboards read. */
export const datasourceTypes = ["prometheus", "loki", "tempo"] as const;

export type DatasourceType = (typeof datasourceTypes)[number];
