/**
 * Signals of "LLM Monitoring" (spec 2.2). The service writes one sample per request and metric, at the time when the request ends. So the number of
 * samples in a window is the number of requests, and their sum is the total. A plain selector would repeat the last sample at each step.
 */
import { endpointCategories, mapLabel, otherCategory, providerNames } from "./mappings";
import { equals, matchesVariable, nameMissing, nameOf, select, sum, type Window } from "./promql";
import { type LogSignal, type MetricSignal, queryTypeOf, requestCost, seconds, shown, totalCost, whole, wholeIntervals } from "./signal";

/** A selector of all log streams of a service. */
export const serviceStreams = (service: string) => select("", equals("job", service));

/** What the samples of a service's metric in a window mean. Each series has its own value: sum them. */
export function serviceSamples(service: string, ...filters: readonly string[]) {
  const samples = (metric: string, window: Window) =>
    `${select(`${service}_llm_${metric}`, equals("job", service), ...filters)}[${window}]`;
  const count = (metric: string, window: Window) => `count_over_time(${samples(metric, window)})`;
  const total = (metric: string, window: Window) => `sum_over_time(${samples(metric, window)})`;
  return { count, total };
}

/** The signals of one service. */
export function llmMonitoringSignals(service: string) {
  const filters = [matchesVariable("applicationName", "Application"), matchesVariable("environment", "Environment")];
  const { count, total } = serviceSamples(service, ...filters);

  /** A query of a metric: one value for the time range, or one for each interval. */
  const queryOf = (metric: string, window: Window, calculation: string, query: string) =>
    ({ ...whole, series: [`${service}_llm_${metric}`], queryType: queryTypeOf(window), calculation, query }) as const;
  const inWindow = (window: Window) => (window === "$__range" ? "the time range" : "the interval");
  const note = (window: Window) => (window === "$__range" ? "" : ` ${wholeIntervals}`);
  const requestsIn = (window: Window, ...by: string[]) => {
    const calculation = `The number of samples in ${inWindow(window)}: one for each request.${note(window)}`;
    return queryOf("requestDuration", window, calculation, sum(count("requestDuration", window), ...by));
  };
  const totalIn = (metric: string, window: Window, ...by: string[]) =>
    queryOf(metric, window, `The sum of the samples in ${inWindow(window)}.${note(window)}`, sum(total(metric, window), ...by));
  // Samples are there or not: a mean is never divided by 0.
  const meanIn = (metric: string, window: Window) => {
    const calculation = `The sum of the samples in ${inWindow(window)}, divided by their number: each request counts once.`;
    return queryOf(metric, window, calculation, `${sum(total(metric, window))} / ${sum(count(metric, window))}`);
  };
  const costBy = (name: string, label: string) => ({
    ...totalIn("usageCost", "$__range", label),
    ...totalCost,
    legend: `{{${label}}}`,
    description: `Cost of all requests in the time range by ${name}.`,
  });
  const logs = (type: string, description: string): LogSignal => ({
    description: `${description} They may contain personal data: restrict who can view this dashboard.`,
    calculation: "Filtered by application and environment, newest first.",
    streams: `log streams with job "${service}" and type "${type}"`,
    query: select("", equals("job", service), equals("type", type), ...filters),
  });
  const byEndpoint = requestsIn("$__range", "endpoint");
  const category = sum(mapLabel(byEndpoint.query, "category", "endpoint", endpointCategories, otherCategory), "category");
  const byPlatform = costBy("provider", "platform");
  const provider = sum(mapLabel(byPlatform.query, "provider", "platform", providerNames, "$1"), "provider");
  const categories = `Requests by category: Chat, Embeddings, Image, Audio, Fine Tuning, and ${otherCategory} for all other endpoints.`;
  const topModels = requestsIn("$__range", "model");
  const tokensByModel = totalIn("totalTokens", "$__interval", "model");
  const perInterval = (metric: string, legend: string, what: string) => ({
    ...meanIn(metric, "$__interval"),
    legend,
    description: `${what} in each interval.`,
  });
  const tokensOf = (kind: string) => `Mean number of ${kind}tokens per request`;

  return {
    requests: shown(requestsIn("$__range"), "Requests", "Number of requests that ended in the time range."),
    requestDuration: shown({ ...meanIn("requestDuration", "$__range"), ...seconds }, "Duration", "Mean duration of a request."),
    tokensPerRequest: shown(meanIn("totalTokens", "$__range"), "Tokens", `${tokensOf("")}, prompt and completion together.`),
    costPerRequest: shown({ ...meanIn("usageCost", "$__range"), ...requestCost }, "Cost", "Mean cost of a request."),
    cost: shown({ ...totalIn("usageCost", "$__range"), ...totalCost }, "Cost", "Cost of all requests in the time range."),
    requestsOverTime: shown(requestsIn("$__interval"), "Requests", "Number of requests that ended in each interval."),
    requestsByCategory: { ...byEndpoint, query: category, legend: "{{category}}", description: categories },
    costByProvider: { ...byPlatform, query: nameMissing("provider", provider), legend: nameOf("provider") },
    costByApplication: costBy("application", "applicationName"),
    costByEnvironment: costBy("environment", "environment"),
    promptTokensPerRequest: shown(meanIn("promptTokens", "$__range"), "Prompt Tokens", `${tokensOf("prompt ")}.`),
    completionTokensPerRequest: shown(meanIn("completionTokens", "$__range"), "Completion Tokens", `${tokensOf("completion ")}.`),
    completionTokensOverTime: perInterval("completionTokens", "Completion Tokens", tokensOf("completion ")),
    promptTokensOverTime: perInterval("promptTokens", "Prompt Tokens", tokensOf("prompt ")),
    topModels: {
      ...topModels,
      query: `topk(5, ${nameMissing("model", topModels.query)})`,
      legend: nameOf("model"),
      description: "The 5 models with the most requests in the time range.",
    },
    tokensByModel: {
      ...tokensByModel,
      query: nameMissing("model", tokensByModel.query),
      legend: nameOf("model"),
      description: "Tokens in each interval by model, prompt and completion together.",
    },
    prompts: logs("prompt", "Prompts that applications sent to the models."),
    responses: logs("response", "Responses of the models."),
  } satisfies Record<string, MetricSignal | LogSignal>;
}
