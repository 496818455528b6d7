/** Queries of the measures of "GenAI Observability (OpenTelemetry)", as its panels make them. */
import { counterQueries, fromRules } from "./counters";
import { modelIdentity } from "./identity";
import { type Measure, sourceLabel } from "./opentelemetry-measures";
import { matchesVariable, select, sum, type Window } from "./promql";
import { queryTypeOf, units } from "./signal";

const filtersOf = ({ identities = modelIdentity }: Partial<Measure>) => identities.map((name) => matchesVariable(name, name));

/** Of measures, and of series that have all of `modelIdentity`. */
export const openTelemetryQueries = {
  ...counterQueries<Pick<Measure, "recorded"> & Partial<Measure>>(fromRules, filtersOf),

  /** The 95th percentile by application. Histograms of different sources can have different bounds and not be added: the highest one counts. */
  p95: (measure: Measure, window: Window, description: string, ...others: readonly string[]) => {
    const by = ["application", ...others];
    const buckets = sum(`sum_over_time(${select(measure.recorded, ...filtersOf(measure))}[${window}])`, "le", sourceLabel, ...by);
    return {
      ...units.seconds,
      description,
      legend: "{{application}}",
      calculation: "By the buckets of the histogram, exact to the width of one: with OpenTelemetry's default bounds, several seconds.",
      series: [measure.recorded],
      query: `max by (${by.join(", ")}) (histogram_quantile(0.95, ${buckets}) >= 0)`,
      queryType: queryTypeOf(window),
    } as const;
  },
};
