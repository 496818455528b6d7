/** The Pulumi CLI of this project. A file of its own: the report of a preview loads neither the settings nor Pulumi's SDK. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { version } from "pulumi/package.json";

const cli = require.resolve("pulumi/run.js");
const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
const installed = join(home, "versions", process.env.PULUMI_VERSION || version, "bin/pulumi");

/** Runs a command, whatever its exit code. */
export function runPulumi(...args: string[]) {
  // The first command downloads the CLI, whose installer prints to standard output.
  if (!existsSync(installed)) spawnSync(process.execPath, [cli, "version"], { stdio: ["ignore", "ignore", "inherit"] });
  return spawnSync(process.execPath, [cli, ...args], { encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY });
}
