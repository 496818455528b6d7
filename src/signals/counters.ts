/** How panels read counters: from their samples, or from the series that recording rules write. Both have the increase of each full minute. */
import { counterIncrease, select, sum, type Window } from "./promql";

/** A counter, or a part of a histogram that is read as one. */
export interface Counter {
  /** The name of its series, as Prometheus stores it. */
  series: string;
  filters: readonly string[];
  /** The name of its recorded series: the increase in a minute, by application and by the other labels of panels. It is the same in each naming. */
  recorded: string;
}

/** `direct`: each query calculates the increases from the samples. `recorded`: a recording rule does, once a minute. */
export type CounterMode = "direct" | "recorded";

/** A recording rule: Prometheus evaluates `query` each minute and stores the result as the series `name`. */
export interface RecordingRule {
  name: string;
  query: string;
  /** The series that the query reads; if SDKs have several names for it, the most frequent one. */
  reads: string;
}

/** The name of recorded series, `level:metric:operation`: https://prometheus.io/docs/practices/rules/ */
export const recordedName = (metric: string) => `application:${metric}:increase1m`;

export const seriesRead = (mode: CounterMode, ...counters: readonly Counter[]) =>
  counters.map(({ series, recorded }) => (mode === "recorded" ? recorded : series));

/** The increase of a counter in a window, in total or by labels. */
export const increase = (counter: Counter, mode: CounterMode, filters: readonly string[], window: Window, ...by: readonly string[]) =>
  mode === "recorded"
    ? recordedIncrease(counter, filters, window, ...by)
    : counterIncrease(select(counter.series, ...filters, ...counter.filters), window, ...by);

export const recordedIncrease = ({ recorded }: Counter, filters: readonly string[], window: Window, ...by: readonly string[]) =>
  sum(`sum_over_time(${select(recorded, ...filters)}[${window}])`, ...by);

/** A sentence of panels' descriptions. */
export const calculationOf = (mode: CounterMode) =>
  `The sum of the increases of all full minutes, ${mode === "recorded" ? "which a recording rule calculates" : "new processes and restarts included"}.`;
