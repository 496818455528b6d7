/** How panels read counters: from their samples, or from the series that recording rules write. Both have the increase of each full minute. */
import { type HistogramPart, type Metric, seriesName } from "./names/translate";
import { counterIncrease, type Duration, overMinutes, select, sum, type Window } from "./promql";

/** A counter, or a part of a histogram that is read as one. */
export interface Counter {
  /** The name of its series. */
  series: string;
  /** Filters of these series. */
  filters: readonly string[];
  /**
   * The name of its recorded series, `level:metric:operation`: the increase in a minute, by application and by the other labels of panels.
   *
   * @see https://prometheus.io/docs/practices/rules/
   */
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

/** The name of a recorded series. It is the same in each naming: rules write it, not an SDK. */
export const recordedName = (metric: Metric, part?: HistogramPart) =>
  recorded(seriesName(metric, "prometheus", part).replace(/_total$/, ""));

export const recorded = (metric: string) => `application:${metric}:increase1m`;

/** The series that panels read. */
export const seriesRead = ({ series, recorded }: Counter, mode: CounterMode) => (mode === "recorded" ? recorded : series);

/** The increase of a counter in a window, in total or by labels. */
export const increase = (counter: Counter, mode: CounterMode, filters: readonly string[], window: Window, ...by: readonly string[]) =>
  mode === "recorded"
    ? recordedIncrease(counter, filters, window, ...by)
    : counterIncrease(select(counter.series, ...filters, ...counter.filters), window, ...by);

/** The sum of the recorded minutes of a window. */
export const recordedIncrease = ({ recorded }: Counter, filters: readonly string[], window: Window, ...by: readonly string[]) =>
  sum(`sum_over_time(${select(recorded, ...filters)}[${window}])`, ...by);

/** What a rule records: a query for each full minute, at the last one. */
export const recordedMinute = (query: string) => overMinutes(query, minute);

export const minute: Duration = "1m";

/** The rule that records a counter's increases, of the series that pass the filters, by labels. */
export const recordingRule = ({ series, recorded, filters }: Counter, others: readonly string[], by: readonly string[]): RecordingRule => ({
  name: recorded,
  query: counterIncrease(select(series, ...others, ...filters), minute, ...by),
  reads: series,
});

/** The dashboards' sentence on increases. */
export const calculationOf = (mode: CounterMode) =>
  mode === "recorded"
    ? "The sum of the increases of all full minutes, which a recording rule calculates."
    : "The sum of the increases of all full minutes, new processes and restarts included.";
