/** `npm run doctor`: runs the checks of a stack at any time. */
import { type Output, output } from "@pulumi/pulumi";
import { defineAlerts } from "../alerts/definitions";
import { runChecks } from "../checks/run-checks";
import { formatTable } from "../checks/table";
import { checkSecrets, checkTargets } from "../checks/targets";
import { defineDashboards } from "../dashboards/definitions";
import { otlpAuthorization } from "../otlp";
import { shell } from "../text/sanitize";
import { endWith, readOptions, stackOption } from "./options";
import { pulumi, readStack } from "./stack";

const usage = `Usage: npm run doctor [-- --stack NAME]

Runs the checks of a stack, with the settings of its config, deployed or not. Uses the Pulumi backend of the shell. Takes up to a minute.

  -s, --stack NAME the stack: by default the selected one

Exit codes: 0 no check failed; 1 a check failed, even if the setting checks is warn; 2 the checks could not run.`;

async function main(): Promise<void> {
  const stack = readOptions(usage, stackOption, { failure: 2 }).values.stack ?? pulumi("stack", "--show-name").trim();
  const { settings } = readStack(stack);
  const token = output(settings.otlp.token ?? createdToken(stack));
  const authorization = token.apply((plain) => otlpAuthorization(settings.otlp.instanceId, plain));
  const [definitions, rules] = [defineDashboards(settings).all, defineAlerts(settings).titles];
  const args = { ...settings, definitions, rules, otlpAuthorization: authorization };
  const results = await runChecks(await known(checkTargets(args)), await known(checkSecrets(args)));
  console.log(formatTable(results, stack));
  if (results.some(({ status }) => status === "failed")) process.exitCode = 1;
}

/** The state as `--show-secrets` prints it: a secret with the JSON of its value. */
type State = { deployment: { resources?: { type: string; outputs?: { token?: { plaintext: string } } }[] } };

/** The token of the push that the stack created, with `cloudAccessPolicyToken`. */
function createdToken(stack: string): string {
  const { deployment } = JSON.parse(pulumi("stack", "export", "--show-secrets", "--stack", stack)) as State;
  const type = "grafana:cloud/accessPolicyRotatingToken:AccessPolicyRotatingToken";
  const token = deployment.resources?.find((resource) => resource.type === type)?.outputs?.token;
  if (token) return JSON.parse(token.plaintext);
  throw new Error(shell`Stack ${stack} has not created the token of the push. Deploy it first: npx pulumi up --stack ${stack}`);
}

/** The value of an output that depends only on the config. */
const known = <T>(output: Output<T>) => new Promise<T>((resolve) => output.apply((value) => resolve(value as T)));

main().catch(endWith(2));
