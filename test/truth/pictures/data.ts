/** The data of a picture: each panel of a model, read from real servers with the telemetry of the made-up company. */
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { QueryError } from "../../view/reading/client";
import { type DashboardFile, framesToFile, type PanelFile } from "../../view/reading/file";
import { allPanelsOf, type Panel, type Servers, valuesOf, variablesOf } from "../../view/reading/panel";
import { queryPanel } from "../../view/reading/query";

const day = 86_400_000;

/** The end of the time range in all pictures. */
const pictureTime = Date.UTC(2026, 0, 14, 15, 0);

/** The same time of the last full day: servers reject old telemetry. The same time of another day has the same telemetry. */
export const telemetryTime = (now: number) => pictureTime + Math.floor((now - pictureTime) / day) * day;

/** Names of the datasources in pictures, as `npm run local` creates them. */
const datasourceNames: Record<string, string> = { prometheus: "llm-observability-prometheus", tempo: "llm-observability-tempo" };

/**
 * Reads all panels of a model, for the last 24 hours and all values of the variables.
 *
 * @param until the end of the telemetry, a result of `telemetryTime`. In the file, all times are those of the picture.
 */
export async function readDashboard(model: DashboardModel, until: number, servers: Servers): Promise<DashboardFile> {
  const panels: Record<string, PanelFile> = {};
  for (const panel of allPanelsOf(model)) {
    if (panel.targets?.length) panels[panel.id] = await readPanel(panel, model, until, servers);
  }
  return {
    model,
    folder: "LLM observability",
    range: { from: pictureTime - day, to: pictureTime },
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
    return framesToFile(frames.map((frame) => shifted(frame, pictureTime - until)));
  } catch (error) {
    if (error instanceof QueryError) return { error: error.message.split("\n")[0] ?? "" };
    throw error;
  }
}

type DataFrame = Awaited<ReturnType<typeof queryPanel>>[number];

/** @param by milliseconds */
function shifted(frame: DataFrame, by: number): DataFrame {
  const fields = frame.fields.map((field) => {
    if (field.type === "time") return { ...field, values: field.values.map((time: number) => time + by) };
    // Loki's time in nanoseconds.
    if (field.name === "tsNs")
      return { ...field, values: field.values.map((time: string) => String(BigInt(time) + BigInt(by) * 1_000_000n)) };
    return field;
  });
  return { ...frame, fields };
}
