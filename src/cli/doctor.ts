/**
 * `npm run doctor -- --stack NAME`: runs the checks of a stack, with the settings of its config, deployed or not. Defaults to the selected stack.
 * Uses the Pulumi backend of the shell.
 *
 * Exit codes: 0 no check failed; 1 a check failed, even if the setting `checks` is warn; 2 the checks could not run.
 */
import { join, resolve } from "node:path";
import { type Output, output } from "@pulumi/pulumi";
import { type CheckTargets, secretsVariable, targetsVariable } from "../checks/input";
import { checkSecrets, checkTargets } from "../checks/targets";
import { defineDashboards } from "../dashboards/definitions";
import { otlpAuthorization } from "../otlp";
import { shell } from "../text/sanitize";
import { CommandError, endWith, run } from "./run";
import { parseStackOptions, pulumi, readStack, readState } from "./stack";

async function main(): Promise<void> {
  const options = parseStackOptions("doctor", {});
  const stack = options.stack ?? (await pulumi("stack", "--show-name")).trim();
  const { settings } = await readStack(stack);
  const token = settings.otlp.token ?? (await createdToken(stack));
  const authorization = output(token).apply((plain) => otlpAuthorization(settings.otlp.instanceId, plain));
  const args = { ...settings, definitions: defineDashboards(settings).all, otlpAuthorization: authorization };
  const [targets, secrets] = await Promise.all([plainValue(checkTargets(args)), plainValue(checkSecrets(args))]);
  // A failed check always fails, since there is no deployment to continue.
  const checked: CheckTargets = { ...targets, onFailure: "fail" };
  await run(process.execPath, ["-r", "./src/load.cjs", join(__dirname, "../checks/main.ts")], {
    inherit: true,
    env: { ...process.env, [targetsVariable]: JSON.stringify(checked), [secretsVariable]: JSON.stringify(secrets) },
    cwd: resolve(__dirname, "../.."),
  }).catch((error: unknown) => {
    // Exit code 1: the table has shown the failed check. Any other end of the checks, such as Ctrl-C, ends this command.
    if (!(error instanceof CommandError && error.exitCode === 1)) throw error;
    process.exitCode = 1;
  });
}

const plainValue = <T>(value: Output<T>) => new Promise<T>((use) => value.apply(use));

/** The token of the push that the stack created, with `cloudAccessPolicyToken`. */
async function createdToken(stack: string): Promise<string> {
  const resources = await readState("--show-secrets", "--stack", stack);
  const token = resources.find(({ type }) => type === "grafana:cloud/accessPolicyToken:AccessPolicyToken")?.outputs?.token;
  // As `--show-secrets` prints a secret: with the JSON of its value.
  if (token) return JSON.parse((token as { plaintext: string }).plaintext);
  throw new Error(shell`Stack ${stack} has not created the token of the push. Deploy it first: npx pulumi up --stack ${stack}`);
}

main().catch(endWith(2));
