/** What the signals of "GenAI Observability (OpenTelemetry)" have in common: how they are calculated, their texts and units. */
import type { CounterMode } from "./counters";
import { increaseOf, type Measure, seriesOfMeasure } from "./measures";
import type { Naming } from "./names/translate";
import { type ConventionAttribute, conventionLabel, openTelemetryMeasures } from "./opentelemetry-measures";
import { equals, isPresent, nameMissing, nameOf, positive, quantile, ratio, type Window } from "./promql";
import type { MetricSignal } from "./signal";

type Text = Pick<MetricSignal, "description" | "legend"> & Partial<MetricSignal>;

export const seconds = { unit: "s", decimals: 2 } as const;

export type SignalBuilder = ReturnType<typeof signalBuilder>;

export function signalBuilder(mode: CounterMode, naming: Naming) {
  const label = (attribute: ConventionAttribute) => conventionLabel(attribute, naming);
  const increase = (measure: Measure, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
    increaseOf(measure, mode, window, filters, ...by);
  const reads = (...read: readonly Measure[]) => read.flatMap((measure) => seriesOfMeasure(measure, mode));
  const calculation =
    mode === "recorded"
      ? "The sum of the increases of each minute, which a recording rule calculates."
      : "The increase of the counters, short-lived processes and restarts included. A process that sends the same calls by several names counts once.";

  /** A signal with the defaults of all. */
  const signal = (measure: Measure, query: string, text: Text): MetricSignal => ({
    calculation,
    unit: "locale",
    // A count is a whole number; a sum of differences has rounding errors.
    decimals: 0,
    series: reads(measure),
    queryType: "instant",
    query,
    ...text,
  });

  return {
    measures: openTelemetryMeasures(naming),
    label,
    /** Filters of the measures that have the label of errors. */
    failed: isPresent(label("error")),
    succeeded: equals(label("error"), ""),
    increase,
    reads,
    signal,

    /** The increase in the time range. */
    total: (measure: Measure, text: Text) => signal(measure, increase(measure, "$__range"), text),

    /** The increase in the time range by a common label, which all series have. */
    by: (measure: Measure, name: string, description: string, filters: readonly string[] = [], text: Partial<MetricSignal> = {}) =>
      signal(measure, increase(measure, "$__range", filters, name), { description, legend: `{{${name}}}`, ...text }),

    /** The increase in the time range by a label of the measure, which some series lack. */
    byOwn: (measure: Measure, attribute: ConventionAttribute, description: string, filters: readonly string[] = []) => {
      const name = label(attribute);
      return signal(measure, nameMissing(name, increase(measure, "$__range", filters, name)), { description, legend: nameOf(name) });
    },

    /** A value for each interval of the time range. */
    overTime: (measure: Measure, query: string, text: Text) => signal(measure, query, { ...text, queryType: "range" }),

    /** A percentile of the buckets of a measure. */
    percentile: (percent: number, measure: Measure, window: Window, text: Text, ...by: readonly string[]): MetricSignal => ({
      ...signal(measure, quantile(percent / 100, increase(measure, window, [], ...by)), {
        calculation: "The percentile by the buckets of the histogram, exact to the width of a bucket.",
        ...seconds,
        ...text,
      }),
      queryType: window === "$__range" ? "instant" : "range",
    }),

    /** One increase in a window divided by another one; without a value if the divisor is 0. */
    mean: (dividend: Measure, divisor: Measure, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
      ratio(increase(dividend, window, filters, ...by), positive(increase(divisor, window, filters, ...by))),
  };
}
