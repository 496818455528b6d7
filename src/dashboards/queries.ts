/** Queries of panels, made from signals. */
import * as loki from "@grafana/grafana-foundation-sdk/loki";
import * as prometheus from "@grafana/grafana-foundation-sdk/prometheus";
import * as tempo from "@grafana/grafana-foundation-sdk/tempo";
import type { DatasourceType } from "../settings/keys";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";

/** A datasource by its uid, or by a variable that contains the uid. */
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
  return signal.queryType === "instant" ? query.instant() : query.range();
}

export function logQuery(signal: LogSignal, datasource: DatasourceRef): loki.DataqueryBuilder {
  return new loki.DataqueryBuilder()
    .datasource(datasource)
    .expr(signal.query)
    .queryType("range")
    .direction(loki.LokiQueryDirection.Backward)
    .editorMode(loki.QueryEditorMode.Code);
}

/** @param maxTraces also the maximum number of spans per trace; Tempo's default is 3 */
export function traceQuery(signal: TraceSignal, datasource: DatasourceRef, maxTraces: number): tempo.DataqueryBuilder {
  return new tempo.DataqueryBuilder()
    .datasource(datasource)
    .queryType("traceql")
    .query(signal.query)
    .limit(maxTraces)
    .spss(maxTraces)
    .tableType(tempo.SearchTableType.Spans)
    .filters([]);
}
