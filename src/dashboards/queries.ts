/** Targets: what a panel asks its datasource, from a signal. */
import * as loki from "@grafana/grafana-foundation-sdk/loki";
import * as prometheus from "@grafana/grafana-foundation-sdk/prometheus";
import * as tempo from "@grafana/grafana-foundation-sdk/tempo";
import type { DatasourceType } from "../settings/datasource-types";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";

/** Where a panel reads from: a datasource's uid, or a variable that holds one. */
export interface DatasourceRef {
  type: DatasourceType;
  uid: string;
}

export function metricQuery(signal: MetricSignal, datasource: DatasourceRef): prometheus.DataqueryBuilder {
  const query = new prometheus.DataqueryBuilder()
    .datasource(datasource)
    .expr(signal.query)
    .legendFormat(signal.legend)
    .editorMode(prometheus.QueryEditorMode.Code);
  return signal.per === "range" ? query.instant() : query.range();
}

export function logQuery(signal: LogSignal, datasource: DatasourceRef): loki.DataqueryBuilder {
  return new loki.DataqueryBuilder()
    .datasource(datasource)
    .expr(signal.query)
    .queryType("range")
    .direction(loki.LokiQueryDirection.Backward)
    .editorMode(loki.QueryEditorMode.Code);
}

/** `limit` counts traces; without `spss`, Tempo shows no more than 3 spans of each. */
export function traceQuery(signal: TraceSignal, datasource: DatasourceRef, limit: number): tempo.DataqueryBuilder {
  return new tempo.DataqueryBuilder()
    .datasource(datasource)
    .queryType("traceql")
    .query(signal.query)
    .limit(limit)
    .spss(limit)
    .tableType(tempo.SearchTableType.Spans)
    .filters([]);
}
