/**
 * The process that checks a deployment: reads its input from variables and the stack's name as an argument, prints a table without
 * secrets, exits with 1 if a check failed, with 2 if the checks could not run.
 */
import { readInput, secretsVariable, targetsVariable } from "./input";
import { runChecks } from "./run-checks";
import { formatTable } from "./table";
import type { CheckSecrets, CheckTargets } from "./targets";

async function main(): Promise<void> {
  const targets = readInput<CheckTargets>(targetsVariable);
  const results = await runChecks(targets, readInput<CheckSecrets>(secretsVariable));
  // The stack's output has this line until the checks run again.
  const time = new Date().toISOString().replace(/T(.*):.*/, " $1 UTC");
  console.log(`${formatTable(results, process.argv[2] ?? "STACK")}; found at ${time}, to look again: npm run doctor`);
  if (!results.some(({ status }) => status === "failed")) return;
  if (targets.onFailure === "warn") console.log("A check failed. The deployment continues, because the setting checks is warn.");
  else process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
