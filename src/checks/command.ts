/** The checks as a resource: they run after all other resources, and again only when one of their inputs changes. */
import { join, relative } from "node:path";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { secretsVariable, targetsVariable } from "./input";
import { type ChecksArgs, checkSecrets, checkTargets } from "./targets";

/** Declares the checks. `dependsOn` must contain all resources that are checked. */
export function declareChecks(name: string, args: ChecksArgs, options: pulumi.CustomResourceOptions): local.Command {
  // The command runs in the program's folder. The relative paths are the same on every machine.
  const path = (file: string) => `./${relative(process.cwd(), join(__dirname, file)).replaceAll("\\", "/")}`;
  const advice = path("before-destroy.ts");
  return new local.Command(
    name,
    {
      create: `node -r tsx/cjs "${path("main.ts")}" ${pulumi.getStack()}`,
      // For all shells. In a folder without the program, there is no advice.
      delete: `node -e "require('node:fs').existsSync('${advice}') && (require('tsx/cjs'), require('${advice}'))" ${pulumi.getStack()}`,
      environment: {
        // The state keeps the output, in which debug messages of Node.js and of proxy agents would have credentials.
        ...{ DEBUG: "", NODE_DEBUG: "" },
        [targetsVariable]: pulumi.jsonStringify(checkTargets(args)),
        [secretsVariable]: pulumi.secret(pulumi.jsonStringify(checkSecrets(args))),
      },
    },
    options,
  );
}
