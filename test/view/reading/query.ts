/** Sends the queries of a panel with the selected values and converts the responses to frames. */
import type { DataFrame } from "@grafana/data";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { queryInstant, queryLoki, queryRange, queryTempo } from "./client";
import { classic, expand, type Format, pipe, specialCharacters } from "./expand";
import { lokiFrames, prometheusFrames, prometheusTables, tempoFrames } from "./frames";
import { aligned, macros, maxDataPoints, requestInterval, scrapeInterval, step } from "./interval";
import { grafana } from "./library";
import { type BaseOf, type Panel, type Range, type Servers, type Target, type Variable, type View, valuesOf, variablesOf } from "./panel";

/**
 * The frames of all queries of a panel, before its transformations.
 *
 * @param width the panel's width in pixels: a graph has a point for each; by default that on a screen of 1920 pixels
 * @throws QueryError in place of the panel's error in Grafana
 */
export async function queryPanel(
  panel: Panel,
  model: DashboardModel,
  view: View,
  servers: Servers | BaseOf,
  width: number = maxDataPoints(panel.gridPos),
): Promise<DataFrame[]> {
  const base = typeof servers === "function" ? servers : ({ type }: { type: string }) => servers[type as keyof Servers];
  const own = { ...view, ...rangeOf(panel, view) };
  const targets = targetsOf(panel);
  const answers = await Promise.all(targets.map((target) => sendQuery(target, timingOf(panel, target, own, width), model, own, base)));
  const isTable = (index: number) => targets[index]?.format === "table";
  return [...answers.filter((_, index) => !isTable(index)).flat(), ...prometheusTables(answers.filter((_, index) => isTable(index)))];
}

/**
 * The time range of a panel (PanelTimeRange.tsx): one of its own in place of a relative one, moved by its shift.
 *
 * @throws Error for a range that is not known
 */
function rangeOf({ timeFrom, timeShift }: Panel, { from, to, isRelative }: View): Range {
  const { dateMath, rangeUtil } = grafana;
  let range = { from, to };
  if (timeFrom && isRelative) {
    const known = rangeUtil.describeTextRange(timeFrom);
    if (known.invalid) throw new Error(`Not a time range: ${timeFrom}`);
    const [first, last] = [known.from, known.to].map(
      (text) => dateMath.toDateTime(text, { timezone: "utc", now: to })?.valueOf() ?? Number.NaN,
    );
    range = { from: first as number, to: last as number };
  }
  const shifted = (time: number) =>
    dateMath.parseDateMath(`-${timeShift}`, grafana.dateTimeForTimeZone("utc", time))?.valueOf() ?? Number.NaN;
  return timeShift ? { from: shifted(range.from), to: shifted(range.to) } : range;
}

/** The step of a panel's first query in milliseconds, 0 without any. */
export function stepOf(panel: Panel, view: View, width: number = maxDataPoints(panel.gridPos)): number {
  const [first] = targetsOf(panel);
  return first ? timingOf(panel, first, { ...view, ...rangeOf(panel, view) }, width).step : 0;
}

const targetsOf = ({ targets = [] }: Panel) => targets.filter(({ hide }) => !hide);

interface Timing {
  step: number;
  interval: number;
  minStep: string | undefined;
}

/** The interval belongs to the panel, the step to each target. For Loki, the step is the panel's interval. */
function timingOf(panel: Panel, { interval: minStep, datasource }: Target, view: View, width: number): Timing {
  const points = panel.maxDataPoints ?? width;
  const interval = requestInterval(view, points, panel.interval ?? (datasource.type === "prometheus" ? scrapeInterval : undefined));
  return { interval, minStep, step: datasource.type === "prometheus" ? step(view, points, interval, minStep) : interval };
}

/** The default number of log lines (public/app/plugins/datasource/loki/datasource.ts). */
const defaultMaxLines = 1000;

async function sendQuery(target: Target, timing: Timing, model: DashboardModel, view: View, baseOf: BaseOf): Promise<DataFrame[]> {
  const { refId } = target;
  const server = baseOf(target.datasource);
  switch (target.datasource.type) {
    case "prometheus": {
      const expr = expandQuery(target.expr, view.specialCharacters ? specialCharacters : classic, model, view, timing);
      const legendFormat = expandQuery(target.legendFormat, pipe, model, view);
      const sent = { refId, expr, legendFormat, step: timing.step };
      const answer = target.instant
        ? await queryInstant(server, expr, view.to)
        : await queryRange(server, expr, aligned(view, timing.step, view.utcOffset), timing.step);
      return prometheusFrames(answer, sent);
    }
    case "loki": {
      const expr = expandQuery(target.expr, alternatives, model, view, timing);
      const { maxLines = defaultMaxLines, direction = "backward" } = target;
      return lokiFrames(await queryLoki(server, expr, view, { limit: maxLines, direction, step: timing.step }), refId);
    }
    case "tempo": {
      const query = expandQuery(target.query, pipe, model, view);
      return tempoFrames(await queryTempo(server, query, view, target), refId);
    }
    default:
      throw new Error(`No server for datasources of type ${target.datasource.type}`);
  }
}

/** Loki's datasource escapes like Prometheus', without parentheses around several values. */
const alternatives: Format = (values) => values.map((value) => classic([value])).join("|");

/** Expands the variables of a query, and its macros if the datasource has any. */
export function expandQuery(query = "", format: Format, model: DashboardModel, view: View, timing?: Timing): string {
  const variables = variablesOf(model).filter(({ type }) => type !== "datasource");
  const unknown = Object.keys(view.selected).filter((name) => !variables.some((variable) => variable.name === name));
  if (unknown.length > 0) throw new Error(`The dashboard has no variable ${unknown.join(", ")}`);
  const choice = (name: string) => {
    const variable = variables.find((variable) => variable.name === name) as Variable;
    const values = [...valuesOf(variable, view.selected)];
    if (values.length > 0) return { values };
    if (variable.allValue === undefined) throw new Error(`All of ${name} is a list of values: select them`);
    return { all: true as const, values };
  };
  return expand(query, variables, choice, format, timing ? macros(view, timing.step, timing.interval, timing.minStep) : []);
}
