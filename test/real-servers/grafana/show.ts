/** Shows a panel as Grafana would: its queries with the selected values, its transformations, its field options. */
import type { DataFrame, Field, FieldConfigSource } from "@grafana/data";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { classic, expand, type Format, pipe, specialCharacters } from "../../support/expand";
import { variablesOf } from "../../support/models";
import { queryInstant, queryLoki, queryRange, queryTempo } from "./client";
import { configured, grafana, transform } from "./data";
import { lokiFrames, prometheusFrames, tempoFrames } from "./frames";
import { aligned, macros, maxDataPoints, requestInterval, scrapeInterval, step } from "./interval";
import type { Panel, Servers, Target, View } from "./panel";
import { readers, type Shown, text } from "./read";

export { QueryError } from "./client";
export type { Panel, Servers, View } from "./panel";
export type { Shown, ShownBucket, ShownCell, ShownLine, ShownSeries, ShownValue } from "./read";

/**
 * Sends the panel's queries and reads the responses as the panel does.
 *
 * @throws QueryError in place of the panel's error in Grafana
 */
export async function show(panel: Panel, model: DashboardModel, view: View, servers: Servers): Promise<Shown> {
  const targets = (panel.targets ?? []).filter(({ hide }) => !hide);
  const answers = await Promise.all(targets.map((target) => sendQuery(target, timingOf(panel, target, view), model, view, servers)));
  const frames = await transform(answers.flat(), panel.transformations ?? []);
  const { fieldConfig, apply } = fieldsOf(panel);
  const reader = readers[panel.type];
  if (!reader) throw new Error(`No reader for panels of type ${panel.type}`);
  return reader(apply(frames), { panel, fieldConfig, step: targets[0] ? timingOf(panel, targets[0], view).step : 0 });
}

/** The text of a value in the panel. The name of the series matters for overrides. */
export function textOf(panel: Panel, value: number, seriesName = "Value"): string {
  const frame = grafana.createDataFrame({
    fields: [{ name: "Value", type: grafana.FieldType.number, config: { displayNameFromDS: seriesName }, values: [value] }],
  });
  const [{ fields: [field] = [] } = { fields: [] }] = fieldsOf(panel).apply([frame]);
  return text((field as Field).display?.(value));
}

const fieldsOf = ({ type, fieldConfig = { defaults: {}, overrides: [] } }: Panel) => configured(type, fieldConfig as FieldConfigSource);

interface Timing {
  step: number;
  interval: number;
  minStep: string | undefined;
}

/** The interval belongs to the panel, the step to each target. For Loki, the step is the panel's interval. */
function timingOf(panel: Panel, { interval: minStep, datasource }: Target, view: View): Timing {
  const points = panel.maxDataPoints ?? maxDataPoints(panel.gridPos);
  const interval = requestInterval(view, points, panel.interval ?? (datasource.type === "prometheus" ? scrapeInterval : undefined));
  return { interval, minStep, step: datasource.type === "prometheus" ? step(view, points, interval, minStep) : interval };
}

/** The default number of log lines (public/app/plugins/datasource/loki/datasource.ts). */
const defaultMaxLines = 1000;

async function sendQuery(target: Target, timing: Timing, model: DashboardModel, view: View, servers: Servers): Promise<DataFrame[]> {
  const { refId } = target;
  switch (target.datasource.type) {
    case "prometheus": {
      const expr = expandQuery(target.expr, view.specialCharacters ? specialCharacters : classic, model, view, timing);
      const sent = { refId, expr, legendFormat: target.legendFormat, step: timing.step };
      const answer = target.instant
        ? await queryInstant(servers.prometheus, expr, view.to)
        : await queryRange(servers.prometheus, expr, aligned(view, timing.step), timing.step);
      return prometheusFrames(answer, sent);
    }
    case "loki": {
      const expr = expandQuery(target.expr, alternatives, model, view, timing);
      const { maxLines = defaultMaxLines, direction = "backward" } = target;
      return lokiFrames(await queryLoki(servers.loki, expr, view, { limit: maxLines, direction, step: timing.step }), refId);
    }
    case "tempo": {
      const query = expandQuery(target.query, pipe, model, view);
      return tempoFrames(await queryTempo(servers.tempo, query, view, target), refId);
    }
    default:
      throw new Error(`No server for datasources of type ${target.datasource.type}`);
  }
}

/** Loki's datasource escapes like Prometheus', without parentheses around several values. */
const alternatives: Format = (values) => values.map((value) => classic([value])).join("|");

/** Expands the variables of a query, and its macros if the datasource has any. */
function expandQuery(query = "", format: Format, model: DashboardModel, view: View, timing?: Timing): string {
  const variables = variablesOf(model).filter(({ type }) => type === "query");
  const unknown = Object.keys(view.selected).filter((name) => !variables.some((variable) => variable.name === name));
  if (unknown.length > 0) throw new Error(`The dashboard has no variable ${unknown.join(", ")}`);
  const choice = (name: string) => {
    const values = view.selected[name] ?? [];
    if (values.length > 0) return { values };
    if (variables.find((variable) => variable.name === name)?.allValue === undefined)
      throw new Error(`All of ${name} is a list of values: select them`);
    return { all: true as const, values };
  };
  return expand(query, variables, choice, format, timing ? macros(view, timing.step, timing.interval, timing.minStep) : []);
}
