/** With `warn`, the preflight only warns: for an import, a report of drift, and a `destroy` that must not wait for a fix. */
export const warnVariable = "LLM_OBSERVABILITY_PREFLIGHT";
