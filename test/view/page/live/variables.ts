/** The values of a dashboard's variables. */
import type { DashboardModel } from "../../../../src/dashboards/normalize";
import { classic } from "../../reading/expand";
import type { BaseOf, Datasource, Variable, View } from "../../reading/panel";
import { expandQuery } from "../../reading/query";
import { getJson } from "./api";

/** A datasource of Grafana's frontend settings. */
export interface GrafanaDatasource {
  uid: string;
  type: string;
  name: string;
  isDefault?: boolean;
}

/**
 * The parts of `label_values(label)` or `label_values(selector, label)`. A label can have dots.
 *
 * @throws Error for any other query
 */
export function labelValues(query: string): { selector?: string; label: string } {
  const [found, selector, label = ""] = /^\s*label_values\(\s*(?:(.+?)\s*,\s*)?([a-zA-Z_][\w.]*)\s*\)\s*$/s.exec(query) ?? [];
  if (!found) throw new Error(`Not a query of label values: ${query}`);
  return { ...(selector && { selector }), label };
}

/** The values of a query variable, sorted. Its query can contain others. */
export async function valuesOf({ query, datasource }: Variable, model: DashboardModel, view: View, baseOf: BaseOf): Promise<string[]> {
  const { selector, label } = labelValues(expandQuery(query, classic, model, view));
  const parameters = new URLSearchParams({ start: `${view.from / 1000}`, end: `${view.to / 1000}` });
  if (selector) parameters.set("match[]", selector);
  const { data } = await getJson<{ data: string[] }>(`${baseOf(datasource as Datasource)}/api/v1/label/${label}/values?${parameters}`);
  return data.sort((left, right) => left.localeCompare(right));
}

/** The names of the datasources of one type, the default one first. */
export const namesOf = (datasources: readonly GrafanaDatasource[], type: string) =>
  datasources
    .filter((datasource) => datasource.type === type)
    .sort((left, right) => Number(right.isDefault ?? false) - Number(left.isDefault ?? false) || left.name.localeCompare(right.name))
    .map(({ name }) => name);

/**
 * Finds the address of a target's datasource. A reference to a variable, such as `${metricsDatasource}`, stands for the selected one.
 *
 * @param selected the selected values of variables; of datasource variables a name or a uid
 */
export function addresses(datasources: readonly GrafanaDatasource[], selected: Readonly<Record<string, string[]>>, origin: string): BaseOf {
  return ({ uid }) => {
    const [, curly, bare] = /^\$(?:\{(\w+)\}|(\w+))$/.exec(uid) ?? [];
    const variable = curly ?? bare;
    const wanted = variable === undefined ? uid : selected[variable]?.[0];
    const found = datasources.find((datasource) => datasource.uid === wanted || datasource.name === wanted);
    if (!found) throw new Error(`Datasource ${wanted ?? uid} was not found`);
    return `${origin}/api/datasources/proxy/uid/${encodeURIComponent(found.uid)}`;
  };
}
