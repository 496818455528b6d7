/** What the signals of "GenAI Observability (OpenTelemetry)" have in common: how panels read what SDKs send, their texts and units. */
import { type CounterMode, calculationOf, increase as increaseOf, recordedIncrease, seriesRead } from "./counters";
import { identityLabels, modelIdentity } from "./identity";
import type { Naming } from "./names/translate";
import { type ConventionAttribute, conventionLabel, type Measure, openTelemetryMeasures } from "./opentelemetry-measures";
import { bucketIncrease, isOneOf, matchesVariable, nameMissing, nameOf, quantile, ratio, select, type Window } from "./promql";
import { seconds, whole } from "./signal";

/** How panels read what SDKs send, by the names in Prometheus, and by the attribute of the environment if directly. Default to `prometheus` and OpenLIT's. */
export interface Reading {
  mode: CounterMode;
  naming?: Naming | undefined;
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
  const ofMeasure = (measure: Measure) => ({ ...whole, calculation: calculationOf(mode), series: reads(measure) });

  return {
    measures,
    names,
    selectable,
    selected,
    reads,
    label: (attribute: ConventionAttribute) => conventionLabel(attribute, naming),

    /** The query of Grafana's Prometheus variables for the values of a label of some measures. */
    valuesOf: (label: string, ...of: readonly Measure[]) => `label_values(${select("", isOneOf("__name__", reads(...of)))}, ${label})`,

    /** The increase of calls in the time range, in total or by a label. */
    total: (measure: Measure, filters: readonly string[] = [], ...by: readonly string[]) =>
      ({ ...ofMeasure(measure), query: increase(measure, "$__range", filters, ...by), queryType: "instant" }) as const,
    totalBy: (label: string, description: string, measure: Measure, ...filters: readonly string[]) => {
      const query = nameMissing(label, increase(measure, "$__range", filters, label));
      return { ...ofMeasure(measure), query, queryType: "instant", legend: nameOf(label), description } as const;
    },
    /** The increase in each interval of the time range. */
    overTime: (measure: Measure, filters: readonly string[] = [], ...by: readonly string[]) =>
      ({ ...ofMeasure(measure), query: increase(measure, "$__interval", filters, ...by), queryType: "range" }) as const,

    /** One increase divided by another one. */
    mean: (dividend: Measure, divisor: Measure, window: Window, filters: readonly string[] = [], ...by: readonly string[]) => {
      const query = ratio(increase(dividend, window, filters, ...by), increase(divisor, window, filters, ...by));
      return { query, series: reads(dividend, divisor), queryType: queryTypeOf(window) };
    },

    /** A percentile of buckets by application: without the rules, histograms of several applications can have other bounds and not be added. */
    percentile: (percent: number, measure: Measure, window: Window, ...labels: readonly string[]) => {
      const by = ["le", names.application, ...labels];
      const recorded = mode === "recorded" && recordedIncrease(measure, selection(measure), window, ...by);
      return {
        ...seconds,
        legend: `{{${names.application}}}`,
        calculation: "By the buckets of the histogram, exact to the width of one: with OpenTelemetry's default bounds, several seconds.",
        series: reads(measure),
        query: quantile(percent / 100, recorded || bucketIncrease(selected(measure), window, ...by)),
        queryType: queryTypeOf(window),
      };
    },
  };
}

const queryTypeOf = (window: Window): "instant" | "range" => (window === "$__range" ? "instant" : "range");
