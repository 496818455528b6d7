/** The Pulumi CLI of this project, with the user's backend; the options and the state of the npm scripts that work on one stack. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { shell } from "../text/sanitize";
import { run } from "./run";

/** Runs a command of the Pulumi CLI and returns its standard output. @throws CommandError if it fails */
export const pulumi = (...args: string[]) =>
  run(process.execPath, [require.resolve("pulumi/run.js"), ...args], { secretOutput: args.includes("--show-secrets") });

/** Parses `--stack NAME` and other options. @throws Error for a positional argument, with the command that has it as an option */
export function parseStackOptions<const T extends NonNullable<ParseArgsConfig["options"]>>(script: string, others: T) {
  const options = { stack: { type: "string", short: "s" } as const, ...others };
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  for (const name of positionals) throw new Error(shell`Unknown argument ${name}. Use: npm run ${script} -- --stack ${name}`);
  return values;
}

/** A resource in the state, with the properties that the scripts read. */
export interface StateResource {
  type: string;
  urn?: string;
  id?: string;
  inputs?: { environment?: unknown };
  outputs?: { uid?: unknown; name?: unknown };
}

/** The resources in the state of a stack. @param flags of `pulumi stack export` */
export async function readState(...flags: string[]): Promise<StateResource[]> {
  const { deployment } = JSON.parse(await pulumi("stack", "export", ...flags)) as { deployment: { resources?: StateResource[] } };
  return deployment.resources ?? [];
}
