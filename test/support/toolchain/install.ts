/** Installs a tool: completely or not at all, in one process at a time. */
import { access, constants, mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { check, lock } from "proper-lockfile";
import { run } from "../run";
import { build } from "./build";
import { download, NotReachable } from "./download";
import { log } from "./progress";
import type { Places, Tool } from "./pulumi";

/**
 * Installs the tool unless it is installed: downloads it or, without access to the release, builds it.
 *
 * @throws Error if the archive is not the published one, or if neither download nor build is possible
 */
export async function ensure(tool: Tool): Promise<"cached" | "downloaded" | "built"> {
  if (await isComplete(tool)) return "cached";
  const parent = dirname(tool.folder);
  await mkdir(parent, { recursive: true });
  // A lock that was not renewed for 10 seconds belongs to a killed process.
  const lockOptions = { realpath: false, stale: 10_000, lockfilePath: join(parent, `.${basename(tool.folder)}.lock`) };
  if (await check(tool.folder, lockOptions)) log(`waiting for another process that installs the ${tool.name}`);
  const unlock = await lock(tool.folder, { ...lockOptions, retries: { forever: true, factor: 1, minTimeout: 500, maxTimeout: 2000 } });
  try {
    return (await isComplete(tool)) ? "cached" : await install(tool);
  } finally {
    await unlock();
  }
}

/** Works in a temporary folder, and renames it at the end. Requires the lock. */
async function install(tool: Tool): Promise<"downloaded" | "built"> {
  const staging = join(dirname(tool.folder), `.${basename(tool.folder)}-unfinished`);
  // A killed process may have left it.
  await rm(staging, { recursive: true, force: true });
  try {
    const finished = join(staging, "finished");
    const places = { work: join(staging, "work"), bin: join(finished, "bin") };
    await Promise.all(Object.values(places).map((place) => mkdir(place, { recursive: true })));
    const how = await obtain(tool, places);
    await verify(tool, finished);
    // An incomplete installation of another program may exist.
    await rm(tool.folder, { recursive: true, force: true });
    await rename(finished, tool.folder);
    log(`${tool.name} ${tool.version} ${how} into ${tool.folder}${how === "built" && tool.limit ? `. ${tool.limit}` : ""}`);
    return how;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function obtain(tool: Tool, places: Places): Promise<"downloaded" | "built"> {
  try {
    await download(tool, places);
    return "downloaded";
  } catch (refusal) {
    if (!(refusal instanceof NotReachable)) throw refusal;
    log(`no download: ${refusal.message}`);
    const goVersion = tool.programs[0].source?.goVersion;
    await build(tool, places).catch((error: Error) => {
      throw new Error(
        `The ${tool.name} ${tool.version} can neither be downloaded nor built.\n  Download: ${refusal.message}.\n  Build:    ${error.message}.\n` +
          `Allow the download${goVersion ? `, or make the build work: it requires Go ${goVersion} or newer from https://go.dev/dl/` : ""}.`,
      );
    });
    return "built";
  }
}

/** Starts the tool once and checks its version. */
async function verify(tool: Tool, folder: string): Promise<void> {
  const names = tool.programs.map(({ binary }) => binary);
  if (!(await isComplete({ ...tool, folder }))) throw new Error(`The ${tool.name} lacks one of ${names}. Nothing was installed.`);
  const output = await run(join(folder, "bin", tool.programs[0].binary), [tool.versionArgument]);
  if (output.includes(tool.version)) return;
  throw new Error(`The installed ${tool.name} has version ${output.trim()}, expected ${tool.version}. Nothing was installed.`);
}

export const isComplete = async ({ programs, folder }: Tool) =>
  (await Promise.all(programs.map(({ binary }) => isProgram(join(folder, "bin", binary))))).every(Boolean);

/** Whether the path leads to an executable file with content. */
export const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK)
    .then(() => stat(path))
    .then((found) => found.isFile() && found.size > 0)
    .catch(() => false);
