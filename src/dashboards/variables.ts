/** Factories of dashboard variables. */
import { DatasourceVariableBuilder, QueryVariableBuilder, VariableRefresh, VariableSort } from "@grafana/grafana-foundation-sdk/dashboard";
import type { DatasourceRef } from "./queries";

/**
 * A multi-value variable of a label's values. Defaults to "All", which is any value, also one that arrives after the page was opened.
 *
 * @param allValue the regular expression of All. Defaults to any value but a missing one.
 */
export const queryVariable = (
  name: string,
  label: string,
  query: string,
  datasource: DatasourceRef,
  allValue = ".+",
): QueryVariableBuilder =>
  new QueryVariableBuilder(name)
    .label(label)
    .query(query)
    .definition(query)
    .datasource(datasource)
    .multi(true)
    .includeAll(true)
    .allValue(allValue)
    .current({ selected: true, text: ["All"], value: ["$__all"] })
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc);

/** A variable that selects one datasource of a type. Defaults to the datasource with the uid. */
export function datasourceVariable(name: string, label: string, type: "tempo" | "prometheus", uid: string): DatasourceVariableBuilder {
  return new DatasourceVariableBuilder(name)
    .label(label)
    .type(type)
    .multi(false)
    .includeAll(false)
    .current({ selected: true, text: uid, value: uid });
}
