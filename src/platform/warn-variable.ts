/** The environment variable with which the preflight only warns, for commands that must run whatever Grafana has: a report of drift, an import, `destroy`. */
export const warnVariable = "LLM_OBSERVABILITY_PREFLIGHT";
