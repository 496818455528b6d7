/**
 * `npm run doctor -- --stack <stack>`: runs the checks of a deployed stack again, at any time, with exactly what the last deployment checked.
 * Uses the Pulumi backend that the shell is logged in to.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { secretsVariable, targetsVariable } from "../checks/targets";
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

async function main(): Promise<void> {
  const { stack } = parseArgs({ options: { stack: { type: "string", short: "s" } } }).values;
  await ensure(pulumiTool());
  const which = stack ? ["--stack", stack] : [];
  const text = await pulumi("stack", "export", "--show-secrets", ...which);
  const { deployment } = JSON.parse(text) as { deployment: { resources?: ExportedResource[] } };
  const environments = (deployment.resources ?? [])
    .filter(({ type }) => type === "command:local:Command")
    .map(({ inputs }) => plain(inputs?.environment) as Record<string, unknown> | undefined)
    .filter((environment) => environment?.[targetsVariable] !== undefined);
  if (environments.length === 0) throw new Error(`Stack ${stack ?? "(the selected one)"} holds no checks: deploy it first, npx pulumi up`);
  for (const environment of environments) {
    const variables = [targetsVariable, secretsVariable].map((name) => [name, String(plain(environment?.[name]))]);
    const env = { ...process.env, ...Object.fromEntries(variables) };
    await run(process.execPath, ["-r", "ts-node/register", join(__dirname, "../checks/main.ts")], {
      inherit: true,
      env,
      cwd: resolve(__dirname, "../.."),
    });
  }
}

main().catch((error: unknown) => {
  // A failed check has been shown by the report itself.
  if (!(error instanceof CommandError) || error.output) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
