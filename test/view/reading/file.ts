/** A dashboard with its data in one JSON file: the page draws it without any server. Pure. */
import type { DataFrame, DataFrameJSON } from "@grafana/data";
import type { DashboardModel } from "../../../src/dashboards/normalize";
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

/** A dashboard in two versions. One of them is missing if the change adds or removes the dashboard. */
export interface Comparison {
  before?: DashboardFile | undefined;
  after?: DashboardFile | undefined;
  panels: readonly NumberedPanel[];
}

/** A changed panel, by its ids in both versions, with the number of the first line of the report about it. A removed or added panel has one id. */
export interface NumberedPanel {
  number: number;
  before?: number | undefined;
  after?: number | undefined;
}

/** Frames before the panel's transformations, or the message of the panel's red corner. */
export type PanelFile = { frames: DataFrameJSON[] } | { error: string };

/** Frames in Grafana's JSON format, with plain data only. */
export const framesToFile = (frames: DataFrame[]): { frames: DataFrameJSON[] } => ({
  frames: JSON.parse(JSON.stringify(frames.map(frameToJson))),
});

/** The library reads lists of the values that JSON does not have, but does not write them. */
function frameToJson(frame: DataFrame): DataFrameJSON {
  const { schema, data } = grafana.dataFrameToJSON(frame);
  if (!schema || !data) throw new Error("A frame without a schema or data");
  const places = (values: unknown[], wanted: number) => values.flatMap((value, index) => (Object.is(value, wanted) ? [index] : []));
  const entities = frame.fields.map(({ type, values }) =>
    type === grafana.FieldType.number
      ? {
          NaN: places(values, Number.NaN),
          Inf: places(values, Number.POSITIVE_INFINITY),
          NegInf: places(values, Number.NEGATIVE_INFINITY),
        }
      : null,
  );
  return { schema, data: { ...data, entities } };
}

export const framesFromFile = (frames: DataFrameJSON[]): DataFrame[] => frames.map((frame) => grafana.dataFrameFromJSON(frame));
