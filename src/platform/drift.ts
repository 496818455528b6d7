/** The environment variable with which a preview only reports drift, whatever problems Grafana has. */
export const driftVariable = "LLM_OBSERVABILITY_DRIFT";
