/** Reads counters from samples, or from the series of recording rules. Both give the increase of each full minute. */
import { counterIncrease, ratio, select, sum, type Window } from "./promql";
import { intervalNote, queryTypeOf, shownBy, units } from "./signal";

/** A recording rule: Prometheus evaluates `query` each minute and stores the result as the series `name`. */
export interface RecordingRule {
  name: string;
  query: string;
  /** Labels that the rule adds to the series. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** A comment in the rule file. */
  comment?: string | undefined;
  /** A series that the query reads: of several names, the usual one. */
  reads: string;
  /** The rule records something whenever telemetry arrives. Other rules wait for a failure, a cost or an agent. */
  always?: boolean;
  /** The rule records a native histogram. Prometheus and Mimir can do that, Grafana cannot. */
  onlyExternal?: boolean | undefined;
  /** The group of the rule. `times` has what no rule of costs reads: a Mimir accepts 20 rules in a group. */
  group?: "times" | "alerts" | undefined;
}

/** The rules that Grafana can evaluate. */
export const evaluatedByGrafana = (rules: readonly RecordingRule[]) => rules.filter(({ onlyExternal }) => !onlyExternal);

/** A counter of samples, or a recorded series. All queries of it have its filters. */
export interface Counter {
  series: string;
  filters: readonly string[];
  /** The increase in a window, in total or by labels. */
  increase: (selector: string, window: Window, ...by: readonly string[]) => string;
  /** A part of the panel's description. */
  how: string;
}

export const fromSamples = { increase: counterIncrease, how: "new processes and restarts included" };

/** The increase by a series that a rule records. */
export const recordedIncrease = (selector: string, window: Window, ...by: readonly string[]) =>
  sum(`sum_over_time(${selector}[${window}])`, ...by);

/** Reads series that rules record: the increase in a minute. Their names do not depend on the naming of metrics. */
export const fromRules = {
  increase: recordedIncrease,
  how: "which a recording rule writes about a minute later; a minute in which the rule was not evaluated is missing",
};

const increaseOf = ({ series, filters: own, increase }: Counter, window: Window, filters: readonly string[], by: readonly string[]) =>
  increase(select(series, ...own, ...filters), window, ...by);

/** The increase in the time range or in each interval, in total or by labels. */
export const total = (counter: Counter, window: Window, filters: readonly string[] = [], ...by: readonly string[]) => ({
  ...units.whole,
  calculation: `The sum of the increases of all full minutes, ${counter.how}.${intervalNote(window)}`,
  series: [counter.series],
  query: increaseOf(counter, window, filters, by),
  queryType: queryTypeOf(window),
});

/** The increase in the time range by a label. Values of 0 belong to processes that ended before. */
export function totalBy(label: string, description: string, counter: Counter, ...filters: readonly string[]) {
  const all = total(counter, "$__range", filters, label);
  return shownBy({ ...all, query: `${all.query} > 0` }, label, description);
}

export const mean = (dividend: Counter, divisor: Counter, window: Window, ...by: readonly string[]) => ({
  ...units.whole,
  calculation: "The increase of the first series, divided by that of the second.",
  series: [dividend.series, divisor.series],
  query: ratio(increaseOf(dividend, window, [], by), increaseOf(divisor, window, [], by)),
  queryType: queryTypeOf(window),
});
