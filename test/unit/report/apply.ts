/** Applies changes to the old value, to check that they are complete. */
import { flatten } from "../../../src/report/describe-dashboard";
import { type Change, diff } from "../../../src/report/diff";
import { field, type Json, type JsonObject } from "../../../src/report/json";

/** The new value: all changes applied to the old one in their order. */
export const apply = (value: Json, changes: readonly Change[]): Json =>
  changes.reduce<Json>((current, change) => applyAt(current, change, 0) as Json, value);

function applyAt(value: Json | undefined, change: Change, depth: number): Json | undefined {
  const key = change.path[depth];
  if (key === undefined) {
    if (!("origins" in change)) return change.after;
    const added = [...change.added];
    return change.origins.map((from) => (from === undefined ? added.shift() : (value as Json[])[from]) as Json);
  }
  if (Array.isArray(value)) return value.map((element, index) => (index === key ? (applyAt(element, change, depth + 1) as Json) : element));
  const changed = applyAt(field(value, String(key)), change, depth + 1);
  const others = Object.entries(value as JsonObject).filter(([name]) => name !== key);
  return Object.fromEntries(changed === undefined ? others : [...others, [String(key), changed]]);
}

/** The model of a flat one, with the collapsed rows of another model. */
export function unflatten(model: JsonObject, rows: JsonObject): JsonObject {
  const flat = field(model, "panels");
  if (!Array.isArray(flat)) return model;
  const nested = (field(rows, "panels") as Json[]).flatMap((panel) => {
    const inner = field(panel, "panels");
    return [false, ...(Array.isArray(inner) ? inner.map(() => true) : [])];
  });
  const panels: Json[] = [];
  for (const [index, panel] of flat.entries()) {
    const row = panels.at(-1) as JsonObject;
    if (nested[index]) panels[panels.length - 1] = { ...row, panels: [...(row.panels as Json[]), panel] };
    else panels.push(panel);
  }
  return { ...model, panels };
}

/** The new model: all changes between the flat models applied to the old one. */
export function applyToModel(before: JsonObject, after: JsonObject): JsonObject {
  const [old, current] = [flatten(before), flatten(after)];
  return unflatten(apply(old, diff(old, current)) as JsonObject, after);
}
