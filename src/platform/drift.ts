/** The environment variable with which a preview only reports, whatever problems Grafana has: drift, or what an import file needs. */
export const reportVariable = "LLM_OBSERVABILITY_REPORT";
