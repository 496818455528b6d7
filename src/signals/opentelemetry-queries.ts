/** Queries of the measures of "GenAI Observability (OpenTelemetry)", as its panels make them: directly, or of recorded series. */
import { counterQueries } from "./counters";
import { environmentAttributes, firstOf, identityLabels, modelIdentity } from "./identity";
import { conventions } from "./names/conventions";
import { type Measure, openTelemetryMeasures } from "./opentelemetry-measures";
import {
  bucketIncrease,
  histogramIncrease,
  indent,
  matchesVariable,
  minuteIncrease,
  overMinutes,
  quantile,
  relabel,
  select,
  sum,
  type Window,
} from "./promql";
import { queryTypeOf, type Reading, units } from "./signal";

export type OpenTelemetryQueries = ReturnType<typeof openTelemetryQueries>;

export function openTelemetryQueries({ mode, naming, environmentAttribute }: Reading) {
  const measures = openTelemetryMeasures(naming);
  const labels = identityLabels(mode, environmentAttribute);
  /** The variables that select what panels show. SDKs have two labels for the provider, which rules write to one. */
  const variables = modelIdentity.filter((identity) => mode === "recorded" || identity !== "provider");
  const filtersOf = ({ identities }: Measure) =>
    variables.filter((name) => identities.includes(name)).map((name) => matchesVariable(labels[name], name));
  const selectorOf = (measure: Measure) => select(measure.series, ...filtersOf(measure), ...measure.filters);
  const counters = counterQueries(mode, filtersOf);

  return {
    ...counters,
    measures,
    labels,
    variables,

    /** The 95th percentile by application: without the rules, histograms of several applications can have other bounds and not be added. */
    p95: (measure: Measure, window: Window, description: string, ...others: readonly string[]) => {
      const by = [labels.application, ...others];
      const query =
        mode === "recorded"
          ? `${quantile(0.95, counters.increase(measure, window, [], "le", ...by))}\nor ${nativeQuantile(measure, window, others)}`
          : quantile(0.95, bucketIncrease(selectorOf(measure), window, "le", ...by));
      return {
        ...units.seconds,
        description,
        legend: `{{${labels.application}}}`,
        calculation: "By the buckets of the histogram, exact to the width of one: with OpenTelemetry's default bounds, several seconds.",
        series: counters.reads(measure),
        query,
        queryType: queryTypeOf(window),
      } as const;
    },

    /** SDKs send the provider by its present name or by its former one. Rules write either to one label. */
    totalByProvider: (measure: Measure) => {
      const { provider, system } = conventions.attributes;
      const increases = relabel(minuteIncrease(selectorOf(measure)), firstOf("provider", [provider, system]));
      const direct = overMinutes(sum(`\n${indent(increases)}\n`, "provider"), "$__range");
      const total = counters.total(measure, "$__range", [], "provider");
      return { ...total, query: mode === "recorded" ? total.query : direct };
    },
  };
}

/** Of exponential histograms, which rules do not record: read directly, by the labels of SDKs. An environment in the resource only is none. */
function nativeQuantile({ native, identities, filters }: Measure, window: Window, others: readonly string[]) {
  const labels = identityLabels("direct", environmentAttributes[0]);
  const selected = identities.map((name) => matchesVariable(labels[name], name));
  const histograms = select(native, ...selected, ...filters);
  return relabel(
    quantile(0.95, histogramIncrease(histograms, window, labels.application, ...others)),
    firstOf("application", [labels.application]),
  );
}
