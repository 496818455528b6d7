/** What the dashboards for SDKs have in common: their head, and variables for their datasources. */
import { DashboardBuilder } from "@grafana/grafana-foundation-sdk/dashboard";
import type { DatasourceRef } from "./queries";
import { datasourceVariable } from "./variables";

export interface SdkDashboardConfig {
  uid: string;
  /** Uid of the default metrics datasource. */
  prometheusUid: string;
  /** Uid of the default traces datasource. */
  tempoUid: string;
}

/** The datasources that are selected in the variables. */
export const metricsDatasource: DatasourceRef = { type: "prometheus", uid: "${metricsDatasource}" };
export const tracesDatasource: DatasourceRef = { type: "tempo", uid: "${traceDatasource}" };

/** The default interval at which OpenTelemetry SDKs export metrics: the minimum of graphs. */
export const exportInterval = "1m";

export const sdkDashboard = (title: string, { uid, prometheusUid, tempoUid }: SdkDashboardConfig): DashboardBuilder =>
  new DashboardBuilder(title)
    .uid(uid)
    .tags([])
    .time({ from: "now-24h", to: "now" })
    .timezone("browser")
    .refresh("")
    .editable()
    .links([])
    .withVariable(datasourceVariable("traceDatasource", "Trace Datasource", "tempo", tempoUid))
    .withVariable(datasourceVariable("metricsDatasource", "Metrics Datasource", "prometheus", prometheusUid));
