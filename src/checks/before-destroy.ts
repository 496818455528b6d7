/**
 * The process that `pulumi destroy` runs first, with the stack's name as its only argument. `destroy` uses the token in the state, and the
 * plugin's error would name no cure. This is only advice: the process cannot know whether the program runs and passes on another token.
 */
import { type GrafanaAccess, isRefusal, messageOf, requestGrafana } from "../network/grafana";
import { shell } from "../text/sanitize";
import { readInput, secretsVariable, targetsVariable } from "./input";
import type { CheckSecrets, CheckTargets } from "./targets";

async function adviceFor(access: GrafanaAccess, stack: string): Promise<string | undefined> {
  try {
    const response = await requestGrafana(access, "/api/search?limit=1");
    if (!isRefusal(response.status)) return undefined;
    return [
      `Grafana at ${access.url} rejects the token of the last \`pulumi up\` (${messageOf(response, access)}). If this destroy fails, set ` +
        "another one, and let the program pass it on:",
      shell`  npx pulumi config set --secret grafanaAuth --stack ${stack}\n  npx pulumi destroy --run-program --stack ${stack}`,
    ].join("\n");
  } catch (error) {
    const forget = shell`npx pulumi stack rm --force --preserve-config --stack ${stack}`;
    return `${(error as Error).message}\nIf it no longer exists, forget what the stack created: ${forget}`;
  }
}

const { grafana } = readInput<CheckTargets>(targetsVariable);
const { grafanaAuth: auth } = readInput<CheckSecrets>(secretsVariable);
void adviceFor({ ...grafana, auth }, process.argv[1] ?? "").then((advice) => advice && console.log(advice));
