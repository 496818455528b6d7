/** Ids of the panels that alerts link to. Links in Grafana contain an id, so it stays the same. */
export const llmMonitoringPanels = { duration: 2, cost: 5, requests: 6 } as const;

export const openTelemetryPanels = {
  ...{ requests: 9, errorRate: 41, latency: 10, firstToken: 11, cost: 13, tokensWithoutCost: 37, budgets: 38 },
} as const;
