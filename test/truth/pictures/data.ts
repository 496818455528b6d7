/** The data of a picture: each panel of a model, read from real servers with the telemetry of the made-up company. */
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { QueryError } from "../../view/reading/client";
import { type DashboardFile, framesToFile, type PanelFile } from "../../view/reading/file";
import { allPanelsOf, type Panel, type Servers, valuesOf, variablesOf } from "../../view/reading/panel";
import { queryPanel } from "../../view/reading/query";

const day = 86_400_000;

/** The end of the time range in all pictures: 15:00 UTC of the last full day. Each day has the same telemetry, and servers reject old one. */
export const pictureTime = (now: number) => Math.floor((now - 0.625 * day) / day) * day + 0.625 * day;

/** Names of the datasources in pictures, as `npm run local` creates them. */
const datasourceNames: Record<string, string> = { prometheus: "llm-observability-prometheus", tempo: "llm-observability-tempo" };

/** Reads all panels of a model, for the 24 hours up to a `pictureTime` and all values of the variables. */
export async function readDashboard(model: DashboardModel, until: number, servers: Servers): Promise<DashboardFile> {
  const panels: Record<string, PanelFile> = {};
  for (const panel of allPanelsOf(model)) {
    if (panel.targets?.length) panels[panel.id] = await readPanel(panel, model, until, servers);
  }
  return {
    model,
    folder: "LLM observability",
    range: { from: until - day, to: until },
    raw: { from: "now-24h", to: "now" },
    timeZone: "utc",
    selected: Object.fromEntries(
      variablesOf(model).map((variable) => {
        const { name, type, query } = variable;
        return [name, type === "datasource" ? [datasourceNames[query] ?? query] : [...valuesOf(variable, {})]];
      }),
    ),
    panels,
  };
}

/** A query that a server rejects is drawn as the panel's error, as in Grafana. */
async function readPanel(panel: Panel, model: DashboardModel, until: number, servers: Servers): Promise<PanelFile> {
  try {
    const frames = await queryPanel(panel, model, { from: until - day, to: until, isRelative: true, selected: {} }, servers);
    return framesToFile(frames);
  } catch (error) {
    if (error instanceof QueryError) return { error: error.message.split("\n")[0] ?? "" };
    throw error;
  }
}
