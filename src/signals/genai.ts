/**
 * Signals of "GenAI Observability" (spec 2.3): counters and a histogram that an instrumentation SDK exports over OTLP. The SDK's series are many,
 * thin and short-lived, and the first exported value is 1 or more already.
 */
import type { Signal } from "./signal";

/** The filters that every metric query of the dashboard carries. `sdkName` may hold any character. */
function selector(sdkName: string, series: string): string {
  const name = JSON.stringify(sdkName);
  return `${series}{telemetry_sdk_name=${name}, gen_ai_application_name=~"$application", gen_ai_environment=~"$environment"}`;
}

/**
 * What a counter gained in the time range. `increase` misses the first value of a series that was born inside of the range, and all of a series
 * that was exported once; so that first value is added for series without a sample just before the range.
 */
function gained(counter: string): string {
  const increase = `sum(increase(${counter}[$__range]) or 0 * min_over_time(${counter}[$__range]))`;
  const born = `sum(min_over_time(${counter}[$__range]) unless ${counter} offset $__range)`;
  return `${increase} + (${born} or vector(0))`;
}

/** The signals of applications that are instrumented with one SDK. */
export function genaiSignals(sdkName: string) {
  const of = (series: string) => ({ series: [series], query: gained(selector(sdkName, series)), source: "2.3" });
  return {
    requests: {
      meaning: "Successful requests to LLM providers in the time range: what their counters gained.",
      ...of("gen_ai_requests_total"),
    },
    databaseRequests: {
      meaning: "Successful requests to vector databases in the time range: what their counters gained.",
      ...of("db_requests_total"),
    },
  } satisfies Record<string, Signal>;
}
