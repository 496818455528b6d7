/** The panels of all dashboards by title: "GenAI Observability" reads samples, or recorded series. */
import { genaiObservability } from "../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../src/dashboards/llm-monitoring";
import type { DashboardModel } from "../../src/dashboards/normalize";
import { openTelemetry } from "../../src/dashboards/opentelemetry";
import { genaiRecordingRules } from "../../src/signals/genai";
import type { Naming } from "../../src/signals/names/translate";
import { type Gateways, openTelemetryRecordingRules } from "../../src/signals/opentelemetry-rules";
import { defaultReadOptions, panelsOf } from "../support/models";
import type { Panel } from "../view/reading/show";
import { service } from "./telemetry/service";
import { sdkName } from "./telemetry/spec-sdk";
import type { DashboardName } from "./truths";

const uids = { prometheus: "prometheus", loki: "loki", tempo: "tempo" };

const dashboard = (name: DashboardName, model: DashboardModel, reads = "") => ({ name, reads, model, panels: byTitle(model) });

export type Dashboard = ReturnType<typeof dashboard>;

/** The dashboards of SDKs' telemetry. */
export function sdkDashboards(naming: Naming, gateways?: Gateways) {
  const reading = { ...defaultReadOptions, naming, uids };
  const spec = (genaiReads: "samples" | "rules") =>
    dashboard("GenAI Observability", genaiObservability({ ...reading, uid: "genai", sdkName, genaiReads }), genaiReads);
  return {
    spec: { samples: spec("samples"), rules: spec("rules") },
    otel: dashboard(
      "GenAI Observability (OpenTelemetry)",
      openTelemetry({ ...reading, gateways, limits: { errorRate: 0.05, outage: 0.15, latency: 10, firstToken: 10 }, uid: "opentelemetry" }),
    ),
  };
}

export const serviceDashboard = dashboard("LLM Monitoring", llmMonitoring({ uids, service }));
export const { spec, otel } = sdkDashboards("prometheus");

/** The recording rules that a dashboard reads. */
export const rulesOf = ({ name }: Dashboard, naming: Naming = "prometheus") =>
  name === spec.rules.name ? genaiRecordingRules(sdkName, naming) : openTelemetryRecordingRules(naming);

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
