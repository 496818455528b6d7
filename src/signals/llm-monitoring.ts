/**
 * Signals of "LLM Monitoring". The service writes one sample of each metric for each request, when the request ends. So the number of
 * samples in a window is the number of requests, and their sum is the total. A plain selector would repeat the last sample at each step.
 */
import { type Duration, equals, finite, matchesVariable, quote, select, sum, type Window } from "./promql";
import { intervalNote, type LogSignal, type MetricSignal, queryTypeOf, shown, shownBy, top, units } from "./signal";

/** A selector of all log streams of a service. */
export const serviceStreams = (service: string) => select("", equals("job", service));

/**
 * The number and the total of a metric's samples in a window that ends now, or some time ago. Each series has its own value: sum them. A
 * series with NaN has no total.
 */
export function serviceSamples(service: string, ...filters: readonly string[]) {
  const samples = (metric: string, window: Window, ago?: Duration) =>
    `${select(`${service}_llm_${metric}`, equals("job", service), ...filters)}[${window}]${ago ? ` offset ${ago}` : ""}`;
  const count = (metric: string, window: Window, ago?: Duration) => `count_over_time(${samples(metric, window, ago)})`;
  const total = (metric: string, window: Window) => finite(`sum_over_time(${samples(metric, window)})`);
  return { count, total };
}

/** The signals of one service. */
export function llmMonitoringSignals(service: string) {
  const [range, interval] = ["$__range", "$__interval"] as const;
  const filters = [matchesVariable("applicationName", "Application"), matchesVariable("environment", "Environment")];
  const { count, total } = serviceSamples(service, ...filters);

  /** A query of a metric: a value for the time range, or a value for each interval. */
  const queryOf = (metric: string, window: Window, calculation: string, query: string) =>
    ({ ...units.whole, series: [`${service}_llm_${metric}`], queryType: queryTypeOf(window), calculation, query }) as const;
  const inWindow = (window: Window) => (window === "$__range" ? "the time range" : "the interval");
  const requestsIn = (window: Window, ...by: string[]) => {
    const calculation = `The number of samples in ${inWindow(window)}: one for each request.${intervalNote(window)}`;
    return queryOf("requestDuration", window, calculation, sum(count("requestDuration", window), ...by));
  };
  const totalIn = (metric: string, window: Window, ...by: string[]) =>
    queryOf(metric, window, `The sum of the samples in ${inWindow(window)}.${intervalNote(window)}`, sum(total(metric, window), ...by));
  // A window without samples has no number of them, so no mean is divided by 0.
  const meanIn = (metric: string, window: Window) => {
    const calculation = `The sum of the samples in ${inWindow(window)}, divided by their number: each request counts once.`;
    const counted = sum(`${count(metric, window)} and ${total(metric, window)}`);
    return queryOf(metric, window, calculation, `${sum(total(metric, window))} / ${counted}`);
  };
  const cost = totalIn("usageCost", range);
  const costBy = (name: string, label: string) =>
    shown({ ...totalIn("usageCost", range, label), ...units.cost }, `{{${label}}}`, `Cost of all requests in the time range by ${name}.`);
  const logs = (type: string, description: string): LogSignal => ({
    description: `${description} They may contain personal data: restrict who can view this dashboard.`,
    calculation: "Filtered by application and environment, newest first.",
    streams: `log streams with job "${service}" and type "${type}"`,
    query: select("", equals("job", service), equals("type", type), ...filters),
  });
  const byEndpoint = requestsIn(range, "endpoint");
  const category = sum(mapLabel(byEndpoint.query, "category", "endpoint", endpointCategories, otherCategory), "category");
  const byPlatform = costBy("provider", "platform");
  const provider = sum(mapLabel(byPlatform.query, "provider", "platform", providerNames, "$1"), "provider");
  const categories = `Requests by category: Chat, Embeddings, Image, Audio, Fine Tuning, and ${otherCategory} for all other endpoints.`;
  const perInterval = (metric: string, legend: string, what: string) =>
    shown(meanIn(metric, interval), legend, `${what} in each interval.`);
  const tokensOf = (kind: string) => `Mean number of ${kind}tokens per request`;

  return {
    requests: shown(requestsIn(range), "Requests", "Number of requests that ended in the time range."),
    requestDuration: shown({ ...meanIn("requestDuration", range), ...units.seconds }, "Duration", "Mean duration of a request."),
    tokensPerRequest: shown(meanIn("totalTokens", range), "Tokens", `${tokensOf("")}, prompt and completion together.`),
    costPerRequest: shown({ ...meanIn("usageCost", range), ...units.cost }, "Cost", "Mean cost of a request."),
    cost: shown({ ...cost, ...units.totalCost }, "Cost", "Cost of all requests in the time range."),
    requestsOverTime: shown(requestsIn(interval), "Requests", "Number of requests that ended in each interval."),
    requestsByCategory: { ...byEndpoint, query: category, legend: "{{category}}", description: categories },
    costByProvider: shownBy({ ...byPlatform, query: provider }, "provider", byPlatform.description),
    costByApplication: costBy("application", "applicationName"),
    costByEnvironment: costBy("environment", "environment"),
    promptTokensPerRequest: shown(meanIn("promptTokens", range), "Prompt Tokens", `${tokensOf("prompt ")}.`),
    completionTokensPerRequest: shown(meanIn("completionTokens", range), "Completion Tokens", `${tokensOf("completion ")}.`),
    completionTokensOverTime: perInterval("completionTokens", "Completion Tokens", tokensOf("completion ")),
    promptTokensOverTime: perInterval("promptTokens", "Prompt Tokens", tokensOf("prompt ")),
    topModels: top(5, shownBy(requestsIn(range, "model"), "model", "The 5 models with the most requests in the time range.")),
    tokensByModel: shownBy(
      totalIn("totalTokens", interval, "model"),
      "model",
      "Tokens in each interval by model, prompt and completion together.",
    ),
    prompts: logs("prompt", "Prompts that applications sent to the models."),
    responses: logs("response", "Responses of the models."),
  } satisfies Record<string, MetricSignal | LogSignal>;
}

/** Maps a label value to a name. The regular expression matches the whole value. */
type Mapping = readonly [name: string, pattern: string];

const prefixes = (...texts: string[]) => `(${texts.map((text) => text.replaceAll(".", "\\.")).join("|")}).*`;

/** Categories by `endpoint`, such as `openai.chat.completions`. Any endpoint with "embed" is an embedding: that mapping comes first. */
const endpointCategories: readonly Mapping[] = [
  ["Embeddings", ".*embed.*"],
  ["Chat", prefixes("openai.chat", "openai.completions", "anthropic.messages", "cohere.summarize", "cohere.generate", "cohere.chat")],
  ["Image", prefixes("openai.images")],
  ["Audio", prefixes("openai.audio")],
  ["Fine Tuning", prefixes("openai.fine_tuning")],
];

const otherCategory = "Other";

/** Names of providers by `platform`, in upper or lower case. Other providers keep the label's value. */
const providerNames: readonly Mapping[] = ["OpenAI", "Cohere", "Anthropic"].map((name) => [name, `(?i)${name.toLowerCase()}`]);

/**
 * Sets `label` to the name of the first mapping that matches the label `from`, else to `otherwise`, in which `$1` is the value of `from`.
 */
function mapLabel(query: string, label: string, from: string, mappings: readonly Mapping[], otherwise: string): string {
  const fallback = `label_replace(${query}, "${label}", "${otherwise}", "${from}", "(.*)")`;
  // An outer call overwrites the inner ones, so the first mapping is the outermost.
  return mappings.reduceRight(
    (inner, [name, pattern]) => `label_replace(${inner}, "${label}", "${name}", "${from}", ${quote(pattern)})`,
    fallback,
  );
}
