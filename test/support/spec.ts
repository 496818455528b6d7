/** The spec's tables of panels (2.2, 2.3) as data, by the panels' ids. The expected results of the queries are in test/real-servers/truths. */

export interface SpecPanel {
  /** Links to panels and alerts contain it: it never changes. */
  id: number;
  /** Empty for a panel without a title. */
  title: string;
  type: string;
  /** Left out if the spec names none. */
  unit?: string;
  /** The spec's thresholds, and no others. */
  thresholds?: [value: number, color: RegExp][];
  /** Legends of the queries whose only filter is the SDK's name (2.3). */
  allApplications?: string[];
}

const red = /red/;
const amber = /amber|orange|yellow|EAB839|FF9830/i;

export const panelsA: SpecPanel[] = [
  { id: 1, title: "Total Requests", type: "stat" },
  { id: 2, title: "Avg Request Duration", type: "stat", unit: "s", thresholds: [[5, red]] },
  { id: 3, title: "Avg Tokens per Request", type: "stat", thresholds: [[1000, red]] },
  { id: 4, title: "Avg Cost / Request", type: "stat", unit: "currencyUSD", thresholds: [[5, red]] },
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
  {
    id: 6,
    title: "Avg Usage Cost",
    type: "stat",
    unit: "currencyUSD",
    thresholds: [
      [0.5, amber],
      [1, red],
    ],
  },
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
