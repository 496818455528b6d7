/** How panels read counters: from their samples, or from the series that recording rules write. Both have the increase of each full minute. */
import { counterIncrease, finite, ratio, select, sum, type Window } from "./promql";
import { type CounterMode, intervalNote, queryTypeOf, shownBy, units } from "./signal";

/** A counter, or a part of a histogram that is read as one: its series, as Prometheus stores it. */
export interface Counter {
  series: string;
  filters: readonly string[];
  /** The name of its recorded series: the increase in a minute, by application and by the other labels of panels. It is the same in each naming. */
  recorded: string;
}

/** A recording rule: Prometheus evaluates `query` each minute and stores the result as the series `name`. */
export interface RecordingRule {
  name: string;
  query: string;
  /** Labels that the rule adds to its series. Several rules can have one name and different labels. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** Why the rule exists, and who sends what it reads: for those who read the rule file. */
  comment?: string | undefined;
  /** Whether only Prometheus and Mimir can evaluate it: its result is a native histogram, which Grafana does not write. */
  onlyExternal?: boolean | undefined;
  /** The series that the query reads; if SDKs have several names for it, the most frequent one. */
  reads: string;
  /** Whether it records something whenever telemetry arrives. Others wait for a failure, a cost or an agent. */
  always: boolean;
}

/** The name of recorded series, `level:metric:operation`: https://prometheus.io/docs/practices/rules/ */
export const recordedName = (metric: string) => `application:${metric}:increase1m`;

/** Rules recorded NaN until they left it out themselves. */
export const recordedIncrease = (
  { recorded }: Pick<Counter, "recorded">,
  window: Window,
  filters: readonly string[] = [],
  ...by: readonly string[]
) => sum(finite(`sum_over_time(${select(recorded, ...filters)}[${window}])`), ...by);

/** Queries of counters. `filtersOf` gives the filters of all queries of a counter. */
export function counterQueries<C extends Counter>(mode: CounterMode, filtersOf: (counter: C) => readonly string[]) {
  const reads = (...counters: readonly C[]) => counters.map(({ series, recorded }) => (mode === "recorded" ? recorded : series));
  const increase = (counter: C, window: Window, filters: readonly string[] = [], ...by: readonly string[]) => {
    const all = [...filtersOf(counter), ...filters];
    if (mode === "recorded") return recordedIncrease(counter, window, all, ...by);
    return counterIncrease(select(counter.series, ...all, ...counter.filters), window, ...by);
  };
  const how = mode === "recorded" ? "which a recording rule calculates" : "new processes and restarts included";
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
    increase,
    total,
    /** The increase in the time range by a label. */
    totalBy: (label: string, description: string, counter: C, ...filters: readonly string[]) =>
      shownBy(total(counter, "$__range", filters, label), label, description),
    mean: (dividend: C, divisor: C, window: Window, filters: readonly string[] = [], ...by: readonly string[]) => ({
      ...units.whole,
      calculation: "The increase of the first series, divided by that of the second.",
      series: reads(dividend, divisor),
      query: ratio(increase(dividend, window, filters, ...by), increase(divisor, window, filters, ...by)),
      queryType: queryTypeOf(window),
    }),
  };
}
