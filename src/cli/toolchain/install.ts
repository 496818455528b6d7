/** Installs a tool: completely or not at all, in one process at a time. */
import { access, constants, copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { check, lock } from "proper-lockfile";
import { run } from "../run";
import { build, GoMissing, isGoProgram } from "./build";
import { download, NotReachable } from "./download";
import { Progress } from "./progress";
import type { Places, Tool } from "./tools";

/**
 * Installs the tool unless it is installed: downloads it or, without access to the release, builds it.
 *
 * @throws CommandError if a build fails; Error if the archive is not the published one, or if neither download nor build is possible
 */
export async function ensure(tool: Tool, progress = new Progress()): Promise<"cached" | "downloaded" | "built"> {
  if (await isComplete(tool)) return "cached";
  const parent = dirname(tool.folder);
  await mkdir(parent, { recursive: true });
  // A lock that was not renewed for 10 seconds belongs to a killed process.
  const lockOptions = { realpath: false, stale: 10_000, lockfilePath: join(parent, `.${basename(tool.folder)}.lock`) };
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
  const staging = join(dirname(tool.folder), `.${basename(tool.folder)}-unfinished`);
  // A killed process may have left it.
  await rm(staging, { recursive: true, force: true });
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
  const refusal = await download(tool, places, progress).catch((error: unknown) => {
    if (error instanceof NotReachable) return error;
    throw error;
  });
  if (!refusal) return "downloaded";
  const programs = tool.programs.filter(isGoProgram);
  if (programs.length < tool.programs.length) {
    throw new Error(`${tool.name} ${tool.version} cannot be downloaded: ${refusal.message}. It is not built from source.`);
  }
  progress.log(`no download: ${refusal.message}`);
  await build(programs, places, progress).catch((error: unknown) => {
    if (!(error instanceof GoMissing)) throw error;
    throw new Error(
      `The ${tool.name} ${tool.version} can neither be downloaded nor built.\n  Download: ${refusal.message}.\n  Build:    ${error.message}.\n` +
        "One of both is enough: allow the download, or fix the build.",
    );
  });
  await Promise.all(tool.extras.map((file) => copyFile(file, join(places.bin, basename(file)))));
  return "built";
}

/** Starts the tool once and checks its version. */
async function verify(tool: Tool, version: string, folder: string): Promise<void> {
  const output = await run(join(folder, "bin", tool.programs[0].binary), [tool.versionArgument]);
  if (!output.includes(version)) {
    throw new Error(`The installed ${tool.name} has version ${output.trim()}, expected ${version}. Nothing was installed.`);
  }
  if (await isComplete({ ...tool, folder })) return;
  throw new Error(`The ${tool.name} lacks one of ${tool.programs.map(({ binary }) => binary).join(", ")}. Nothing was installed.`);
}

export const isComplete = async ({ programs, folder }: Tool) =>
  (await Promise.all(programs.map(({ binary }) => isProgram(join(folder, "bin", binary))))).every(Boolean);

/** Whether the path leads to an executable file with content. */
export const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK)
    .then(() => stat(path))
    .then((found) => found.isFile() && found.size > 0)
    .catch(() => false);
