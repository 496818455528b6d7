/** What the signals of "GenAI Observability (OpenTelemetry)" have in common: how panels read what SDKs send, their texts and units. */
import { type CounterMode, calculationOf, increase as increaseOf, recordedIncrease, seriesRead } from "./counters";
import { identityLabels, modelIdentity } from "./identity";
import type { Naming } from "./names/translate";
import { type ConventionAttribute, conventionLabel, type Measure, openTelemetryMeasures } from "./opentelemetry-measures";
import { bucketIncrease, isOneOf, matchesVariable, nameMissing, nameOf, quantile, ratio, select, type Window } from "./promql";
import { count, type MetricSignal, seconds } from "./signal";

/** How panels read what SDKs send. */
export interface Reading {
  mode: CounterMode;
  /** How the names of the SDKs are stored in Prometheus. Defaults to `prometheus`. */
  naming?: Naming | undefined;
  /** The attribute that names the environment, for panels that read directly. Defaults to OpenLIT's. */
  environmentAttribute?: string | undefined;
}

export type SignalBuilder = ReturnType<typeof signalBuilder>;

export function signalBuilder({ mode, naming = "prometheus", environmentAttribute = "deployment.environment" }: Reading) {
  const measures = openTelemetryMeasures(naming);
  const names = identityLabels(mode, naming, environmentAttribute);
  /** The labels that variables select. SDKs have two labels for the provider, which rules write to one. */
  const selectable = modelIdentity.filter((identity) => mode === "recorded" || identity !== "provider");
  const selection = ({ identities }: Measure) =>
    selectable.filter((identity) => identities.includes(identity)).map((identity) => matchesVariable(names[identity], identity));
  const selected = (measure: Measure) => select(measure.series, ...selection(measure), ...measure.filters);

  const increase = (measure: Measure, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
    increaseOf(measure, mode, [...selection(measure), ...filters], window, ...by);
  const reads = (...read: readonly Measure[]) => seriesRead(mode, ...read);
  /** A number for the time range. */
  const signal = (measure: Measure, legend: string, description: string, query: string, text: Partial<MetricSignal> = {}): MetricSignal => {
    return {
      ...count,
      calculation: calculationOf(mode),
      series: reads(measure),
      queryType: "instant",
      legend,
      description,
      query,
      ...text,
    };
  };

  return {
    measures,
    names,
    selectable,
    selected,
    increase,
    reads,
    signal,
    label: (attribute: ConventionAttribute) => conventionLabel(attribute, naming),

    /** The query of Grafana's Prometheus variables for the values of a label of some measures. */
    valuesOf: (label: string, ...of: readonly Measure[]) => `label_values(${select("", isOneOf("__name__", reads(...of)))}, ${label})`,

    /** The increase in the time range, and by a label. */
    total: (measure: Measure, legend: string, description: string, text: Partial<MetricSignal> = {}) =>
      signal(measure, legend, description, increase(measure, "$__range"), text),
    by: (measure: Measure, label: string, description: string, filters: readonly string[] = [], text: Partial<MetricSignal> = {}) =>
      signal(measure, nameOf(label), description, nameMissing(label, increase(measure, "$__range", filters, label)), text),

    /** The increase in each interval of the time range. */
    overTime: (measure: Measure, legend: string, description: string, filters: readonly string[] = [], ...by: readonly string[]) =>
      signal(measure, legend, description, increase(measure, "$__interval", filters, ...by), { queryType: "range" }),

    /** One increase divided by another one. */
    mean: (dividend: Measure, divisor: Measure, window: Window, filters: readonly string[] = [], ...by: readonly string[]) =>
      ratio(increase(dividend, window, filters, ...by), increase(divisor, window, filters, ...by)),

    /** A percentile of buckets by application: without the rules, histograms of several applications can have other bounds and not be added. */
    percentile: (percent: number, measure: Measure, window: Window, legend: string, description: string, ...labels: readonly string[]) => {
      const by = ["le", names.application, ...labels];
      const recorded = mode === "recorded" && recordedIncrease(measure, selection(measure), window, ...by);
      const query = quantile(percent / 100, recorded || bucketIncrease(selected(measure), window, ...by));
      const calculation =
        "By the buckets of the histogram, exact to the width of one: with OpenTelemetry's default bounds, several seconds.";
      return signal(measure, legend, description, query, {
        calculation,
        ...seconds,
        queryType: window === "$__range" ? "instant" : "range",
      });
    },
  };
}
