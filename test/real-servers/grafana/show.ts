/** What a panel of a dashboard would show at this moment: its queries with the reader's values, its transformations, its field options. */
import type { DataFrame, Field, FieldConfigSource } from "@grafana/data";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { classic, expand, type Format, pipe, specialCharacters } from "../../support/expand";
import { variablesOf } from "../../support/models";
import { askInstant, askLoki, askRange, askTempo } from "./ask";
import { configured, grafana, transform } from "./data";
import { lokiFrames, prometheusFrames, tempoFrames } from "./frames";
import { aligned, macros, maxDataPoints, requestInterval, scrapeInterval, step } from "./interval";
import type { Panel, Servers, Target, View } from "./panel";
import { readers, type Shown, text } from "./read";

export { QueryError } from "./ask";
export type { Panel, Servers, View } from "./panel";
export type { Shown, ShownBucket, ShownCell, ShownLine, ShownSeries, ShownValue } from "./read";

/** Asks the servers what the panel asks, and reads the answers as the panel does. Throws what in Grafana is a panel's error. */
export async function show(panel: Panel, model: DashboardModel, view: View, servers: Servers): Promise<Shown> {
  const targets = (panel.targets ?? []).filter(({ hide }) => !hide);
  const answers = await Promise.all(targets.map((target) => ask(target, timingOf(panel, target, view), model, view, servers)));
  const frames = await transform(answers.flat(), panel.transformations ?? []);
  const { fieldConfig, apply } = fieldsOf(panel);
  const reader = readers[panel.type];
  if (!reader) throw new Error(`No reader for panels of type ${panel.type}`);
  return reader(apply(frames), { panel, fieldConfig, step: targets[0] ? timingOf(panel, targets[0], view).step : 0 });
}

/** A value as the panel writes it, in the series of the name if overrides tell series apart. */
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

/** The interval is the panel's, the step each target's. Loki has no interval of its own, and LogQL's is the panel's. */
function timingOf(panel: Panel, { interval: minStep, datasource }: Target, view: View): Timing {
  const points = panel.maxDataPoints ?? maxDataPoints(panel.gridPos);
  const interval = requestInterval(view, points, panel.interval ?? (datasource.type === "prometheus" ? scrapeInterval : undefined));
  return { interval, minStep, step: datasource.type === "prometheus" ? step(view, points, interval, minStep) : interval };
}

/** Lines that Loki's datasource asks for where neither it nor the query names another number (public/app/plugins/datasource/loki/datasource.ts). */
const defaultMaxLines = 1000;

async function ask(target: Target, timing: Timing, model: DashboardModel, view: View, servers: Servers): Promise<DataFrame[]> {
  const { refId } = target;
  switch (target.datasource.type) {
    case "prometheus": {
      const expr = written(target.expr, view.specialCharacters ? specialCharacters : classic, model, view, timing);
      const asked = { refId, expr, legendFormat: target.legendFormat, step: timing.step };
      const answer = target.instant
        ? await askInstant(servers.prometheus, expr, view.to)
        : await askRange(servers.prometheus, expr, aligned(view, timing.step), timing.step);
      return prometheusFrames(answer, asked);
    }
    case "loki": {
      const expr = written(target.expr, alternatives, model, view, timing);
      const { maxLines = defaultMaxLines, direction = "backward" } = target;
      return lokiFrames(await askLoki(servers.loki, expr, view, { limit: maxLines, direction, step: timing.step }), refId);
    }
    case "tempo": {
      const query = written(target.query, pipe, model, view);
      return tempoFrames(await askTempo(servers.tempo, query, view, target), refId);
    }
    default:
      throw new Error(`No server for datasources of type ${target.datasource.type}`);
  }
}

/** Loki's datasource escapes as Prometheus's does, but sets no parentheses around several values. */
const alternatives: Format = (values) => values.map((value) => classic([value])).join("|");

/** A query with the values of variables and, where the datasource has them, of macros. */
function written(query = "", format: Format, model: DashboardModel, view: View, timing?: Timing): string {
  const variables = variablesOf(model).filter(({ type }) => type === "query");
  const strangers = Object.keys(view.selected).filter((name) => !variables.some((variable) => variable.name === name));
  if (strangers.length > 0) throw new Error(`The dashboard has no variable ${strangers.join(", ")}`);
  const choice = (name: string) => {
    const values = view.selected[name] ?? [];
    if (values.length > 0) return { values };
    if (variables.find((variable) => variable.name === name)?.allValue === undefined)
      throw new Error(`All of ${name} stands for a list of values: selection them`);
    return { all: true as const, values };
  };
  return expand(query, variables, choice, format, timing ? macros(view, timing.step, timing.interval, timing.minStep) : []);
}
