/** Installs a tool: completely or not at all, in one process at a time. */
import { access, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { check, lock } from "proper-lockfile";
import { run } from "../run";
import { build, GoMissing } from "./build";
import { download, NotReachable } from "./download";
import { Progress } from "./progress";
import type { Places, Tool } from "./tools";

/** A lock that was not renewed for this long, in milliseconds, belongs to a killed process. */
const stale = 10_000;

/**
 * Installs the tool unless it is installed: downloads it or, without access to the release, builds it.
 *
 * @throws ChecksumMismatch; CommandError if a build fails; Error if neither download nor build is possible
 */
export async function ensure(tool: Tool, progress = new Progress()): Promise<"cached" | "downloaded" | "built"> {
  if (await isComplete(tool)) return "cached";
  const parent = dirname(tool.folder);
  await mkdir(parent, { recursive: true });
  const lockOptions = { realpath: false, stale, lockfilePath: join(parent, `.${basename(tool.folder)}.lock`) };
  if (await check(tool.folder, lockOptions)) progress.log(`waiting for another process that installs the ${tool.name}`);
  const unlock = await lock(tool.folder, { ...lockOptions, retries: { forever: true, factor: 1, minTimeout: 500, maxTimeout: 2000 } });
  try {
    return (await isComplete(tool)) ? "cached" : await install(tool, progress);
  } finally {
    await unlock();
  }
}

/** Works in a temporary folder, and renames it at the end. Requires the lock. */
async function install(tool: Tool, progress: Progress): Promise<"downloaded" | "built"> {
  const parent = dirname(tool.folder);
  const prefix = `.${basename(tool.folder)}-`;
  for (const leftover of await readdir(parent)) {
    if (leftover.startsWith(prefix)) await rm(join(parent, leftover), { recursive: true, force: true });
  }
  const staging = await mkdtemp(join(parent, prefix));
  try {
    const finished = join(staging, "finished");
    const places = { work: join(staging, "work"), bin: join(finished, "bin") };
    await Promise.all(Object.values(places).map((place) => mkdir(place, { recursive: true })));
    const how = await obtain(tool, places, progress);
    const version = (how === "built" && tool.builtVersion) || tool.version;
    await verify(tool, version, finished);
    // An incomplete installation of another program may exist.
    await rm(tool.folder, { recursive: true, force: true });
    await rename(finished, tool.folder);
    progress.log(`${tool.name} ${version} ${how} into ${tool.folder}`);
    return how;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function obtain(tool: Tool, places: Places, progress: Progress): Promise<"downloaded" | "built"> {
  try {
    await download(tool, places, progress);
    return "downloaded";
  } catch (error) {
    if (!(error instanceof NotReachable)) throw error;
    progress.log(`no download: ${error.message}`);
    try {
      await build(tool, places, progress);
    } catch (goError) {
      if (!(goError instanceof GoMissing)) throw goError;
      throw new Error(
        `The ${tool.name} ${tool.version} can neither be downloaded nor built.\n  Download: ${error.message}.\n  Build:    ${goError.message}.\n` +
          "One of both is enough: allow the download, or fix the build.",
      );
    }
    await Promise.all(tool.extras.map((file) => copyFile(file, join(places.bin, basename(file)))));
    return "built";
  }
}

/** Starts the tool once and checks its version. */
async function verify(tool: Tool, version: string, folder: string): Promise<void> {
  const [program, ...args] = tool.versionCommand;
  const output = await run(join(folder, "bin", program), args);
  if (!output.includes(version)) {
    throw new Error(`The installed ${tool.name} has version ${output.trim()}, expected ${version}. Nothing was installed.`);
  }
  if (!(await isComplete({ ...tool, folder }))) {
    throw new Error(`The ${tool.name} lacks one of ${tool.binaries.join(", ")}. Nothing was installed.`);
  }
}

async function isComplete(tool: Tool): Promise<boolean> {
  const checks = tool.binaries.map(async (binary) => {
    const file = join(tool.folder, "bin", binary);
    await access(file, constants.X_OK);
    return (await stat(file)).size > 0;
  });
  return Promise.all(checks).then(
    (results) => results.every(Boolean),
    () => false,
  );
}
