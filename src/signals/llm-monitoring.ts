/**
 * Signals of "LLM Monitoring" (spec 2.2). The service writes one sample per request and metric, stamped with the end of the request. So a
 * count is a count of samples, a total is their sum, and a mean is the total by the count, each over the wanted range; a plain selector would
 * repeat the last sample at every step.
 */
import type { Signal } from "./signal";

/** The filters that every metric query of the dashboard carries. */
function selector(service: string, metric: string): string {
  return `${service}_llm_${metric}{job="${service}", applicationName=~"$Application", environment=~"$Environment"}`;
}

/** The signals of one service. */
export function llmMonitoringSignals(service: string) {
  const total = (metric: string) => `sum(sum_over_time(${selector(service, metric)}[$__range]))`;
  const count = (metric: string) => `sum(count_over_time(${selector(service, metric)}[$__range]))`;
  const mean = (metric: string) => `${total(metric)} / ${count(metric)}`;
  const series = (metric: string) => [`${service}_llm_${metric}`];
  const source = "2.2";
  return {
    requests: {
      meaning: "How many requests ended in the time range: the number of samples of their duration.",
      series: series("requestDuration"),
      query: count("requestDuration"),
      source,
    },
    requestDuration: {
      meaning: "Mean duration of a request: the sum of all durations by their number.",
      series: series("requestDuration"),
      query: mean("requestDuration"),
      unit: "s",
      source,
    },
    tokensPerRequest: {
      meaning: "Mean number of tokens of a request, prompt and completion together: their sum by the number of requests.",
      series: series("totalTokens"),
      query: mean("totalTokens"),
      source,
    },
    costPerRequest: {
      meaning: "Mean cost of a request: the sum of all costs by their number.",
      series: series("usageCost"),
      query: mean("usageCost"),
      unit: "currencyUSD",
      source,
    },
    cost: {
      meaning: "Cost of all requests in the time range: the sum of their samples.",
      series: series("usageCost"),
      query: total("usageCost"),
      unit: "currencyUSD",
      source,
    },
  } satisfies Record<string, Signal>;
}
