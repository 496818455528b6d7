/** How panels read counters: from their samples, or from the series that recording rules write. */
import { type HistogramPart, type Metric, type Naming, seriesName } from "./names/translate";
import { counterIncrease, lastMinute, select, sum, type Window } from "./promql";

/** A counter of an SDK, by its names in Prometheus. */
export interface Counter<By extends string = string> {
  /** The name of its series. */
  series: string;
  /**
   * The name of its recorded series, `level:metric:operation`: the increase in a minute, by application and by the counter's other labels.
   *
   * @see https://prometheus.io/docs/practices/rules/
   */
  recorded: string;
  /** The labels by which panels group and filter it. Recording rules keep these. */
  labels: Readonly<Record<By, string>>;
  /** Filters of all panels. */
  filters: readonly string[];
}

export interface CounterOptions {
  /** The series of a histogram to read as a counter. */
  part?: HistogramPart;
  filters?: readonly string[];
}

/** The counter of a metric. Its recorded series has one name, whatever the naming is: rules write it, not an SDK. */
export function counterOf<By extends string>(
  metric: Metric,
  naming: Naming,
  labels: Readonly<Record<By, string>>,
  { part, filters = [] }: CounterOptions = {},
): Counter<By> {
  const recorded = `application:${seriesName(metric, "prometheus", part).replace(/_total$/, "")}:increase1m`;
  return { series: seriesName(metric, naming, part), recorded, labels, filters };
}

/** `exact`: each query calculates the increase from the samples. `recorded`: a recording rule does, once a minute. */
export type CounterMode = "exact" | "recorded";

/** A recording rule: Prometheus evaluates `query` each minute and stores the result as the series `name`. */
export interface RecordingRule {
  name: string;
  query: string;
  /** The series that the query reads; if SDKs have several names for it, the most frequent one. */
  reads: string;
}

/** The series that panels read. */
export const seriesRead = ({ series, recorded }: Counter, mode: CounterMode) => (mode === "recorded" ? recorded : series);

/** The increase of a counter in a window, in total or by labels. */
export function increase(
  counter: Counter,
  mode: CounterMode,
  filters: readonly string[],
  window: Window,
  ...by: readonly string[]
): string {
  const selector = select(seriesRead(counter, mode), ...filters, ...counter.filters);
  return mode === "recorded" ? sum(`sum_over_time(${selector}[${window}])`, ...by) : counterIncrease(selector, window, ...by);
}

/** The rule that records a counter's increase of each minute, of the series that pass the filters. */
export function recordingRule({ series, recorded, labels, filters }: Counter, ...others: readonly string[]): RecordingRule {
  const query = lastMinute(select(series, ...others, ...filters), Object.values(labels));
  return { name: recorded, query, reads: series };
}
