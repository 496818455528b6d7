/** Finds the programs of servers: on PATH, or else in the project's cache. */
import { basename, delimiter, join, resolve } from "node:path";
import { CommandError, run } from "../run";
import { ensure, isComplete, isProgram } from "./install";
import { log } from "./progress";
import type { Tool } from "./pulumi";

/**
 * The absolute paths of the tools' programs. A program on PATH is preferred, whatever its version, because the user chose it. Otherwise
 * installs the tool, with the errors of `ensure`. Logs the paths and the versions.
 */
export async function locateAll(...tools: Tool[]): Promise<string[]> {
  const programs: string[] = [];
  for (const tool of tools) programs.push((await find(tool)) ?? (await ensure(tool).then(() => inCache(tool))));
  return programs;
}

export const locate = async (tool: Tool) => (await locateAll(tool)).join();

/** The same without an installation: undefined if there is no such program. */
export async function find(tool: Tool): Promise<string | undefined> {
  const present = await onPath(basename(tool.programs[0].binary));
  if (present && (await starts(present, tool))) return present;
  if (!(await isComplete(tool))) return undefined;
  log(`${tool.name} from the cache: ${inCache(tool)}`);
  return inCache(tool);
}

const inCache = ({ folder, programs }: Tool) => join(folder, "bin", programs[0].binary);

/** Whether the program starts. If not, it is skipped with a message: broken leftovers and shims of version managers are common on PATH. */
async function starts(program: string, tool: Tool): Promise<boolean> {
  let output = "";
  try {
    // Some versions print to standard error.
    await run(program, [tool.versionArgument], { onOutput: (text) => (output += text) });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    log(`${tool.name} on PATH does not work, skipped: ${program}: ${error.message.split("\n", 2).join(" ")}`);
    return false;
  }
  log(`${tool.name} from PATH: ${program}: ${output.trim().split("\n")[0]}`);
  return true;
}

async function onPath(binary: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    const file = resolve(folder, binary);
    if (await isProgram(file)) return file;
  }
  return undefined;
}
