/** The tables of panels of the spec (2.2, 2.3, 8) as plain data, in the spec's order. What the spec does not tell is left out. */

/** How samples become numbers: a number of requests, a sum, or one sum divided by another. */
export type Aggregation = "count" | "total" | "mean";

export interface SpecQuery {
  /** Series in the numerator; for A without the prefix. */
  series: string;
  aggregation: Aggregation;
  /** Series that a mean may divide by. */
  per?: string[];
  /** Only the SDK's name is filtered (2.3). */
  allApplications?: true;
  legend?: string;
}

export interface SpecPanel {
  /** Undefined for a panel without a title. */
  title: string | undefined;
  type: string;
  queries?: SpecQuery[];
  unit?: "s" | "currencyUSD";
  thresholds?: [value: number, color: RegExp][];
  /** The label of the series that is grouped by. */
  groupBy?: string;
  limit?: number;
  logType?: "prompt" | "response";
  /** How spans of vector databases are told from others. */
  vectorDatabase?: boolean;
  selects?: string[];
}

const red = /red/;
const amber = /amber|orange|yellow|EAB839|FF9830/i;

const requests: SpecQuery = { series: "requestDuration", aggregation: "count" };
const cost: SpecQuery = { series: "usageCost", aggregation: "total" };
/** A mean per request: by the samples of the same metric, or of any that each request writes. */
const meanA = (series: string): SpecQuery => ({ series, aggregation: "mean", per: [series, "requestDuration"] });

export const panelsA: SpecPanel[] = [
  { title: "Total Requests", type: "stat", queries: [requests] },
  { title: "Avg Request Duration", type: "stat", queries: [meanA("requestDuration")], unit: "s", thresholds: [[5, red]] },
  { title: "Avg Tokens per Request", type: "stat", queries: [meanA("totalTokens")], thresholds: [[1000, red]] },
  { title: "Avg Cost / Request", type: "stat", queries: [meanA("usageCost")], unit: "currencyUSD", thresholds: [[5, red]] },
  { title: "Total Cost", type: "stat", queries: [cost], unit: "currencyUSD" },
  { title: "Total Requests overtime", type: "timeseries", queries: [{ ...requests, legend: "Requests" }] },
  { title: "Usage by Category", type: "piechart", queries: [requests], groupBy: "endpoint" },
  { title: "Usage cost by Provider", type: "piechart", queries: [cost], groupBy: "platform" },
  { title: "Usage cost by Application", type: "piechart", queries: [cost], groupBy: "applicationName" },
  { title: "Usage cost by Environment", type: "piechart", queries: [cost], groupBy: "environment" },
  { title: "Avg Prompt Tokens / Request", type: "stat", queries: [meanA("promptTokens")] },
  { title: "Avg Completion Tokens / Request", type: "stat", queries: [meanA("completionTokens")] },
  {
    title: "Token usage overtime",
    type: "timeseries",
    queries: [
      { ...meanA("completionTokens"), legend: "Completion Tokens" },
      { ...meanA("promptTokens"), legend: "Prompt Tokens" },
    ],
  },
  { title: "Top models by usage", type: "bargauge", queries: [requests], groupBy: "model", limit: 5 },
  { title: "Token usage by model", type: "timeseries", queries: [{ series: "totalTokens", aggregation: "total" }], groupBy: "model" },
  { title: "Prompts", type: "logs", logType: "prompt" },
  { title: "Responses", type: "logs", logType: "response" },
];

/** A counter's total; a count of requests is that of the counter of requests. */
const total = (series: string): SpecQuery => ({ series, aggregation: "total" });
/** Both series count the requests: a request adds one to the counter and one cost to the histogram. */
const meanB = (series: string): SpecQuery => ({
  series,
  aggregation: "mean",
  per: ["gen_ai_usage_cost_USD_bucket", "gen_ai_requests_total"],
});

export const panelsB: SpecPanel[] = [
  { title: "Row title", type: "row" },
  { title: "Total Successful GenAI Requests", type: "stat", queries: [total("gen_ai_requests_total")] },
  { title: "Total Successful VectorDB Requests", type: "stat", queries: [total("db_requests_total")] },
  { title: "Total Usage Tokens", type: "stat", queries: [total("gen_ai_usage_tokens_total")] },
  { title: "Total Usage Cost", type: "stat", queries: [total("gen_ai_usage_cost_USD_sum")], unit: "currencyUSD" },
  {
    title: "Avg Usage Cost",
    type: "stat",
    queries: [meanB("gen_ai_usage_cost_USD_sum")],
    unit: "currencyUSD",
    thresholds: [
      [0.5, amber],
      [1, red],
    ],
  },
  { title: "Request Duration Distribution", type: "histogram", unit: "s", limit: 20 },
  {
    title: "Top GenAI Models by Usage",
    type: "bargauge",
    queries: [total("gen_ai_requests_total")],
    groupBy: "gen_ai_request_model",
    limit: 5,
  },
  { title: "GenAI Requests by Platform", type: "piechart", queries: [total("gen_ai_requests_total")], groupBy: "gen_ai_system" },
  { title: "GenAI Requests by Type", type: "piechart", queries: [total("gen_ai_requests_total")], groupBy: "gen_ai_type" },
  { title: "GenAI Requests by Environment", type: "piechart", queries: [total("gen_ai_requests_total")], groupBy: "gen_ai_environment" },
  {
    title: "GenAI Requests by Application",
    type: "piechart",
    queries: [total("gen_ai_requests_total")],
    groupBy: "gen_ai_application_name",
  },
  { title: "VectorDB Usage by System", type: "bargauge", queries: [total("db_requests_total")], groupBy: "db_system" },
  { title: "DB Requests by Operation", type: "piechart", queries: [total("db_requests_total")], groupBy: "db_operation" },
  {
    title: "Average Token Consumption vs. Average Usage Cost Comparison",
    type: "timeseries",
    queries: [
      meanB("gen_ai_usage_prompt_tokens_total"),
      { ...meanB("gen_ai_usage_completion_tokens_total"), allApplications: true },
      { ...meanB("gen_ai_usage_cost_USD_sum"), allApplications: true },
    ],
  },
  { title: "GenAI Requests", type: "row" },
  {
    title: undefined,
    type: "table",
    limit: 20,
    vectorDatabase: false,
    selects: ["span.gen_ai.content.prompt", "span.gen_ai.content.completion", "span.gen_ai.usage.cost"],
  },
  { title: "VectorDB Requests", type: "row" },
  { title: undefined, type: "table", limit: 20, vectorDatabase: true },
];
