/** The panels of all dashboards by title, for both ways of reading. */
import { genaiObservability } from "../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../src/dashboards/llm-monitoring";
import type { DashboardModel } from "../../src/dashboards/normalize";
import { openTelemetry } from "../../src/dashboards/opentelemetry";
import { genaiRecordingRules } from "../../src/signals/genai";
import type { Naming } from "../../src/signals/names/translate";
import { openTelemetryRecordingRules } from "../../src/signals/opentelemetry-rules";
import { type CounterMode, defaultReading } from "../../src/signals/signal";
import { panelsOf } from "../support/models";
import type { Panel } from "../view/reading/show";
import { service } from "./telemetry/service";
import { sdkName } from "./telemetry/spec-sdk";
import type { DashboardName } from "./truths";

const uids = { prometheus: "prometheus", loki: "loki", tempo: "tempo" };

const dashboard = (name: DashboardName, mode: CounterMode, model: DashboardModel) => ({
  name,
  mode,
  model,
  panels: byTitle(model),
});

export type Dashboard = ReturnType<typeof dashboard>;

/** The dashboards of SDKs' telemetry by the way in which their panels read counters. */
export function sdkDashboards(naming: Naming) {
  const spec = (mode: CounterMode) =>
    dashboard("GenAI Observability", mode, genaiObservability({ ...defaultReading, naming, uids, uid: "genai", sdkName, mode }));
  const otel = (mode: CounterMode) =>
    dashboard("GenAI Observability (OpenTelemetry)", mode, openTelemetry({ ...defaultReading, naming, uids, uid: "opentelemetry", mode }));
  return {
    spec: { direct: spec("direct"), recorded: spec("recorded") },
    otel: { direct: otel("direct"), recorded: otel("recorded") },
  };
}

export const serviceDashboard = dashboard("LLM Monitoring", "direct", llmMonitoring({ uids, service }));
export const { spec, otel } = sdkDashboards("prometheus");

/** The recording rules that a dashboard reads. */
export const rulesOf = ({ name }: Dashboard, naming: Naming = "prometheus") =>
  name === spec.direct.name ? genaiRecordingRules(sdkName, naming) : openTelemetryRecordingRules(naming);

/** Panels with data. A panel without a title has its row's title and its type, such as "GenAI Requests, table". */
function byTitle(model: DashboardModel): Map<string, Panel> {
  const panels = new Map<string, Panel>();
  let row = "";
  for (const panel of panelsOf(model) as Panel[]) {
    if (panel.type === "row") row = panel.title ?? "";
    else panels.set(panel.title || `${row}, ${panel.type}`, panel);
  }
  return panels;
}
