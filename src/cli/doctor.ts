/**
 * `npm run doctor -- --stack <stack>`: runs the checks of a deployed stack again, at any time, with exactly what the last deployment checked.
 * Uses the Pulumi backend that the shell is logged in to.
 *
 * Exit codes: 0 no check failed; 1 one did, whatever the setting `checks` says of deployments; 2 they could not be asked.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type CheckTargets, secretsVariable, targetsVariable } from "../checks/input";
import { pulumi } from "./pulumi";
import { CommandError, run } from "./run";
import { ensure } from "./toolchain/install";
import { pulumiTool } from "./toolchain/tools";

interface ExportedResource {
  type: string;
  inputs?: { environment?: unknown };
}

/** A secret as `--show-secrets` writes it: the JSON of its value beside the mark. */
type Shown = { plaintext: string };

const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "plaintext" in value ? JSON.parse((value as Shown).plaintext) : value;

/** What the checks are told. No deployment is under way that could go on after one that failed. */
function variables(environment: Record<string, unknown>): Record<string, string> {
  const read = (name: string) => String(plain(environment[name]));
  const targets: CheckTargets = { ...(JSON.parse(read(targetsVariable)) as CheckTargets), onFailure: "fail" };
  return { [targetsVariable]: JSON.stringify(targets), [secretsVariable]: read(secretsVariable) };
}

async function main(): Promise<void> {
  const { stack } = parseArgs({ options: { stack: { type: "string", short: "s" } } }).values;
  await ensure(pulumiTool());
  const which = stack ? ["--stack", stack] : [];
  const text = await pulumi("stack", "export", "--show-secrets", ...which);
  const { deployment } = JSON.parse(text) as { deployment: { resources?: ExportedResource[] } };
  const environments = (deployment.resources ?? [])
    .filter(({ type }) => type === "command:local:Command")
    .map(({ inputs }) => (plain(inputs?.environment) ?? {}) as Record<string, unknown>)
    .filter((environment) => environment[targetsVariable] !== undefined);
  if (environments.length === 0) throw new Error(`Stack ${stack ?? "(the selected one)"} holds no checks: deploy it first, npx pulumi up`);
  for (const environment of environments) {
    await run(process.execPath, ["-r", "./src/load.cjs", join(__dirname, "../checks/main.ts")], {
      inherit: true,
      env: { ...process.env, ...variables(environment) },
      cwd: resolve(__dirname, "../.."),
    }).catch((error: unknown) => {
      // A check failed, which its report has shown. Whatever else ended them, Ctrl-C perhaps, ends this, too.
      if (!(error instanceof CommandError && error.exitCode === 1)) throw error;
      process.exitCode = 1;
    });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
