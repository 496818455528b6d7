/** Reads counters from samples, or from the series of recording rules. Both give the increase of each full minute. */
import { counterIncrease, finite, ratio, select, sum, type Window } from "./promql";
import { intervalNote, queryTypeOf, shownBy, units } from "./signal";

/** A recording rule: Prometheus evaluates `query` each minute and stores the result as the series `name`. */
export interface RecordingRule {
  name: string;
  query: string;
  /** Labels that the rule adds to the series. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** A comment in the rule file. */
  comment?: string | undefined;
  /** The series that the query reads. Of several names, it is the most frequent one. */
  reads: string;
  /** The rule records something whenever telemetry arrives. Other rules wait for a failure, a cost or an agent. */
  always: boolean;
  /** The rule records a native histogram. Prometheus and Mimir can do that, Grafana cannot. */
  onlyExternal?: boolean | undefined;
  /** The group of the rule. No rule of the default group reads what the rules of other groups record. */
  group?: "times" | "alerts" | undefined;
}

/** The rules that Grafana can evaluate. */
export const evaluatedByGrafana = (rules: readonly RecordingRule[]) => rules.filter(({ onlyExternal }) => !onlyExternal);

/** A counter of samples: its series, as Prometheus stores it. */
export interface Counter {
  series: string;
  filters: readonly string[];
}

/** A recorded series: the increase in a minute, by the labels of panels. Its name does not depend on the naming of metrics. */
export interface Recorded {
  recorded: string;
}

/** Reads one kind of counter. */
export interface Reader<C> {
  /** The increase in a window, in total or by labels. */
  increase: (counter: C, window: Window, filters: readonly string[], ...by: readonly string[]) => string;
  /** The name of the series. */
  name: (counter: C) => string;
  /** A part of the panel's description. */
  how: string;
}

/** Reads samples. */
export const fromSamples: Reader<Counter> = {
  increase: ({ series, filters: own }, window, filters, ...by) => counterIncrease(select(series, ...filters, ...own), window, ...by),
  name: ({ series }) => series,
  how: "new processes and restarts included",
};

/** The recorded increase in a window, in total or by labels. Former rules recorded NaN, too. */
export const recordedIncrease = ({ recorded }: Recorded, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
  sum(finite(`sum_over_time(${select(recorded, ...filters)}[${window}])`), ...by);

/** Reads recorded series. */
export const fromRules: Reader<Recorded> = {
  increase: recordedIncrease,
  name: ({ recorded }) => recorded,
  how: "which a recording rule writes about a minute later; a minute in which the rule was not evaluated is missing",
};

/** Queries of counters. All queries of a counter have the filters of `filtersOf`. */
export function counterQueries<C>({ increase: read, name, how }: Reader<C>, filtersOf: (counter: C) => readonly string[]) {
  const reads = (...counters: readonly C[]) => counters.map(name);
  const increase = (counter: C, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
    read(counter, window, [...filtersOf(counter), ...filters], ...by);
  /** The increase in the time range or in each interval, in total or by labels. */
  const total = (counter: C, window: Window, filters: readonly string[] = [], ...by: readonly string[]) => ({
    ...units.whole,
    calculation: `The sum of the increases of all full minutes, ${how}.${intervalNote(window)}`,
    series: reads(counter),
    query: increase(counter, window, filters, ...by),
    queryType: queryTypeOf(window),
  });

  return {
    reads,
    total,
    /** The increase in the time range by a label. Values of 0 belong to processes that ended before. */
    totalBy: (label: string, description: string, counter: C, ...filters: readonly string[]) => {
      const all = total(counter, "$__range", filters, label);
      return shownBy({ ...all, query: `${all.query} > 0` }, label, description);
    },
    mean: (dividend: C, divisor: C, window: Window, filters: readonly string[] = [], ...by: readonly string[]) => ({
      ...units.whole,
      calculation: "The increase of the first series, divided by that of the second.",
      series: reads(dividend, divisor),
      query: ratio(increase(dividend, window, filters, ...by), increase(divisor, window, filters, ...by)),
      queryType: queryTypeOf(window),
    }),
  };
}
