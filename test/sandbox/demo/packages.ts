/** Installs the packages of a folder of the project that is not part of `npm ci`. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../src/cli/run";

/**
 * Runs `npm ci` in the folder, unless its packages are newer than its lockfile.
 *
 * @throws CommandError if npm fails
 */
export async function installPackages(folder: string): Promise<void> {
  const [wanted, present] = [join(folder, "package-lock.json"), join(folder, "node_modules/.package-lock.json")];
  if (existsSync(present) && statSync(present).mtimeMs >= statSync(wanted).mtimeMs) return;
  await run("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"]);
}
