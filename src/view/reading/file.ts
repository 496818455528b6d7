/** A dashboard with its data in one JSON file: the page draws it without any server. Pure. */
import type { DataFrame, DataFrameJSON } from "@grafana/data";
import type { DashboardModel } from "../../dashboards/normalize";
import { grafana } from "./library";
import type { Range } from "./panel";

export interface DashboardFile {
  model: DashboardModel;
  /** The title of the dashboard's folder. */
  folder?: string;
  /** Milliseconds. */
  range: Range;
  /** The range as the user wrote it, such as `now-24h` and `now`: the text of the time picker. Default: the absolute range. */
  raw?: { from: string; to: string };
  timeZone: string;
  /** Defaults to dark, as in Grafana. */
  theme?: "dark" | "light";
  /** Selected values of all variables by name; for datasource variables the datasource's name. An empty list is "All". */
  selected: Record<string, string[]>;
  /** By panel id. A panel without an entry has no data. */
  panels: Record<string, PanelFile>;
}

/** Frames before the panel's transformations, or the message of the panel's red corner. */
export type PanelFile = { frames: DataFrameJSON[] } | { error: string };

/** Frames as JSON: Grafana's format, in which NaN and infinite values are in lists beside the values. */
export const framesToFile = (frames: DataFrame[]): PanelFile => ({
  frames: JSON.parse(JSON.stringify(frames.map((frame) => grafana.dataFrameToJSON(frame)))),
});

export const framesFromFile = (frames: DataFrameJSON[]): DataFrame[] => frames.map((frame) => grafana.dataFrameFromJSON(frame));
