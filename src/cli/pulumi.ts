/** The Pulumi CLI of this project, with the backend that the shell is logged in to. */
import { run } from "./run";

/**
 * Runs a command of the CLI and returns what it prints.
 *
 * @throws CommandError where it fails
 */
export const pulumi = (...args: string[]) =>
  run(process.execPath, [require.resolve("pulumi/run.js"), ...args], { secretOutput: args.includes("--show-secrets") });
