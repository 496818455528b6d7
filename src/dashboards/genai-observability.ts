/** Dashboard B, "GenAI Observability" (spec 2.3): metrics and traces that an instrumentation SDK pushes. */
import { DashboardBuilder, RowBuilder } from "@grafana/grafana-foundation-sdk/dashboard";
import { genaiSignals } from "../signals/genai";
import { type DashboardModel, finish } from "./finish";
import { type DatasourceRef, stat } from "./panels";
import { picker, variable } from "./variables";

/** What the dashboard depends on. */
export interface GenaiObservabilityConfig {
  uid: string;
  /** `<sdk_name>` of the spec. */
  sdkName: string;
  /** Uid of the metrics datasource that is picked at first. */
  prometheusUid: string;
  /** Uid of the traces datasource that is picked at first. */
  tempoUid: string;
}

export const genaiObservabilityTitle = "GenAI Observability";

export function genaiObservability(config: GenaiObservabilityConfig): DashboardModel {
  const signals = genaiSignals(config.sdkName);
  const datasource: DatasourceRef = { type: "prometheus", uid: "${metricsDatasource}" };

  const dashboard = new DashboardBuilder(genaiObservabilityTitle)
    .uid(config.uid)
    .tags([])
    .time({ from: "now-24h", to: "now" })
    .timezone("browser")
    .refresh("")
    .editable()
    .links([])
    .withVariable(picker("traceDatasource", "Trace Datasource", "tempo", config.tempoUid))
    .withVariable(picker("metricsDatasource", "Metrics Datasource", "prometheus", config.prometheusUid))
    .withVariable(variable("application", "label_values(gen_ai_application_name)", datasource).label("Application"))
    .withVariable(variable("environment", "label_values(gen_ai_environment)", datasource).label("Environment"))
    .withRow(new RowBuilder("Row title").gridPos({ x: 0, y: 0, w: 24, h: 1 }))
    .withPanel(stat(signals.requests, { title: "Total Successful GenAI Requests", at: [0, 1, 12, 4], datasource, decimals: 0 }))
    .withPanel(
      stat(signals.databaseRequests, { title: "Total Successful VectorDB Requests", at: [12, 1, 12, 4], datasource, decimals: 0 }),
    );
  return finish(dashboard.build());
}
