/** The Pulumi CLI of this project, with the user's backend. */
import { run } from "./run";

/**
 * Runs a command of the CLI and returns its standard output.
 *
 * @throws CommandError if it fails
 */
export const pulumi = (...args: string[]) =>
  run(process.execPath, [require.resolve("pulumi/run.js"), ...args], { secretOutput: args.includes("--show-secrets") });
