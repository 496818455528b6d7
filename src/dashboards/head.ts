/** What dashboards have above their panels: the usual time range, variables, and for the telemetry of SDKs the choice of datasources. */
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import type { ReadOptions } from "../signals/signal";
import type { DatasourceRef, DatasourceUids } from "./defaults";

export const dashboardHead = (title: string, uid: string) =>
  new dashboard.DashboardBuilder(title)
    .uid(uid)
    .tags([])
    .time({ from: "now-24h", to: "now" })
    .refresh("")
    // Shared between the panels.
    .tooltip(dashboard.DashboardCursorSync.Crosshair)
    .links([]);

/** The datasources that are selected in the variables of `sdkDashboardHead`. */
export const metricsDatasource: DatasourceRef = { type: "prometheus", uid: "${metricsDatasource}" };
export const tracesDatasource: DatasourceRef = { type: "tempo", uid: "${traceDatasource}" };

/** The default interval at which OpenTelemetry SDKs export metrics: the minimum of graphs. */
export const exportInterval = "1m";

export interface SdkDashboardConfig extends ReadOptions {
  uid: string;
  /** The default choices of the variables. */
  uids: Pick<DatasourceUids, "prometheus" | "tempo">;
}

export const sdkDashboardHead = (title: string, { uid, uids }: SdkDashboardConfig) =>
  dashboardHead(title, uid)
    .withVariable(datasourceVariable("traceDatasource", "Trace Datasource", "tempo", uids.tempo))
    .withVariable(datasourceVariable("metricsDatasource", "Metrics Datasource", "prometheus", uids.prometheus));

/** A variable that selects one datasource of a type. Defaults to the datasource with the uid. */
const datasourceVariable = (name: string, label: string, type: "tempo" | "prometheus", uid: string) =>
  new dashboard.DatasourceVariableBuilder(name).label(label).type(type).current({ selected: true, text: uid, value: uid });

/**
 * A multi-value variable of a label's values. Defaults to "All", which is any value, also one that arrives after the page was opened.
 *
 * @param allValue the regular expression of All. Defaults to any value but a missing one.
 */
export const queryVariable = (name: string, label: string, query: string, datasource: DatasourceRef, allValue = ".+") =>
  new dashboard.QueryVariableBuilder(name)
    .label(label)
    .query(query)
    .definition(query)
    .datasource(datasource)
    .multi(true)
    .includeAll(true)
    .allValue(allValue)
    .current({ selected: true, text: ["All"], value: ["$__all"] })
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
    .sort(dashboard.VariableSort.AlphabeticalAsc);

/** A variable with values of our own, each with its text, the first one by default. */
export const choiceVariable = (name: string, label: string, choices: readonly (readonly [value: string, text: string])[]) => {
  const options = choices.map(([value, text], index) => ({ text, value, selected: index === 0 }));
  const variable = new dashboard.CustomVariableBuilder(name).label(label).options(options);
  return variable.values(options.map(({ text, value }) => `${text} : ${value}`).join(",")).current(options[0] ?? { text: "", value: "" });
};

/** A link to another dashboard, with the time range, and the variables of this one unless the other has names of its own for them. */
export const dashboardLink = ({ title, uid, sdk }: { title: string; uid: string; sdk?: object | undefined }) =>
  new dashboard.DashboardLinkBuilder(title)
    .icon("dashboard")
    .url(`/d/${uid}`)
    .keepTime(true)
    .includeVars(sdk !== undefined)
    .tooltip(sdk ? "" : "Shows all applications: select yours there.");
