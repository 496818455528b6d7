/** The Pulumi CLI of this project. A file of its own: the report of a preview loads neither the settings nor Pulumi's SDK. */
import { spawnSync } from "node:child_process";

/** Runs a command, whatever its exit code. */
export const runPulumi = (...args: string[]) =>
  spawnSync(process.execPath, [require.resolve("pulumi/run.js"), ...args], { encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY });
