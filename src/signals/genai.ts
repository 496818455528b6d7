/**
 * Signals of "GenAI Observability" (spec 2.3): counters, a histogram and spans that an instrumentation SDK exports by OTLP. The SDK exports many
 * sparse, short-lived series whose first value is 1 or more: see `counterIncrease`.
 */
import { counterIncrease, equals, matchesVariable, nameMissing, positive, ratio, select, sortDesc, topk } from "./promql";
import { type MetricSignal, requestCostDecimals, type TraceSignal, totalCostDecimals } from "./signal";

const requestCounter = "gen_ai_requests_total";
const databaseCounter = "db_requests_total";
const tokenCounter = "gen_ai_usage_tokens_total";
const promptTokenCounter = "gen_ai_usage_prompt_tokens_total";
const completionTokenCounter = "gen_ai_usage_completion_tokens_total";
const costSum = "gen_ai_usage_cost_USD_sum";
const costBucket = "gen_ai_usage_cost_USD_bucket";

/** The bucket that counts all requests with a cost. The SDK's other bounds start at 5 USD, too high for the cost of a request. */
const allCosts = equals("le", "+Inf");

/** The signals of all applications with one instrumentation SDK, `<sdk_name>` of the spec. */
export function genaiSignals(sdkName: string) {
  const sdk = equals("telemetry_sdk_name", sdkName);
  const filters = [sdk, matchesVariable("gen_ai_application_name", "application"), matchesVariable("gen_ai_environment", "environment")];
  const filtered = (series: string) => select(series, ...filters);
  const allApplications = (series: string) => select(series, sdk);
  const meanOverTime = (sums: string, counts: string) =>
    ratio(counterIncrease(sums, "$__interval"), positive(counterIncrease(counts, "$__interval")));

  /** The increase of a counter in the dashboard's time range. */
  const total = (counter: string, description: string, legend: string) =>
    ({
      description,
      calculation: "The increase of the counters in the time range, short-lived processes and restarts included.",
      series: [counter],
      query: counterIncrease(filtered(counter), "$__range"),
      queryType: "instant",
      legend,
      unit: "locale",
      // A count is a whole number; the estimate after a restart is not.
      decimals: 0,
    }) satisfies MetricSignal;
  const usd = (signal: ReturnType<typeof total>, decimals: number) => ({ ...signal, unit: "currencyUSD", decimals }) satisfies MetricSignal;
  const totalBy = (counter: string, label: string, description: string) =>
    ({
      ...total(counter, description, `{{${label}}}`),
      query: nameMissing(label, counterIncrease(filtered(counter), "$__range", label)),
    }) satisfies MetricSignal;
  const models = totalBy(requestCounter, "gen_ai_request_model", "The 5 models with the most requests in the time range.");
  const databaseSystems = totalBy(databaseCounter, "db_system", "Requests to vector databases in the time range by database system.");

  /** A mean for each interval of the dashboard's time range. */
  const overTime = (signal: Omit<MetricSignal, "queryType">): MetricSignal => ({ ...signal, queryType: "range" });
  // A description is Markdown with Grafana's variables: any other name could contain either.
  const sdkInWords = isPlain(sdkName) ? `telemetry.sdk.name "${sdkName}"` : "the telemetry.sdk.name of the setting sdkName";
  const spans = `spans with status ok and ${sdkInWords}`;

  return {
    requests: total(requestCounter, "Successful requests to LLM providers in the time range.", "Requests"),
    databaseRequests: total(databaseCounter, "Successful requests to vector databases in the time range.", "Requests"),
    tokens: total(tokenCounter, "Tokens used in the time range, prompts and completions together.", "Tokens"),
    cost: usd(total(costSum, "Cost of all requests in the time range.", "Cost"), totalCostDecimals),
    costPerRequest: {
      ...usd(total(costSum, "Mean cost of a request, of those with a cost.", "Cost"), requestCostDecimals),
      calculation: "The increase of the cost in the time range, divided by the number of requests with a cost.",
      series: [costSum, costBucket],
      query: ratio(
        counterIncrease(filtered(costSum), "$__range"),
        positive(counterIncrease(select(costBucket, ...filters, allCosts), "$__range")),
      ),
    },
    durations: {
      description: "Durations of requests to LLM providers and vector databases.",
      calculation: "The durations of at most 20 spans.",
      spans,
      query: traceql(sdkName),
    },
    topModels: { ...models, query: topk(5, models.query) },
    requestsByPlatform: totalBy(requestCounter, "gen_ai_system", "Requests in the time range by provider."),
    requestsByType: totalBy(requestCounter, "gen_ai_type", "Requests in the time range by type, such as chat or embedding."),
    requestsByEnvironment: totalBy(requestCounter, "gen_ai_environment", "Requests in the time range by environment."),
    requestsByApplication: totalBy(requestCounter, "gen_ai_application_name", "Requests in the time range by application."),
    databaseRequestsBySystem: { ...databaseSystems, query: sortDesc(databaseSystems.query) },
    databaseRequestsByOperation: totalBy(databaseCounter, "db_operation", "Requests to vector databases in the time range by operation."),
    promptTokensOverTime: overTime({
      description: "Mean number of prompt tokens per request in each interval, of the selected applications and environments.",
      calculation: "The increase of the prompt tokens in the interval, divided by the increase of the requests.",
      series: [promptTokenCounter, requestCounter],
      query: meanOverTime(filtered(promptTokenCounter), filtered(requestCounter)),
      legend: "Avg Prompt Tokens",
      unit: "locale",
      decimals: 0,
    }),
    completionTokensOverTime: overTime({
      description:
        "Mean number of completion tokens per request in each interval, of all applications and environments regardless of the selection.",
      calculation: "The increase of the completion tokens in the interval, divided by the increase of the requests.",
      series: [completionTokenCounter, requestCounter],
      query: meanOverTime(allApplications(completionTokenCounter), allApplications(requestCounter)),
      legend: "Avg Completion Tokens",
      unit: "locale",
      decimals: 0,
    }),
    costOverTime: overTime({
      description: "Mean cost of a request in each interval, of all applications and environments regardless of the selection.",
      calculation: "The increase of the cost in the interval, divided by the number of requests with a cost.",
      series: [costSum, costBucket],
      query: meanOverTime(allApplications(costSum), select(costBucket, sdk, allCosts)),
      legend: "Avg Cost",
      unit: "currencyUSD",
      decimals: requestCostDecimals,
    }),
    genaiTraces: {
      description:
        "Requests to LLM providers with prompt, completion and cost. Prompts and completions may contain personal data: restrict who can view this dashboard.",
      calculation: "At most 20 spans, newest first.",
      spans: `${spans}, except those with gen_ai.type "vectordb"`,
      query: traceql(sdkName, '(span.gen_ai.type != "vectordb" || span.gen_ai.type = nil)', [
        "name",
        "span.gen_ai.request.model",
        "span.gen_ai.content.prompt",
        "span.gen_ai.content.completion",
        "span.gen_ai.usage.cost",
      ]),
    },
    databaseTraces: {
      description: "Requests to vector databases.",
      calculation: "At most 20 spans, newest first.",
      spans: `${spans}, only those with gen_ai.type "vectordb"`,
      query: traceql(sdkName, 'span.gen_ai.type = "vectordb"', ["name"]),
    },
  } satisfies Record<string, MetricSignal | TraceSignal>;
}

/**
 * Spans of the SDK with status ok. Attributes have the scope `span`, since most SDKs set another `telemetry.sdk.name` in the resource. A span without an
 * application or environment passes no filter, like a series without the label. Without `most_recent`, Tempo returns any 20 spans.
 */
function traceql(sdkName: string, type?: string, fields: readonly string[] = []): string {
  const conditions = [
    equalsExactly("span.telemetry.sdk.name", sdkName),
    "status = ok",
    // Raw literals: Grafana's format `regex` writes single backslashes.
    "span.gen_ai.application_name =~ `${application:regex}`",
    "span.gen_ai.environment =~ `${environment:regex}`",
    ...(type ? [type] : []),
  ];
  const selection = fields.length > 0 ? ` | select(${fields.join(", ")})` : "";
  return `{ ${conditions.join(" && ")} }${selection} with (most_recent=true)`;
}

/**
 * A condition: the attribute has this value. TraceQL's literals have no escapes for line breaks or for the signs of Grafana's variables. A value with
 * one of these becomes a regular expression, which has such escapes.
 */
function equalsExactly(attribute: string, value: string): string {
  if (!/\$|\[\[|\p{C}/u.test(value)) return `${attribute} = ${JSON.stringify(value)}`;
  const pattern = [...value].map((sign) => (/\w/.test(sign) ? sign : `\\x{${sign.codePointAt(0)?.toString(16)}}`));
  return `${attribute} =~ \`${pattern.join("")}\``;
}

const isPlain = (name: string) => /^(?=.{1,40}$)[a-z0-9]+([_-][a-z0-9]+)*$/i.test(name);
