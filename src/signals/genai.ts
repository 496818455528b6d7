/**
 * Signals of "GenAI Observability" (spec 2.3): counters, a histogram and spans that an instrumentation SDK exports by OTLP. The SDK exports many
 * sparse, short-lived series whose first value is 1 or more: see `counterIncrease`.
 */
import { type Counter, type CounterMode, increase, type RecordingRule, recordingRule, seriesRead } from "./counters";
import { equals, matchesVariable, nameMissing, nameOf, positive, ratio, select, sortDesc, topk } from "./promql";
import { type MetricSignal, requestCostDecimals, type TraceSignal, totalCostDecimals } from "./signal";

const sdkLabel = "telemetry_sdk_name";
const applicationLabel = "gen_ai_application_name";
const environmentLabel = "gen_ai_environment";

type FilterLabel = typeof applicationLabel | typeof environmentLabel;

/** The counters, with the labels by which panels group them, in addition to application and environment. */
const counters = {
  requests: { series: "gen_ai_requests_total", labels: ["gen_ai_request_model", "gen_ai_system", "gen_ai_type"] },
  databaseRequests: { series: "db_requests_total", labels: ["db_system", "db_operation"] },
  tokens: { series: "gen_ai_usage_tokens_total", labels: [] },
  promptTokens: { series: "gen_ai_usage_prompt_tokens_total", labels: [] },
  completionTokens: { series: "gen_ai_usage_completion_tokens_total", labels: [] },
  cost: { series: "gen_ai_usage_cost_USD_sum", labels: [] },
  /** Requests with a cost: the bucket of all. The SDK's other bounds start at 5 USD, too high for the cost of a request. */
  costs: { series: "gen_ai_usage_cost_USD_bucket", labels: ["le"], filters: [equals("le", "+Inf")] },
} as const satisfies Record<string, Counter>;

const sdkFilter = (sdkName: string) => equals(sdkLabel, sdkName);

/** The counter of requests, and a selector of all its series. */
export const requestCounter = (sdkName: string) => {
  const { series } = counters.requests;
  return { series, selector: select(series, sdkFilter(sdkName)) };
};

/** The rules that record the counters, one for each. */
export const genaiRecordingRules = (sdkName: string): RecordingRule[] =>
  Object.values(counters).map((counter: Counter) =>
    recordingRule(counter, [sdkFilter(sdkName)], [sdkLabel, applicationLabel, environmentLabel]),
  );

/** The signals of all applications with one instrumentation SDK, `<sdk_name>` of the spec. */
export function genaiSignals(sdkName: string, mode: CounterMode = "exact") {
  const sdk = sdkFilter(sdkName);
  const filters = [sdk, matchesVariable(applicationLabel, "application"), matchesVariable(environmentLabel, "environment")];
  const inRange = (counter: Counter, by?: string) => increase(counter, mode, filters, "$__range", by);
  const meanOverTime = (dividend: Counter, divisor: Counter, filters: readonly string[]) =>
    ratio(increase(dividend, mode, filters, "$__interval"), positive(increase(divisor, mode, filters, "$__interval")));
  const reads = (...read: readonly Counter[]) => read.map((counter) => seriesRead(counter, mode));
  const calculation =
    mode === "recorded"
      ? "The sum of the increases of each minute in the time range, which a recording rule calculates."
      : "The increase of the counters in the time range, short-lived processes and restarts included.";

  /** The increase of a counter in the dashboard's time range. */
  const total = (counter: Counter, description: string, legend: string) =>
    ({
      description,
      calculation,
      series: reads(counter),
      query: inRange(counter),
      queryType: "instant",
      legend,
      unit: "locale",
      // A count is a whole number; a sum of differences has rounding errors.
      decimals: 0,
    }) satisfies MetricSignal;
  const usd = (signal: ReturnType<typeof total>, decimals: number) => ({ ...signal, unit: "currencyUSD", decimals }) satisfies MetricSignal;
  const totalBy = <Label extends string>(counter: Counter<Label>, label: Label | FilterLabel, description: string) =>
    ({
      ...total(counter, description, nameOf(label)),
      query: nameMissing(label, inRange(counter, label)),
    }) satisfies MetricSignal;
  const { requests, databaseRequests, promptTokens, completionTokens, cost, costs } = counters;
  const models = totalBy(requests, "gen_ai_request_model", "The 5 models with the most requests in the time range.");
  const databaseSystems = totalBy(databaseRequests, "db_system", "Requests to vector databases in the time range by database system.");

  /** A mean for each interval of the dashboard's time range. */
  const overTime = (signal: Omit<MetricSignal, "queryType">): MetricSignal => ({ ...signal, queryType: "range" });
  // A description is Markdown with Grafana's variables: any other name could contain either.
  const sdkInWords = isPlain(sdkName) ? `telemetry.sdk.name "${sdkName}"` : "the telemetry.sdk.name of the setting sdkName";
  const spans = `spans with status ok and ${sdkInWords}`;

  return {
    requests: total(requests, "Successful requests to LLM providers in the time range.", "Requests"),
    databaseRequests: total(databaseRequests, "Successful requests to vector databases in the time range.", "Requests"),
    tokens: total(counters.tokens, "Tokens used in the time range, prompts and completions together.", "Tokens"),
    cost: usd(total(cost, "Cost of all requests in the time range.", "Cost"), totalCostDecimals),
    costPerRequest: {
      ...usd(total(cost, "Mean cost of a request, of those with a cost.", "Cost"), requestCostDecimals),
      calculation: "The increase of the cost in the time range, divided by the number of requests with a cost.",
      series: reads(cost, costs),
      query: ratio(inRange(cost), positive(inRange(costs))),
    },
    durations: {
      description: "Durations of requests to LLM providers and vector databases.",
      calculation: "The durations of at most 20 spans.",
      spans,
      query: traceql(sdkName),
    },
    topModels: { ...models, query: topk(5, models.query) },
    requestsByPlatform: totalBy(requests, "gen_ai_system", "Requests in the time range by provider."),
    requestsByType: totalBy(requests, "gen_ai_type", "Requests in the time range by type, such as chat or embedding."),
    requestsByEnvironment: totalBy(requests, "gen_ai_environment", "Requests in the time range by environment."),
    requestsByApplication: totalBy(requests, "gen_ai_application_name", "Requests in the time range by application."),
    databaseRequestsBySystem: { ...databaseSystems, query: sortDesc(databaseSystems.query) },
    databaseRequestsByOperation: totalBy(databaseRequests, "db_operation", "Requests to vector databases in the time range by operation."),
    promptTokensOverTime: overTime({
      description: "Mean number of prompt tokens per request in each interval, of the selected applications and environments.",
      calculation: "The increase of the prompt tokens in the interval, divided by the increase of the requests.",
      series: reads(promptTokens, requests),
      query: meanOverTime(promptTokens, requests, filters),
      legend: "Avg Prompt Tokens",
      unit: "locale",
      decimals: 0,
    }),
    completionTokensOverTime: overTime({
      description:
        "Mean number of completion tokens per request in each interval, of all applications and environments regardless of the selection.",
      calculation: "The increase of the completion tokens in the interval, divided by the increase of the requests.",
      series: reads(completionTokens, requests),
      query: meanOverTime(completionTokens, requests, [sdk]),
      legend: "Avg Completion Tokens",
      unit: "locale",
      decimals: 0,
    }),
    costOverTime: overTime({
      description: "Mean cost of a request in each interval, of all applications and environments regardless of the selection.",
      calculation: "The increase of the cost in the interval, divided by the number of requests with a cost.",
      series: reads(cost, costs),
      query: meanOverTime(cost, costs, [sdk]),
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
