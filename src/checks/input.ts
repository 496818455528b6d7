import { parseJson } from "../text/json";

/** The environment variables of the checks. Diffs show the first one; the second one is secret. */
export const targetsVariable = "LLM_OBSERVABILITY_CHECKS";
export const secretsVariable = "LLM_OBSERVABILITY_CHECKS_SECRETS";

/** For how many seconds to repeat a check whose credentials were refused: new ones may take effect late. Defaults to 30. */
export const retrySecondsVariable = "LLM_OBSERVABILITY_CHECKS_RETRY_SECONDS";

export function readInput<T>(variable: string): T {
  const text = process.env[variable];
  if (!text) throw new Error(`checks: the variable ${variable} is not set. \`pulumi up\` and \`npm run doctor\` run the checks.`);
  const value = parseJson(text);
  // The error of JSON.parse would quote secrets.
  if (value === undefined) throw new Error(`checks: the variable ${variable} is not JSON.`);
  return value as T;
}
