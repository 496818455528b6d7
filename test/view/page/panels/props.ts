/** The properties of all panel types. */
import type { DataFrame } from "@grafana/data";
import type { Panel } from "../../reading/panel";

export interface PanelProps {
  panel: Panel;
  /** After the panel's transformations, with its field options. */
  frames: DataFrame[];
  width: number;
  height: number;
}
