/** How panels read counters: from their samples, or from the series that recording rules write. */
import { counterIncrease, lastMinute, select, sum, type Window } from "./promql";

/** A counter of an SDK. */
export interface Counter<Label extends string = string> {
  /** The name of its series, as Prometheus stores them. */
  series: string;
  /** The labels by which panels group and filter it. Recording rules keep these. */
  labels: readonly Label[];
  /** Filters of all panels. */
  filters?: readonly string[];
}

/** `exact`: each query calculates the increase from the samples. `recorded`: a recording rule does, once a minute. */
export type CounterMode = "exact" | "recorded";

/** A recording rule: Prometheus evaluates `query` each minute and stores the result as the series `name`. */
export interface RecordingRule {
  name: string;
  query: string;
  /** The series that the query reads. */
  reads: string;
}

/**
 * The name of a recorded series, `level:metric:operation`: the increase of a counter in a minute, by application and by the counter's other labels.
 *
 * @see https://prometheus.io/docs/practices/rules/
 */
export const recordedName = ({ series }: Counter) => `application:${series.replace(/_total$/, "")}:increase1m`;

/** The series that panels read. */
export const seriesRead = (counter: Counter, mode: CounterMode) => (mode === "recorded" ? recordedName(counter) : counter.series);

/** The increase of a counter in a window, in total or by a label. */
export function increase(counter: Counter, mode: CounterMode, filters: readonly string[], window: Window, by?: string): string {
  const selector = select(seriesRead(counter, mode), ...filters, ...(counter.filters ?? []));
  return mode === "recorded" ? sum(`sum_over_time(${selector}[${window}])`, by) : counterIncrease(selector, window, by);
}

/** The rule that records a counter's increase of each minute, of the series that pass the filters. */
export function recordingRule(counter: Counter, filters: readonly string[], labels: readonly string[]): RecordingRule {
  const query = lastMinute(select(counter.series, ...filters, ...(counter.filters ?? [])), [...labels, ...counter.labels]);
  return { name: recordedName(counter), query, reads: counter.series };
}
