/** From the frames of queries to the frames that a panel draws. */
import type { DataFrame, DataTransformerConfig } from "@grafana/data";
import { applyFields, type Look } from "./fields";
import type { Panel } from "./panel";
import { transform } from "./transform";

/** Applies the panel's transformations, its field options and its overrides. */
export async function prepare(panel: Panel, frames: DataFrame[], look: Look): Promise<DataFrame[]> {
  return applyFields(panel, await transform(frames, (panel.transformations ?? []) as DataTransformerConfig[]), look);
}
