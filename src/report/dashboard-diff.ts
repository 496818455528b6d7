/** Differences of two dashboard models by panel identity. Pure. */
import { applyJson, type Change, diffJson, isObject, type Json, type JsonObject, own } from "./json";
import { match } from "./match";

/** A panel of a flat model: one of a collapsed row stands behind its row. */
export type FlatPanel = { nested: boolean; panel: Json };

/** The model with all its panels in one list, so that a panel is the same one in an open row and in a collapsed one. */
export function flatten(model: JsonObject): JsonObject {
  const panels = own(model, "panels");
  if (!Array.isArray(panels)) return model;
  const flat = panels.flatMap((panel): FlatPanel[] => {
    const inner = own(panel, "panels");
    if (!isObject(panel) || !Array.isArray(inner)) return [{ nested: false, panel }];
    return [{ nested: false, panel: { ...panel, panels: [] } }, ...inner.map((each) => ({ nested: true, panel: each }))];
  });
  return { ...model, panels: flat };
}

/** The model of a flat one. */
export function unflatten(model: JsonObject): JsonObject {
  const flat = own(model, "panels");
  if (!Array.isArray(flat)) return model;
  const panels: Json[] = [];
  for (const { nested, panel } of flat as FlatPanel[]) {
    const row = panels.at(-1) as JsonObject;
    if (nested) panels[panels.length - 1] = { ...row, panels: [...(row.panels as Json[]), panel] };
    else panels.push(panel);
  }
  return { ...model, panels };
}

/** All changes from one model to another, on their flat forms. */
export function diffDashboards(before: JsonObject, after: JsonObject): Change[] {
  return diffJson(flatten(before), flatten(after), match);
}

/** The new model: all changes made to the old one. */
export function applyDashboard(before: JsonObject, changes: readonly Change[]): JsonObject {
  return unflatten(applyJson(flatten(before), changes) as JsonObject);
}
