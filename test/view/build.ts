/**
 * Builds the page into test/view/build: `node -r tsx/cjs test/view/build.ts`. Installs the packages of test/view if they do not match the lockfile,
 * and does nothing if the sources have not changed.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { lock } from "proper-lockfile";
import { installPackages } from "../support/packages";
import { run } from "../support/run";

/** The folder of the built page. It belongs at the address `/public/view/`. */
export const buildFolder = join(__dirname, "build");

/** In the built page: the hash of its sources. */
const mark = join(buildFolder, ".sources");

/**
 * Builds the page if that is necessary.
 *
 * @param log receives one line for each step that takes long. Default: standard error.
 * @returns the folder of the page, see `buildFolder`
 * @throws CommandError with the output of npm or Vite if one of them fails
 */
export async function buildView(log: (line: string) => void = (line) => process.stderr.write(`${line}\n`)): Promise<string> {
  // A lock that was not renewed for 10 seconds belongs to a killed process.
  const unlock = await lock(__dirname, { stale: 10_000, retries: { forever: true, factor: 1, minTimeout: 500, maxTimeout: 2000 } });
  try {
    await installPackages(__dirname, log);
    const sources = hashOfSources();
    if (textOf(mark) !== sources) {
      log("view: building the page");
      const vite = join("node_modules", "vite", "bin", "vite.js");
      // Vitest sets another value, with which React would be slower.
      const env = { ...process.env, NODE_ENV: "production" };
      await run(process.execPath, [vite, "build", "--config", "vite.config.mts"], { cwd: __dirname, env });
      writeFileSync(mark, sources);
    }
    return buildFolder;
  } finally {
    await unlock();
  }
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const file of filesOf(__dirname)) hash.update(relative(__dirname, file)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

const generated = ["build", "node_modules", "build.ts", "README.md"];

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  return entries
    .filter(({ name }) => !generated.includes(name))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(join(folder, entry.name)) : [join(folder, entry.name)]));
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

if (require.main === module) {
  buildView().then(
    (folder) => console.log(folder),
    (error: Error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
