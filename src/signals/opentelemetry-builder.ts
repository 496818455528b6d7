/** What the signals of "GenAI Observability (OpenTelemetry)" have in common: how they are calculated, their texts and units. */
import { type CounterMode, calculationOf, increase as increaseOf, recordedIncrease, seriesRead } from "./counters";
import { type Identity, identityLabels } from "./identity";
import type { Naming } from "./names/translate";
import { type ConventionAttribute, conventionLabel, type Measure, openTelemetryMeasures } from "./opentelemetry-measures";
import {
  bucketIncrease,
  equals,
  isPresent,
  matchesVariable,
  nameMissing,
  nameOf,
  positive,
  quantile,
  ratio,
  select,
  type Window,
} from "./promql";
import type { MetricSignal } from "./signal";

/** How panels read what SDKs send. */
export interface Reading {
  mode: CounterMode;
  /** How the names of the SDKs are stored in Prometheus. Defaults to `prometheus`. */
  naming?: Naming | undefined;
  /** The attribute that names the environment, for panels that read directly. Defaults to `deployment.environment`, OpenLIT's. */
  environmentAttribute?: string | undefined;
}

export const defaultEnvironmentAttribute = "deployment.environment";

type Text = Pick<MetricSignal, "description" | "legend"> & Partial<MetricSignal>;

export const seconds = { unit: "s", decimals: 2 } as const;

export type SignalBuilder = ReturnType<typeof signalBuilder>;

export function signalBuilder({ mode, naming = "prometheus", environmentAttribute = defaultEnvironmentAttribute }: Reading) {
  const label = (attribute: ConventionAttribute) => conventionLabel(attribute, naming);
  const names = identityLabels(mode, naming, environmentAttribute);
  /** Rules write a provider's name to one label. Directly, the panel selects in the labels that all SDKs have. */
  const isSelected = (identity: Identity) => mode === "recorded" || identity !== "provider";
  const selection = ({ identities }: Measure) =>
    identities.filter(isSelected).map((identity) => matchesVariable(names[identity], identity));
  const selected = (measure: Measure) => select(measure.series, ...selection(measure), ...measure.filters);
  const increase = (measure: Measure, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
    increaseOf(measure, mode, [...selection(measure), ...filters], window, ...by);
  const reads = (...read: readonly Measure[]) => read.map((measure) => seriesRead(measure, mode));
  const calculation = calculationOf(mode);

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
  const byLabel = (
    measure: Measure,
    name: string,
    description: string,
    filters: readonly string[] = [],
    text: Partial<MetricSignal> = {},
  ) => signal(measure, nameMissing(name, increase(measure, "$__range", filters, name)), { description, legend: nameOf(name), ...text });

  return {
    measures: openTelemetryMeasures(naming),
    label,
    names,
    /** Filters of the measures that have the label of errors. */
    failed: isPresent(label("error")),
    succeeded: equals(label("error"), ""),
    increase,
    /** A selector of the samples that the variables select, for panels that read directly. */
    selected,
    reads,
    signal,

    /** The increase in the time range. */
    total: (measure: Measure, text: Text) => signal(measure, increase(measure, "$__range"), text),

    /** The increase in the time range by a label. */
    byLabel,
    by: (measure: Measure, attribute: ConventionAttribute, description: string, filters: readonly string[] = []) =>
      byLabel(measure, label(attribute), description, filters),

    /** A value for each interval of the time range. */
    overTime: (measure: Measure, query: string, text: Text) => signal(measure, query, { ...text, queryType: "range" }),

    /**
     * A percentile of the buckets of a measure, by application: without the rules, which bring the bounds of SDKs together, only those of one application can
     * be added.
     */
    percentile: (percent: number, measure: Measure, window: Window, text: Text, ...by: readonly string[]): MetricSignal => {
      const grouped = ["le", names.application, ...by];
      const buckets =
        mode === "recorded"
          ? recordedIncrease(measure, selection(measure), window, ...grouped)
          : bucketIncrease(selected(measure), window, ...grouped);
      return {
        ...signal(measure, quantile(percent / 100, buckets), {
          calculation:
            "The percentile by the buckets of the histogram, exact to the width of a bucket: with OpenTelemetry's default bounds, several seconds.",
          ...seconds,
          ...text,
        }),
        queryType: window === "$__range" ? "instant" : "range",
      };
    },

    /** One increase in a window divided by another one; without a value if the divisor is 0. */
    mean: (dividend: Measure, divisor: Measure, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
      ratio(increase(dividend, window, filters, ...by), positive(increase(divisor, window, filters, ...by))),
  };
}
