/**
 * The spec's tables of panels (2.2, 2.3), and the one of "GenAI Observability (OpenTelemetry)", as data, by the panels' ids. The expected results of the
 * queries are in test/truth/truths.
 */

export interface SpecPanel {
  /** Links to panels and alerts contain it: it never changes. */
  id: number;
  /** Empty for a panel without a title. */
  title: string;
  type: string;
  /** Left out if the spec names none. */
  unit?: string;
  /** The value from which on a color is shown, in this order. The dashboard has no other thresholds. */
  thresholds?: { amber?: number; red: number };
  /** Legends of the queries whose only filter is the SDK's name (2.3). */
  allApplications?: string[];
}

/** The names of the colors in dashboards. */
export const colors = { amber: /amber|orange|yellow|EAB839|FF9830/i, red: /red/ };

export const panelsA: SpecPanel[] = [
  { id: 1, title: "Total Requests", type: "stat" },
  { id: 2, title: "Avg Request Duration", type: "stat", unit: "s", thresholds: { red: 5 } },
  { id: 3, title: "Avg Tokens per Request", type: "stat", thresholds: { red: 1000 } },
  { id: 4, title: "Avg Cost / Request", type: "stat", unit: "currencyUSD", thresholds: { red: 5 } },
  { id: 5, title: "Total Cost", type: "stat", unit: "currencyUSD" },
  { id: 6, title: "Total Requests overtime", type: "timeseries" },
  { id: 7, title: "Usage by Category", type: "piechart" },
  { id: 8, title: "Usage cost by Provider", type: "piechart", unit: "currencyUSD" },
  { id: 9, title: "Usage cost by Application", type: "piechart", unit: "currencyUSD" },
  { id: 10, title: "Usage cost by Environment", type: "piechart", unit: "currencyUSD" },
  { id: 11, title: "Avg Prompt Tokens / Request", type: "stat" },
  { id: 12, title: "Avg Completion Tokens / Request", type: "stat" },
  { id: 13, title: "Token usage overtime", type: "timeseries" },
  { id: 14, title: "Top models by usage", type: "bargauge" },
  { id: 15, title: "Token usage by model", type: "timeseries" },
  { id: 16, title: "Prompts", type: "logs" },
  { id: 17, title: "Responses", type: "logs" },
];

export const panelsB: SpecPanel[] = [
  { id: 1, title: "Row title", type: "row" },
  { id: 2, title: "Total Successful GenAI Requests", type: "stat" },
  { id: 3, title: "Total Successful VectorDB Requests", type: "stat" },
  { id: 4, title: "Total Usage Tokens", type: "stat" },
  { id: 5, title: "Total Usage Cost", type: "stat", unit: "currencyUSD" },
  { id: 6, title: "Avg Usage Cost", type: "stat", unit: "currencyUSD", thresholds: { amber: 0.5, red: 1 } },
  { id: 7, title: "Request Duration Distribution", type: "histogram", unit: "s" },
  { id: 8, title: "Top GenAI Models by Usage", type: "bargauge" },
  { id: 9, title: "GenAI Requests by Platform", type: "piechart" },
  { id: 10, title: "GenAI Requests by Type", type: "piechart" },
  { id: 11, title: "GenAI Requests by Environment", type: "piechart" },
  { id: 12, title: "GenAI Requests by Application", type: "piechart" },
  { id: 13, title: "VectorDB Usage by System", type: "bargauge" },
  { id: 14, title: "DB Requests by Operation", type: "piechart" },
  {
    id: 15,
    title: "Average Token Consumption vs. Average Usage Cost Comparison",
    type: "timeseries",
    allApplications: ["Avg Completion Tokens", "Avg Cost"],
  },
  { id: 16, title: "GenAI Requests", type: "row" },
  { id: 17, title: "", type: "table" },
  { id: 18, title: "VectorDB Requests", type: "row" },
  { id: 19, title: "", type: "table" },
];

/** Those that show data. */
export const panelsC: SpecPanel[] = [
  { id: 2, title: "Requests", type: "stat", unit: "locale" },
  { id: 3, title: "Error Rate", type: "stat", unit: "percentunit", thresholds: { amber: 0.01, red: 0.05 } },
  { id: 4, title: "p95 Latency", type: "stat", unit: "s" },
  { id: 5, title: "Tokens", type: "stat", unit: "short" },
  { id: 6, title: "Cost", type: "stat", unit: "currencyUSD" },
  { id: 7, title: "Cost / Request", type: "stat", unit: "currencyUSD" },
  { id: 9, title: "Requests by Outcome", type: "timeseries", unit: "locale" },
  { id: 10, title: "p95 Latency by Application", type: "timeseries", unit: "suffix:s" },
  { id: 11, title: "p95 Time to First Token", type: "timeseries", unit: "suffix:s" },
  { id: 12, title: "Tokens by Type", type: "timeseries", unit: "short" },
  { id: 13, title: "Cost by Model", type: "timeseries", unit: "prefix:$" },
  { id: 15, title: "Top Models by Requests", type: "bargauge", unit: "locale" },
  { id: 16, title: "Top Models by Tokens", type: "bargauge", unit: "short" },
  { id: 17, title: "Top Models by Cost", type: "bargauge", unit: "currencyUSD" },
  { id: 37, title: "Tokens without Cost", type: "bargauge", unit: "short" },
  { id: 18, title: "Requests by Provider", type: "piechart", unit: "locale" },
  { id: 19, title: "Requests by Operation", type: "piechart", unit: "locale" },
  { id: 20, title: "Requests by Environment", type: "piechart", unit: "locale" },
  { id: 21, title: "Requests by Application", type: "piechart", unit: "locale" },
  { id: 22, title: "Errors by Type", type: "bargauge", unit: "locale" },
  { id: 24, title: "Invocations by Agent", type: "piechart", unit: "locale" },
  { id: 26, title: "MCP Operations by Method", type: "piechart", unit: "locale" },
  { id: 27, title: "Tool Calls by Tool", type: "piechart", unit: "locale" },
  { id: 28, title: "Tool Errors by Tool", type: "piechart", unit: "locale" },
  { id: 25, title: "Mean Duration by Agent", type: "timeseries", unit: "suffix:s" },
  { id: 30, title: "Requests by System", type: "piechart", unit: "locale" },
  { id: 31, title: "Requests by DB Operation", type: "piechart", unit: "locale" },
  { id: 32, title: "p95 Latency by System", type: "timeseries", unit: "suffix:s" },
  { id: 34, title: "", type: "table" },
  { id: 36, title: "", type: "table" },
];
