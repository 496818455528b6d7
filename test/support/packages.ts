/** Installs the packages of a folder with a package of its own: `test/view` and `test/truth` are not part of the root's `npm ci`. */
import "./dev-packages";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run";

/** The folders with packages of their own. */
export const ownPackages = ["test/view", "test/truth"];

interface Lockfile {
  packages: Record<string, { version?: string; optional?: boolean; devOptional?: boolean }>;
}

/**
 * Runs `npm ci` in the folder, unless npm's record of the installed packages has the versions of the lockfile.
 *
 * @param log receives a line before a download
 * @throws CommandError if npm fails
 */
export async function installPackages(folder: string, log: (line: string) => void = console.log): Promise<void> {
  if (isInstalled(folder)) return;
  log(`packages: installing those of ${folder}, up to a minute …`);
  await run("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"]);
}

/** Optional packages are those of other platforms. */
function isInstalled(folder: string): boolean {
  const record = join(folder, "node_modules/.package-lock.json");
  const installed: Lockfile = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : { packages: {} };
  const wanted: Lockfile = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return Object.entries(wanted.packages).every(
    ([path, { version, optional, devOptional }]) => path === "" || optional || devOptional || installed.packages[path]?.version === version,
  );
}

if (require.main === module) {
  (async () => {
    for (const folder of ownPackages) await installPackages(folder);
  })().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
