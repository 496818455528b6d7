/** The values of a dashboard's variables. */
import type { BaseOf, Datasource, Range, Variable } from "../../reading/panel";
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

/** The query of `query_result(query)`; undefined for any other one. Grafana recognizes it on one line only. */
export const queryResult = (query: string): string | undefined => /^query_result\((.+)\)\s*$/.exec(query)?.[1];

/** Series of an instant query's result. */
type Result = { metric: Record<string, string>; value: [seconds: number, value: string] }[];

/** The texts that Grafana makes of a result: `name{label="value",…} value milliseconds`. */
export const textsOf = (result: Result) =>
  result.map(({ metric: { __name__ = "", ...labels }, value: [seconds, value] }) => {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return `${__name__}{${pairs.join(",")}} ${value} ${seconds * 1000}`;
  });

/** The values that a variable's regular expression finds in texts, each once: its first group, or the text. Without slashes, it matches a whole text. */
export function matching(texts: readonly string[], regex: string | undefined): string[] {
  if (!regex) return [...texts];
  const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(regex) ?? [undefined, `^${regex}$`, ""];
  const expression = new RegExp(pattern, flags.replace("g", ""));
  const found = texts.flatMap((text) => {
    const match = expression.exec(text);
    return match ? (match[1] ?? text) : [];
  });
  return [...new Set(found)];
}

/** The values of a query variable, sorted. */
export async function valuesOf({ query, regex, datasource }: Variable, range: Range, baseOf: BaseOf): Promise<string[]> {
  const base = baseOf(datasource as Datasource);
  const result = queryResult(query);
  const values = result === undefined ? await labelsOf(query, range, base) : matching(await resultOf(result, range, base), regex);
  return [...values].sort((left, right) => left.localeCompare(right));
}

/** The texts of an instant query at the end of the range. */
async function resultOf(query: string, range: Range, base: string): Promise<string[]> {
  const seconds = Math.round((range.to - range.from) / 1000);
  const expanded = query.replaceAll("$__range", `${seconds}s`);
  const parameters = new URLSearchParams({ query: expanded, time: `${range.to / 1000}` });
  const { data } = await getJson<{ data: { result: Result } }>(`${base}/api/v1/query?${parameters}`);
  return textsOf(data.result);
}

async function labelsOf(query: string, range: Range, base: string): Promise<string[]> {
  const { selector, label } = labelValues(query);
  const parameters = new URLSearchParams({ start: `${range.from / 1000}`, end: `${range.to / 1000}` });
  if (selector) parameters.set("match[]", selector);
  const { data } = await getJson<{ data: string[] }>(`${base}/api/v1/label/${label}/values?${parameters}`);
  return data;
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
