/** With `warn`, the preflight only warns: for commands that must run whatever Grafana has, such as an import, `destroy`, a report of drift. */
export const warnVariable = "LLM_OBSERVABILITY_PREFLIGHT";
