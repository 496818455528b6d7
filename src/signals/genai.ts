/**
 * Signals of "GenAI Observability" (spec 2.3): counters, a histogram and spans that an instrumentation SDK exports over OTLP. The SDK's series
 * are many, thin and short-lived, and the first exported value is 1 or more already: see `gained`.
 */
import { counterIncrease, counterRate, equals, named, picked, positive, ranked, ratio, select, top } from "./promql";
import type { MetricSignal, TraceSignal } from "./signal";

const source = "2.3";

const requestCounter = "gen_ai_requests_total";
const databaseCounter = "db_requests_total";
const tokenCounter = "gen_ai_usage_tokens_total";
const promptTokenCounter = "gen_ai_usage_prompt_tokens_total";
const completionTokenCounter = "gen_ai_usage_completion_tokens_total";
const costSum = "gen_ai_usage_cost_USD_sum";
const costBucket = "gen_ai_usage_cost_USD_bucket";

/** The bucket that holds every request with a cost: their number. The SDK's other bounds begin at 5 USD, which tells nothing about cents. */
const allCosts = equals("le", "+Inf");

/** The signals of applications that are instrumented with one SDK, `<sdk_name>` of the spec. */
export function genaiSignals(sdkName: string) {
  const ofSdk = equals("telemetry_sdk_name", sdkName);
  const filters = [ofSdk, picked("gen_ai_application_name", "application"), picked("gen_ai_environment", "environment")];
  const filtered = (series: string) => select(series, ...filters);
  const ofAllApplications = (series: string) => select(series, ofSdk);

  const gainedComputed =
    "What the counters gained in the time range, short-lived processes included: exact, but for those that restarted in it.";
  const mean = (sums: string, counts: string) => ratio(counterIncrease(sums), positive(counterIncrease(counts)));
  const meanOfEach = (sums: string, counts: string) => ratio(counterRate(sums), positive(counterRate(counts)));

  const total = (counter: string, meaning: string, legend: string) =>
    ({
      meaning,
      computed: gainedComputed,
      series: [counter],
      query: counterIncrease(filtered(counter)),
      per: "range",
      legend,
      unit: "locale",
      // Whole by nature; after a restart the estimate is not.
      decimals: 0,
      source,
    }) satisfies MetricSignal;
  const usd = ({ decimals: _whole, ...signal }: ReturnType<typeof total>) => ({ ...signal, unit: "currencyUSD" }) satisfies MetricSignal;
  const grouped = (counter: string, label: string, meaning: string) =>
    ({
      ...total(counter, meaning, `{{${label}}}`),
      query: named(label, counterIncrease(filtered(counter), label)),
    }) satisfies MetricSignal;
  const models = grouped(requestCounter, "gen_ai_request_model", "The 5 models with the most requests in the time range.");
  const databaseSystems = grouped(databaseCounter, "db_system", "Requests to vector databases in the time range by database system.");
  const overTime = (signal: Pick<MetricSignal, "meaning" | "computed" | "series" | "query" | "legend" | "unit">) =>
    ({ ...signal, per: "interval", source }) satisfies MetricSignal;

  return {
    requests: total(requestCounter, "Successful requests to LLM providers in the time range.", "Requests"),
    databaseRequests: total(databaseCounter, "Successful requests to vector databases in the time range.", "Requests"),
    tokens: total(tokenCounter, "Tokens used in the time range, prompts and completions together.", "Tokens"),
    cost: usd(total(costSum, "Cost of all requests in the time range.", "Cost")),
    costPerRequest: {
      ...usd(total(costSum, "Mean cost of a request that has one.", "Cost")),
      computed: "The cost that was added in the time range by the number of requests with a cost.",
      series: [costSum, costBucket],
      query: mean(filtered(costSum), select(costBucket, ...filters, allCosts)),
    },
    durations: {
      meaning: "How long requests to LLM providers and vector databases took.",
      computed: "The durations of at most 20 spans.",
      spans: spansInWords(sdkName, "with status ok"),
      query: traceql(sdkName),
      source,
    },
    topModels: { ...models, query: top(5, models.query) },
    requestsByPlatform: grouped(requestCounter, "gen_ai_system", "Requests in the time range by provider."),
    requestsByType: grouped(requestCounter, "gen_ai_type", "Requests in the time range by type, such as chat or embedding."),
    requestsByEnvironment: grouped(requestCounter, "gen_ai_environment", "Requests in the time range by environment."),
    requestsByApplication: grouped(requestCounter, "gen_ai_application_name", "Requests in the time range by application."),
    databaseRequestsBySystem: { ...databaseSystems, query: ranked(databaseSystems.query) },
    databaseRequestsByOperation: grouped(databaseCounter, "db_operation", "Requests to vector databases in the time range by operation."),
    promptTokensOverTime: overTime({
      meaning: "Mean number of tokens in the prompts of each interval, of the picked applications and environments.",
      computed: "What the counter of prompt tokens gained in the interval by what the counter of requests gained.",
      series: [promptTokenCounter, requestCounter],
      query: meanOfEach(filtered(promptTokenCounter), filtered(requestCounter)),
      legend: "Avg Prompt Tokens",
      unit: "locale",
    }),
    completionTokensOverTime: overTime({
      meaning: "Mean number of tokens in the completions of each interval, of all applications and environments whatever is picked.",
      computed: "What the counter of completion tokens gained in the interval by what the counter of requests gained.",
      series: [completionTokenCounter, requestCounter],
      query: meanOfEach(ofAllApplications(completionTokenCounter), ofAllApplications(requestCounter)),
      legend: "Avg Completion Tokens",
      unit: "locale",
    }),
    costOverTime: overTime({
      meaning: "Mean cost of the requests of each interval, of all applications and environments whatever is picked.",
      computed: "The cost that was added in the interval by the number of requests with a cost.",
      series: [costSum, costBucket],
      query: meanOfEach(ofAllApplications(costSum), select(costBucket, ofSdk, allCosts)),
      legend: "Avg Cost",
      unit: "currencyUSD",
    }),
    genaiTraces: {
      meaning:
        "Requests to LLM providers with prompt, completion and cost. Prompts and completions may hold personal data: mind who sees this dashboard.",
      computed: "At most 20 spans, newest first.",
      spans: spansInWords(sdkName, 'with status ok, whose gen_ai.type is not "vectordb" or missing'),
      query: traceql(sdkName, '(span.gen_ai.type != "vectordb" || span.gen_ai.type = nil)', [
        "name",
        "span.gen_ai.content.prompt",
        "span.gen_ai.content.completion",
        "span.gen_ai.usage.cost",
      ]),
      source,
    },
    databaseTraces: {
      meaning: "Requests to vector databases.",
      computed: "At most 20 spans, newest first.",
      spans: spansInWords(sdkName, 'with status ok and gen_ai.type "vectordb"'),
      query: traceql(sdkName, 'span.gen_ai.type = "vectordb"', ["name"]),
      source,
    },
  } satisfies Record<string, MetricSignal | TraceSignal>;
}

/**
 * Spans of the SDK with status ok. Attributes are scoped to the span: the resource's `telemetry.sdk.name` is another one with most SDKs. A span
 * that lacks its application or environment passes no filter by it, as a series without the label does not. The newest spans are asked for:
 * without the hint, Tempo stops at any 20.
 */
function traceql(sdkName: string, type?: string, fields: readonly string[] = []): string {
  const conditions = [
    exactly("span.telemetry.sdk.name", sdkName),
    "status = ok",
    // Raw literals: the format `regex` writes single backslashes.
    "span.gen_ai.application_name =~ `${application:regex}`",
    "span.gen_ai.environment =~ `${environment:regex}`",
    ...(type ? [type] : []),
  ];
  const selection = fields.length > 0 ? ` | select(${fields.join(", ")})` : "";
  return `{ ${conditions.join(" && ")} }${selection} with (most_recent=true)`;
}

/**
 * An attribute of one value. Literals of the TraceQL grammar have no escapes for line breaks, nor for the signs of Grafana's variables: a value
 * that holds them is written as a regular expression, which has.
 */
function exactly(attribute: string, value: string): string {
  if (!/\$|\[\[|\p{C}/u.test(value)) return `${attribute} = ${JSON.stringify(value)}`;
  const pattern = [...value].map((sign) => (/\w/.test(sign) ? sign : `\\x{${sign.codePointAt(0)?.toString(16)}}`));
  return `${attribute} =~ \`${pattern.join("")}\``;
}

/** In words that Grafana reads as Markdown, with variables: a name that is not plain could be either, so it is not in them. */
const spansInWords = (sdkName: string, which: string) =>
  `spans whose telemetry.sdk.name is ${/^(?=.{1,40}$)[a-z0-9]+([_-][a-z0-9]+)*$/i.test(sdkName) ? `"${sdkName}"` : "the setting sdkName"}, ${which}`;
