/** What the signals of "GenAI Observability (OpenTelemetry)" have in common: how panels read what SDKs send, their texts and units. */
import { type CounterMode, counterReadings, queryTypeOf } from "./counters";
import { identityLabels, modelIdentity } from "./identity";
import type { Naming } from "./names/translate";
import { conventionLabel, type Measure, openTelemetryMeasures } from "./opentelemetry-measures";
import { bucketIncrease, matchesVariable, quantile, select, type Window } from "./promql";
import { seconds } from "./signal";

/** How panels read what SDKs send, by the names in Prometheus, and by the attribute of the environment if directly. Default to `prometheus` and OpenLIT's. */
export interface Reading {
  mode: CounterMode;
  naming?: Naming | undefined;
  environmentAttribute?: string | undefined;
}

export type SignalBuilder = ReturnType<typeof signalBuilder>;

export function signalBuilder({ mode, naming = "prometheus", environmentAttribute = "deployment.environment" }: Reading) {
  const measures = openTelemetryMeasures(naming);
  const names = identityLabels(mode, environmentAttribute);
  /** The labels that variables select. SDKs have two labels for the provider, which rules write to one. */
  const selectable = modelIdentity.filter((identity) => mode === "recorded" || identity !== "provider");
  const selection = ({ identities }: Measure) =>
    selectable.filter((identity) => identities.includes(identity)).map((identity) => matchesVariable(names[identity], identity));
  const selected = (measure: Measure) => select(measure.series, ...selection(measure), ...measure.filters);

  const readings = counterReadings<Measure>(mode, selection);

  return {
    ...readings,
    measures,
    names,
    selectable,
    selected,
    label: conventionLabel,

    /** A percentile of buckets by application: without the rules, histograms of several applications can have other bounds and not be added. */
    percentile: (percent: number, measure: Measure, window: Window, ...labels: readonly string[]) => {
      const by = ["le", names.application, ...labels];
      const buckets =
        mode === "recorded" ? readings.increase(measure, window, [], ...by) : bucketIncrease(selected(measure), window, ...by);
      return {
        ...seconds,
        legend: `{{${names.application}}}`,
        calculation: "By the buckets of the histogram, exact to the width of one: with OpenTelemetry's default bounds, several seconds.",
        series: readings.reads(measure),
        query: quantile(percent / 100, buckets),
        queryType: queryTypeOf(window),
      };
    },
  };
}
