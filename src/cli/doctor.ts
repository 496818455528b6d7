/**
 * `npm run doctor -- --stack NAME`: runs the checks of a deployed stack again, with the input of the last deployment. Defaults to the selected
 * stack. Uses the Pulumi backend of the shell.
 *
 * Exit codes: 0 no check failed; 1 a check failed, even if the setting `checks` is warn; 2 the checks could not run.
 */
import { join, resolve } from "node:path";
import { type CheckTargets, secretsVariable, targetsVariable } from "../checks/input";
import { CommandError, run } from "./run";
import { parseStackOptions, readState } from "./stack";
import { ensure } from "./toolchain/install";
import { pulumiTool } from "./toolchain/tools";

/** Decodes a secret as `--show-secrets` prints it: an object with the JSON of its value. */
const decode = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "plaintext" in value ? JSON.parse(String(value.plaintext)) : value;

async function main(): Promise<void> {
  const { stack } = parseStackOptions("doctor", {});
  await ensure(pulumiTool());
  const environments = (await readState("--show-secrets", ...(stack ? ["--stack", stack] : [])))
    .filter(({ type }) => type === "command:local:Command")
    .map(({ inputs }) => (decode(inputs?.environment) ?? {}) as Record<string, unknown>)
    .filter((environment) => environment[targetsVariable] !== undefined);
  if (environments.length === 0) throw new Error(`Stack ${stack ?? "(the selected one)"} has no checks. Deploy it first: npx pulumi up`);
  for (const environment of environments) {
    const read = (name: string) => String(decode(environment[name]));
    // A failed check always fails, since there is no deployment to continue.
    const targets: CheckTargets = { ...JSON.parse(read(targetsVariable)), onFailure: "fail" };
    await run(process.execPath, ["-r", "./src/load.cjs", join(__dirname, "../checks/main.ts")], {
      inherit: true,
      env: { ...process.env, [targetsVariable]: JSON.stringify(targets), [secretsVariable]: read(secretsVariable) },
      cwd: resolve(__dirname, "../.."),
    }).catch((error: unknown) => {
      // Exit code 1: the table has shown the failed check. Any other end of the checks, such as Ctrl-C, ends this command.
      if (!(error instanceof CommandError && error.exitCode === 1)) throw error;
      process.exitCode = 1;
    });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
