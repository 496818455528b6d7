/**
 * Signals of "LLM Monitoring" (spec 2.2). The service writes one sample per request and metric, at the time when the request ends. So the number of
 * samples in a window is the number of requests, and their sum is the total. A plain selector would repeat the last sample at each step.
 */
import { endpointCategories, mapLabel, otherCategory, providerNames } from "./mappings";
import { equals, matchesVariable, nameMissing, nameOf, select, sum, type Window } from "./promql";
import { count as counted, type LogSignal, type MetricSignal, requestCost, seconds, totalCost } from "./signal";

/** A selector of all log streams of a service. */
export const serviceStreams = (service: string) => select("", equals("job", service));

/** The name of a metric's series. */
const seriesName = (service: string, metric: string) => `${service}_llm_${metric}`;

/** What the samples of a service's metric in a window mean. Each series has its own value: sum them. */
export function serviceSamples(service: string, ...filters: readonly string[]) {
  const samples = (metric: string, window: Window) =>
    `${select(seriesName(service, metric), equals("job", service), ...filters)}[${window}]`;
  const count = (metric: string, window: Window) => `count_over_time(${samples(metric, window)})`;
  const total = (metric: string, window: Window) => `sum_over_time(${samples(metric, window)})`;
  return { count, total };
}

/** The signals of one service. */
export function llmMonitoringSignals(service: string) {
  const filters = [matchesVariable("applicationName", "Application"), matchesVariable("environment", "Environment")];
  const { count, total } = serviceSamples(service, ...filters);

  type Text = Pick<MetricSignal, "description" | "calculation" | "query" | "legend"> & Partial<MetricSignal>;
  /** One value for the dashboard's time range. */
  const overall = (metric: string, text: Text): MetricSignal => ({
    ...counted,
    series: [seriesName(service, metric)],
    queryType: "instant",
    ...text,
  });
  /** A value for each interval. */
  const overTime = (metric: string, text: Text) => overall(metric, { queryType: "range", ...text });
  // Samples are there or not: a mean is never divided by 0.
  const mean = (metric: string, window: Window) => `${sum(total(metric, window))} / ${sum(count(metric, window))}`;
  const meanPerRequest = (metric: string, legend: string, description: string, unit: Partial<MetricSignal> = {}) =>
    overall(metric, {
      description,
      calculation: "The sum of all samples in the time range, divided by their number: each request counts once.",
      query: mean(metric, "$__range"),
      legend,
      ...unit,
    });
  const meanOverTime = (metric: string, legend: string, tokens: string) =>
    overTime(metric, {
      description: `Mean number of ${tokens} tokens per request in each interval.`,
      calculation: "The sum of the samples in the interval, divided by their number.",
      query: mean(metric, "$__interval"),
      legend,
    });
  const costBy = (name: string, label: string, query = sum(total("usageCost", "$__range"), label), legend = `{{${label}}}`) =>
    overall("usageCost", {
      description: `Cost of all requests in the time range by ${name}.`,
      calculation: `The sum of all samples in the time range by ${label}.`,
      query,
      legend,
      ...totalCost,
    });
  const logs = (type: string, description: string): LogSignal => ({
    description: `${description} They may contain personal data: restrict who can view this dashboard.`,
    calculation: "Filtered by application and environment, newest first.",
    streams: `log streams with job "${service}" and type "${type}"`,
    query: select("", equals("job", service), equals("type", type), ...filters),
  });
  const categories = mapLabel(
    sum(count("requestDuration", "$__range"), "endpoint"),
    "category",
    "endpoint",
    endpointCategories,
    otherCategory,
  );
  const providers = mapLabel(sum(total("usageCost", "$__range"), "platform"), "provider", "platform", providerNames, "$1");

  return {
    requests: overall("requestDuration", {
      description: "Number of requests that ended in the time range.",
      calculation: "The number of samples: one for each request.",
      query: sum(count("requestDuration", "$__range")),
      legend: "Requests",
    }),
    requestDuration: meanPerRequest("requestDuration", "Duration", "Mean duration of a request.", seconds),
    tokensPerRequest: meanPerRequest("totalTokens", "Tokens", "Mean number of tokens per request, prompt and completion together."),
    costPerRequest: meanPerRequest("usageCost", "Cost", "Mean cost of a request.", requestCost),
    cost: overall("usageCost", {
      description: "Cost of all requests in the time range.",
      calculation: "The sum of all samples in the time range.",
      query: sum(total("usageCost", "$__range")),
      legend: "Cost",
      ...totalCost,
    }),
    requestsOverTime: overTime("requestDuration", {
      description: "Number of requests that ended in each interval.",
      calculation: "The number of samples in the interval. Intervals do not overlap: the bars add up to the total.",
      query: sum(count("requestDuration", "$__interval")),
      legend: "Requests",
    }),
    requestsByCategory: overall("requestDuration", {
      description: `Requests by category: Chat, Embeddings, Image, Audio, Fine Tuning, and ${otherCategory} for all other endpoints.`,
      calculation: "The number of samples in the time range by the category of the label endpoint.",
      query: sum(categories, "category"),
      legend: "{{category}}",
    }),
    costByProvider: costBy("provider", "provider", nameMissing("provider", sum(providers, "provider")), nameOf("provider")),
    costByApplication: costBy("application", "applicationName"),
    costByEnvironment: costBy("environment", "environment"),
    promptTokensPerRequest: meanPerRequest("promptTokens", "Prompt Tokens", "Mean number of prompt tokens per request."),
    completionTokensPerRequest: meanPerRequest("completionTokens", "Completion Tokens", "Mean number of completion tokens per request."),
    completionTokensOverTime: meanOverTime("completionTokens", "Completion Tokens", "completion"),
    promptTokensOverTime: meanOverTime("promptTokens", "Prompt Tokens", "prompt"),
    topModels: overall("requestDuration", {
      description: "The 5 models with the most requests in the time range.",
      calculation: "The number of samples in the time range by model.",
      query: `topk(5, ${nameMissing("model", sum(count("requestDuration", "$__range"), "model"))})`,
      legend: nameOf("model"),
    }),
    tokensByModel: overTime("totalTokens", {
      description: "Tokens in each interval by model, prompt and completion together.",
      calculation: "The sum of the samples in the interval by model.",
      query: nameMissing("model", sum(total("totalTokens", "$__interval"), "model")),
      legend: nameOf("model"),
    }),
    prompts: logs("prompt", "Prompts that applications sent to the models."),
    responses: logs("response", "Responses of the models."),
  } satisfies Record<string, MetricSignal | LogSignal>;
}
