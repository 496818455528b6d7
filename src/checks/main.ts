/** The process that checks a deployment. Told by its environment; prints a table that holds no secret; fails where a check failed. */
import { runChecks } from "./checks";
import { type CheckSecrets, type CheckTargets, patienceVariable, secretsVariable, targetsVariable } from "./input";
import { formatReport } from "./report";

function read<T>(variable: string): T {
  const text = process.env[variable];
  if (!text) throw new Error(`checks: the variable ${variable} is not set; the checks are run by \`pulumi up\` and \`npm run doctor\``);
  return JSON.parse(text) as T;
}

async function main(): Promise<void> {
  const targets = read<CheckTargets>(targetsVariable);
  const patience = { total: 1_000 * Number(process.env[patienceVariable] ?? 30), pause: 3_000 };
  const results = await runChecks(targets, read<CheckSecrets>(secretsVariable), patience);
  console.log(formatReport(results));
  if (!results.some(({ verdict }) => verdict === "failed")) return;
  if (targets.onFailure === "warn") console.log("A check failed; the setting checks is warn, so the deployment goes on.");
  else process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
