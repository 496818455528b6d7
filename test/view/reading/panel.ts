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
  /** Of Prometheus: labels as columns. */
  format?: string;
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
  /** Moves the time range back, such as by `1M`; and in place of a relative one, such as `now/M`. */
  timeShift?: string;
  timeFrom?: string;
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
  current?: { value?: string | string[] };
  /** Of a variable with values of its own. */
  options?: { text: string; value: string }[];
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

/** The time range, and the selected values of variables. An empty list is "All"; other variables than those of queries have a value by default. */
export interface View extends Range {
  selected: Record<string, string[]>;
  /** Whether the time range is relative, such as the last 24 hours. Defaults to no. */
  isRelative?: boolean;
  /** Milliseconds by which the reader's time zone is ahead of UTC at the end of the range. Defaults to 0. Grafana aligns graphs to it. */
  utcOffset?: number;
  /** Grafana's feature toggle `prometheusSpecialCharsInLabelValues`. Defaults to false: then, values with double quotes break a query. */
  specialCharacters?: boolean;
}

/** Base URLs of the servers by datasource type, without a slash at the end. */
export type Servers = Record<"prometheus" | "loki" | "tempo", string>;

/** The base URL of a datasource, without a slash at the end. */
export type BaseOf = (datasource: Datasource) => string;

/** The selected values of a variable: by default, the model's. */
export const valuesOf = ({ name, current, type }: Variable, selected: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  selected[name] ?? (type === "custom" ? [current?.value ?? []].flat() : []);

/** A panel's title with the texts of the selected values. */
export const titleOf = ({ title = "" }: Panel, model: DashboardModel, selected: Readonly<Record<string, readonly string[]>>) =>
  variablesOf(model).reduce((text, variable) => {
    const texts = valuesOf(variable, selected).map((value) => variable.options?.find((option) => option.value === value)?.text ?? value);
    return text.replaceAll(`$${variable.name}`, texts.join(" + "));
  }, title);
