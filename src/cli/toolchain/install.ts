/** Puts a tool into its folder: whole or not at all, by one process at a time. */
import { existsSync } from "node:fs";
import { access, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { check, lock } from "proper-lockfile";
import { run } from "../run";
import { build, GoMissing } from "./build";
import { download, NotReachable } from "./download";
import { Progress } from "./progress";
import type { Places, Tool } from "./tools";

/** A lock that its holder did not touch for so long belongs to a process that was killed. */
const stale = 10_000;

/**
 * Makes sure that the tool is there: as it is, downloaded, or built.
 *
 * @returns how it came to be there
 * @throws ChecksumMismatch; CommandError where a build fails; Error saying what to install where there is no way to have it
 */
export async function ensure(tool: Tool, progress = new Progress()): Promise<"cached" | "downloaded" | "built"> {
  if (await isComplete(tool)) return "cached";
  const parent = dirname(tool.folder);
  await mkdir(parent, { recursive: true });
  const lockOptions = { realpath: false, stale, lockfilePath: join(parent, `.${basename(tool.folder)}.lock`) };
  if (await check(tool.folder, lockOptions)) progress.say(`another process is installing the ${tool.name}: waiting for it`);
  const unlock = await lock(tool.folder, { ...lockOptions, retries: { forever: true, factor: 1, minTimeout: 500, maxTimeout: 2000 } });
  try {
    return (await isComplete(tool)) ? "cached" : await install(tool, progress);
  } finally {
    await unlock();
  }
}

/** Everything happens in a folder beside the final one, which appears by one rename. Call it with the lock held. */
async function install(tool: Tool, progress: Progress): Promise<"downloaded" | "built"> {
  const parent = dirname(tool.folder);
  const prefix = `.${basename(tool.folder)}-`;
  for (const left of await readdir(parent)) {
    if (left.startsWith(prefix)) await rm(join(parent, left), { recursive: true, force: true });
  }
  const staging = await mkdtemp(join(parent, prefix));
  try {
    const finished = join(staging, "finished");
    const places = { work: join(staging, "work"), bin: join(finished, "bin") };
    await Promise.all(Object.values(places).map((place) => mkdir(place, { recursive: true })));
    const how = await obtain(tool, places, progress);
    const version = (how === "built" && tool.builtVersion) || tool.version;
    await verify(tool, version, finished);
    // What may stand there lacks a program: an installation by somebody else that was cut off.
    await rm(tool.folder, { recursive: true, force: true });
    await rename(finished, tool.folder);
    progress.say(`${tool.name} ${version} ${how} into ${tool.folder}`);
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
    progress.say(`no download: ${error.message}`);
    try {
      await build(tool, places, progress);
    } catch (goError) {
      if (!(goError instanceof GoMissing)) throw goError;
      throw new Error(
        `The ${tool.name} ${tool.version} can neither be downloaded nor built.\n  Download: ${error.message}.\n  Build:    ${goError.message}.\n` +
          "Either one is enough: give this machine access to the download, or mend what the build lacks.",
      );
    }
    await Promise.all(tool.extras.map((file) => copyFile(file, join(places.bin, basename(file)))));
    return "built";
  }
}

/** Starts the tool once before anybody relies on it. */
async function verify(tool: Tool, version: string, folder: string): Promise<void> {
  const [program, ...args] = tool.versionCommand;
  const answer = await run(join(folder, "bin", program), args);
  if (!answer.includes(version)) {
    throw new Error(`The ${tool.name} that was installed says it is ${answer.trim()}, not ${version}. Nothing was installed.`);
  }
  if (!(await isComplete({ ...tool, folder })))
    throw new Error(`The ${tool.name} lacks one of ${tool.binaries.join(", ")}. Nothing was installed.`);
}

async function isComplete(tool: Tool): Promise<boolean> {
  if (!existsSync(tool.folder)) return false;
  const ready = tool.binaries.map(async (binary) => {
    const file = join(tool.folder, "bin", binary);
    await access(file, constants.X_OK);
    return (await stat(file)).size > 0;
  });
  return Promise.all(ready).then(
    (all) => all.every(Boolean),
    () => false,
  );
}
