/** Factories of template variables. */
import { DatasourceVariableBuilder, QueryVariableBuilder, VariableRefresh, VariableSort } from "@grafana/grafana-foundation-sdk/dashboard";
import type { DatasourceRef } from "./queries";

/**
 * A variable over the values of a label: several at once, "All" by default. All is every value there is, also one that arrives later, and not
 * a list of those known when the page was opened.
 */
export function queryVariable(name: string, label: string, query: string, datasource: DatasourceRef): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .query(query)
    .definition(query)
    .datasource(datasource)
    .multi(true)
    .includeAll(true)
    .allValue(".+")
    .current({ selected: true, text: ["All"], value: ["$__all"] })
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc);
}

/** A picker of one datasource. */
export function datasourceVariable(name: string, label: string, kind: "tempo" | "prometheus", uid: string): DatasourceVariableBuilder {
  return new DatasourceVariableBuilder(name)
    .label(label)
    .type(kind)
    .multi(false)
    .includeAll(false)
    .current({ selected: true, text: uid, value: uid });
}
