/** The panels of both dashboards by title. */
import { genaiObservability } from "../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../src/dashboards/llm-monitoring";
import type { DashboardModel } from "../../src/dashboards/normalize";
import { defaultReading } from "../../src/signals/signal";
import { panelsOf } from "../support/models";
import type { Panel } from "../view/reading/show";

/** `<svc>` and `<sdk_name>` of the spec. */
export const names = { service: "llmobs", sdkName: "openlit" };

export const modelA = llmMonitoring({ service: names.service, uids: { prometheus: "prometheus", loki: "loki" } });
const configB = { ...defaultReading, uid: "genai", sdkName: names.sdkName, uids: { prometheus: "prometheus", tempo: "tempo" } };
export const modelB = genaiObservability(configB);
export const modelRecorded = genaiObservability({ ...configB, mode: "recorded" });

/** Panels with data. A panel without a title has its row's title and its type, such as "GenAI Requests, table". */
export function byTitle(model: DashboardModel): Map<string, Panel> {
  const panels = new Map<string, Panel>();
  let row = "";
  for (const panel of panelsOf(model) as Panel[]) {
    if (panel.type === "row") row = panel.title ?? "";
    else panels.set(panel.title || `${row}, ${panel.type}`, panel);
  }
  return panels;
}

export const panelsOfA = byTitle(modelA);
export const panelsOfB = byTitle(modelB);

/** The panels of dashboard B that differ if the counters are recorded: all that read counters. */
export const panelsRecorded = new Map(
  [...byTitle(modelRecorded)].filter(([title, panel]) => JSON.stringify(panel) !== JSON.stringify(panelsOfB.get(title))),
);
