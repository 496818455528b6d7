/** Shows a panel as Grafana would, as values: its queries with the selected values, its transformations, its field options. */
import type { Field } from "@grafana/data";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { applyFields, fieldConfigOf, type Look } from "./fields";
import { grafana } from "./library";
import { type BaseOf, type Panel, type Servers, type View, valuesOf, variablesOf } from "./panel";
import { prepare } from "./prepare";
import { queryPanel, stepOf } from "./query";
import { readers, type Shown, text } from "./read";

export { QueryError } from "./client";
export type { Panel, Servers, View } from "./panel";
export type { Shown, ShownBucket, ShownCell, ShownLine, ShownSeries, ShownValue } from "./read";

/** Dashboards show times in the user's time zone. Tests use one. */
const testLook: Look = { theme: grafana.createTheme(), timeZone: "utc" };

/**
 * Sends the panel's queries and reads the responses as the panel does.
 *
 * @throws QueryError in place of the panel's error in Grafana
 */
export async function show(panel: Panel, model: DashboardModel, view: View, servers: Servers | BaseOf): Promise<Shown> {
  const reader = readers[panel.type];
  if (!reader) throw new Error(`No reader for panels of type ${panel.type}`);
  const selected = Object.fromEntries(variablesOf(model).map((variable) => [variable.name, valuesOf(variable, view.selected)]));
  const look = { ...testLook, range: view, selected };
  const frames = await prepare(panel, await queryPanel(panel, model, view, servers), look);
  return reader(frames, { panel, fieldConfig: fieldConfigOf(panel), step: stepOf(panel, view), look });
}

/** The text of a value in the panel. The name of the series matters for overrides. */
export function textOf(panel: Panel, value: number, seriesName = "Value"): string {
  const frame = grafana.createDataFrame({
    fields: [{ name: "Value", type: grafana.FieldType.number, config: { displayNameFromDS: seriesName }, values: [value] }],
  });
  const [{ fields: [field] = [] } = { fields: [] }] = applyFields(panel, [frame], testLook);
  return text((field as Field).display?.(value));
}
