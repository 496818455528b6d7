/** The process that checks a deployment. Reads its input from environment variables and prints a table without secrets. Exits with 1 if a check failed. */
import { type CheckSecrets, type CheckTargets, retryFrom, secretsVariable, targetsVariable } from "./input";
import { runChecks } from "./run-checks";
import { formatTable } from "./table";

function read<T>(variable: string): T {
  const text = process.env[variable];
  if (!text) throw new Error(`checks: the variable ${variable} is not set. \`pulumi up\` and \`npm run doctor\` run the checks.`);
  return JSON.parse(text) as T;
}

async function main(): Promise<void> {
  const targets = read<CheckTargets>(targetsVariable);
  const results = await runChecks(targets, read<CheckSecrets>(secretsVariable), retryFrom(process.env));
  console.log(formatTable(results));
  if (!results.some(({ status }) => status === "failed")) return;
  if (targets.onFailure === "warn") console.log("A check failed. The deployment continues, because the setting checks is warn.");
  else process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
