/** The parts of a dashboard model that the reading of panels depends on. No import of Grafana's packages: the root's tests use these types. */
import type { DashboardModel } from "../../../src/dashboards/normalize";

export interface Datasource {
  type: string;
  /** The datasource's uid, or a reference to a datasource variable such as `${metricsDatasource}`. */
  uid: string;
}

/** One query of a panel. */
export interface Target {
  refId: string;
  datasource: Datasource;
  expr?: string;
  query?: string;
  queryType?: string;
  legendFormat?: string;
  instant?: boolean;
  range?: boolean;
  limit?: number;
  tableType?: string;
  hide?: boolean;
  /** The minimum step of this query. */
  interval?: string;
  maxLines?: number;
  direction?: string;
  spss?: number;
}

export interface Panel {
  id: number;
  type: string;
  title?: string;
  description?: string;
  datasource?: Datasource;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Target[];
  collapsed?: boolean;
  panels?: Panel[];
  options?: Record<string, unknown>;
  fieldConfig?: {
    defaults: { unit?: string; noValue?: string; decimals?: number; thresholds?: { steps: { color: string; value?: number }[] } };
    overrides: { matcher: { id: string; options?: unknown }; properties: { id: string; value?: unknown }[] }[];
  };
  /** The minimum step of all queries. */
  interval?: string;
  maxDataPoints?: number;
  transformations?: { id: string; options: unknown }[];
}

export interface Variable {
  type: string;
  name: string;
  label?: string;
  query: string;
  datasource?: Datasource;
  allValue?: string;
  includeAll?: boolean;
  multi?: boolean;
  refresh?: number;
}

export const panelsOf = (model: DashboardModel) => model.panels as Panel[];

/** Also those in collapsed rows. */
export const allPanelsOf = (model: DashboardModel) => panelsOf(model).flatMap((panel) => [panel, ...(panel.panels ?? [])]);
export const variablesOf = (model: DashboardModel) => (model.templating as { list: Variable[] }).list;

/** A time range in milliseconds. */
export interface Range {
  from: number;
  to: number;
}

/** The time range, and the selected values of query variables. An empty list is "All". */
export interface View extends Range {
  selected: Record<string, string[]>;
  /** Milliseconds by which the reader's time zone is ahead of UTC at the end of the range. Defaults to 0. Grafana aligns graphs to it. */
  utcOffset?: number;
  /** Grafana's feature toggle `prometheusSpecialCharsInLabelValues`. Defaults to false: then, values with double quotes break a query. */
  specialCharacters?: boolean;
}

/** Base URLs of the servers by datasource type, without a slash at the end. */
export type Servers = Record<"prometheus" | "loki" | "tempo", string>;

/** The base URL of a datasource, without a slash at the end. */
export type BaseOf = (datasource: Datasource) => string;
