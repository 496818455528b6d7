/**
 * Signals of "LLM Monitoring" (spec 2.2). The service writes one sample per request and metric, stamped with the end of the request. So a
 * count is a count of samples, a total is their sum, and a mean is the total by the count, each over the wanted window; a plain selector would
 * repeat the last sample at every step.
 */
import { endpointCategories, otherCategory, providerNames } from "./mappings";
import { classify, equals, named, picked, ratio, select, sum, top, type Window } from "./promql";
import type { LogSignal, MetricSignal } from "./signal";

const source = "2.2";

/** What differs from one series of metrics to the next. */
type Told = Pick<MetricSignal, "meaning" | "computed" | "query" | "legend" | "unit">;

/** The signals of one service. */
export function llmMonitoringSignals(service: string) {
  const ofService = equals("job", service);
  const ofPicked = [picked("applicationName", "Application"), picked("environment", "Environment")];
  const series = (metric: string) => `${service}_llm_${metric}`;

  const samples = (metric: string, window: Window) => `${select(series(metric), ofService, ...ofPicked)}[${window}]`;
  const counted = (metric: string, window: Window) => `count_over_time(${samples(metric, window)})`;
  const added = (metric: string, window: Window) => `sum_over_time(${samples(metric, window)})`;
  const mean = (metric: string, window: Window) => ratio(sum(added(metric, window)), sum(counted(metric, window)));

  const read = (metric: string, per: MetricSignal["per"], told: Told): MetricSignal => ({ ...told, series: [series(metric)], per, source });
  const overRange = (metric: string, told: Told) => read(metric, "range", told);
  const overTime = (metric: string, told: Told) => read(metric, "interval", told);
  const logs = (type: string, meaning: string): LogSignal => ({
    meaning,
    computed: "Filtered by application and environment, newest first.",
    streams: `the log streams with job "${service}" and type "${type}"`,
    query: select("", ofService, equals("type", type), ...ofPicked),
    source,
  });

  const meanComputed = "The sum of all samples in the time range by their number: each request counts once.";
  const meanOfIntervalComputed = "The sum of the samples in the interval by their number.";
  const costShare = (meaning: string, query: string, label: string) =>
    overRange("usageCost", {
      meaning,
      computed: `The samples in the time range added up by ${label}.`,
      query,
      legend: `{{${label}}}`,
      unit: "currencyUSD",
    });

  return {
    requests: overRange("requestDuration", {
      meaning: "How many requests ended in the time range.",
      computed: "The number of samples: there is one for each request.",
      query: sum(counted("requestDuration", "$__range")),
      legend: "Requests",
      unit: "locale",
    }),
    requestDuration: overRange("requestDuration", {
      meaning: "Mean duration of a request.",
      computed: meanComputed,
      query: mean("requestDuration", "$__range"),
      legend: "Duration",
      unit: "s",
    }),
    tokensPerRequest: overRange("totalTokens", {
      meaning: "Mean number of tokens of a request, prompt and completion together.",
      computed: meanComputed,
      query: mean("totalTokens", "$__range"),
      legend: "Tokens",
      unit: "locale",
    }),
    costPerRequest: overRange("usageCost", {
      meaning: "Mean cost of a request.",
      computed: meanComputed,
      query: mean("usageCost", "$__range"),
      legend: "Cost",
      unit: "currencyUSD",
    }),
    cost: overRange("usageCost", {
      meaning: "Cost of all requests in the time range.",
      computed: "All samples in the time range added up.",
      query: sum(added("usageCost", "$__range")),
      legend: "Cost",
      unit: "currencyUSD",
    }),
    requestsOverTime: overTime("requestDuration", {
      meaning: "How many requests ended in each interval.",
      computed: "The number of samples in the interval; intervals do not overlap, so the bars add up to the total.",
      query: sum(counted("requestDuration", "$__interval")),
      legend: "Requests",
      unit: "locale",
    }),
    requestsByCategory: overRange("requestDuration", {
      meaning: "Shares of the kinds of requests: Chat, Embeddings, Image, Audio, Fine Tuning, and Other for endpoints of none of these.",
      computed: "The number of samples in the time range by the category of their label endpoint.",
      query: sum(
        classify(sum(counted("requestDuration", "$__range"), "endpoint"), "category", "endpoint", endpointCategories, otherCategory),
        "category",
      ),
      legend: "{{category}}",
      unit: "locale",
    }),
    costByProvider: costShare(
      "Cost of all requests in the time range by provider.",
      named(
        "provider",
        sum(classify(sum(added("usageCost", "$__range"), "platform"), "provider", "platform", providerNames, "$1"), "provider"),
      ),
      "provider",
    ),
    costByApplication: costShare(
      "Cost of all requests in the time range by application.",
      sum(added("usageCost", "$__range"), "applicationName"),
      "applicationName",
    ),
    costByEnvironment: costShare(
      "Cost of all requests in the time range by environment.",
      sum(added("usageCost", "$__range"), "environment"),
      "environment",
    ),
    promptTokensPerRequest: overRange("promptTokens", {
      meaning: "Mean number of tokens in the prompt of a request.",
      computed: meanComputed,
      query: mean("promptTokens", "$__range"),
      legend: "Prompt Tokens",
      unit: "locale",
    }),
    completionTokensPerRequest: overRange("completionTokens", {
      meaning: "Mean number of tokens in the completion of a request.",
      computed: meanComputed,
      query: mean("completionTokens", "$__range"),
      legend: "Completion Tokens",
      unit: "locale",
    }),
    completionTokensOverTime: overTime("completionTokens", {
      meaning: "Mean number of tokens in the completions of each interval.",
      computed: meanOfIntervalComputed,
      query: mean("completionTokens", "$__interval"),
      legend: "Completion Tokens",
      unit: "locale",
    }),
    promptTokensOverTime: overTime("promptTokens", {
      meaning: "Mean number of tokens in the prompts of each interval.",
      computed: meanOfIntervalComputed,
      query: mean("promptTokens", "$__interval"),
      legend: "Prompt Tokens",
      unit: "locale",
    }),
    topModels: overRange("requestDuration", {
      meaning: "The 5 models with the most requests in the time range.",
      computed: "The number of samples in the time range by model.",
      query: top(5, named("model", sum(counted("requestDuration", "$__range"), "model"))),
      legend: "{{model}}",
      unit: "locale",
    }),
    tokensByModel: overTime("totalTokens", {
      meaning: "Tokens in each interval by model, prompt and completion together.",
      computed: "The samples in the interval added up by model.",
      query: named("model", sum(added("totalTokens", "$__interval"), "model")),
      legend: "{{model}}",
      unit: "locale",
    }),
    prompts: logs("prompt", "What applications sent to the models. Prompts may hold personal data: mind who sees this dashboard."),
    responses: logs("response", "What the models answered. Responses may hold personal data: mind who sees this dashboard."),
  } satisfies Record<string, MetricSignal | LogSignal>;
}
