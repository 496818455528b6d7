/** Installs the packages of a folder with a package of its own: `test/view` and `test/truth` are not part of the root's `npm ci`. */
import "./dev-packages";
import { endWith } from "../../src/cli/options";
import { run } from "./run";

/** The folders with packages of their own. */
export const ownPackages = ["test/view", "test/truth"];

/**
 * Runs `npm ci` in the folder, unless its packages are installed.
 *
 * @param log receives a line before a download
 * @throws CommandError if npm fails
 */
export async function installPackages(folder: string, log: (line: string) => void = console.log): Promise<void> {
  if (await isInstalled(folder)) return;
  log(`packages: installing those of ${folder}, up to a minute …`);
  await run("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund"]);
}

/** Whether npm finds the packages of package.json, with theirs. */
const isInstalled = (folder: string) =>
  run("npm", ["ls", "--prefix", folder]).then(
    () => true,
    () => false,
  );

if (require.main === module) {
  (async () => {
    for (const folder of ownPackages) await installPackages(folder);
  })().catch(endWith(1));
}
